import type { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import type { StoredBlock } from '../../contract/site-config.ts'

/** The valid blocks of a draft; the others are left out. Validation also sanitizes rich text, which takes time. */
export const parseValidBlocks = (body: readonly unknown[]): StoredBlock[] =>
  body.flatMap((block) => {
    const parsed: z.ZodSafeParseResult<StoredBlock> = blockSchema.safeParse(block)
    return parsed.success ? [parsed.data] : []
  })
