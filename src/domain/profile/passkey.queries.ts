import type { Passkey } from '../../contract/profile.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

/** Oldest first. Keys and counters stay where they are. */
export async function findPasskeys(db: Database | Transaction, userId: number): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .where('user_id', '=', userId)
    .select(['id', 'name', 'created_at'])
    .orderBy('id')
    .execute()
  return rows.map(toPasskey)
}

export async function findPasskey(tx: Transaction, userId: number, id: number): Promise<Passkey | undefined> {
  const row = await tx
    .selectFrom('passkey')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .select(['id', 'name', 'created_at'])
    .executeTakeFirst()
  return row && toPasskey(row)
}

export async function updatePasskeyName(tx: Transaction, id: number, name: string): Promise<void> {
  await tx.updateTable('passkey').set({ name }).where('id', '=', id).execute()
}

export async function deletePasskey(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('passkey').where('id', '=', id).execute()
}

const toPasskey = (row: { id: number; name: string | null; created_at: string | null }): Passkey => ({
  id: row.id,
  name: row.name ?? '',
  createdAt: row.created_at,
})
