import { Alert } from '@mantine/core'
import { Users } from 'lucide-react'
import { Fragment } from 'react'
import type { PageInLocale, Presence } from '../../../contract/pages.ts'
import { momentText } from '../../components/dates.ts'
import { Said } from '../../components/said.tsx'
import { useLocale } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import styles from './page-form.module.css'

/** Who else has this page open, in words. */
export function OthersHere({ presence }: { presence: Presence | undefined }) {
  const locale = useLocale()
  const others = presence?.others ?? []
  return (
    <div role="status">
      {others.length > 0 && (
        <p className={styles.others}>
          <Users size={18} aria-hidden />
          <span>
            <Said
              text={others.length === 1 ? 'pages.others.one' : 'pages.others.several'}
              names={<Names names={others.map(({ name }) => name)} locale={locale} />}
            />
          </span>
        </p>
      )}
    </div>
  )
}

function Names({ names, locale }: { names: string[]; locale: string }) {
  const parts = new Intl.ListFormat(locale === 'fa' ? 'fa-IR' : 'nl-NL').formatToParts(names)
  return parts.map(({ type, value }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name, and they stay in their order
    <Fragment key={index}>{type === 'element' ? <bdi>{value}</bdi> : value}</Fragment>
  ))
}

/** Somebody else saved while one was typing. One's own other tab is no news. */
export function SavedMeanwhile({ page, version }: { page: PageInLocale; version: number }) {
  const me = useMe()
  const locale = useLocale()
  if (page.version <= version || !page.savedBy || page.savedBy.id === me.id) return null
  return (
    <Alert role="alert">
      <Said
        text="pages.others.saved"
        name={<bdi>{page.savedBy.name}</bdi>}
        date={page.savedAt ? momentText(new Date(page.savedAt), locale) : ''}
      />
    </Alert>
  )
}
