import type { PageInLocale } from '../../../contract/pages.ts'
import type { Say } from '../../i18n.ts'

/** What somebody is called within a sentence; the website itself has no number, and no capital there. */
export const nameWithin = ({ id, name }: NonNullable<PageInLocale['savedBy']>, t: Say): string =>
  id === null ? t('audit.programWithin') : name
