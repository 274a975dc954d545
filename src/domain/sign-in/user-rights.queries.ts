import { type SqlBool, sql } from 'kysely'
import { baseRoleId, type Right, rights } from '../../contract/rights.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { hasResults } from '../../platform/db/query-results.ts'

/** The rule for effective rights: every user has the base role, and optionally one role of their own. */
const givesRight = (ownRole: 'user.role_id' | 'user_count.role_id') =>
  sql<SqlBool>`role_right.role_id in (${sql.lit(baseRoleId)}, ${sql.ref(ownRole)})`

/** Active users: one row per role that gives a right, and one row for a user without rights. */
export const selectUserRights = (db: Db) =>
  db
    .selectFrom('user')
    .leftJoin('role_right', (join) => join.on(givesRight('user.role_id')))
    .where((eb) => eb('user.blocked', '=', eb.lit(0)))

/** The rights of a user in one column, separated by spaces: a row for each of them takes several times as long to read. */
export const rightNames = sql<string | null>`
  (select string_agg(role_right.right_name, ' ') from role_right where ${givesRight('user.role_id')})`

/** The distinct rights among these names, in the order of the registry. */
export function rightsIn(names: readonly (string | null)[]): Right[] {
  const known = new Set(names)
  return rights.filter((right) => known.has(right))
}

/** Empty when the user is blocked or deleted. */
export async function listUserRights(db: Db, userId: number): Promise<Right[]> {
  const rows = await selectUserRights(db).where('user.id', '=', userId).select('role_right.right_name').execute()
  return rightsIn(rows.map((row) => row.right_name))
}

/** Whether an active user holds a right. It reads the counts table, because there may be many users. */
export const isRightHeld = (db: Db, right: Right): Promise<boolean> =>
  hasResults(
    db
      .selectFrom('user_count')
      .innerJoin('role_right', (join) => join.on(givesRight('user_count.role_id')))
      .where('role_right.right_name', '=', right)
      .where('user_count.blocked', '=', 0)
      .where('user_count.counted', '>', 0),
  )

/**
 * The users who gain rights when a role gets these, limited to users whose sessions, links or password others could
 * have made.
 */
export async function listUsersWhoGain(tx: Transaction, roleId: number, added: readonly Right[]): Promise<number[]> {
  if (added.length === 0) return []
  const holders = sql<number>`(select role_id from role_right where right_name in (${sql.join(added)})
    group by role_id having count(*) = ${added.length})`
  const { rows } = await sql<{ id: number }>`
    select id from "user"
    where ${roleId === baseRoleId ? sql`(role_id is null or role_id not in ${holders})` : sql`role_id = ${roleId} and ${sql.lit(baseRoleId)} not in ${holders}`}
      and id in (
        select user_id from session union select user_id from user_link
        union select user_id from account where password_ever_set_by_other = 1
      )`.execute(tx)
  return rows.map(({ id }) => id)
}
