import { z } from 'zod'
import { rowId } from './list.ts'

const namedRole = z.object({ id: z.int(), name: z.string() })

/** A lock: the roles that may change only texts and images, of a page or of one of its blocks. */
export const pageLock = z
  .object({
    /** The id of the locked block, which is the same in each language; null: the whole page in all languages. */
    block: z.string().nullable(),
    roles: z.array(namedRole),
    /** Whether it applies to the actor: it must be for every role that gives the actor the right to write pages. */
    binds: z.boolean(),
  })
  .meta({ id: 'PageLock' })
export type PageLock = z.infer<typeof pageLock>

export const pageLocks = z
  .object({
    locks: z.array(pageLock),
    /** The roles to choose from. */
    roles: z.array(namedRole),
  })
  .meta({ id: 'PageLocks' })
export type PageLocks = z.infer<typeof pageLocks>

/** Replaces the roles of a lock; an empty list removes the lock. */
export const changedLock = z
  .strictObject({ block: z.string().min(1).max(40).nullable(), roles: z.array(rowId).max(100) })
  .meta({ id: 'ChangedPageLock' })
export type ChangedLock = z.infer<typeof changedLock>

/** What is locked for a user: the whole page, or the blocks with these ids. */
export interface Lock {
  page: boolean
  blocks: ReadonlySet<string>
}

/** What is locked for the actor, from the locks that apply to them. */
export function lockOf(locks: readonly PageLock[]): Lock {
  const lockedBlocks = locks.filter(({ binds }) => binds).map(({ block }) => block)
  return { page: lockedBlocks.includes(null), blocks: new Set(lockedBlocks.filter((block) => block !== null)) }
}
