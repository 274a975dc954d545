import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { adminLocale, type Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale } from '../../i18n.ts'
import { sectionName } from '../sections/sections.ts'
import styles from './blocks.module.css'
import type { FillPlaceholders } from './preview-data.ts'

export const isKnown = (type: string): type is BlockType => Object.hasOwn(blocks, type)

/** The name of a block type; for an unknown type, of a later release, the type itself. */
export const blockName = (type: string, locale: Locale): string =>
  isKnown(type) ? blocks[type].labels[adminLocale(locale)].name : type

const maxSummaryChars = 80

/** The title or another text of a block with its placeholders filled, cut after 80 characters; of a section its name. */
export function summaryOf(block: StoredBlock, fill: FillPlaceholders): string {
  const words = block.type === 'section' ? sectionName(block) : fill(firstWordsOfBlock(block))
  return words.length > maxSummaryChars ? `${words.slice(0, maxSummaryChars).trimEnd()}…` : words
}

type Values = Record<string, unknown>

const firstWordsOfBlock = (block: StoredBlock): string =>
  isKnown(block.type) ? firstWords(fieldsOf(block.type), block as unknown as Values) : ''

/** The first text that is not empty, or else the texts in the first list that has any; otherwise empty. */
function firstWords(fields: readonly Field[], values: Values): string {
  // The title first, also where an image and its description come before it.
  const titles = fields.filter(({ name }) => name === 'title')
  const otherFields = fields.filter(({ name }) => name !== 'title')
  for (const { name, kind } of [...titles, ...otherFields]) {
    const value = values[name]
    if (typeof value !== 'string') continue
    if ((kind === 'text' || kind === 'textarea') && value.trim()) return value.trim()
    if (kind === 'richText' && plainText(value)) return plainText(value)
  }
  for (const field of fields) {
    const entries = values[field.name]
    if (!Array.isArray(entries)) continue
    const entryTexts = entries.map((entry) => firstWordsOfItem(field, entry)).filter(Boolean)
    if (entryTexts.length > 0) return entryTexts.join(' · ')
  }
  return ''
}

/** @param item of a list of texts, of entries or of blocks */
function firstWordsOfItem(field: Field, item: unknown): string {
  if (typeof item === 'string') return item
  if (field.kind === 'objects') return firstWordsOfEntry(field.fields, item as Values)
  return field.kind === 'blocks' ? firstWordsOfBlock(item as StoredBlock) : ''
}

export const firstWordsOfEntry = (fields: readonly Field[], entry: Values): string => firstWords(fields, entry ?? {})

const plainText = (html: string): string =>
  (new DOMParser().parseFromString(html.replace(/<\/(?:p|h\d|li|td|th)>/g, ' $&'), 'text/html').body.textContent ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** The sentence that explains a block type, below its name where block types are chosen. */
export function BlockHint({ type }: { type: BlockType }) {
  return <small className={styles.hint}>{blocks[type].labels[useLocale()].hint}</small>
}
