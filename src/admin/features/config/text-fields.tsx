import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { direction, type Locale, localeNames, locales } from '../../../contract/locales.ts'
import { type TextKey, useText } from '../../i18n.ts'
import styles from './config.module.css'

interface FieldOfForm {
  // biome-ignore lint/suspicious/noExplicitAny: the form's type follows from the path below
  form: UseFormReturnType<any>
  /** The path in the form, like `seo.title`. */
  path: string
  /** By default the text `config.fields.{path}`. */
  label?: string
  help?: ReactNode
}

/** A required text field of one line. */
export function TextField({ form, path, label, help, ...more }: FieldOfForm & Omit<TextInputProps, 'form' | 'label'>) {
  const t = useText()
  return (
    <TextInput
      label={label ?? t(`config.fields.${path}` as TextKey)}
      description={help}
      dir="auto"
      required
      autoComplete="off"
      {...form.getInputProps(path)}
      {...more}
    />
  )
}

/** Dutch and Persian fields side by side; an empty Persian field has the fallback as its placeholder. */
export function BothFields(
  props: FieldOfForm & {
    /** Initial number of lines; 1 for a single-line field. */
    rows?: number
    /** Whether Dutch may be empty too. */
    optional?: boolean
  },
) {
  const { form, path, help, rows = 1, optional = false } = props
  const t = useText()
  const label = props.label ?? t(`config.fields.${path}` as TextKey)
  const isEmpty = (locale: Locale) => (form.getInputProps(`${path}.${locale}`).value ?? '').trim() === ''
  const field = (locale: Locale) => {
    const missing = locale === 'fa' && isEmpty('fa') && !(optional && isEmpty('nl'))
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
