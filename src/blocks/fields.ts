import type { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { type AdminLocale, adminLocale, type Locale, sampleLocale } from '../contract/locales.ts'
import { randomId } from '../contract/random-id.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { styleLabels } from './block-style.ts'
import { commonLabels, fieldKinds, type showIf } from './define-block.ts'
import { iconName } from './icons.tsx'
import { type BlockType, blocks } from './registry.ts'

/** One field of a block, for its form. */
export type Field = {
  name: string
  /** Path in the block, without list indexes: `items.title`. */
  path: string
  /** Whether the field may be omitted. */
  optional: boolean
} & (
  | { kind: 'text' | 'textarea' | 'richText' | 'url' | 'image' | 'icon' | 'className' | 'anchor' | 'email' }
  /** A film of this site, its captions, a film or a video of a platform, or any file of this site. */
  | { kind: 'film' | 'captions' | 'video' | 'file' }
  /** An image, or the logo. */
  | { kind: 'imageOrLogo' }
  /** A saved section. */
  | { kind: 'section' }
  /** A form of the configuration. */
  | { kind: 'form' }
  /** A collection of the configuration, or a category of one. */
  | { kind: 'collection' }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'yesNo' | 'number' }
  | { kind: 'object'; fields: readonly Field[] }
  | { kind: 'objects'; fields: readonly Field[]; minItems: number; maxItems: number }
  /** A recursive list: its entries have the fields of the entry that holds it, such as a submenu. */
  | { kind: 'children'; minItems: number; maxItems: number }
  | { kind: 'texts'; minItems: number; maxItems: number }
  | { kind: 'blocks'; types: readonly BlockType[]; minItems: number; maxItems: number }
)

const cache = new Map<BlockType, readonly Field[]>()

/** The fields of a block in the order of its schema, without `type` and `id`; rarely used ones come last. */
export function fieldsOf(type: BlockType): readonly Field[] {
  let fields = cache.get(type)
  if (!fields) {
    const {
      type: _type,
      id: _id,
      showIf,
      style,
      ...blockFields
    } = blocks[type].schema.shape as Record<string, z.ZodType>
    const inOrder = fieldsIn({ ...blockFields, ...(style && { style }), ...(showIf && { showIf }) }, '')
    fields = [...inOrder.filter((field) => !isRarelyUsed(field)), ...inOrder.filter(isRarelyUsed)]
    cache.set(type, fields)
  }
  return fields
}

const isRarelyUsed = ({ kind, name }: Field) =>
  kind === 'className' || kind === 'anchor' || name === 'showIf' || name === 'style'

/** The label of a field; empty if it has none. */
export function labelOf(type: BlockType, field: Pick<Field, 'path'>, locale: Locale): string {
  if (field.path === 'showIf') return commonLabels.showIf[adminLocale(locale)]
  if (isStyleField(field)) return styleLabels[field.path]?.[adminLocale(locale)] ?? ''
  const { fields, nestedFields } = labelsOf(type, locale)
  return fields[field.path] ?? nestedFields[field.path] ?? ''
}

/** The label of a field's choice, or empty. The choice `''`, which omits an optional field, may have a label too. */
export function choiceLabel(type: BlockType, field: Pick<Field, 'path'>, option: string, locale: Locale): string {
  if (field.path === 'showIf') return commonLabels[option as z.output<typeof showIf>][adminLocale(locale)]
  if (isStyleField(field)) return styleLabels[`${field.path}.${option}`]?.[adminLocale(locale)] ?? ''
  return labelsOf(type, locale).choices[`${field.path}.${option}`] ?? ''
}

const isStyleField = ({ path }: Pick<Field, 'path'>) => path === 'style' || path.startsWith('style.')

const labelsOf = (
  type: BlockType,
  locale: Locale,
): Record<'fields' | 'nestedFields' | 'choices', Record<string, string>> => blocks[type].labels[adminLocale(locale)]

/** Creates a block with its defaults in a language, complete as the server stores it, so that a draft equals it. */
export function newBlock(type: BlockType, locale: Locale): StoredBlock {
  const block = { type, id: randomId(), ...structuredClone(blocks[type].defaults[sampleLocale(locale)]) }
  const complete = blocks[type].schema.safeParse(block)
  return complete.success ? (complete.data as StoredBlock) : block
}

