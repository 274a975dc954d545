import type { z } from 'zod'
import { limits } from './limits.ts'

interface Written {
  body: readonly unknown[]
}

/** A draft as it comes in: what a database cannot hold is left out, and what nobody writes is refused. */
export const boundedDraft = <Text extends Written, Input>(draft: z.ZodType<Text, Input>) =>
  draft
    .superRefine((text, ctx) => {
      const refuse = (message: 'value' | 'tooLong') => ctx.addIssue({ code: 'custom', message, path: ['body'] })
      if (isDeeperThan(text.body, limits.draftLevels)) refuse('value')
      else if (!isDraftSize(text)) refuse('tooLong')
    })
    .transform((text) => withoutNul(text) as Text)

/** Whether it is stored as it is: joined texts of two tabs can be more than either. */
export const fitsDraft = (text: Written): boolean => text.body.length <= limits.draftBlocks && isDraftSize(text)

const isDraftSize = (text: Written): boolean =>
  new TextEncoder().encode(JSON.stringify(text)).length <= limits.draftBytes

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1)))

const plain = (text: string) => text.replaceAll('\0', '')

function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return plain(value)
  if (Array.isArray(value)) return value.map(withoutNul)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [plain(name), withoutNul(one)]))
}
