import type { z } from 'zod'
import { htmlToText } from '../../../blocks/block-texts.ts'
import { logoPlaceholder } from '../../../blocks/define-block.ts'
import { choiceLabel, type Field, fieldsOf, labelOf } from '../../../blocks/fields.ts'
import { nameOfIcon } from '../../../blocks/icon-names.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import type { EntryField, EntryValues } from '../../../contract/collections.ts'
import { deepEqual } from '../../../contract/deep-equal.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { longDate } from '../../../contract/intl-formats.ts'
import { type AdminLocale, adminLocale, type Locale, localized } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { numberText } from '../../components/dates.tsx'
import { translate, useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { blockName, isKnown } from '../blocks/block-names.tsx'
import { useCollection } from '../collections/collections.ts'
import { formatCents } from '../config/values.ts'
import { sectionName, useSectionNames } from '../sections/sections.ts'
import styles from './history.module.css'

/** A page in one language, as read-only labels and values. */
export function PageTextView(props: {
  text: DraftText
  contentLocale: Locale
  /** The id of the collection of an entry. */
  collection?: string | null
}) {
  const { text, contentLocale, collection = null } = props
  const t = useText()
  useSectionNames(text.body)
  const values = [
    { label: t('pages.fields.title'), text: text.title },
    { label: t('pages.fields.slug'), text: `/${text.slug}` },
    { label: t('pages.fields.seoTitle'), text: text.seoTitle },
    { label: t('pages.fields.description'), text: text.description },
    { label: t('pages.fields.picture'), text: fileNameFromUrl(text.picture) },
    { label: t('pages.fields.noindex'), text: text.noindex ? t('form.yes') : '' },
    ...useReadableValues(collection)(text.fields),
  ].filter(({ text }) => text !== '')
  return (
    <div className={styles.text}>
      <LabelledValues values={values} contentLocale={contentLocale} />
      {(text.body as StoredBlock[]).map((block, index) => (
        <BlockTextView key={block.id ?? `#${index}`} block={block} contentLocale={contentLocale} />
      ))}
    </div>
  )
}

/** One block, as read-only labels and values. */
export function BlockTextView({ block, contentLocale }: { block: StoredBlock; contentLocale: Locale }) {
  const uiLocale = useLocale()
  return (
    <section className={styles.block}>
      <h3>{blockName(block.type, uiLocale)}</h3>
      <LabelledValues values={readableFields(block, uiLocale)} contentLocale={contentLocale} />
    </section>
  )
}

/** @param props.values `name` is the React key; the default is the label */
function LabelledValues(props: { values: { name?: string; label: string; text: string }[]; contentLocale: Locale }) {
  const { values, contentLocale } = props
  const dir = useContentDirection(contentLocale)
  return (
    <dl>
      {values.map(({ label, name = label, text }) => (
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

/** A field of a block with its value as text. */
interface ReadableField {
  name: string
  label: string
  text: string
}

/**
 * The fields of a block whose text is not empty. A block of an unknown type has one field with its JSON.
 * @param uiLocale of labels and of values that are no content
 * @param options.withDefaults false: omits fields that have the default of their schema
 */
export function readableFields(block: StoredBlock, uiLocale: Locale, { withDefaults = true } = {}): ReadableField[] {
  if (!isKnown(block.type)) return [{ name: 'all', label: block.type, text: JSON.stringify(block) }]
  const type = block.type
  return fieldsOf(type)
    .filter((field) => withDefaults || !hasDefault(block, type, field))
    .map((field) => ({
      name: field.name,
      label: labelOf(type, field, uiLocale),
      text: formatFieldValue(valueIn(block, field), field, type, uiLocale),
    }))
    .filter(({ text }) => text !== '')
}

function hasDefault(block: StoredBlock, type: BlockType, field: Field): boolean {
  const schema = (blocks[type].schema.shape as Record<string, z.ZodType>)[field.name]
  const parsed = schema?.safeParse(undefined)
  return parsed?.success === true && deepEqual(parsed.data, valueIn(block, field))
}

const valueIn = (values: object, { name }: Field): unknown => (values as Record<string, unknown>)[name]

function formatFieldValue(value: unknown, field: Field, type: BlockType, uiLocale: Locale): string {
  if (value === undefined || value === null || value === '') return ''
  switch (field.kind) {
    case 'richText':
      return plainText(String(value))
    case 'icon':
      return nameOfIcon(String(value), adminLocale(uiLocale))
    case 'imageOrLogo':
      return value === logoPlaceholder ? translate('pages.history.theLogo') : fileNameFromUrl(String(value))
    case 'image':
    case 'url':
      return fileNameFromUrl(String(value))
    case 'section':
      return sectionName({ section: value })
    case 'choice':
      return choiceLabel(type, field, String(value), uiLocale) || String(value)
    case 'yesNo':
      return translate(value ? 'form.yes' : 'form.no')
    case 'object':
      return formatFields(field.fields, value as object, type, uiLocale)
    case 'objects':
      return (value as object[]).map((values) => formatFields(field.fields, values, type, uiLocale)).join('\n\n')
    case 'texts':
      return (value as string[]).join('\n')
    case 'blocks':
      return (value as StoredBlock[]).map((block) => formatBlock(block, uiLocale)).join('\n\n')
    default:
      return String(value)
  }
}

const formatFields = (fields: readonly Field[], values: object, type: BlockType, uiLocale: Locale): string =>
  fields
    .flatMap((field) => {
      const text = formatFieldValue(valueIn(values, field), field, type, uiLocale)
      return text === '' ? [] : [`${labelOf(type, field, uiLocale)}: ${text}`]
    })
    .join('\n')

const formatBlock = (block: StoredBlock, uiLocale: Locale): string =>
  [
    blockName(block.type, uiLocale),
    ...readableFields(block, uiLocale, { withDefaults: false }).map(({ label, text }) => `${label}: ${text}`),
  ].join('\n')

/** Each of these elements begins and ends a line. */
const lineElements = new Set('P DIV LI H1 H2 H3 H4 H5 H6 BLOCKQUOTE UL OL TR PRE'.split(' '))

/** Rich text as lines of plain text. A link is followed by its URL, which may have changed too. */
export function plainText(html: string): string {
  // A separate document: nothing in it is loaded or executed.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return textOfNode(body)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

function textOfNode(node: Node): string {
  if (node.nodeType === node.TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ')
  const text = [...node.childNodes].map(textOfNode).join('')
  const { nodeName } = node
  if (nodeName === 'BR') return '\n'
  if (nodeName === 'LI') return `\n• ${text.trim()}\n`
  if (nodeName === 'A') return `${text} (${fileNameFromUrl((node as Element).getAttribute('href') ?? '')})`
  if (nodeName === 'IMG') return (node as Element).getAttribute('alt') ?? ''
  return lineElements.has(nodeName) ? `\n${text}\n` : text
}

/** @returns formats the values of an entry; a field that the collection no longer has is labelled by its id */
export function useReadableValues(
  collectionId: string | null,
): (values: EntryValues | undefined) => { label: string; text: string }[] {
  const uiLocale = useLocale()
  const collection = useCollection(collectionId)
  return (values = {}) =>
    Object.entries(values).map(([id, value]) => {
      const field = collection?.fields.find((item) => item.id === id)
      return {
        label: field ? localized(field.name, uiLocale).value : id,
        text: field ? formatEntryValue(field, value, uiLocale) : String(value),
      }
    })
}

/** An entry's value as text. A value that does not fit its field, as drafts can have, is returned as it was typed. */
function formatEntryValue({ type, options }: EntryField, value: string | number, uiLocale: AdminLocale): string {
  const text = String(value)
  if (type === 'price' && typeof value === 'number') return `€ ${formatCents(value, uiLocale)}`
  if (typeof value === 'number') return numberText(value, uiLocale)
  if (type === 'choice') {
    const option = options?.find(({ id }) => id === text)
    // A deleted option is shown by its id.
    return option ? localized(option.name, uiLocale).value : text
  }
  if (type === 'picture' || type === 'file') return fileNameFromUrl(text)
  if (type === 'richText') return htmlToText(text).trim()
  return type === 'date' ? longDate(text, uiLocale) : text
}
