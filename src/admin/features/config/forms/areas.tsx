import { type ComponentProps, useEffect, useState } from 'react'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { type Locale, type Localized, languageName } from '../../../../contract/locales.ts'
import type { StoredBlock } from '../../../../contract/site-config.ts'
import { TextLink } from '../../../components/buttons.tsx'
import { Section } from '../../../components/page.tsx'
import { type TextKey, useLanguageIn, useText } from '../../../i18n.ts'
import { useFirstLocale, useMainLocale } from '../../../site-languages.ts'
import { IsHeaderOrFooterContext } from '../../blocks/add-block.tsx'
import { BlockList } from '../../blocks/block-list.tsx'
import { hasProblem, type Problems, problemsAfterChange, problemsUnder } from '../../blocks/problems.ts'
import { BlockStyleEnabledContext } from '../../blocks/style-fields.tsx'
import { useUnsavedProblems } from '../../blocks/unsaved-problems.ts'
import { ContentLanguage, type FieldsProps, type ScreenDefinition } from '../part-form.tsx'

/** The header (`navbar`) or the footer. */
type Bar = keyof SiteParts['branding']
type Area = Localized<StoredBlock[]>

/** One constant, because each other array counts as a change of the blocks. */
const noBlocks: StoredBlock[] = []

interface Values extends Record<string, unknown> {
  branding: Record<string, Record<string, Area>>
}

const areaNames = {
  navbar: ['top', 'desktop', 'mobile'],
  footer: ['left', 'right', 'bottom'],
} as const

/** The settings screen of a bar: three areas, each with a list of blocks per language. */
const defineBar = (name: Bar): ScreenDefinition<Values> => ({
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

export const navbar = defineBar('navbar')
export const footer = defineBar('footer')

function Areas({ bar, form, saveFailed }: FieldsProps<Values> & { bar: Bar }) {
  const t = useText()
  return (
    <BlockStyleEnabledContext value={false}>
      {bar === 'navbar' && (
        <p className="flush quiet">
          {t('config.areas.menuElsewhere')}{' '}
          <TextLink to="/admin/config/$part" params={{ part: 'menu' }} underline="always">
            {t('config.screens.menu.title')}
          </TextLink>
        </p>
      )}
      {areaNames[bar].map((area) => (
        <AreaSection key={area} bar={bar} area={area} form={form} saveFailed={saveFailed} />
      ))}
    </BlockStyleEnabledContext>
  )
}

function AreaSection(props: Pick<FieldsProps<Values>, 'form' | 'saveFailed'> & { bar: Bar; area: string }) {
  const { bar, area, form, saveFailed } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const main = useMainLocale()
  const [locale, setLocale] = useState<Locale>(useFirstLocale())
  const path = `branding.${bar}.${area}`
  const value = form.getValues().branding[bar]?.[area] ?? { [main]: [] }
  const title = t(`config.fields.areas.${bar}.${area}` as TextKey)
  const problems = problemsUnder(form.errors as Problems, path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a failed save changes the language, not a correction
  useEffect(() => {
    const localeWithError = Object.keys(value).find((tag) => hasProblem(problems, tag))
    if (saveFailed && localeWithError && !hasProblem(problems, locale)) setLocale(localeWithError)
  }, [saveFailed])
  const setBlocks = (update: (blocks: StoredBlock[]) => StoredBlock[]) => {
    const localePath = `${path}.${locale}`
    const current = form.getValues().branding[bar]?.[area]?.[locale] ?? []
    const changed = update(current)
    form.setFieldValue(localePath, changed as never)
    form.setErrors((errors) => problemsAfterChange(errors as Problems, localePath, current, changed))
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
        onCopy={() => setBlocks(() => structuredClone(value[main] ?? []))}
      >
        <IsHeaderOrFooterContext value={true}>
          <AreaBlocks
            key={locale}
            value={value[locale] ?? noBlocks}
            onChange={setBlocks}
            locale={locale}
            problems={problemsUnder(problems, locale)}
            maxBlocks={50}
            label={`${title} (${languageName(locale)})`}
          />
        </IsHeaderOrFooterContext>
      </ContentLanguage>
    </Section>
  )
}

function AreaBlocks(props: ComponentProps<typeof BlockList> & { problems: Problems }) {
  return <BlockList {...props} problems={useUnsavedProblems(props.value, props.problems)} />
}
