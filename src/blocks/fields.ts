import type { z } from 'zod'
import { limits } from '../contract/limits.ts'
import type { Locale } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { linkUrl, pictureUrl } from '../contract/url.ts'
import {
  anchor,
  className,
  commonLabels,
  longText,
  pictureOrLogo,
  richText,
  shortText,
  type showIf,
} from './define-block.ts'
import { iconName } from './icons.tsx'
import { type BlockType, blocks } from './registry.ts'

/** One field of a block, as a form asks for it. */
export type Field = {
  name: string
  /** In the block, without the numbers of lists: `items.title`. */
  path: string
  /** It may be left out. */
  optional: boolean
} & (
  | { kind: 'line' | 'paragraphs' | 'richText' | 'url' | 'picture' | 'icon' | 'className' | 'anchor' }
  /** A picture, or the mark of the brand. */
  | { kind: 'pictureOrLogo' }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'yesNo' | 'number' }
  | { kind: 'object'; fields: readonly Field[] }
  | { kind: 'objects'; fields: readonly Field[]; least: number; most: number }
  | { kind: 'texts'; least: number; most: number }
  | { kind: 'blocks'; types: readonly BlockType[]; least: number; most: number }
)
export type FieldKind = Field['kind']

const known = new Map<BlockType, readonly Field[]>()

/**
 * The fields of a block, all of them from its schema: in the order of its file, and at the end what fewer people need,
 * whom it is shown to last.
 */
export function fieldsOf(type: BlockType): readonly Field[] {
  let fields = known.get(type)
  if (!fields) {
    const { type: _type, id: _id, showIf: whom, ...own } = blocks[type].schema.shape as Record<string, z.ZodType>
    const inOrder = fieldsIn({ ...own, ...(whom && { showIf: whom }) }, '')
    fields = [...inOrder.filter((field) => !isForFew(field)), ...inOrder.filter(isForFew)]
    known.set(type, fields)
  }
  return fields
}

const isForFew = ({ kind, name }: Field) => kind === 'className' || kind === 'anchor' || name === 'showIf'

/** What a field is called. */
export function labelOf(type: BlockType, field: Pick<Field, 'path'>, locale: Locale): string {
  if (field.path === 'showIf') return commonLabels[locale].showIf
  const { fields, parts } = labelsOf(type, locale)
  return fields[field.path] ?? parts?.[field.path] ?? ''
}

/** What one of the choices of a field is called. */
export function choiceLabel(type: BlockType, field: Pick<Field, 'path'>, option: string, locale: Locale): string {
  if (field.path === 'showIf') return commonLabels[locale][option as z.output<typeof showIf>]
  return labelsOf(type, locale).choices?.[`${field.path}.${option}`] ?? ''
}

const labelsOf = (type: BlockType, locale: Locale) =>
  blocks[type].labels[locale] as {
    name: string
    fields: Record<string, string>
    parts?: Record<string, string>
    choices?: Record<string, string>
  }

/** A block to begin with, in the language of the content. */
export const newBlock = (type: BlockType, locale: Locale): StoredBlock => ({
  type,
  id: newBlockId(),
  ...structuredClone(blocks[type].defaults[locale]),
})

export const newBlockId = () => crypto.randomUUID()

/** The value of a new entry of a list. */
export function emptyEntry(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.flatMap((field) => (field.optional ? [] : [[field.name, emptyValue(field)]])))
}

function emptyValue(field: Field): unknown {
  if (field.kind === 'choice') return field.options[0]
  if (field.kind === 'icon') return iconName.options[0]
  if (field.kind === 'yesNo') return false
  if (field.kind === 'number') return 0
  if (field.kind === 'object') return emptyEntry(field.fields)
  return field.kind === 'objects' || field.kind === 'texts' || field.kind === 'blocks' ? [] : ''
}

function fieldsIn(shape: Record<string, z.ZodType>, within: string): Field[] {
  return Object.entries(shape).map(([name, schema]) => fieldOf(schema, { name, path: within + name, optional: false }))
}

/** The schemas that say by themselves what stands in them. */
const kinds = new Map<
  unknown,
  'line' | 'paragraphs' | 'richText' | 'url' | 'picture' | 'pictureOrLogo' | 'icon' | 'className' | 'anchor'
>([
  [shortText, 'line'],
  [longText, 'paragraphs'],
  [richText, 'richText'],
  [linkUrl, 'url'],
  [pictureUrl, 'picture'],
  [pictureOrLogo, 'pictureOrLogo'],
  [iconName, 'icon'],
  [className, 'className'],
  [anchor, 'anchor'],
])

/** What of Zod's description of a schema is looked at here. */
interface Definition {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  entries?: Record<string, string>
  options?: z.ZodType[]
}

function fieldOf(schema: z.ZodType, place: { name: string; path: string; optional: boolean }): Field {
  const kind = kinds.get(schema)
  if (kind) return { ...place, kind }
  const own = schema.def as unknown as Definition
  if ((own.type === 'default' || own.type === 'optional') && own.innerType) {
    return fieldOf(own.innerType, { ...place, optional: true })
  }
  if (own.type === 'enum' && own.entries) return { ...place, kind: 'choice', options: Object.values(own.entries) }
  if (own.type === 'boolean') return { ...place, kind: 'yesNo' }
  if (own.type === 'number') return { ...place, kind: 'number' }
  if (own.type === 'object' && own.shape)
    return { ...place, kind: 'object', fields: fieldsIn(own.shape, `${place.path}.`) }
  if (own.type === 'array' && own.element) return listField(schema as z.ZodArray, own.element, place)
  throw new Error(`${place.path} is of a kind that no form knows: ${own.type}`)
}

function listField(
  list: z.ZodArray,
  element: z.ZodType,
  place: { name: string; path: string; optional: boolean },
): Field {
  const checks = (list.def.checks ?? []).map((check) => check._zod.def as { minimum?: number; maximum?: number })
  const range = {
    least: Math.max(0, ...checks.map(({ minimum = 0 }) => minimum)),
    most: Math.min(limits.pageSizeMost, ...checks.map(({ maximum = limits.pageSizeMost }) => maximum)),
  }
  const own = element.def as unknown as Definition
  if (own.type === 'union' && own.options) return { ...place, ...range, kind: 'blocks', types: own.options.map(typeOf) }
  const entry = fieldOf(element, place)
  if (entry.kind === 'object') return { ...place, ...range, kind: 'objects', fields: entry.fields }
  if (entry.kind === 'line') return { ...place, ...range, kind: 'texts' }
  throw new Error(`${place.path} is a list of a kind that no form knows: ${entry.kind}`)
}

const typeOf = (block: z.ZodType): BlockType => {
  const { shape } = block.def as unknown as { shape: { type: z.ZodLiteral<BlockType> } }
  return shape.type.value
}
