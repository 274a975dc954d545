import type { Db, Transaction } from '../../platform/db/database.ts'

/** The sessions, passkeys and ways of signing in of a user, without secrets, as they are exported. */
export async function findSignInData(db: Db, userId: number) {
  const sessions = await db
    .selectFrom('session')
    .where('user_id', '=', userId)
    .select(['created_at as since', 'updated_at as lastUsedAt', 'ip_address as ipAddress', 'user_agent as browser'])
    .orderBy('id')
    .execute()
  const passkeys = await db
    .selectFrom('passkey')
    .where('user_id', '=', userId)
    .select(['name', 'created_at as addedAt'])
    .orderBy('id')
    .execute()
  const signsInBy = await db
    .selectFrom('account')
    .where('user_id', '=', userId)
    .select(['provider_id as way', 'created_at as since'])
    .orderBy('id')
    .execute()
  return { sessions, passkeys, signsInBy }
}

export type SignInData = Awaited<ReturnType<typeof findSignInData>>

/** Deletes the links that were sent to confirm this address as a new one. */
export async function deleteLinksTo(tx: Transaction, email: string): Promise<void> {
  await tx.deleteFrom('user_link').where('email', '=', email).execute()
}

/** Replaces the names of users at their replies, files and backups by `#` and the user id, as in the audit log. */
export async function anonymizeActors(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const id of userIds) {
    const name = `#${id}`
    await tx.updateTable('message_reply').set({ actor_name: name }).where('actor_id', '=', id).execute()
    await tx.updateTable('file').set({ added_by: name }).where('added_by_id', '=', id).execute()
    await tx.updateTable('backup_run').set({ actor_name: name }).where('actor_id', '=', id).execute()
  }
}
