import { useEffect, useState } from 'react'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { type Locale, type Localized, languageName } from '../../../../contract/locales.ts'
import type { StoredBlock } from '../../../../contract/site-config.ts'
import { TextLink } from '../../../components/buttons.tsx'
import { Section } from '../../../components/page.tsx'
import { type TextKey, useLanguageIn, useText } from '../../../i18n.ts'
import { useFirstLocale, useMainLocale } from '../../../site-languages.ts'
import { SiteBlocksAllowed } from '../../blocks/add-block.tsx'
import { BlockList } from '../../blocks/block-list.tsx'
import { hasProblem, type Problems, problemsAfterChange, problemsUnder } from '../../blocks/problems.ts'
import { BlockStyleEnabled } from '../../blocks/style-fields.tsx'
import { ContentLanguage, type FieldsProps, type PartDefinition } from '../part-form.tsx'

type Bar = keyof SiteParts['branding']
type Area = Localized<StoredBlock[]>

interface Values extends Record<string, unknown> {
  branding: Record<string, Record<string, Area>>
}

const areaNames = {
  navbar: ['top', 'desktop', 'mobile'],
  footer: ['left', 'right', 'bottom'],
} as const

/** One bar of the site: three areas, each with a list of blocks per language. */
const bar = (name: Bar): PartDefinition<Values> => ({
  valuesOf: ({ branding }) => ({
    branding: {
      [name]: Object.fromEntries(Object.entries(branding[name]).map(([area, texts]) => [area, texts as Area])),
    },
  }),
  partsOf: ({ branding }, config) => ({
    branding: {
      ...config.branding,
      [name]: branding[name] ?? {},
    },
  }),
  Fields: (props) => <Areas bar={name} {...props} />,
  ...(name === 'footer' && { previewTarget: name }),
})

export const navbar = bar('navbar')
export const footer = bar('footer')

function Areas({ bar, form, failed }: FieldsProps<Values> & { bar: Bar }) {
  const t = useText()
  return (
    <BlockStyleEnabled value={false}>
      {bar === 'navbar' && (
        <p className="flush quiet">
          {t('config.areas.menuElsewhere')}{' '}
          <TextLink to="/admin/config/$part" params={{ part: 'menu' }} underline="always">
            {t('config.screens.menu.title')}
          </TextLink>
        </p>
      )}
      {areaNames[bar].map((area) => (
        <OneArea key={area} bar={bar} area={area} form={form} failed={failed} />
      ))}
    </BlockStyleEnabled>
  )
}

function OneArea(props: Pick<FieldsProps<Values>, 'form' | 'failed'> & { bar: Bar; area: string }) {
  const { bar, area, form, failed } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const main = useMainLocale()
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const path = `branding.${bar}.${area}`
  const value = form.getValues().branding[bar]?.[area] ?? { [main]: [] }
  const blocks = value[locale] ?? []
  const title = t(`config.fields.areas.${bar}.${area}` as TextKey)
  const problems = problemsUnder(form.errors as Problems, path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal changes the language, not mending it
  useEffect(() => {
    const inOther = Object.keys(value).find((one) => hasProblem(problems, one))
    if (failed && inOther && !hasProblem(problems, locale)) setLocale(inOther)
  }, [failed])
  const set = (update: (blocks: StoredBlock[]) => StoredBlock[]) => {
    const own = `${path}.${locale}`
    const before = form.getValues().branding[bar]?.[area]?.[locale] ?? []
    const changed = update(before)
    form.setFieldValue(own, changed as never)
    form.setErrors((errors) => problemsAfterChange(errors as Problems, own, before, changed))
  }
  return (
    <Section title={title}>
      <ContentLanguage
        title={title}
        locale={locale}
        onChoose={setLocale}
        missing={
          value[locale]
            ? undefined
            : t('config.areas.missing', { language: languageIn(locale), main: languageIn(main) })
        }
        onCopy={() => set(() => structuredClone(value[main] ?? []))}
      >
        <SiteBlocksAllowed value={true}>
          <BlockList
            key={locale}
            value={blocks}
            onChange={set}
            locale={locale}
            problems={problemsUnder(problems, locale)}
            maxBlocks={50}
            label={`${title} (${languageName(locale)})`}
          />
        </SiteBlocksAllowed>
      </ContentLanguage>
    </Section>
  )
}
