import { administratorRoleId } from '../../contract/rights.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { managerRights } from '../roles/role.policy.ts'
import { selectUserRights } from '../sign-in/user-rights.queries.ts'

interface NamedRole {
  id: number
  name: string
}

/** A role whose users may change only words and images, of the whole page or of a block. */
export interface LockRow {
  pageId: number
  /** The id of the block; null: the whole page. */
  block: string | null
  role: NamedRole
}

/**
 * The locks of pages. A lock of a role that has since got a right to change users or roles has no effect and is left
 * out: its users could give themselves another role.
 */
export async function listLocks(db: Db, pageIds: readonly number[]): Promise<LockRow[]> {
  if (pageIds.length === 0) return []
  const rows = await db
    .selectFrom('page_lock')
    .innerJoin('role', 'role.id', 'page_lock.role_id')
    .select(['page_lock.page_id as pageId', 'page_lock.block_id as block', 'role.id', 'role.name'])
    .where('page_lock.page_id', 'in', pageIds)
    .where('role.id', 'not in', selectManagerRoles(db))
    .orderBy('page_lock.page_id')
    .orderBy('page_lock.block_id')
    .orderBy('role.name')
    .execute()
  return rows.map(({ pageId, block, id, name }) => ({ pageId, block: block || null, role: { id, name } }))
}

const selectManagerRoles = (db: Db) =>
  db.selectFrom('role_right').select('role_id').where('right_name', 'in', managerRights)

/** The deciding roles of `isLockedByRoles`: those by which a user may write pages, or change roles or users. */
export async function listDecidingRoleIds(db: Db, userId: number): Promise<number[]> {
  const rows = await selectUserRights(db)
    .where('user.id', '=', userId)
    .where('role_right.right_name', 'in', ['pages.write', ...managerRights])
    .select('role_right.role_id')
    .execute()
  return rows.flatMap(({ role_id }) => role_id ?? [])
}

/** The roles that pages can be locked for: those that may write pages, and may change neither users nor roles. */
export async function listLockableRoles(db: Db): Promise<NamedRole[]> {
  return db
    .selectFrom('role')
    .innerJoin('role_right', 'role_right.role_id', 'role.id')
    .select(['role.id', 'role.name'])
    .where('role_right.right_name', '=', 'pages.write')
    .where('role.id', '!=', administratorRoleId)
    .where('role.id', 'not in', selectManagerRoles(db))
    .orderBy('role.name')
    .execute()
}

/** Replaces the roles that a page, or one of its blocks, is locked for. @param target.block null: the whole page */
export async function writeLock(
  tx: Transaction,
  target: { pageId: number; block: string | null },
  roleIds: readonly number[],
): Promise<void> {
  const key = { page_id: target.pageId, block_id: target.block ?? '' }
  await tx.deleteFrom('page_lock').where('page_id', '=', key.page_id).where('block_id', '=', key.block_id).execute()
  if (roleIds.length === 0) return
  await tx
    .insertInto('page_lock')
    .values(roleIds.map((role_id) => ({ ...key, role_id })))
    .execute()
}

/**
 * Copies the locks of a page to its copy, in which blocks keep their ids. Locks that `listLocks` leaves out are copied
 * too, because the role may lose its right again.
 */
export async function copyLocks(tx: Transaction, pageId: number, copyId: number): Promise<void> {
  await tx
    .insertInto('page_lock')
    .columns(['page_id', 'block_id', 'role_id'])
    .expression((eb) =>
      eb
        .selectFrom('page_lock')
        .where('page_id', '=', pageId)
        .select(({ lit }) => [lit(copyId).as('page_id'), 'block_id', 'role_id']),
    )
    .execute()
}
