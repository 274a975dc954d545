import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Locale, localizedPath } from '../../../contract/locales.ts'
import { lockOf } from '../../../contract/locks.ts'
import { useText } from '../../i18n.ts'
import { useContentDirection, useSite } from '../../site-languages.ts'
import type { PageEditor } from './page-editor.ts'
import styles from './pages.module.css'
import { slugQuery } from './pages.ts'

/** The slug of a page, with a suggestion from its title. */
export function PageSlug({ work }: { work: PageEditor }) {
  const t = useText()
  const { page, text, problems, change } = work
  const locked = lockOf(page.locks).page && page.version > 0
  const fixed = page.fixed || !page.can.change || locked
  const [title] = useDebouncedValue(text.title.trim(), 250)
  const { data } = useQuery({ ...slugQuery(title, page.locale, page.id), enabled: !fixed && title !== '' })
  const suggested = data && data.slug !== text.slug ? data.slug : undefined
  const moved = page.path !== null && text.slug !== page.text.slug
  const help = page.fixed
    ? t('pages.slugFixed')
    : locked
      ? t('blocks.lock.boundPage')
      : moved
        ? t('pages.slugMoved')
        : undefined
  return (
    <div data-page-field="slug">
      <SlugField
        locale={page.locale}
        value={text.slug}
        error={problems.slug}
        disabled={fixed}
        help={help}
        onChange={(slug) => change({ slug })}
        action={
          suggested && (
            <button type="button" className="as-link" onClick={() => change({ slug: suggested })}>
              {t('pages.slugSuggested', { slug: suggested })}
            </button>
          )
        }
      />
    </div>
  )
}

/** The slug of a page, with the full URL below it. */
export function SlugField(props: {
  locale: Locale
  value: string
  error?: ReactNode
  disabled?: boolean
  /** Why it cannot be changed, or the effect of changing it. */
  help?: string | undefined
  onChange: (slug: string) => void
  action?: ReactNode
}) {
  const { locale, value, error, disabled, help, onChange, action } = props
  const t = useText()
  const path = localizedPath(`/${value.replace(/^\/+/, '')}`, locale, useSite())
  return (
    <div className={styles.slug}>
      <TextInput
        label={t('pages.fields.slug')}
        description={help ?? t('pages.slugHelp')}
        dir={useContentDirection(locale)}
        lang={locale}
        autoCapitalize="none"
        spellCheck={false}
        disabled={disabled ?? false}
        error={error}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p className={`quiet small flush ${styles.whole}`}>
        <span>
          {t('pages.wholeAddress')}{' '}
          <bdi dir="ltr" className={styles.address}>
            {location.host}
            {path}
          </bdi>
        </span>
        {action}
      </p>
    </div>
  )
}
