import { type Expression, sql } from 'kysely'
import { baseRoleId, isRight, type Right, rights } from '../../contract/rights.ts'
import { compiledQuery } from '../../platform/db/compiled-query.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { hasResults } from '../../platform/db/query-results.ts'

interface FoundRole {
  id: number
  name: string
  rights: Right[]
}

export interface CountedRole extends FoundRole {
  users: number
  version: number
  createdAt: string
  updatedAt: string
}

/** The role of a user: null without one, undefined when the user does not exist. */
export async function findUserRoleId(db: Db, userId: number): Promise<number | null | undefined> {
  const row = await db.selectFrom('user').select('role_id').where('id', '=', userId).executeTakeFirst()
  return row?.role_id
}

/** Roles by their ids, with their rights. */
export async function findRoles(db: Db, ids: readonly number[]): Promise<Map<number, FoundRole>> {
  return groupByRole(await selectRoles(db, { ids }), ({ id, name }) => ({ id, name, rights: [] }))
}

const selectRoles = compiledQuery((db, { ids }: { ids: readonly number[] }) =>
  db
    .selectFrom('role')
    .leftJoin('role_right', 'role_right.role_id', 'role.id')
    .where('role.id', 'in', ids)
    .select(['role.id', 'role.name', 'role_right.right_name']),
)

/** All roles, or one, with the number of users who have it. */
export async function listCountedRoles(db: Db, id?: number): Promise<CountedRole[]> {
  const rows = await db
    .selectFrom('role')
    .leftJoin('role_right', 'role_right.role_id', 'role.id')
    .$if(id !== undefined, (query) => query.where('role.id', '=', id as number))
    .select((eb) => [
      'role.id',
      'role.name',
      'role.version',
      'role.created_at',
      'role.updated_at',
      'role_right.right_name',
      // Every user has the base role in addition to their own.
      eb
        .selectFrom('user_count')
        .where((count) =>
          count.or([
            count('user_count.role_id', '=', count.ref('role.id')),
            count(count.ref('role.id'), '=', baseRoleId),
          ]),
        )
        .select((count) => toInteger(count.fn.coalesce(count.fn.sum<number>('counted'), sql<number>`0`)).as('users'))
        .as('users'),
    ])
    .orderBy('role.id')
    .execute()
  const roles = groupByRole(rows, (row) => ({
    id: row.id,
    name: row.name,
    rights: [] as Right[],
    users: Number(row.users),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
  return [...roles.values()]
}

/** PostgreSQL returns the sum of integers as bigint, which the driver reads as text. */
const toInteger = (sum: Expression<number>) => sql<number>`cast(${sum} as integer)`

/** Groups joined rows by role; its rights are in the order of the registry. */
function groupByRole<Row extends { id: number; right_name: string | null }, Role extends { rights: Right[] }>(
  rows: Row[],
  make: (row: Row) => Role,
): Map<number, Role> {
  const roles = new Map<number, Role>()
  for (const row of rows) {
    const role = roles.get(row.id) ?? make(row)
    roles.set(row.id, role)
    if (row.right_name !== null && isRight(row.right_name)) role.rights.push(row.right_name)
  }
  for (const role of roles.values()) role.rights.sort((a, b) => rights.indexOf(a) - rights.indexOf(b))
  return roles
}

export const isRoleNameTaken = (tx: Transaction, name: string, exceptId?: number): Promise<boolean> =>
  hasResults(
    tx
      .selectFrom('role')
      .where('name', '=', name)
      .$if(exceptId !== undefined, (query) => query.where('id', '!=', exceptId as number)),
  )

export async function insertRole(tx: Transaction, name: string, now: Date): Promise<number> {
  const at = now.toISOString()
  const { id } = await tx
    .insertInto('role')
    .values({ name, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRoleRow(tx: Transaction, id: number, name: string, now: Date): Promise<void> {
  await tx
    .updateTable('role')
    .set((eb) => ({ name, version: eb('version', '+', 1), updated_at: now.toISOString() }))
    .where('id', '=', id)
    .execute()
}

export async function replaceRights(tx: Transaction, id: number, newRights: readonly Right[]): Promise<void> {
  await tx.deleteFrom('role_right').where('role_id', '=', id).execute()
  if (newRights.length === 0) return
  await tx
    .insertInto('role_right')
    .values(newRights.map((right_name) => ({ role_id: id, right_name })))
    .execute()
}

export async function deleteRoleRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('role').where('id', '=', id).execute()
}
