import type { PageLock } from '../../contract/locks.ts'
import type { Actor } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { isLockedByRoles } from './lock.policy.ts'
import { type LockRow, listDecidingRoleIds, listLocks } from './lock.queries.ts'

/** The locks of a page, and which of them bind the actor. */
export async function listPageLocks(db: Db, pageId: number, actor: Pick<Actor, 'id'>): Promise<PageLock[]> {
  return (await locksOfPages(db, [pageId], actor)).get(pageId) ?? []
}

/** The locks of pages that have any. */
export async function locksOfPages(
  db: Db,
  pageIds: readonly number[],
  actor: Pick<Actor, 'id'>,
): Promise<Map<number, PageLock[]>> {
  const rows = await listLocks(db, pageIds)
  if (rows.length === 0) return new Map()
  const deciding = await listDecidingRoleIds(db, actor.id)
  const ofPages = Map.groupBy(rows, ({ pageId }) => pageId)
  return new Map([...ofPages].map(([pageId, ofPage]) => [pageId, shown(ofPage, deciding)]))
}

function shown(rows: readonly LockRow[], deciding: readonly number[]): PageLock[] {
  return [...Map.groupBy(rows, ({ block }) => block)].map(([block, ofBlock]) => {
    const roles = ofBlock.map(({ role }) => role)
    return {
      block,
      roles,
      binds: isLockedByRoles(
        deciding,
        roles.map(({ id }) => id),
      ),
    }
  })
}
