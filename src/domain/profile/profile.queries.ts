import type { Selectable } from 'kysely'
import { type AdminLocale, adminLocale } from '../../contract/locales.ts'
import type { Passkey, Session } from '../../contract/profile.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { UserTable } from '../../platform/db/tables/people.ts'

export interface StoredProfile {
  id: number
  name: string
  email: string
  locale: AdminLocale
  twoFactor: boolean
  /** The user wants emails about reviews: see `ReviewEmail`. */
  reviewEmails: boolean
  version: number
}

const profileColumns = ['id', 'name', 'email', 'locale', 'two_factor_enabled', 'review_emails', 'version'] as const
type ProfileRow = Pick<Selectable<UserTable>, (typeof profileColumns)[number]>

const toProfile = ({ two_factor_enabled, review_emails, ...row }: ProfileRow): StoredProfile => ({
  ...row,
  locale: adminLocale(row.locale),
  twoFactor: two_factor_enabled === 1,
  reviewEmails: review_emails === 1,
})

export async function findProfile(db: Db, id: number): Promise<StoredProfile | undefined> {
  const row = await db.selectFrom('user').where('id', '=', id).select(profileColumns).executeTakeFirst()
  return row && toProfile(row)
}

/** Reads and locks a user until the transaction ends. Undefined when the user is blocked. */
export async function lockProfile(tx: Transaction, id: number): Promise<StoredProfile | undefined> {
  const row = await tx
    .updateTable('user')
    // This no-op update takes the row lock on both databases.
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', id)
    .where('blocked', '=', 0)
    .returning(profileColumns)
    .executeTakeFirst()
  return row && toProfile(row)
}

/** Changes some columns of a user. */
export async function updateProfileRow(
  tx: Transaction,
  id: number,
  changes: { name?: string; email?: string; locale?: AdminLocale; twoFactor?: boolean; reviewEmails?: boolean },
  now: Date,
): Promise<void> {
  const { twoFactor, reviewEmails, ...columns } = changes
  await tx
    .updateTable('user')
    .set((eb) => ({
      ...columns,
      ...(twoFactor !== undefined && { two_factor_enabled: twoFactor ? 1 : 0 }),
      ...(reviewEmails !== undefined && { review_emails: reviewEmails ? 1 : 0 }),
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute()
}

/** The user who signs in with an address. */
export async function findProfileByEmail(db: Db, email: string): Promise<StoredProfile | undefined> {
  const row = await db.selectFrom('user').where('email', '=', email).select(profileColumns).executeTakeFirst()
  return row && toProfile(row)
}

/** The new address of a user that waits for confirmation; null: none. */
export async function findPendingEmail(db: Db, userId: number, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('user_link')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('expires_at', '>', now.toISOString())
    .select('email')
    .executeTakeFirst()
  return row?.email ?? null
}

/** A user's passkeys, oldest first, without keys and counters. */
export async function listPasskeys(db: Db, userId: number): Promise<Passkey[]> {
  return (await selectPasskeys(db, userId).orderBy('id').execute()).map(toPasskey)
}

export async function findPasskey(tx: Transaction, userId: number, id: number): Promise<Passkey | undefined> {
  const row = await selectPasskeys(tx, userId).where('id', '=', id).executeTakeFirst()
  return row && toPasskey(row)
}

const selectPasskeys = (db: Db, userId: number) =>
  db.selectFrom('passkey').select(['id', 'name', 'created_at as createdAt']).where('user_id', '=', userId)

const toPasskey = (row: Omit<Passkey, 'name'> & { name: string | null }): Passkey => ({ ...row, name: row.name ?? '' })

export async function updatePasskeyName(tx: Transaction, id: number, name: string): Promise<void> {
  await tx.updateTable('passkey').set({ name }).where('id', '=', id).execute()
}

export async function deletePasskey(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('passkey').where('id', '=', id).execute()
}

/** The active sessions of a user, last used first. */
export async function listUserSessions(
  db: Database,
  { userId, currentId, now }: { userId: number; currentId: number; now: Date },
): Promise<Session[]> {
  const rows = await db
    .selectFrom('session')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .select(['id', 'user_agent as userAgent', 'created_at as signedInAt', 'updated_at as lastSeenAt'])
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, current: row.id === currentId, userAgent: row.userAgent || null }))
}

/** @returns the session's user agent; undefined when the user has no such session */
export async function deleteUserSession(
  tx: Transaction,
  userId: number,
  id: number,
): Promise<{ userAgent: string | null } | undefined> {
  const row = await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('user_agent')
    .executeTakeFirst()
  return row && { userAgent: row.user_agent || null }
}

/** @returns the number of sessions ended */
export async function deleteOtherSessions(tx: Transaction, userId: number, except: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '!=', except)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
