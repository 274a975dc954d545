import { fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { adminLocale, type Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale } from '../../i18n.ts'
import { sectionName } from '../sections/sections.ts'
import styles from './blocks.module.css'
import type { Fill } from './preview-data.ts'

export const isKnown = (type: string): type is BlockType => Object.hasOwn(blocks, type)

/** The name of a block type; an unknown type of a later release is shown as it is. */
export const blockName = (type: string, locale: Locale): string =>
  isKnown(type) ? blocks[type].labels[adminLocale(locale)].name : type

const mostChars = 80

/** The first words of a block with its placeholders filled, to tell blocks apart. */
export function summaryOf(block: StoredBlock, fill: Fill): string {
  const words = block.type === 'section' ? sectionName(block) : fill(wordsOf(block))
  return words.length > mostChars ? `${words.slice(0, mostChars).trimEnd()}…` : words
}

type Values = Record<string, unknown>

const wordsOf = (block: StoredBlock): string =>
  isKnown(block.type) ? firstWords(fieldsOf(block.type), block as unknown as Values) : ''

function firstWords(fields: ReturnType<typeof fieldsOf>, values: Values): string {
  // The title also where an image and its description come first.
  const [titles, others] = [
    fields.filter(({ name }) => name === 'title'),
    fields.filter(({ name }) => name !== 'title'),
  ]
  for (const { name, kind } of [...titles, ...others]) {
    const value = values[name]
    if (typeof value === 'string' && (kind === 'text' || kind === 'textarea')) {
      if (value.trim()) return value.trim()
    }
    if (typeof value === 'string' && kind === 'richText' && plain(value)) return plain(value)
  }
  for (const field of fields) {
    const entries = values[field.name]
    if (!Array.isArray(entries)) continue
    const found = entries.map((entry) => wordsOfEntry(field, entry)).filter(Boolean)
    if (found.length > 0) return found.join(' · ')
  }
  return ''
}

function wordsOfEntry(field: ReturnType<typeof fieldsOf>[number], entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (field.kind === 'objects') return entryWords(field.fields, entry as Values)
  return field.kind === 'blocks' ? wordsOf(entry as StoredBlock) : ''
}

/** The first words of one item of a list. */
export const entryWords = (fields: ReturnType<typeof fieldsOf>, entry: Values): string =>
  firstWords(fields, entry ?? {})

const plain = (html: string): string =>
  (new DOMParser().parseFromString(html.replace(/<\/(?:p|h\d|li|td|th)>/g, ' $&'), 'text/html').body.textContent ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** The sentence below the name of a block to choose. */
export function BlockHint({ type }: { type: BlockType }) {
  return <small className={styles.hint}>{blocks[type].labels[useLocale()].hint}</small>
}
