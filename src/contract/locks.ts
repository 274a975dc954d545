import { z } from 'zod'
import { rowId } from './list.ts'

const namedRole = z.object({ id: z.int(), name: z.string() })

/** Roles that may change only texts and images of a page, or of one of its blocks. */
export const pageLock = z
  .object({
    /** The id of the block, in each language in which it stands; null: the whole page in all languages. */
    block: z.string().nullable(),
    roles: z.array(namedRole),
    /** Whether it binds the caller: it is for each role by which the caller may write pages. */
    binds: z.boolean(),
  })
  .meta({ id: 'PageLock' })
export type PageLock = z.infer<typeof pageLock>

export const pageLocks = z
  .object({
    locks: z.array(pageLock),
    /** The roles that a page can be locked for. */
    roles: z.array(namedRole),
  })
  .meta({ id: 'PageLocks' })
export type PageLocks = z.infer<typeof pageLocks>

/** Replaces the roles of one lock; without roles it ends. */
export const changedLock = z
  .strictObject({ block: z.string().min(1).max(40).nullable(), roles: z.array(rowId).max(100) })
  .meta({ id: 'ChangedPageLock' })
export type ChangedLock = z.infer<typeof changedLock>

/** The lock that applies to a user, on the whole page or on these blocks: only their texts and images may be changed. */
export interface Lock {
  page: boolean
  blocks: ReadonlySet<string>
}

/** The lock that applies to the caller, for comparing texts. */
export function lockOf(locks: readonly PageLock[]): Lock {
  const binding = locks.filter(({ binds }) => binds).map(({ block }) => block)
  return { page: binding.includes(null), blocks: new Set(binding.filter((block) => block !== null)) }
}
