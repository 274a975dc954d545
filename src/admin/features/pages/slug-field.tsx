import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { direction, type Locale, localizedPath } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import styles from './pages.module.css'

/** The address of a page, with the whole of it shown as visitors will have it in their address bar. */
export function SlugField(props: {
  locale: Locale
  value: string
  error?: ReactNode
  disabled?: boolean
  /** Why it cannot be changed, or what comes of it. */
  help?: string | undefined
  onChange: (slug: string) => void
  action?: ReactNode
}) {
  const { locale, value, error, disabled, help, onChange, action } = props
  const t = useText()
  const path = localizedPath(`/${value.replace(/^\/+/, '')}`, locale)
  return (
    <div className={styles.slug}>
      <TextInput
        label={t('pages.fields.slug')}
        description={help ?? t('pages.slugHelp')}
        dir={direction[locale]}
        lang={locale}
        autoComplete="off"
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
