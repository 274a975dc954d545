import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { Locale, SiteLanguage } from '../../../contract/locales.ts'
import { type TextKey, useLanguageIn, useText } from '../../i18n.ts'
import { useMainLocale, useSiteLanguages } from '../../site-languages.ts'
import styles from './config.module.css'

interface FieldOfForm {
  // biome-ignore lint/suspicious/noExplicitAny: the type of the field follows from the path below
  form: UseFormReturnType<any>
  /** The path in the form, like `seo.title`. */
  path: string
  /** By default the text `config.fields.{path}`. */
  label?: string
  help?: ReactNode
}

/** A required single-line text field of a form. */
export function TextField({ form, path, label, help, ...rest }: FieldOfForm & Omit<TextInputProps, 'form' | 'label'>) {
  const t = useText()
  return (
    <TextInput
      label={label ?? t(`config.fields.${path}` as TextKey)}
      description={help}
      dir="auto"
      required
      {...form.getInputProps(path)}
      {...rest}
    />
  )
}

/** A text field per language, side by side. Below an empty one it says which language visitors see instead. */
export function TranslatedFields(
  props: FieldOfForm & {
    /** Initial number of lines; 1 for a single-line field. */
    rows?: number
    /** Whether the main language may be empty too. `withMain`: the text is saved only if the main language has it. */
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
  // An error about a missing language has the path of the whole text.
  const textError = form.errors[path]
  const renderField = ({ locale, name, direction }: SiteLanguage) => {
    const isMain = locale === main
    const showsMain = !isMain && isEmpty(locale) && !(optional && isEmpty(main))
    const isNotSaved = !isMain && !isEmpty(locale) && optional === 'withMain' && isEmpty(main)
    const input = form.getInputProps(`${path}.${locale}`)
    const fieldProps = {
      ...input,
      value: input.value ?? '',
      error: input.error ?? (textError !== undefined && isEmpty(locale)),
      onChange(event: unknown) {
        form.clearFieldError(path)
        input.onChange(event)
      },
      'aria-label': `${label} (${name})`,
      lang: locale,
      dir: direction,
      required: isMain && !optional,
    }
    return (
      <div key={locale} className={styles.language}>
        <span aria-hidden className={styles.languageName} lang={locale}>
          {name}
          {fieldProps.required && <span className="mantine-InputWrapper-required"> *</span>}
        </span>
        {rows > 1 ? <Textarea {...fieldProps} rows={rows} autosize={false} /> : <TextInput {...fieldProps} />}
        {isNotSaved && <p className={styles.missing}>{t('config.notKept', { main: languageIn(main) })}</p>}
        {showsMain && (
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
      <div className={styles.languages}>{languages.map(renderField)}</div>
      {textError && (
        <p role="alert" className="wrong">
          {textError}
        </p>
      )}
    </fieldset>
  )
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
