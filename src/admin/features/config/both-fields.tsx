import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { direction, type Locale, localeNames, locales } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import styles from './config.module.css'
import type { BothTexts } from './values.ts'

/** A text in Dutch and in Persian, side by side; a Persian one that is missing says what visitors see instead. */
export function BothFields(props: {
  // biome-ignore lint/suspicious/noExplicitAny: the path below says which of the form's own values it is
  form: UseFormReturnType<any>
  /** Of the two texts in the form, like `seo.title`. */
  path: string
  value: BothTexts
  label: string
  help?: ReactNode
  /** Lines to begin with; one is a line and no more. */
  rows?: number
  /** Dutch may be empty too: then there is nothing. */
  optional?: boolean
}) {
  const { form, path, value, label, help, rows = 1, optional = false } = props
  const t = useText()
  const wanted = !optional || value.nl.trim() !== ''
  const field = (locale: Locale) => {
    const missing = locale === 'fa' && wanted && value.fa.trim() === ''
    const same = {
      ...form.getInputProps(`${path}.${locale}`),
      'aria-label': `${label} (${localeNames[locale]})`,
      lang: locale,
      dir: direction[locale],
      autoComplete: 'off',
      required: locale === 'nl' && !optional,
    }
    return (
      <div key={locale} className={styles.language}>
        <span aria-hidden className={styles.languageName} lang={locale}>
          {localeNames[locale]}
        </span>
        {rows > 1 ? <Textarea {...same} rows={rows} autosize={false} /> : <TextInput {...same} />}
        {missing && <p className={styles.missing}>{t('config.missing')}</p>}
      </div>
    )
  }
  return (
    <fieldset className={styles.both}>
      <legend className={styles.label}>{label}</legend>
      {help && <p className={styles.help}>{help}</p>}
      <div className={styles.languages}>{locales.map(field)}</div>
    </fieldset>
  )
}
