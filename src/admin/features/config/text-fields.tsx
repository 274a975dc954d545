import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { Locale, SiteLanguage } from '../../../contract/locales.ts'
import { type TextKey, useLanguageIn, useText } from '../../i18n.ts'
import { useMainLocale, useSiteLanguages } from '../../site-languages.ts'
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
      {...form.getInputProps(path)}
      {...more}
    />
  )
}

/** A field for each language side by side; below an empty one stands which language visitors see. */
export function TranslatedFields(
  props: FieldOfForm & {
    /** Initial number of lines; 1 for a single-line field. */
    rows?: number
    /** Whether the main language may be empty too; `withMain`: the others are not saved without a text in it. */
    optional?: boolean | 'withMain'
  },
) {
  const { form, path, help, rows = 1, optional = false } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const languages = useSiteLanguages()
  const main = useMainLocale()
  const label = props.label ?? t(`config.fields.${path}` as TextKey)
  const isEmpty = (locale: Locale) => (form.getInputProps(`${path}.${locale}`).value ?? '').trim() === ''
  // The server's error in a language that the text lacks is at the text as a whole.
  const problem = form.errors[path]
  const field = ({ locale, name, direction }: SiteLanguage) => {
    const missing = locale !== main && isEmpty(locale) && !(optional && isEmpty(main))
    const unused = locale !== main && !isEmpty(locale) && optional === 'withMain' && isEmpty(main)
    const input = form.getInputProps(`${path}.${locale}`)
    const same = {
      ...input,
      value: input.value ?? '',
      error: input.error ?? (problem !== undefined && isEmpty(locale)),
      onChange(event: unknown) {
        form.clearFieldError(path)
        input.onChange(event)
      },
      'aria-label': `${label} (${name})`,
      lang: locale,
      dir: direction,
      required: locale === main && !optional,
    }
    return (
      <div key={locale} className={styles.language}>
        <span aria-hidden className={styles.languageName} lang={locale}>
          {name}
          {same.required && <span className="mantine-InputWrapper-required"> *</span>}
        </span>
        {rows > 1 ? <Textarea {...same} rows={rows} autosize={false} /> : <TextInput {...same} />}
        {unused && <p className={styles.missing}>{t('config.notKept', { main: languageIn(main) })}</p>}
        {missing && (
          <p className={styles.missing}>
            {t('config.missing', { language: capitalised(languageIn(locale)), main: languageIn(main) })}
          </p>
        )}
      </div>
    )
  }
  return (
    <fieldset className={styles.both}>
      <legend className={styles.label}>{label}</legend>
      {help && <p className="help">{help}</p>}
      <div className={styles.languages}>{languages.map(field)}</div>
      {problem && (
        <p role="alert" className="wrong">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
