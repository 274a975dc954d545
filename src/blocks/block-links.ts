import type { StoredBlock } from '../contract/site-config.ts'
import { type Field, fieldsOf } from './fields.ts'
import type { AnyBlock } from './registry.ts'
import { unescaped } from './render-text.tsx'

/** The URLs that blocks link to, as they were written: of their link fields and within rich text, nested blocks included. */
export function linksOf(body: readonly StoredBlock[]): string[] {
  return (body as readonly AnyBlock[]).flatMap((block) => linksOfFields(fieldsOf(block.type), block))
}

function linksOfFields(fields: readonly Field[], holder: object): string[] {
  return fields.flatMap((field): string[] => {
    const value = (holder as Record<string, unknown>)[field.name]
    if (value === undefined || value === '') return []
    switch (field.kind) {
      case 'url':
        return [value as string]
      case 'richText':
        return [...(value as string).matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, url = '']) => unescaped(url))
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
