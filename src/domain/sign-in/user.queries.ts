import { administratorRoleId, rights } from '../../contract/rights.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'

interface ActiveUser {
  id: number
  name: string
  email: string
  locale: string
}

const selectActiveUsers = (db: Db) =>
  db.selectFrom('user').select(['id', 'name', 'email', 'locale']).where('blocked', '=', 0)

/** The user with an email address, unless blocked. */
export const findActiveUserByEmail = (db: Db, email: string): Promise<ActiveUser | undefined> =>
  selectActiveUsers(db).where('email', '=', email).executeTakeFirst()

export const findActiveUser = (db: Db, id: number): Promise<ActiveUser | undefined> =>
  selectActiveUsers(db).where('id', '=', id).executeTakeFirst()

/** A sign-in within this time after the last one belongs to the same visit. */
const visitMs = 3_600_000

/** Stores that a user signed in. At the start of a new visit, the last sign-in becomes that of the previous visit. */
export async function updateLastSignedIn(tx: Transaction, userId: number, now: Date): Promise<void> {
  const sameVisitSince = new Date(now.getTime() - visitMs).toISOString()
  await tx
    .updateTable('user')
    .set((eb) => ({
      last_signed_in_at: now.toISOString(),
      signed_in_before_at: eb
        .case()
        .when('last_signed_in_at', '<', sameVisitSince)
        .then(eb.ref('last_signed_in_at'))
        .else(eb.ref('signed_in_before_at'))
        .end(),
    }))
    .where('id', '=', userId)
    .execute()
}

/**
 * The last sign-in of the user's previous visit; during the first visit, the creation of the account. Undefined when
 * the user does not exist.
 */
export async function findPreviousVisit(
  db: Database,
  userId: number,
): Promise<{ at: Date; isFirst: boolean } | undefined> {
  const row = await db
    .selectFrom('user')
    .where('id', '=', userId)
    .select(['signed_in_before_at', 'created_at'])
    .executeTakeFirst()
  return row && { at: new Date(row.signed_in_before_at ?? row.created_at), isFirst: row.signed_in_before_at === null }
}

/** The id of a role that holds every right, preferably of the predefined administrator role. */
export async function findAdministratorRoleId(tx: Transaction): Promise<number | undefined> {
  const rows = await tx
    .selectFrom('role_right')
    // A role may also have rights of another version of the program.
    .where('right_name', 'in', rights)
    .groupBy('role_id')
    .having(({ fn }) => fn.countAll(), '=', rights.length)
    .select('role_id')
    .orderBy('role_id')
    .execute()
  return (rows.find(({ role_id }) => role_id === administratorRoleId) ?? rows[0])?.role_id
}

/** Adds a role with every right, called `name`, or `name 2`, … if a role has that name. @returns its id */
export async function insertAdministratorRole(tx: Transaction, name: string, now: Date): Promise<number> {
  const at = now.toISOString()
  const similarRoles = await tx.selectFrom('role').select('name').where('name', 'like', `${name}%`).execute()
  const takenNames = new Set(similarRoles.map((role) => role.name))
  let freeName = name
  for (let number = 2; takenNames.has(freeName); number++) freeName = `${name} ${number}`
  const { id } = await tx
    .insertInto('role')
    .values({ name: freeName, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('role_right')
    .values(rights.map((right_name) => ({ role_id: id, right_name })))
    .execute()
  return id
}

/** The user with this email address, blocked or not. `role`: the name of the user's own role. */
export async function findUserToPromote(
  tx: Transaction,
  email: string,
): Promise<{ id: number; name: string; role: string | null; blocked: boolean } | undefined> {
  const row = await tx
    .selectFrom('user')
    .leftJoin('role', 'role.id', 'user.role_id')
    .where('email', '=', email)
    .select(['user.id', 'user.name', 'role.name as role', 'user.blocked'])
    .executeTakeFirst()
  return row && { ...row, blocked: row.blocked === 1 }
}

export async function getRoleName(tx: Transaction, id: number): Promise<string> {
  const { name } = await tx.selectFrom('role').where('id', '=', id).select('name').executeTakeFirstOrThrow()
  return name
}

export async function insertAdministrator(
  tx: Transaction,
  user: { email: string; name: string; roleId: number; locale: string },
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const { id } = await tx
    .insertInto('user')
    .values({
      email: user.email,
      name: user.name,
      role_id: user.roleId,
      locale: user.locale,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Gives the user a role, and unblocks the user. */
export async function promoteUser(tx: Transaction, userId: number, roleId: number, now: Date): Promise<void> {
  await tx
    .updateTable('user')
    .set((eb) => ({
      role_id: roleId,
      blocked: 0,
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', userId)
    .execute()
}
