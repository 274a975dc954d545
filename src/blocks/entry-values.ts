import { z } from 'zod'
import type { EntryField } from '../contract/collections.ts'
import { isCleanText } from '../contract/text.ts'
import { downloadUrl, imageUrl, linkUrl } from '../contract/url.ts'
import { richText } from './define-block.ts'

const largest = 1_000_000_000_000

/** The schema of an entry's field. Rich text is sanitized. */
export function entryValueSchema({ type, options = [] }: EntryField): z.ZodType<string | number> {
  switch (type) {
    case 'text':
    case 'author':
      return z.string().max(1_000, 'tooLong').refine(isCleanText, 'control')
    case 'richText':
      return richText
    case 'picture':
      return imageUrl
    case 'file':
      return downloadUrl
    case 'date':
      return z.iso.date('date')
    case 'number':
      return z.number('number').min(-largest, 'number').max(largest, 'number')
    case 'price':
      return z.int('number').min(0, 'number').max(100_000_000, 'number')
    case 'choice':
      return z.string().refine((value) => options.some(({ id }) => id === value), 'choice')
    case 'link':
      return linkUrl
  }
}

/**
 * A stored value as its field shows it now; undefined where there is none, or where it does not fit because the field has
 * another type since.
 */
export function readEntryValue(field: EntryField, value: unknown): string | number | undefined {
  const read = entryValueSchema(field).safeParse(value)
  return read.success && read.data !== '' ? read.data : undefined
}
