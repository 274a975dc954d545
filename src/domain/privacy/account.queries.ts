import type { Db, Transaction } from '../../platform/db/database.ts'

/** Account data outside the user row, without secrets. */
export async function findAccountFacts(db: Db, userId: number) {
  const sessions = await db
    .selectFrom('session')
    .where('user_id', '=', userId)
    .select(['created_at', 'updated_at', 'ip_address', 'user_agent'])
    .orderBy('id')
    .execute()
  const passkeys = await db
    .selectFrom('passkey')
    .where('user_id', '=', userId)
    .select(['name', 'created_at'])
    .orderBy('id')
    .execute()
  const accounts = await db
    .selectFrom('account')
    .where('user_id', '=', userId)
    .select(['provider_id', 'created_at'])
    .orderBy('id')
    .execute()
  return {
    sessions: sessions.map((row) => ({
      since: row.created_at,
      lastUsedAt: row.updated_at,
      ipAddress: row.ip_address,
      browser: row.user_agent,
    })),
    passkeys: passkeys.map((row) => ({ name: row.name, addedAt: row.created_at })),
    signsInBy: accounts.map((row) => ({ way: row.provider_id, since: row.created_at })),
  }
}

export type AccountFacts = Awaited<ReturnType<typeof findAccountFacts>>

/** Deletes pending email confirmation links for an address. */
export async function deleteLinksTo(tx: Transaction, email: string): Promise<void> {
  await tx.deleteFrom('user_link').where('email', '=', email).execute()
}

/** Replaces the names of anonymised users who asked for backups; the user ids stay, as in the audit log. */
export async function anonymizeBackupActors(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const id of userIds) {
    await tx
      .updateTable('backup_run')
      .set({ actor_name: `#${id}` })
      .where('actor_id', '=', id)
      .execute()
  }
}
