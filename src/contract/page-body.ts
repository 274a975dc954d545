import { z } from 'zod'
import { limits } from './limits.ts'

/** The schema of a page's blocks. The size limit applies after sanitizing, which can lengthen a text. */
export const pageBody = <B extends z.ZodType>(block: B, maxBlocks: number = limits.pageBlocks) =>
  z
    .array(block)
    .max(maxBlocks, 'tooManyBlocks')
    .refine((blocks) => new TextEncoder().encode(JSON.stringify(blocks)).length <= limits.pageBytes, 'pageTooLarge')

/** Random, so that a block copied from another site does not match a section of this one. */
export const sectionId = z.string().regex(/^[0-9a-f]{32}$/)

/**
 * Whether blocks of a type are only allowed on pages, not in the header or footer: the security headers of a page allow
 * its video players, and its sections and entry lists are loaded with it.
 */
export const isPageOnly = (type: unknown): boolean => type === 'video' || type === 'section' || type === 'entry-list'
