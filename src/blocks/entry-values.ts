import { z } from 'zod'
import type { EntryField } from '../contract/collections.ts'
import { isCleanText } from '../contract/text.ts'
import { downloadUrl, imageUrl, linkUrl } from '../contract/url.ts'
import { richText } from './define-block.ts'

const maxNumber = 1_000_000_000_000

/** The schema of a field of an entry. Rich text is sanitized, and a price is in cents. */
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
      return z.number('number').min(-maxNumber, 'number').max(maxNumber, 'number')
    case 'price':
      return z.int('number').min(0, 'number').max(100_000_000, 'number')
    case 'choice':
      return z.string().refine((value) => options.some(({ id }) => id === value), 'choice')
    case 'link':
      return linkUrl
  }
}

/** Parses a stored value. Undefined if it is empty, or does not fit because the field has another type now. */
export function readEntryValue(field: EntryField, value: unknown): string | number | undefined {
  const result = entryValueSchema(field).safeParse(value)
  return result.success && result.data !== '' ? result.data : undefined
}
