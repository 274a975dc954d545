import type { z } from 'zod'
import { textOfHtml } from '../../../blocks/block-texts.ts'
import { logo } from '../../../blocks/define-block.ts'
import { choiceLabel, type Field, fieldsOf, labelOf } from '../../../blocks/fields.ts'
import { nameOfIcon } from '../../../blocks/icon-names.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import type { EntryField, EntryValues } from '../../../contract/collections.ts'
import { deepEqual } from '../../../contract/deep-equal.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { type AdminLocale, adminLocale, type Locale, localized } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { longDayText, numberText } from '../../components/dates.tsx'
import { translate, useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { blockName, isKnown } from '../blocks/block-names.tsx'
import { useCollection } from '../collections/collections.ts'
import { amountText } from '../config/values.ts'
import { sectionName, useSectionNames } from '../sections/sections.ts'
import styles from './history.module.css'

/** A read-only view of a text. */
export function PageTextView({
  text,
  contentLocale,
  collection = null,
}: {
  text: DraftText
  contentLocale: Locale
  /** Of an entry. */
  collection?: string | null
}) {
  const t = useText()
  useSectionNames(text.body)
  const facts = [
    { label: t('pages.fields.title'), text: text.title },
    { label: t('pages.fields.slug'), text: `/${text.slug}` },
    { label: t('pages.fields.seoTitle'), text: text.seoTitle },
    { label: t('pages.fields.description'), text: text.description },
    { label: t('pages.fields.picture'), text: fileNameFromUrl(text.picture) },
    { label: t('pages.fields.noindex'), text: text.noindex ? t('form.yes') : '' },
    ...useEntryFacts(collection)(text.fields),
  ].filter(({ text }) => text !== '')
  return (
    <div className={styles.text}>
      <Facts facts={facts} contentLocale={contentLocale} />
      {(text.body as StoredBlock[]).map((block, index) => (
        <BlockTextView key={block.id ?? `#${index}`} block={block} contentLocale={contentLocale} />
      ))}
    </div>
  )
}

/** A read-only view of one block. */
export function BlockTextView({ block, contentLocale }: { block: StoredBlock; contentLocale: Locale }) {
  const locale = useLocale()
  return (
    <section className={styles.block}>
      <h3>{blockName(block.type, locale)}</h3>
      <Facts facts={readBlock(block, locale)} contentLocale={contentLocale} />
    </section>
  )
}

function Facts(props: { facts: { name?: string; label: string; text: string }[]; contentLocale: Locale }) {
  const { facts, contentLocale } = props
  const dir = useContentDirection(contentLocale)
  return (
    <dl>
      {facts.map(({ label, name = label, text }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd dir={dir} lang={contentLocale}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A field of a block in readable form. */
interface ReadField {
  name: string
  label: string
  text: string
}

/**
 * The non-empty fields of a block.
 * @param withDefaults false: without what any new block has too
 */
export function readBlock(block: StoredBlock, locale: Locale, { withDefaults = true } = {}): ReadField[] {
  if (!isKnown(block.type)) return [{ name: 'all', label: block.type, text: JSON.stringify(block) }]
  const type = block.type
  return fieldsOf(type)
    .filter((field) => withDefaults || !hasDefault(block, type, field))
    .map((field) => ({
      name: field.name,
      label: labelOf(type, field, locale),
      text: readValue(valueIn(block, field), field, type, locale),
    }))
    .filter(({ text }) => text !== '')
}

/** Whether the schema would fill in the same value. */
function hasDefault(block: StoredBlock, type: BlockType, field: Field): boolean {
  const schema = (blocks[type].schema.shape as Record<string, z.ZodType>)[field.name]
  const empty = schema?.safeParse(undefined)
  return empty?.success === true && deepEqual(empty.data, valueIn(block, field))
}

const valueIn = (holder: object, { name }: Field): unknown => (holder as Record<string, unknown>)[name]

function readValue(value: unknown, field: Field, type: BlockType, locale: Locale): string {
  if (value === undefined || value === null || value === '') return ''
  const inside = (fields: readonly Field[], holder: unknown) => readFields(fields, holder as object, type, locale)
  switch (field.kind) {
    case 'richText':
      return plainText(String(value))
    case 'icon':
      return nameOfIcon(String(value), adminLocale(locale))
    case 'imageOrLogo':
      return value === logo ? translate('pages.history.theLogo') : fileNameFromUrl(String(value))
    case 'image':
    case 'url':
      return fileNameFromUrl(String(value))
    case 'section':
      return sectionName({ section: value })
    case 'choice':
      return choiceLabel(type, field, String(value), locale) || String(value)
    case 'yesNo':
      return translate(value ? 'form.yes' : 'form.no')
    case 'object':
      return inside(field.fields, value)
    case 'objects':
      return (value as object[]).map((one) => inside(field.fields, one)).join('\n\n')
    case 'texts':
      return (value as string[]).join('\n')
    case 'blocks':
      return (value as StoredBlock[]).map((block) => readWhole(block, locale)).join('\n\n')
    default:
      return String(value)
  }
}

const readFields = (fields: readonly Field[], holder: object, type: BlockType, locale: Locale): string =>
  fields
    .map((field) => [labelOf(type, field, locale), readValue(valueIn(holder, field), field, type, locale)] as const)
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
    .join('\n')

const readWhole = (block: StoredBlock, locale: Locale): string =>
  [
    blockName(block.type, locale),
    ...readBlock(block, locale, { withDefaults: false }).map(({ label, text }) => `${label}: ${text}`),
  ].join('\n')

const lines = new Set(['P', 'DIV', 'LI', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'BLOCKQUOTE', 'UL', 'OL', 'TR', 'PRE'])

/** Rich text as lines of plain text. A link is followed by its URL, which may have changed too. */
export function plainText(html: string): string {
  // A separate document: nothing in it is loaded or executed.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return wordsOf(body)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

function wordsOf(node: Node): string {
  if (node.nodeType === node.TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ')
  const words = [...node.childNodes].map(wordsOf).join('')
  const { nodeName } = node
  if (nodeName === 'BR') return '\n'
  if (nodeName === 'LI') return `\n• ${words.trim()}\n`
  if (nodeName === 'A') return `${words} (${fileNameFromUrl((node as Element).getAttribute('href') ?? '')})`
  if (nodeName === 'IMG') return (node as Element).getAttribute('alt') ?? ''
  return lines.has(nodeName) ? `\n${words}\n` : words
}

/** The labels and values of an entry as read-only text; a field that the collection no longer has goes by its id. */
export function useEntryFacts(
  id: string | null,
): (values: EntryValues | undefined) => { label: string; text: string }[] {
  const locale = useLocale()
  const collection = useCollection(id)
  return (values = {}) =>
    Object.entries(values).map(([name, value]) => {
      const field = collection?.fields.find((one) => one.id === name)
      return {
        label: field ? localized(field.name, locale).value : name,
        text: field ? readableValue(field, value, locale) : String(value),
      }
    })
}

/** A value as text; one that does not fit its field, as in a draft, as it was typed. */
function readableValue({ type, options }: EntryField, value: string | number, locale: AdminLocale): string {
  const text = String(value)
  if (typeof value === 'number') return type === 'price' ? `€ ${amountText(value, locale)}` : numberText(value, locale)
  if (type === 'choice') return localized(options?.find(({ id }) => id === text)?.name ?? { nl: text }, locale).value
  if (type === 'picture' || type === 'file') return fileNameFromUrl(text)
  if (type === 'richText') return textOfHtml(text).trim()
  return type === 'date' ? longDayText(text, locale) : text
}
