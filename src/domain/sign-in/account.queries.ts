import { credentialProvider } from '../../platform/auth/paths.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

/** The account that holds a password is known by the user's id, as Better Auth looks for it. */
export async function upsertPassword(tx: Transaction, userId: number, hash: string, now: Date): Promise<void> {
  const at = now.toISOString()
  await tx
    .insertInto('account')
    .values({
      user_id: userId,
      provider_id: credentialProvider,
      account_id: String(userId),
      password: hash,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: hash, updated_at: at }),
    )
    .execute()
}

/** The password as it is when nobody is changing it any more; until the transaction ends nobody does. */
export async function holdPasswordHash(tx: Transaction, userId: number): Promise<string | undefined> {
  const row = await tx
    .updateTable('account')
    // Writing what stands there makes both databases wait for whoever is writing.
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('user_id', '=', userId)
    .where('provider_id', '=', credentialProvider)
    .returning('password')
    .executeTakeFirst()
  return row?.password ?? undefined
}

/** Whose password it is, and the password, before it is held against what was typed. */
export async function findPasswordOf(
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

/** Undefined for somebody who signs in another way. */
export async function findPasswordHash(db: Database | Transaction, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('account')
    .where('user_id', '=', userId)
    .where('provider_id', '=', credentialProvider)
    .select('password')
    .executeTakeFirst()
  return row?.password ?? undefined
}

/** Ends what identity providers may sign in. @returns how many */
export async function deleteLinkedAccounts(tx: Transaction, userId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('account')
    .where('user_id', '=', userId)
    .where('provider_id', '!=', credentialProvider)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** @returns how many */
export async function deletePasskeys(tx: Transaction, userId: number): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('passkey').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}
