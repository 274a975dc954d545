import { type AdminLocale, adminLocale } from '../../contract/locales.ts'
import { credentialProvider } from '../../platform/auth/paths.ts'
import { compiledQuery } from '../../platform/db/compiled-query.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'

/** A user without secrets. */
export interface UserRow {
  id: number
  email: string
  name: string
  blocked: boolean
  /** The user's own role, besides the base role. */
  roleId: number | null
  locale: AdminLocale
  twoFactor: boolean
  hasPassword: boolean
  lastSignedInAt: string | null
  version: number
  createdAt: string
  updatedAt: string
}

/** Users by their ids, in any order. */
export async function listUserRows(db: Db, ids: readonly number[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  return (await selectUsers(db, { ids })).map(toRow)
}

const selectUsers = compiledQuery((db, { ids }: { ids: readonly number[] }) =>
  usersWithPassword(db).where('user.id', 'in', ids),
)

export async function findUserRow(db: Db, id: number): Promise<UserRow | undefined> {
  const row = await usersWithPassword(db).where('user.id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

export async function findUserRowByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const row = await usersWithPassword(db).where('user.email', '=', email).executeTakeFirst()
  return row && toRow(row)
}

/** `account_id` is null for a user without a password. */
const usersWithPassword = (db: Db) =>
  db
    .selectFrom('user')
    .select((eb) => [
      'user.id',
      'user.email',
      'user.name',
      'user.blocked',
      'user.role_id',
      'user.locale',
      'user.two_factor_enabled',
      'user.last_signed_in_at',
      'user.version',
      'user.created_at',
      'user.updated_at',
      eb
        .selectFrom('account')
        .whereRef('account.user_id', '=', 'user.id')
        .where('account.provider_id', '=', credentialProvider)
        .where('account.password', 'is not', null)
        .select('account.id')
        .limit(1)
        .as('account_id'),
    ])

type SelectedUser = Awaited<ReturnType<ReturnType<typeof usersWithPassword>['execute']>>[number]

const toRow = (row: SelectedUser): UserRow => ({
  id: row.id,
  email: row.email,
  name: row.name,
  blocked: row.blocked === 1,
  roleId: row.role_id,
  locale: adminLocale(row.locale),
  twoFactor: row.two_factor_enabled === 1,
  hasPassword: row.account_id !== null,
  lastSignedInAt: row.last_signed_in_at,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export interface UserValues {
  email: string
  name: string
  blocked: boolean
  roleId: number | null
  locale: AdminLocale
}

const columnsOf = (user: UserValues) => ({
  email: user.email,
  name: user.name,
  blocked: user.blocked ? 1 : 0,
  role_id: user.roleId,
  locale: user.locale,
})

/** @returns undefined when the address is taken */
export async function insertUser(tx: Transaction, user: UserValues, now: Date): Promise<number | undefined> {
  const at = now.toISOString()
  const row = await tx
    .insertInto('user')
    .values({ ...columnsOf(user), created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function updateUserRow(tx: Transaction, id: number, user: UserValues, now: Date): Promise<void> {
  await tx
    .updateTable('user')
    .set((eb) => ({ ...columnsOf(user), version: eb('version', '+', 1), updated_at: now.toISOString() }))
    .where('id', '=', id)
    .execute()
}

/** Applies one change to many users. */
export async function updateUserRows(
  tx: Transaction,
  ids: readonly number[],
  change: { blocked: boolean } | { roleId: number | null },
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('user')
    .set((eb) => ({
      ...('blocked' in change ? { blocked: change.blocked ? 1 : 0 } : { role_id: change.roleId }),
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', 'in', ids)
    .execute()
}

export async function deleteUserRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('user').where('id', '=', id).execute()
}

export async function countUsersCreatedSince(db: Database, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('user')
    .where('created_at', '>', since.toISOString())
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
