import { type SqlBool, sql } from 'kysely'
import { baseRoleId, type Right, rights } from '../../contract/rights.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { hasResults } from '../../platform/db/query-results.ts'

/**
 * The condition that a row of `role_right` applies to a user, who has the base role and perhaps one role of their own.
 */
const isRoleOfUser = (ownRole: 'user.role_id' | 'user_count.role_id') =>
  sql<SqlBool>`role_right.role_id in (${sql.lit(baseRoleId)}, ${sql.ref(ownRole)})`

/**
 * Selects active users with their rights: a row for each right of each of their roles, and a row without one for a user
 * without rights.
 */
export const selectUserRights = (db: Db) =>
  db
    .selectFrom('user')
    .leftJoin('role_right', (join) => join.on(isRoleOfUser('user.role_id')))
    .where((eb) => eb('user.blocked', '=', eb.lit(0)))

/**
 * A column with the names of a user's rights, separated by spaces: reading a row for each takes several times as long.
 */
export const rightNamesColumn = sql<string | null>`
  (select string_agg(role_right.right_name, ' ') from role_right where ${isRoleOfUser('user.role_id')})`

/**
 * Converts stored names to rights, each once, in the order of `rights`. Names that this version does not have are left
 * out.
 */
export function toRights(names: readonly (string | null)[]): Right[] {
  const storedNames = new Set(names)
  return rights.filter((right) => storedNames.has(right))
}

/** The rights of a user's roles; none when the user is blocked or deleted. */
export async function listUserRights(db: Db, userId: number): Promise<Right[]> {
  const rows = await selectUserRights(db).where('user.id', '=', userId).select('role_right.right_name').execute()
  return toRights(rows.map((row) => row.right_name))
}

/** Whether any active user holds a right. It reads the counts table, because there may be many users. */
export const isRightHeld = (db: Db, right: Right): Promise<boolean> =>
  hasResults(
    db
      .selectFrom('user_count')
      .innerJoin('role_right', (join) => join.on(isRoleOfUser('user_count.role_id')))
      .where('role_right.right_name', '=', right)
      .where('user_count.blocked', '=', 0)
      .where('user_count.counted', '>', 0),
  )

/**
 * The users who gain rights when a role gets the added ones. Only those with something to revoke: a session, a link, or
 * a password that another user ever chose or could have chosen.
 */
export async function listUsersGainingRights(
  tx: Transaction,
  roleId: number,
  added: readonly Right[],
): Promise<number[]> {
  if (added.length === 0) return []
  const rolesWithAllAdded = sql<number>`(select role_id from role_right where right_name in (${sql.join(added)})
    group by role_id having count(*) = ${added.length})`
  // A user gains nothing when the other of the two roles has all these rights already.
  const gainsRights =
    roleId === baseRoleId
      ? sql`(role_id is null or role_id not in ${rolesWithAllAdded})`
      : sql`role_id = ${roleId} and ${sql.lit(baseRoleId)} not in ${rolesWithAllAdded}`
  const { rows } = await sql<{ id: number }>`
    select id from "user"
    where ${gainsRights}
      and id in (
        select user_id from session union select user_id from user_link
        union select user_id from account where password_ever_set_by_other = 1
      )`.execute(tx)
  return rows.map(({ id }) => id)
}
