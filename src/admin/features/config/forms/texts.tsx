import { Badge, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { VisitorText } from '../../../../contract/configuration.ts'
import type { Locale } from '../../../../contract/locales.ts'
import type { SiteConfig } from '../../../../contract/site-config.ts'
import { ChoiceGroup } from '../../../components/choices.tsx'
import { Section } from '../../../components/page.tsx'
import { Unloaded } from '../../../components/states.tsx'
import { useLanguageIn, useText } from '../../../i18n.ts'
import { useFirstLocale, useSiteLanguages } from '../../../site-languages.ts'
import { hasProblem, type Problems, problemsUnder } from '../../blocks/problems.ts'
import { visitorTextsQuery } from '../config.ts'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TranslatedFields } from '../text-fields.tsx'
import { lineTextsOf, listsOf, type Texts, textOf, textsOf } from '../values.ts'

interface TextValues extends Record<string, unknown> {
  texts: NonNullable<SiteConfig['texts']>
}

/** The program's texts for visitors: translated into a language that it lacks, or changed. */
export const texts: PartDefinition<TextValues> = {
  valuesOf: ({ texts }) => ({ texts: texts ?? {} }),
  partsOf: ({ texts }, config) => {
    const own = Object.entries(texts).flatMap(([locale, some]) => {
      const filled = Object.entries(some ?? {}).filter(([, text]) => text.trim() !== '')
      return filled.length > 0 ? [[locale, Object.fromEntries(filled)] as const] : []
    })
    if (own.length === 0 && !config.texts) return {}
    return { texts: own.length > 0 ? Object.fromEntries(own) : undefined }
  },
  Fields: TextFields,
}

const groups = ['site', 'contact', 'mail', 'signIn', 'errors', 'validation'] as const

function TextFields({ form, failed }: FieldsProps<TextValues>) {
  const t = useText()
  const languages = useSiteLanguages()
  const languageIn = useLanguageIn()
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const [missingOnly, setMissingOnly] = useState(false)
  const { data, error, refetch } = useQuery(visitorTextsQuery(locale))
  const problems = problemsUnder(form.errors as Problems, 'texts')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal changes the language, not mending it
  useEffect(() => {
    const inOther = languages.find((one) => hasProblem(problems, one.locale))
    if (failed && inOther && !hasProblem(problems, locale)) setLocale(inOther.locale)
  }, [failed])
  const own = form.getValues().texts[locale] ?? {}
  const isMissing = ({ path, delivered }: VisitorText) => !delivered && !(own[path] ?? '').trim()
  const missing = data?.filter(isMissing).length ?? 0
  const set = (path: string, text: string) => {
    form.clearFieldError(`texts.${locale}.${path}`)
    form.setFieldValue('texts', { ...form.getValues().texts, [locale]: { ...own, [path]: text } })
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
            <Badge color={missing > 0 ? 'yellow' : 'brand'}>
              {missing > 0 ? t('config.texts.missing', { count: missing }) : t('config.texts.complete')}
            </Badge>
          )}
        </div>
        {missing > 0 && (
          <Switch
            label={t('config.texts.missingOnly')}
            checked={missingOnly}
            onChange={(event) => setMissingOnly(event.currentTarget.checked)}
          />
        )}
      </Section>
      {!data && <Unloaded error={error} refetch={refetch} rows={6} />}
      {groups.map((group) => {
        const shown = data?.filter(
          (one) => one.path.startsWith(`${group}.`) && (!missingOnly || missing === 0 || !one.delivered),
        )
        if (!shown?.length) return null
        return (
          <Section key={group} title={t(`config.texts.groups.${group}`)}>
            {shown.map((text) => (
              <OneText
                key={`${locale} ${text.path}`}
                text={text}
                language={languages.find((one) => one.locale === locale)}
                value={own[text.path] ?? ''}
                error={form.errors[`texts.${locale}.${text.path}`]}
                missing={isMissing(text) ? t('config.texts.shown', { language: languageIn(locale) }) : undefined}
                onChange={(value) => set(text.path, value)}
              />
            ))}
          </Section>
        )
      })}
    </>
  )
}

function OneText(props: {
  text: VisitorText
  language: { locale: Locale; direction: 'ltr' | 'rtl' } | undefined
  value: string
  error: ReactNode
  missing: string | undefined
  onChange: (value: string) => void
}) {
  const { text, language, value, error, missing, onChange } = props
  const same = {
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
  return text.text.length > 80 ? <Textarea {...same} autosize minRows={2} /> : <TextInput {...same} />
}

interface SeoValues extends Record<string, unknown> {
  seo: { title: Texts; description: Texts; keywords: Texts }
}

export const seo: PartDefinition<SeoValues> = {
  valuesOf: ({ seo }) => ({
    seo: { title: textsOf(seo.title), description: textsOf(seo.description), keywords: lineTextsOf(seo.keywords) },
  }),
  partsOf: ({ seo }) => ({
    seo: { title: textOf(seo.title), description: textOf(seo.description), keywords: listsOf(seo.keywords) },
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
