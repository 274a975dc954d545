import { Badge, Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import {
  defaultLocale,
  directionOf,
  findProgramLocale,
  isLanguageTag,
  type Locale,
  languageName,
  mainLocaleOf,
  prefixOf,
  programLocales,
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
import type { FieldsProps, PartDefinition } from '../part-form.tsx'

interface Language {
  tag: Locale
  /** Empty: the language's own name. */
  name: string
  /** `auto`: the direction of its script. */
  direction: 'auto' | 'ltr' | 'rtl'
}
interface Values extends Record<string, unknown> {
  locales: Language[]
  rootLocale: Locale
  /** All fallback languages of texts; those after the first with all of the program's texts are not used. */
  fallback: Locale[]
}

export const locales: PartDefinition<Values> = {
  valuesOf: ({ locales, languages, rootLocale, fallbackLocales = [defaultLocale] }) => ({
    rootLocale: rootLocaleOf({ rootLocale }),
    fallback: [...new Set<Locale>([...fallbackLocales, ...programLocales, ...locales])],
    locales: locales.map((tag) => languageOf(tag, languages)),
  }),
  partsOf: ({ locales, rootLocale, fallback }, config) => {
    // A language that is removed keeps its name and direction, for when it comes back.
    const removed = Object.entries(config.languages ?? {}).filter(([tag]) => !locales.some((one) => one.tag === tag))
    const own = locales.flatMap(({ tag, name, direction }) => {
      const shown = { ...(name.trim() && { name: name.trim() }), ...(direction !== 'auto' && { direction }) }
      return Object.keys(shown).length > 0 ? [[tag, shown] as const] : []
    })
    const languages = Object.fromEntries([...own, ...removed])
    const isEmpty = Object.keys(languages).length === 0
    return {
      locales: locales.map(({ tag }) => tag),
      ...((config.rootLocale ?? defaultLocale) !== rootLocale && { rootLocale }),
      ...(String(fallbackOf(fallback)) !== String(config.fallbackLocales ?? [defaultLocale]) && {
        fallbackLocales: fallbackOf(fallback),
      }),
      ...((!isEmpty || config.languages) && { languages: isEmpty ? undefined : languages }),
    }
  },
  Fields,
}

const languageOf = (tag: Locale, languages: SiteParts['languages']): Language => ({
  tag,
  name: languages?.[tag]?.name ?? '',
  direction: languages?.[tag]?.direction ?? 'auto',
})

/** The languages of the order that are used. */
const fallbackOf = (order: readonly Locale[]): Locale[] =>
  order.slice(0, order.findIndex((one) => findProgramLocale(one) !== undefined) + 1)

/** Languages that are offered by name; any other is added by its tag. */
const offered = 'ar da de en es fa fr fy he it ja pl pt ro sv tr uk zh'.split(' ')

function Fields({ form, config }: FieldsProps<Values>) {
  const t = useText()
  const languageIn = useLanguageIn()
  const pages = usePages()
  const { locales, rootLocale, fallback } = form.getValues()
  const set = (next: Language[]) => {
    form.clearErrors()
    form.setFieldValue('locales', next)
  }
  const remove = (tag: Locale) => {
    const index = locales.findIndex((one) => one.tag === tag)
    set(locales.toSpliced(index, 1))
    const putBack = () => {
      const others = form.getValues().locales.filter((one) => one.tag !== tag)
      set(others.toSpliced(index, 0, locales[index] as Language))
    }
    notify(<Translated text="config.locales.removed" name={<bdi>{languageIn(tag)}</bdi>} />, putBack)
  }
  const hidden = [...pages].filter(([tag]) => !locales.some((one) => one.tag === tag))
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
          onMove={(from, to) => set(moved(locales, from, to))}
        >
          {({ tag }, index) => (
            <LanguageFields
              form={form}
              index={index}
              pages={pages.get(tag) ?? 0}
              isRoot={tag === rootLocale}
              onRemove={tag === rootLocale ? undefined : () => remove(tag)}
            />
          )}
        </SortableList>
        <AddLanguage
          known={locales.map(({ tag }) => tag)}
          onAdd={(tag) => set([...locales, languageOf(tag, config.languages)])}
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

/** The number of pages with a text in each language. */
function usePages(): ReadonlyMap<Locale, number> {
  const { data } = useQuery({ ...pageLanguagesQuery, enabled: useRight(...pageReadRights) })
  return new Map(data?.map(({ locale, pages }) => [locale, pages]))
}

function LanguageFields(props: {
  form: FieldsProps<Values>['form']
  index: number
  pages: number
  isRoot: boolean
  onRemove: (() => void) | undefined
}) {
  const { form, index, pages, isRoot, onRemove } = props
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
        {pages > 0 && ` · ${t('config.locales.pages', { count: pages })}`}
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
          onChoose={([chosen]) => form.setFieldValue(`${path}.direction`, chosen as Language['direction'])}
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

function AddLanguage({ known, onAdd }: { known: readonly Locale[]; onAdd: (tag: Locale) => void }) {
  const t = useText()
  const languageIn = useLanguageIn()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const choices = offered.filter((tag) => !known.includes(tag)).map((tag) => ({ value: tag, label: languageIn(tag) }))
  const add = () => {
    const tag = choices.find(({ label }) => label === typed.trim())?.value ?? canonical(typed)
    if (tag === undefined) return setProblem(t('config.locales.noTag'))
    if (known.includes(tag)) return setProblem(t('config.locales.twice'))
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
        {choices.map(({ value, label }) => (
          <option key={value} value={label} />
        ))}
      </datalist>
      <div className="row">
        <AddButton onClick={add}>{t('config.locales.addButton')}</AddButton>
      </div>
    </div>
  )
}

/** `EN-us` is `en-US`. */
function canonical(typed: string): Locale | undefined {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(typed.trim())
    return isLanguageTag(tag) ? tag : undefined
  } catch {
    return undefined
  }
}
