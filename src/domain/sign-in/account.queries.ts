import { credentialProvider } from '../../platform/auth/paths.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'

interface NewPassword {
  /** From `hashPassword`, computed before the transaction. */
  hash: string
  /** Whether another user chose it or could have; `unchanged`: the same as for the password that it replaces. */
  chosenByOther: boolean | 'unchanged'
}

/** Stores the password of a user. Better Auth expects the user's id as the `account_id` of a password. */
export async function upsertPassword(
  tx: Transaction,
  userId: number,
  { hash, chosenByOther }: NewPassword,
  now: Date,
): Promise<void> {
  const at = now.toISOString()
  const changes = {
    password: hash,
    ...(chosenByOther !== 'unchanged' && { password_set_by_other: chosenByOther ? 1 : 0, password_expired: 0 }),
    ...(chosenByOther === true && { password_ever_set_by_other: 1 }),
    updated_at: at,
  } as const
  await tx
    .insertInto('account')
    .values({
      user_id: userId,
      provider_id: credentialProvider,
      account_id: String(userId),
      ...changes,
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doUpdateSet(changes))
    .execute()
}

/** Reads the password hash and locks it until the transaction ends. */
export async function lockPasswordHash(
  tx: Transaction,
  userId: number,
): Promise<{ hash: string | null; expired: boolean } | undefined> {
  const row = await tx
    .updateTable('account')
    // This no-op update takes the row lock on both databases.
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('user_id', '=', userId)
    .where('provider_id', '=', credentialProvider)
    .returning(['password', 'password_expired'])
    .executeTakeFirst()
  return row && { hash: row.password, expired: row.password_expired === 1 }
}

/** Stores that another user may have chosen the password of this user, if there is one. */
export async function markPasswordChosenByOther(tx: Transaction, userId: number): Promise<void> {
  await tx
    .updateTable('account')
    .set({ password_set_by_other: 1, password_ever_set_by_other: 1 })
    .where('user_id', '=', userId)
    .where('provider_id', '=', credentialProvider)
    .execute()
}

/** Makes these users choose another password, if somebody else chose theirs. */
export async function expirePasswordsChosenByOthers(tx: Transaction, userIds: readonly number[]): Promise<void> {
  await tx
    .updateTable('account')
    .set({ password_expired: 1 })
    .where('user_id', 'in', userIds)
    .where('password_set_by_other', '=', 1)
    .execute()
}

/** Deletes the passkeys of users who ever had a password that another user chose. */
export async function deletePasskeysAfterPasswordChosenByOther(
  tx: Transaction,
  userIds: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('passkey')
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('account')
        .where('user_id', 'in', userIds)
        .where('password_ever_set_by_other', '=', 1)
        .select('user_id'),
    )
    .execute()
}

/**
 * The user with an address, and the hash of the password; undefined for an unknown address or a user without a
 * password.
 */
export async function findPasswordByEmail(
  db: Database,
  email: string,
): Promise<{ userId: number; hash: string | null } | undefined> {
  const row = await db
    .selectFrom('user')
    .innerJoin('account', 'account.user_id', 'user.id')
    .where('user.email', '=', email)
    .where('account.provider_id', '=', credentialProvider)
    .select(['user.id', 'account.password'])
    .executeTakeFirst()
  return row && { userId: row.id, hash: row.password }
}

/** The hash of a user's password; undefined for a user without one. */
export async function findPasswordHash(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('account')
    .where('user_id', '=', userId)
    .where('provider_id', '=', credentialProvider)
    .select('password')
    .executeTakeFirst()
  return row?.password ?? undefined
}

/** Unlinks all identity providers. @returns how many */
export async function deleteLinkedAccounts(tx: Transaction, userId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('account')
    .where('user_id', '=', userId)
    .where('provider_id', '!=', credentialProvider)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes all passkeys of a user. @returns how many */
export async function deletePasskeys(tx: Transaction, userId: number): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('passkey').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}
