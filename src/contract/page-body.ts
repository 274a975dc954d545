import { z } from 'zod'
import { limits } from './limits.ts'
import { wanted } from './wanted.ts'

/** The blocks of a page. They are measured as they come out, for cleaned text is longer than what was typed. */
export const pageBody = <B extends z.ZodType>(block: B) =>
  z
    .array(block)
    .max(limits.pageBlocks)
    .refine(
      (blocks) => new TextEncoder().encode(JSON.stringify(blocks)).length <= limits.pageBytes,
      wanted.pageTooLarge,
    )
