import type { EntryField } from '../contract/collections.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { readEntryValue } from './entry-values.ts'
import { type Field, fieldsOf } from './fields.ts'
import type { AnyBlock } from './registry.ts'
import { unescapeHtml } from './render-text.tsx'

/** The URLs in the link fields and rich texts of blocks, nested ones included, as they are stored. */
export function linksOf(body: readonly StoredBlock[]): string[] {
  return (body as readonly AnyBlock[]).flatMap((block) => linksOfFields(fieldsOf(block.type), block))
}

/** The URLs in the link and rich text fields of an entry, as stored, without values that do not fit their fields. */
export function linksOfValues(fields: readonly EntryField[], values: Readonly<Record<string, unknown>>): string[] {
  return fields.flatMap((field) => {
    if (field.type !== 'link' && field.type !== 'richText') return []
    const value = readEntryValue(field, values[field.id])
    if (value === undefined) return []
    return field.type === 'link' ? [String(value)] : linksInHtml(String(value))
  })
}

const linksInHtml = (html: string): string[] =>
  [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, url = '']) => unescapeHtml(url))

function linksOfFields(fields: readonly Field[], holder: object): string[] {
  return fields.flatMap((field): string[] => {
    const value = (holder as Record<string, unknown>)[field.name]
    if (value === undefined || value === '') return []
    switch (field.kind) {
      case 'url':
        return [value as string]
      case 'richText':
        return linksInHtml(value as string)
      case 'object':
        return linksOfFields(field.fields, value as object)
      case 'objects':
        return (value as object[]).flatMap((entry) => linksOfFields(field.fields, entry))
      case 'children':
        return (value as object[]).flatMap((entry) => linksOfFields(fields, entry))
      case 'blocks':
        return linksOf(value as StoredBlock[])
      default:
        return []
    }
  })
}
