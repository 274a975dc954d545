import { administratorRoleId } from '../../contract/rights.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { managerRights } from '../roles/role.policy.ts'
import { selectUserRights } from '../sign-in/user-rights.queries.ts'

export interface NamedRole {
  id: number
  name: string
}

/** A role that may change only texts and images, of the whole page or of a block. */
export interface LockRow {
  pageId: number
  /** Null: the whole page. */
  block: string | null
  role: NamedRole
}

/**
 * The locks of pages. One of a role that meanwhile got a right to change users or roles has no effect and is left out: its
 * users could give themselves another role.
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

/** The roles that give a user the right to write pages, or to change roles or users: a lock applies to the user when it is for all of them. */
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

/** Replaces the roles that a page, or one of its blocks, is locked for. @param at.block null: the whole page */
export async function writeLock(
  tx: Transaction,
  at: { pageId: number; block: string | null },
  roleIds: readonly number[],
): Promise<void> {
  const key = { page_id: at.pageId, block_id: at.block ?? '' }
  await tx.deleteFrom('page_lock').where('page_id', '=', key.page_id).where('block_id', '=', key.block_id).execute()
  if (roleIds.length === 0) return
  await tx
    .insertInto('page_lock')
    .values(roleIds.map((role_id) => ({ ...key, role_id })))
    .execute()
}

/**
 * Gives a page the locks of another, also those without effect that `listLocks` leaves out: the role may lose its right again.
 * Blocks keep their ids in a copy.
 */
export async function copyLocks(tx: Transaction, from: number, to: number): Promise<void> {
  await tx
    .insertInto('page_lock')
    .columns(['page_id', 'block_id', 'role_id'])
    .expression((eb) =>
      eb
        .selectFrom('page_lock')
        .where('page_id', '=', from)
        .select(({ lit }) => [lit(to).as('page_id'), 'block_id', 'role_id']),
    )
    .execute()
}
