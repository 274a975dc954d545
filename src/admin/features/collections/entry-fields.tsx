import { NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntryField } from '../../../contract/collections.ts'
import { intlTagOf, type Locale, localized } from '../../../contract/locales.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { NotLoaded } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import styles from '../blocks/blocks.module.css'
import { FileField, ImageField } from '../blocks/file-fields.tsx'
import { UrlField } from '../blocks/url-field.tsx'
import { amountText, centsOf, markedNumberOf } from '../config/values.ts'
import type { PageEditor } from '../pages/page-editor.ts'
import { collectionsQuery, useCollection } from './collections.ts'

const RichTextField = lazyPart(
  async () => (await import('../blocks/rich-text-field.tsx')).default,
  <Skeleton height="9rem" />,
)

/** The fields of an entry, beside its blocks. */
export function EntryFields({ work, disabled }: { work: PageEditor; disabled: boolean }) {
  const { page, text, problems, change } = work
  const { error, refetch } = useQuery(collectionsQuery)
  const collection = useCollection(page.collection)
  const values = text.fields ?? {}
  const set = (id: string, value: string | number | undefined) => {
    const { [id]: _before, ...others } = values
    change({ fields: value === undefined || value === '' ? others : { ...others, [id]: value } })
  }
  if (error && !collection) return <NotLoaded text={reasonOf(error)} retry={() => void refetch()} />
  return (
    <fieldset className={`${styles.read} stack`} disabled={disabled} data-page-field="fields">
      {collection?.fields.map((field) => (
        <OneField
          key={field.id}
          field={field}
          value={values[field.id]}
          problem={problems[`fields.${field.id}`]}
          locale={page.locale}
          onChange={(value) => set(field.id, value)}
        />
      ))}
    </fieldset>
  )
}

interface One {
  field: EntryField
  value: string | number | undefined
  problem: string | undefined
  /** Of the content. */
  locale: Locale
  onChange: (value: string | number | undefined) => void
}

function OneField({ field, value, problem, locale, onChange }: One) {
  const t = useText()
  const uiLocale = useLocale()
  const dir = useContentDirection(locale)
  const name = localized(field.name, uiLocale).value
  const label = field.required ? t('pages.entry.required', { name }) : name
  const text = value === undefined ? '' : String(value)
  const own = { label, value: text, problem, locale }
  switch (field.type) {
    case 'richText':
      return <RichTextField {...own} onChange={(html: unknown) => onChange(String(html ?? ''))} />
    case 'picture':
      return (
        <ImageField
          label={label}
          value={text}
          optional
          logo={false}
          onChange={onChange}
          onChoose={({ url }) => onChange(url)}
          problem={problem}
        />
      )
    case 'file':
      return <FileField {...own} kind="file" optional onChange={(url) => onChange(url as string | undefined)} />
    case 'link':
      return <UrlField {...own} onChange={onChange} />
    case 'choice': {
      const known = (field.options ?? []).map(({ id, name }) => ({ value: id, label: localized(name, uiLocale).value }))
      return (
        <NativeSelect
          label={label}
          error={problem}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[
            { value: '', label: t('pages.entry.noChoice') },
            ...known,
            // An option that was removed from the settings: without it the browser would show the first one.
            ...(text === '' || known.some(({ value: id }) => id === text)
              ? []
              : [{ value: text, label: t('pages.entry.choiceGone') }]),
          ]}
        />
      )
    }
    case 'date':
      return (
        <TextInput
          type="date"
          label={label}
          error={problem}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'number':
    case 'price':
      return <NumberField {...{ field, value, problem, locale, onChange }} label={label} />
    case 'text':
    case 'author':
      return (
        <TextInput
          label={label}
          error={problem}
          lang={locale}
          dir={dir}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

/** A number as typed. Invalid input stays in the draft, and is refused when the page is saved. */
function NumberField({ field, value, problem, onChange, label }: One & { label: string }) {
  const t = useText()
  const locale = useLocale()
  const isPrice = field.type === 'price'
  const read = (typed: string) => (isPrice ? centsOf(typed) : markedNumberOf(typed)) ?? typed
  const decimals = new Intl.NumberFormat(intlTagOf(locale), { useGrouping: false, maximumFractionDigits: 20 })
  const write = (number: number) => (isPrice ? amountText(number, locale) : decimals.format(number))
  const written = typeof value === 'number' ? write(value) : (value ?? '')
  const [typed, setTyped] = useState(written)
  // Keeps the input as typed, unless the value changed elsewhere.
  const shown = typed !== '' && read(typed) === value ? typed : written
  return (
    <TextInput
      label={label}
      description={isPrice ? t('pages.entry.priceHelp') : undefined}
      error={problem}
      inputMode="decimal"
      dir="ltr"
      value={shown}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(event.currentTarget.value === '' ? undefined : read(event.currentTarget.value))
      }}
    />
  )
}
