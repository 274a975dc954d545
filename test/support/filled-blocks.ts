import { emptyEntry, type Field, fieldsOf } from '../../src/blocks/fields.ts'
import { type BlockType, blocks } from '../../src/blocks/registry.ts'

export const blockTypes = Object.keys(blocks) as BlockType[]

type Values = Record<string, unknown>

/** A block of this type with `text` in every text field, and valid values in the others. */
export const filledBlock = (
  type: BlockType,
  text: string,
  inner: BlockType[] = ['content', 'testimonial'],
): Values => ({
  type,
  ...filled(fieldsOf(type), text, inner),
})

function filled(fields: readonly Field[], text: string, inner: BlockType[]): Values {
  return Object.fromEntries(fields.map((field) => [field.name, filledField(field, text, inner)]))
}

function filledField(field: Field, text: string, inner: BlockType[]): unknown {
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
      // Of the delivered configuration.
      return 'offerte'
    case 'section':
      return '0'.repeat(32)
    case 'className':
    case 'anchor':
      return ''
    case 'texts':
      return [text.slice(0, 300)]
    case 'object':
      return filled(field.fields, text, inner)
    case 'objects':
      return Array.from({ length: Math.max(1, field.minItems) }, () => filled(field.fields, text, inner))
    case 'blocks':
      return inner.map((type) => filledBlock(type, text))
    default:
      return emptyEntry([{ ...field, optional: false }])[field.name]
  }
}

/** Every field of one kind in a block of this type, by its path in a filled block. */
export function pathsOf(type: BlockType, kinds: readonly Field['kind'][]): string[] {
  return paths(fieldsOf(type), kinds, '')
}

function paths(fields: readonly Field[], kinds: readonly Field['kind'][], at: string): string[] {
  return fields.flatMap((field) => {
    const here = at + field.name
    if (kinds.includes(field.kind)) return [here]
    if (field.kind === 'object') return paths(field.fields, kinds, `${here}.`)
    return field.kind === 'objects' ? paths(field.fields, kinds, `${here}.0.`) : []
  })
}

/** The same block with another value at a path. */
export function withValue(block: Values, path: string, value: unknown): Values {
  const copy = structuredClone(block)
  const names = path.split('.')
  const last = names.pop() as string
  const holder = names.reduce<Values>((found, name) => found[name] as Values, copy)
  holder[last] = value
  return copy
}
