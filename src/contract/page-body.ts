import { z } from 'zod'
import { limits } from './limits.ts'

/** The blocks of a page. The size is measured after sanitizing, which can lengthen the text. */
export const pageBody = <B extends z.ZodType>(block: B, most: number = limits.pageBlocks) =>
  z
    .array(block)
    .max(most, 'tooManyBlocks')
    .refine((blocks) => new TextEncoder().encode(JSON.stringify(blocks)).length <= limits.pageBytes, 'pageTooLarge')

/** Random, so that a block of another site never shows a section that happens to have the same number here. */
export const sectionId = z.string().regex(/^[0-9a-f]{32}$/)

/**
 * Whether blocks of a type work on a page only: its headers allow the players of its videos, and the content of its sections
 * and lists is loaded with it.
 */
export const isPageOnly = (type: unknown): boolean => type === 'video' || type === 'section' || type === 'entry-list'
