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

/** Replaces the names of users at their replies, files and backups by their ids, as in the audit log. */
export async function anonymizeActors(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const id of userIds) {
    const name = `#${id}`
    await tx.updateTable('message_reply').set({ actor_name: name }).where('actor_id', '=', id).execute()
    await tx.updateTable('file').set({ added_by: name }).where('added_by_id', '=', id).execute()
    await tx.updateTable('backup_run').set({ actor_name: name }).where('actor_id', '=', id).execute()
  }
}
