import { emptyEntry, type Field, fieldsOf } from '../../src/blocks/fields.ts'
import { type BlockType, blocks } from '../../src/blocks/registry.ts'

export const blockTypes = Object.keys(blocks) as BlockType[]

type Values = Record<string, unknown>

/**
 * A block of this type with `text` in every text field, and valid values in the others.
 * @param nestedTypes the types of the blocks in a field of blocks
 */
export const filledBlock = (
  type: BlockType,
  text: string,
  nestedTypes: BlockType[] = ['content', 'testimonial'],
): Values => ({
  type,
  ...filledFields(fieldsOf(type), text, nestedTypes),
})

function filledFields(fields: readonly Field[], text: string, nestedTypes: BlockType[]): Values {
  return Object.fromEntries(fields.map((field) => [field.name, filledField(field, text, nestedTypes)]))
}

function filledField(field: Field, text: string, nestedTypes: BlockType[]): unknown {
  switch (field.kind) {
    case 'text':
      return text.slice(0, 300)
    case 'textarea':
    case 'richText':
      return text
    case 'url':
      return '/disclaimer'
    case 'image':
    case 'imageOrLogo':
      return '/logo.svg'
    case 'film':
    case 'video':
      return '/film.webm'
    case 'captions':
      return '/film.vtt'
    case 'file':
      return '/folder.pdf'
    case 'email':
      return 'sanne@voorbeeld.example'
    case 'form':
      // The id of a form in the default configuration.
      return 'offerte'
    case 'section':
      return '0'.repeat(32)
    case 'className':
    case 'anchor':
      return ''
    case 'texts':
      return [text.slice(0, 300)]
    case 'object':
      return filledFields(field.fields, text, nestedTypes)
    case 'objects':
      return Array.from({ length: Math.max(1, field.minItems) }, () => filledFields(field.fields, text, nestedTypes))
    case 'blocks':
      return nestedTypes.map((type) => filledBlock(type, text))
    default:
      return emptyEntry([{ ...field, optional: false }])[field.name]
  }
}

/** The paths in a filled block of the fields of these kinds: `button.url`, `items.0.src`. */
export function fieldPathsOf(type: BlockType, kinds: readonly Field['kind'][]): string[] {
  return listPaths(fieldsOf(type), kinds, '')
}

function listPaths(fields: readonly Field[], kinds: readonly Field['kind'][], prefix: string): string[] {
  return fields.flatMap((field) => {
    const path = prefix + field.name
    if (kinds.includes(field.kind)) return [path]
    if (field.kind === 'object') return listPaths(field.fields, kinds, `${path}.`)
    return field.kind === 'objects' ? listPaths(field.fields, kinds, `${path}.0.`) : []
  })
}

/** A copy of the block with another value at a path. */
export function withValue(block: Values, path: string, value: unknown): Values {
  const copy = structuredClone(block)
  const names = path.split('.')
  const last = names.pop() as string
  const parent = names.reduce<Values>((values, name) => values[name] as Values, copy)
  parent[last] = value
  return copy
}
