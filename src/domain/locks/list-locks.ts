import type { PageLock } from '../../contract/locks.ts'
import type { Actor } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { isLockedByRoles } from './lock.policy.ts'
import { type LockRow, listDecidingRoleIds, listLocks } from './lock.queries.ts'

/** The locks of a page; `binds` tells whether a lock applies to the actor. */
export async function listPageLocks(db: Db, pageId: number, actor: Pick<Actor, 'id'>): Promise<PageLock[]> {
  return (await listLocksByPage(db, [pageId], actor)).get(pageId) ?? []
}

/** The locks of pages by page id, without pages that have none. */
export async function listLocksByPage(
  db: Db,
  pageIds: readonly number[],
  actor: Pick<Actor, 'id'>,
): Promise<Map<number, PageLock[]>> {
  const rows = await listLocks(db, pageIds)
  if (rows.length === 0) return new Map()
  const decidingRoleIds = await listDecidingRoleIds(db, actor.id)
  const rowsByPage = Map.groupBy(rows, ({ pageId }) => pageId)
  return new Map([...rowsByPage].map(([pageId, pageRows]) => [pageId, toPageLocks(pageRows, decidingRoleIds)]))
}

/** One lock for the page itself and each block, from its rows for the roles. */
function toPageLocks(rows: readonly LockRow[], decidingRoleIds: readonly number[]): PageLock[] {
  return [...Map.groupBy(rows, ({ block }) => block)].map(([block, blockRows]) => {
    const roles = blockRows.map(({ role }) => role)
    const lockedRoleIds = roles.map(({ id }) => id)
    return { block, roles, binds: isLockedByRoles(decidingRoleIds, lockedRoleIds) }
  })
}
