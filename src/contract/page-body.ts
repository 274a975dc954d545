import { z } from 'zod'
import { limits } from './limits.ts'

/** The blocks of a page. The size is measured after sanitizing, which can lengthen the text. */
export const pageBody = <B extends z.ZodType>(block: B) =>
  z
    .array(block)
    .max(limits.pageBlocks)
    .refine((blocks) => new TextEncoder().encode(JSON.stringify(blocks)).length <= limits.pageBytes, 'pageTooLarge')
