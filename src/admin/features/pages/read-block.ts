import { logo } from '../../../blocks/define-block.ts'
import { choiceLabel, type Field, fieldsOf, labelOf } from '../../../blocks/fields.ts'
import { iconNames } from '../../../blocks/icon-names.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import { fileNameIn } from '../../../contract/pictures.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { say } from '../../i18n.ts'
import { blockName, isKnown } from '../blocks/block-names.ts'
import { plainText } from './plain-text.ts'

/** What a block says in one field, as words that a person can read. */
export interface ReadField {
  name: string
  label: string
  text: string
}

/** Everything that a block says. What is empty is left out. */
export function readBlock(block: StoredBlock, locale: Locale): ReadField[] {
  if (!isKnown(block.type)) return [{ name: 'all', label: block.type, text: JSON.stringify(block) }]
  const type = block.type
  return fieldsOf(type)
    .map((field) => ({
      name: field.name,
      label: labelOf(type, field, locale),
      text: readValue(valueIn(block, field), field, type, locale),
    }))
    .filter(({ text }) => text !== '')
}

const valueIn = (holder: object, { name }: Field): unknown => (holder as Record<string, unknown>)[name]

function readValue(value: unknown, field: Field, type: BlockType, locale: Locale): string {
  if (value === undefined || value === null || value === '') return ''
  const inside = (fields: readonly Field[], holder: unknown) => readFields(fields, holder as object, type, locale)
  switch (field.kind) {
    case 'richText':
      return plainText(String(value))
    case 'icon':
      return (iconNames[locale] as Record<string, string>)[String(value)] ?? String(value)
    case 'pictureOrLogo':
      return value === logo ? say('pages.history.theLogo') : fileNameIn(String(value))
    case 'picture':
    case 'url':
      return fileNameIn(String(value))
    case 'choice':
      return choiceLabel(type, field, String(value), locale) || String(value)
    case 'yesNo':
      return say(value ? 'form.yes' : 'form.no')
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
  [blockName(block.type, locale), ...readBlock(block, locale).map(({ label, text }) => `${label}: ${text}`)].join('\n')
