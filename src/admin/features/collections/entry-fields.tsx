import { NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntryField } from '../../../contract/collections.ts'
import { intlTagOf, type Locale, localized } from '../../../contract/locales.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { InlineError } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import styles from '../blocks/blocks.module.css'
import { FileField, ImageField } from '../blocks/file-fields.tsx'
import { UrlField } from '../blocks/url-field.tsx'
import { formatCents, parseCents, parseLocalNumber } from '../config/values.ts'
import type { PageEditor } from '../pages/page-editor.ts'
import { collectionsQuery, useCollection } from './collections.ts'

const RichTextField = lazyPart(
  async () => (await import('../blocks/rich-text-field.tsx')).default,
  <Skeleton height="9rem" />,
)

/** The form fields of a page that is an entry of a collection. */
export function EntryFields({ editor, disabled }: { editor: PageEditor; disabled: boolean }) {
  const { page, text, problems, change } = editor
  const { error, refetch } = useQuery(collectionsQuery)
  const collection = useCollection(page.collection)
  const values = text.fields ?? {}
  const set = (id: string, value: string | number | undefined) => {
    const { [id]: _previous, ...others } = values
    change({ fields: value === undefined || value === '' ? others : { ...others, [id]: value } })
  }
  if (error && !collection) return <InlineError text={reasonOf(error)} retry={() => void refetch()} />
  return (
    <fieldset className={`${styles.read} stack`} disabled={disabled} data-page-field="fields">
      {collection?.fields.map((field) => (
        <FieldInput
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

interface FieldInputProps {
  field: EntryField
  value: string | number | undefined
  problem: string | undefined
  /** The locale of the content. */
  locale: Locale
  onChange: (value: string | number | undefined) => void
}

function FieldInput({ field, value, problem, locale, onChange }: FieldInputProps) {
  const t = useText()
  const uiLocale = useLocale()
  const dir = useContentDirection(locale)
  const name = localized(field.name, uiLocale).value
  const label = field.required ? t('pages.entry.required', { name }) : name
  const text = value === undefined ? '' : String(value)
  const inputProps = { label, value: text, problem, locale }
  switch (field.type) {
    case 'richText':
      return <RichTextField {...inputProps} onChange={(html: unknown) => onChange(String(html ?? ''))} />
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
      return <FileField {...inputProps} kind="file" optional onChange={(url) => onChange(url as string | undefined)} />
    case 'link':
      return <UrlField {...inputProps} onChange={onChange} />
    case 'choice': {
      const options = (field.options ?? []).map(({ id, name }) => ({
        value: id,
        label: localized(name, uiLocale).value,
      }))
      const isKnown = text === '' || options.some((option) => option.value === text)
      return (
        <NativeSelect
          label={label}
          error={problem}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[
            { value: '', label: t('pages.entry.noChoice') },
            ...options,
            // An option that was removed from the settings. Without it the browser would show the first option.
            ...(isKnown ? [] : [{ value: text, label: t('pages.entry.choiceGone') }]),
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

/** A number, or a price in cents. Invalid input stays in the draft as text, and is refused when the page is saved. */
function NumberField({ field, value, problem, onChange, label }: FieldInputProps & { label: string }) {
  const t = useText()
  const uiLocale = useLocale()
  const isPrice = field.type === 'price'
  // Both parsers read the decimal mark of the interface's language. Undefined: not a number.
  const parse = (input: string) => (isPrice ? parseCents(input) : parseLocalNumber(input)) ?? input
  const numberFormat = new Intl.NumberFormat(intlTagOf(uiLocale), { useGrouping: false, maximumFractionDigits: 20 })
  const format = (number: number) => (isPrice ? formatCents(number, uiLocale) : numberFormat.format(number))
  const formatted = typeof value === 'number' ? format(value) : (value ?? '')
  const [input, setInput] = useState(formatted)
  // Keeps the input as typed (`1,50`), unless the value changed elsewhere.
  const inputText = parse(input) === value ? input : formatted
  return (
    <TextInput
      label={label}
      description={isPrice ? t('pages.entry.priceHelp') : undefined}
      error={problem}
      inputMode="decimal"
      dir="ltr"
      value={inputText}
      onChange={(event) => {
        setInput(event.currentTarget.value)
        onChange(event.currentTarget.value === '' ? undefined : parse(event.currentTarget.value))
      }}
    />
  )
}
