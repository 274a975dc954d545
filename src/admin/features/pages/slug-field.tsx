import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Locale, localizedPath } from '../../../contract/locales.ts'
import { lockOf } from '../../../contract/locks.ts'
import { useText } from '../../i18n.ts'
import { useContentDirection, useLanguageSettings } from '../../site-languages.ts'
import type { PageEditor } from './page-editor.ts'
import styles from './pages.module.css'
import { slugQuery } from './pages.ts'

/**
 * The slug of the edited page, with a suggestion from its title, and a note when it is fixed or locked or a live page
 * would move.
 */
export function PageSlug({ editor }: { editor: PageEditor }) {
  const t = useText()
  const { page, text, problems, change } = editor
  const isLocked = lockOf(page.locks).page && page.version > 0
  const isReadOnly = page.fixed || !page.can.change || isLocked
  const [title] = useDebouncedValue(text.title.trim(), 250)
  const { data } = useQuery({ ...slugQuery(title, page.locale, page.id), enabled: !isReadOnly && title !== '' })
  const suggested = data && data.slug !== text.slug ? data.slug : undefined
  const isLiveAndMoved = page.path !== null && text.slug !== page.text.slug
  return (
    <div data-page-field="slug">
      <SlugField
        locale={page.locale}
        value={text.slug}
        error={problems.slug}
        disabled={isReadOnly}
        help={helpText()}
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

  function helpText(): string | undefined {
    if (page.fixed) return t('pages.slugFixed')
    if (isLocked) return t('blocks.lock.boundPage')
    return isLiveAndMoved ? t('pages.slugMoved') : undefined
  }
}

/** A field for a slug, with the full URL below it. @param props.action beside the URL */
export function SlugField(props: {
  locale: Locale
  value: string
  error?: ReactNode
  disabled?: boolean
  /** The description of the field; the default explains what a slug is. */
  help?: string | undefined
  onChange: (slug: string) => void
  action?: ReactNode
}) {
  const { locale, value, error, disabled, help, onChange, action } = props
  const t = useText()
  const path = localizedPath(`/${value.replace(/^\/+/, '')}`, locale, useLanguageSettings())
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