/** Creates a list entry with empty required fields. */
export function emptyEntry(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.flatMap((field) => (field.optional ? [] : [[field.name, emptyValue(field)]])))
}

/** Creates a list entry with the sample texts of a new block: an empty text could not be edited on the page. */
export function newEntry(type: BlockType, field: Field & { kind: 'objects' }, locale: Locale): Record<string, unknown> {
  const { defaults, sampleTextPaths = [] } = blocks[type] as {
    defaults: Record<AdminLocale, object>
    sampleTextPaths?: readonly string[]
  }
  const [sample = {}] = ((defaults[sampleLocale(locale)] as Record<string, unknown>)[field.path] ?? []) as object[]
  const texts = Object.entries(sample).filter(([name]) => sampleTextPaths.includes(`${field.path}.${name}`))
  return { ...emptyEntry(field.fields), ...Object.fromEntries(texts) }
}

function emptyValue(field: Field): unknown {
  if (field.kind === 'choice') return field.options[0]
  if (field.kind === 'icon') return iconName.options[0]
  if (field.kind === 'yesNo') return false
  if (field.kind === 'number') return 0
  if (field.kind === 'object') return emptyEntry(field.fields)
  return field.kind === 'objects' || field.kind === 'children' || field.kind === 'texts' || field.kind === 'blocks'
    ? []
    : ''
}

type FieldBase = Pick<Field, 'name' | 'path' | 'optional'>

/** @param pathPrefix such as `items.`, or empty @param ancestors the schemas of the enclosing objects */
function fieldsIn(shape: Record<string, z.ZodType>, pathPrefix: string, ancestors: readonly z.ZodType[] = []): Field[] {
  return Object.entries(shape).map(([name, schema]) =>
    fieldOf(schema, { name, path: pathPrefix + name, optional: false }, ancestors),
  )
}

/** The properties of Zod's schema definition that are used here. */
interface Definition {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  entries?: Record<string, string>
  options?: z.ZodType[]
}

function fieldOf(schema: z.ZodType, base: FieldBase, ancestors: readonly z.ZodType[]): Field {
  const kind = fieldKinds.get(schema)?.kind
  if (kind) return { ...base, kind }
  const { type, innerType, element, shape, entries } = schema.def as unknown as Definition
  if ((type === 'default' || type === 'optional') && innerType) {
    return fieldOf(innerType, { ...base, optional: true }, ancestors)
  }
  if (type === 'enum' && entries) return { ...base, kind: 'choice', options: Object.values(entries) }
  if (type === 'boolean') return { ...base, kind: 'yesNo' }
  if (type === 'number') return { ...base, kind: 'number' }
  if (type === 'object' && shape) {
    return { ...base, kind: 'object', fields: fieldsIn(shape, `${base.path}.`, [...ancestors, schema]) }
  }
  if (type === 'array' && element) return listFieldOf(schema as z.ZodArray, element, base, ancestors)
  throw new Error(`${base.path} is of a kind that no form knows: ${type}`)
}

function listFieldOf(list: z.ZodArray, element: z.ZodType, base: FieldBase, ancestors: readonly z.ZodType[]): Field {
  const checks = (list.def.checks ?? []).map((check) => check._zod.def as { minimum?: number; maximum?: number })
  const range = {
    minItems: Math.max(0, ...checks.map(({ minimum = 0 }) => minimum)),
    maxItems: Math.min(limits.pageSizeMax, ...checks.map(({ maximum = limits.pageSizeMax }) => maximum)),
  }
  const { type, options } = element.def as unknown as Definition
  if (type === 'union' && options) return { ...base, ...range, kind: 'blocks', types: options.map(blockTypeOf) }
  if (ancestors.includes(element)) return { ...base, ...range, kind: 'children' }
  const entry = fieldOf(element, base, ancestors)
  if (entry.kind === 'object') return { ...base, ...range, kind: 'objects', fields: entry.fields }
  if (entry.kind === 'text') return { ...base, ...range, kind: 'texts' }
  throw new Error(`${base.path} is a list of a kind that no form knows: ${entry.kind}`)
}

const blockTypeOf = (blockSchema: z.ZodType): BlockType => {
  const { shape } = blockSchema.def as unknown as { shape: { type: z.ZodLiteral<BlockType> } }
  return shape.type.value
}
