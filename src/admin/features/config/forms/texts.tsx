import { Badge, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { VisitorText } from '../../../../contract/configuration.ts'
import type { Locale } from '../../../../contract/locales.ts'
import type { SiteConfig } from '../../../../contract/site-config.ts'
import { ChoiceGroup } from '../../../components/choices.tsx'
import { Section } from '../../../components/page.tsx'
import { LoadingOrError } from '../../../components/states.tsx'
import { useLanguageIn, useText } from '../../../i18n.ts'
import { useFirstLocale, useSiteLanguages } from '../../../site-languages.ts'
import { hasProblem, type Problems, problemsUnder } from '../../blocks/problems.ts'
import { visitorTextsQuery } from '../config.ts'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'
import { TranslatedFields } from '../text-fields.tsx'
import { type FormTexts, fromLineTexts, fromTexts, toLineTexts, toTexts } from '../values.ts'

interface TextsValues extends Record<string, unknown> {
  texts: NonNullable<SiteConfig['texts']>
}

/** The customer's own versions of the built-in texts for visitors, also in languages that have no built-in texts. */
export const texts: ScreenDefinition<TextsValues> = {
  valuesOf: ({ texts }) => ({ texts: texts ?? {} }),
  partsOf: ({ texts }, config) => {
    const ownTexts = Object.entries(texts).flatMap(([locale, textsByKey]) => {
      const filled = Object.entries(textsByKey ?? {}).filter(([, text]) => text.trim() !== '')
      return filled.length > 0 ? [[locale, Object.fromEntries(filled)] as const] : []
    })
    if (ownTexts.length === 0 && !config.texts) return {}
    return { texts: ownTexts.length > 0 ? Object.fromEntries(ownTexts) : undefined }
  },
  Fields: TextsFields,
}

/** The first names of the keys. */
const groups = ['site', 'contact', 'mail', 'signIn', 'errors', 'validation'] as const

function TextsFields({ form, saveFailed }: FieldsProps<TextsValues>) {
  const t = useText()
  const languages = useSiteLanguages()
  const languageIn = useLanguageIn()
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const [missingOnly, setMissingOnly] = useState(false)
  const { data, error, refetch } = useQuery(visitorTextsQuery(locale))
  const problems = problemsUnder(form.errors as Problems, 'texts')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a failed save changes the language, not a correction
  useEffect(() => {
    const languageWithError = languages.find((language) => hasProblem(problems, language.locale))
    if (saveFailed && languageWithError && !hasProblem(problems, locale)) setLocale(languageWithError.locale)
  }, [saveFailed])
  const ownTexts = form.getValues().texts[locale] ?? {}
  const isMissing = ({ path, delivered }: VisitorText) => !delivered && !(ownTexts[path] ?? '').trim()
  const missingCount = data?.filter(isMissing).length ?? 0
  const setText = (path: string, text: string) => {
    form.clearFieldError(`texts.${locale}.${path}`)
    form.setFieldValue('texts', { ...form.getValues().texts, [locale]: { ...ownTexts, [path]: text } })
  }
  return (
    <>
      <Section title={t('config.screens.texts.title')} lead={t('config.texts.help')}>
        <div className="row">
          <ChoiceGroup
            legend={<span className="visually-hidden">{t('config.preview.locale')}</span>}
            options={languages.map(({ locale: value, name }) => ({ value, label: name }))}
            chosen={[locale]}
            onChoose={([chosen]) => chosen && setLocale(chosen)}
          />
          {data && (
            <Badge color={missingCount > 0 ? 'yellow' : 'brand'}>
              {missingCount > 0 ? t('config.texts.missing', { count: missingCount }) : t('config.texts.complete')}
            </Badge>
          )}
        </div>
        {missingCount > 0 && (
          <Switch
            label={t('config.texts.missingOnly')}
            checked={missingOnly}
            onChange={(event) => setMissingOnly(event.currentTarget.checked)}
          />
        )}
      </Section>
      {!data && <LoadingOrError error={error} refetch={refetch} rows={6} />}
      {groups.map((group) => {
        // A text that is being translated stays, so that it does not disappear while it is typed.
        const showsAll = !missingOnly || missingCount === 0
        const groupTexts = data?.filter(
          ({ path, delivered }) => path.startsWith(`${group}.`) && (showsAll || !delivered),
        )
        if (!groupTexts?.length) return null
        return (
          <Section key={group} title={t(`config.texts.groups.${group}`)}>
            {groupTexts.map((text) => (
              <OwnTextField
                key={`${locale} ${text.path}`}
                text={text}
                language={languages.find((language) => language.locale === locale)}
                value={ownTexts[text.path] ?? ''}
                error={form.errors[`texts.${locale}.${text.path}`]}
                missing={isMissing(text) ? t('config.texts.shown', { language: languageIn(locale) }) : undefined}
                onChange={(value) => setText(text.path, value)}
              />
            ))}
          </Section>
        )
      })}
    </>
  )
}

/** A field for the customer's version of a built-in text. @param props.missing a notice that visitors lack the text */
function OwnTextField(props: {
  text: VisitorText
  language: { locale: Locale; direction: 'ltr' | 'rtl' } | undefined
  value: string
  error: ReactNode
  missing: string | undefined
  onChange: (value: string) => void
}) {
  const { text, language, value, error, missing, onChange } = props
  const fieldProps = {
    label: <bdi>{text.text}</bdi>,
    description: missing ? `${text.path} · ${missing}` : text.path,
    lang: language?.locale,
    dir: language?.direction,
    placeholder: text.delivered ? text.text : '',
    value,
    error,
    maxLength: 2_000,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  return text.text.length > 80 ? <Textarea {...fieldProps} autosize minRows={2} /> : <TextInput {...fieldProps} />
}

interface SeoValues extends Record<string, unknown> {
  seo: { title: FormTexts; description: FormTexts; keywords: FormTexts }
}

export const seo: ScreenDefinition<SeoValues> = {
  valuesOf: ({ seo }) => ({
    seo: { title: toTexts(seo.title), description: toTexts(seo.description), keywords: toLineTexts(seo.keywords) },
  }),
  partsOf: ({ seo }) => ({
    seo: {
      title: fromTexts(seo.title),
      description: fromTexts(seo.description),
      keywords: fromLineTexts(seo.keywords),
    },
  }),
  Fields: SeoFields,
  hasNoPreview: true,
}

function SeoFields({ form }: FieldsProps<SeoValues>) {
  const t = useText()
  return (
    <Section title={t('config.screens.seo.title')}>
      <TranslatedFields form={form} path="seo.title" help={t('config.help.seoTitle')} />
      <TranslatedFields form={form} path="seo.description" help={t('config.help.seoDescription')} rows={4} />
      <TranslatedFields form={form} path="seo.keywords" help={t('config.perLine')} rows={8} optional />
    </Section>
  )
}
