import { Badge, Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import {
  builtInLocales,
  defaultLocale,
  directionOf,
  findBuiltInLocale,
  isLanguageTag,
  type Locale,
  languageName,
  mainLocaleOf,
  prefixOf,
  rootLocaleOf,
} from '../../../../contract/locales.ts'
import { AddButton } from '../../../components/buttons.tsx'
import { ChoiceGroup } from '../../../components/choices.tsx'
import { notify } from '../../../components/notify.tsx'
import { Section } from '../../../components/page.tsx'
import { SortableList } from '../../../components/sortable-list.tsx'
import { Translated } from '../../../components/translated.tsx'
import { useLanguageIn, useText } from '../../../i18n.ts'
import { moved } from '../../blocks/sortable-rows.tsx'
import { pageLanguagesQuery, pageReadRights } from '../../pages/pages.ts'
import { useRight } from '../../sign-in/me.ts'
import styles from '../config.module.css'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'

interface LanguageValues {
  tag: Locale
  /** Empty: the name of the language in that language. */
  name: string
  /** `auto`: the direction of its script. */
  direction: 'auto' | 'ltr' | 'rtl'
}
interface Values extends Record<string, unknown> {
  locales: LanguageValues[]
  rootLocale: Locale
  /** All languages in the order in which built-in texts fall back. Those after the first with all texts are unused. */
  fallback: Locale[]
}

export const locales: ScreenDefinition<Values> = {
  valuesOf: ({ locales, languages, rootLocale, fallbackLocales = [defaultLocale] }) => ({
    rootLocale: rootLocaleOf({ rootLocale }),
    fallback: [...new Set<Locale>([...fallbackLocales, ...builtInLocales, ...locales])],
    locales: locales.map((tag) => toLanguageValues(tag, languages)),
  }),
  partsOf: ({ locales, rootLocale, fallback }, config) => {
    // A removed language keeps its name and direction, for when it is added again.
    const removed = Object.entries(config.languages ?? {}).filter(([tag]) => !locales.some((item) => item.tag === tag))
    const customized = locales.flatMap(({ tag, name, direction }) => {
      const properties = { ...(name.trim() && { name: name.trim() }), ...(direction !== 'auto' && { direction }) }
      return Object.keys(properties).length > 0 ? [[tag, properties] as const] : []
    })
    const languages = Object.fromEntries([...customized, ...removed])
    const isEmpty = Object.keys(languages).length === 0
    const fallbackLocales = usedFallbacks(fallback)
    const isSameFallback = String(fallbackLocales) === String(config.fallbackLocales ?? [defaultLocale])
    return {
      locales: locales.map(({ tag }) => tag),
      ...((config.rootLocale ?? defaultLocale) !== rootLocale && { rootLocale }),
      ...(!isSameFallback && { fallbackLocales }),
      ...((!isEmpty || config.languages) && { languages: isEmpty ? undefined : languages }),
    }
  },
  Fields,
}

const toLanguageValues = (tag: Locale, languages: SiteParts['languages']): LanguageValues => ({
  tag,
  name: languages?.[tag]?.name ?? '',
  direction: languages?.[tag]?.direction ?? 'auto',
})

/** The languages up to the first that has all built-in texts. */
const usedFallbacks = (order: readonly Locale[]): Locale[] =>
  order.slice(0, order.findIndex((tag) => findBuiltInLocale(tag) !== undefined) + 1)

/** The languages that are suggested by name; any other can be added by its tag. */
const suggestedTags = 'ar da de en es fa fr fy he it ja pl pt ro sv tr uk zh'.split(' ')

function Fields({ form, config }: FieldsProps<Values>) {
  const t = useText()
  const languageIn = useLanguageIn()
  const pageCounts = usePageCounts()
  const { locales, rootLocale, fallback } = form.getValues()
  const setLanguages = (next: LanguageValues[]) => {
    form.clearErrors()
    form.setFieldValue('locales', next)
  }
  const remove = (tag: Locale) => {
    const index = locales.findIndex((language) => language.tag === tag)
    setLanguages(locales.toSpliced(index, 1))
    const undo = () => {
      const others = form.getValues().locales.filter((language) => language.tag !== tag)
      setLanguages(others.toSpliced(index, 0, locales[index] as LanguageValues))
    }
    notify(<Translated text="config.locales.removed" name={<bdi>{languageIn(tag)}</bdi>} />, undo, 'form')
  }
  const hidden = [...pageCounts].filter(([tag]) => !locales.some((language) => language.tag === tag))
  return (
    <>
      <Section
        title={t('config.screens.locales.title')}
        lead={t('config.locales.order', {
          main: languageIn(mainLocaleOf({ locales: locales.map(({ tag }) => tag), rootLocale })),
        })}
      >
        <SortableList
          label={t('config.screens.locales.title')}
          items={locales}
          keyOf={({ tag }) => tag}
          nameOf={({ tag }) => languageIn(tag)}
          onMove={(from, to) => setLanguages(moved(locales, from, to))}
        >
          {({ tag }, index) => (
            <LanguageFields
              form={form}
              index={index}
              pageCount={pageCounts.get(tag) ?? 0}
              isRoot={tag === rootLocale}
              onRemove={tag === rootLocale ? undefined : () => remove(tag)}
            />
          )}
        </SortableList>
        <AddLanguage
          existing={locales.map(({ tag }) => tag)}
          onAdd={(tag) => setLanguages([...locales, toLanguageValues(tag, config.languages)])}
        />
      </Section>
      <Section title={t('config.locales.rootTitle')} lead={t('config.locales.rootLead')}>
        <NativeSelect
          label={t('config.locales.rootChoice')}
          data={locales.map(({ tag }) => ({ value: tag, label: languageIn(tag) }))}
          {...form.getInputProps('rootLocale')}
        />
        <p role="status" className="help">
          {form.isDirty('rootLocale') && t('config.locales.rootMoves', { name: languageIn(rootLocale) })}
        </p>
      </Section>
      <Section title={t('config.locales.fallbackTitle')} lead={t('config.locales.fallbackLead')}>
        <SortableList
          label={t('config.locales.fallbackTitle')}
          items={fallback}
          keyOf={(tag) => tag}
          nameOf={languageIn}
          onMove={(from, to) => form.setFieldValue('fallback', moved(fallback, from, to))}
        >
          {(tag) => <bdi>{languageIn(tag)}</bdi>}
        </SortableList>
      </Section>
      {hidden.length > 0 && (
        <Section title={t('config.locales.hidden')} lead={t('config.locales.hiddenText')}>
          <ul className="flush">
            {hidden.map(([tag, count]) => (
              <li key={tag}>
                {languageIn(tag)}: {t('config.locales.pages', { count })}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** The number of pages with a text in each language; empty while loading, and for users who may not see pages. */
function usePageCounts(): ReadonlyMap<Locale, number> {
  const { data } = useQuery({ ...pageLanguagesQuery, enabled: useRight(...pageReadRights) })
  return new Map(data?.map(({ locale, pages }) => [locale, pages]))
}

function LanguageFields(props: {
  form: FieldsProps<Values>['form']
  index: number
  pageCount: number
  isRoot: boolean
  /** Undefined: it cannot be removed. */
  onRemove: (() => void) | undefined
}) {
  const { form, index, pageCount, isRoot, onRemove } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const language = form.getValues().locales[index]
  if (!language) return null
  const { tag, direction } = language
  const path = `locales.${index}`
  const name = languageIn(tag)
  const error = form.errors[path]
  return (
    <fieldset className={styles.both}>
      <legend className={styles.label}>
        <bdi>{name}</bdi> <bdi dir="ltr">({tag})</bdi> {isRoot && <Badge>{t('config.locales.root')}</Badge>}
      </legend>
      <p className="help">
        {t('config.locales.address')} <bdi dir="ltr">{isRoot ? '/' : `/${prefixOf(tag)}`}</bdi>
        {pageCount > 0 && ` · ${t('config.locales.pages', { count: pageCount })}`}
      </p>
      <div className={styles.languages}>
        <TextInput
          label={t('config.locales.name')}
          placeholder={languageName(tag)}
          lang={tag}
          dir="auto"
          maxLength={40}
          {...form.getInputProps(`${path}.name`)}
        />
        <ChoiceGroup
          legend={t('config.locales.direction')}
          options={[
            { value: 'auto', label: t(`config.locales.auto_${directionOf(tag)}`) },
            { value: 'ltr', label: t('config.locales.ltr') },
            { value: 'rtl', label: t('config.locales.rtl') },
          ]}
          chosen={[direction]}
          onChoose={([chosen]) => form.setFieldValue(`${path}.direction`, chosen as LanguageValues['direction'])}
        />
      </div>
      {error && <p className="wrong">{error}</p>}
      {onRemove && (
        <div className="row">
          <Button leftSection={<Trash2 />} aria-label={t('config.locales.removeOne', { name })} onClick={onRemove}>
            {t('config.locales.remove')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

function AddLanguage({ existing, onAdd }: { existing: readonly Locale[]; onAdd: (tag: Locale) => void }) {
  const t = useText()
  const languageIn = useLanguageIn()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const suggestions = suggestedTags
    .filter((tag) => !existing.includes(tag))
    .map((tag) => ({ value: tag, label: languageIn(tag) }))
  const add = () => {
    const tag = suggestions.find(({ label }) => label === typed.trim())?.value ?? parseTag(typed)
    if (tag === undefined) return setProblem(t('config.locales.noTag'))
    if (existing.includes(tag)) return setProblem(t('config.locales.twice'))
    setTyped('')
    setProblem(undefined)
    onAdd(tag)
  }
  return (
    <div className="stack">
      <TextInput
        label={t('config.locales.add')}
        description={t('config.locales.addHelp')}
        list={id}
        value={typed}
        error={problem}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <datalist id={id}>
        {suggestions.map(({ value, label }) => (
          <option key={value} value={label} />
        ))}
      </datalist>
      <div className="row">
        <AddButton onClick={add}>{t('config.locales.addButton')}</AddButton>
      </div>
    </div>
  )
}

/** The canonical form of a language tag: `EN-us` is `en-US`. Undefined if it is none. */
function parseTag(typed: string): Locale | undefined {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(typed.trim())
    return isLanguageTag(tag) ? tag : undefined
  } catch {
    return undefined
  }
}
