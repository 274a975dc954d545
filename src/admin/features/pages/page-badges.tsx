import { Badge } from '@mantine/core'
import { CalendarClock, ClipboardCheck, PencilLine } from 'lucide-react'
import type { PageInLocale, PageState } from '../../../contract/pages.ts'
import { siteTimeText } from '../../components/dates.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import styles from './pages.module.css'

const colours: Record<PageState, string> = { published: 'brand', changed: 'yellow', unpublished: 'gray' }

/** The publication state. */
export function StateBadge({ state, size = 'lg' }: { state: PageState; size?: 'sm' | 'lg' }) {
  const t = useText()
  return (
    <Badge size={size} color={colours[state]} className={styles.state ?? ''} data-state={state}>
      {t(`pages.state.${state}`)}
    </Badge>
  )
}

/** The scheduled publication and unpublication; nothing without a schedule. */
export function Schedule({ text }: { text: Pick<PageInLocale, 'publishAt' | 'unpublishAt'> }) {
  const t = useText()
  const locale = useLocale()
  const { publishAt, unpublishAt } = text
  if (!publishAt && !unpublishAt) return null
  return (
    <span className={styles.schedules}>
      <CalendarClock size={16} />
      <span>
        {publishAt && (
          <span>{t('pages.schedule.willPublish', { date: siteTimeText(new Date(publishAt), locale, t) })}</span>
        )}
        {unpublishAt && (
          <span>{t('pages.schedule.willUnpublish', { date: siteTimeText(new Date(unpublishAt), locale, t) })}</span>
        )}
      </span>
    </span>
  )
}

/** Shown when the user has a draft. */
export function DraftBadge() {
  const t = useText()
  return (
    <Badge variant="outline" color="gray" className={styles.state ?? ''} leftSection={<PencilLine size={14} />}>
      {t('pages.ownDraft')}
    </Badge>
  )
}

/** Shown when a text waits for review. */
export function ReviewBadge() {
  const t = useText()
  return (
    <Badge variant="outline" className={styles.state ?? ''} leftSection={<ClipboardCheck size={14} />}>
      {t('pages.statuses.review')}
    </Badge>
  )
}

/** The name of a user within a sentence. Etalage itself, which has no id, is not capitalised there. */
export const nameWithin = ({ id, name }: NonNullable<PageInLocale['savedBy']>, t: TFunction): string =>
  id === null ? t('audit.programWithin') : name
