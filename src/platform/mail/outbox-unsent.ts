import type { Database, Transaction } from '../db/database.ts'

/** What an operator is shown of a letter that has not arrived; its text stays inside. */
export interface UnsentLetter {
  id: number
  recipient: string
  about: string | null
  state: 'waiting' | 'failed'
  attempts: number
  lastError: string | null
  nextAttemptAt: Date
  createdAt: Date
}

/** Letters that wait, and those that were given up, the newest first. */
export async function listUnsentLetters(
  db: Database,
  wanted: { states: UnsentLetter['state'][]; limit: number },
): Promise<UnsentLetter[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'about', 'state', 'attempts', 'last_error', 'next_attempt_at', 'created_at'])
    .where('state', 'in', wanted.states)
    .orderBy('id', 'desc')
    .limit(wanted.limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    recipient: row.recipient,
    about: row.about,
    state: row.state as UnsentLetter['state'],
    attempts: row.attempts,
    lastError: row.last_error,
    nextAttemptAt: new Date(row.next_attempt_at),
    createdAt: new Date(row.created_at),
  }))
}

/**
 * A letter that was given up is due once more, at once. False when there is no such letter, or when what it brought, a
 * password or a link, is gone.
 */
export async function retryLetter(tx: Transaction, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ state: 'waiting', next_attempt_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('secret', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether any letter was promised about something, whatever became of it. */
export async function hasLetters(tx: Transaction, about: string): Promise<boolean> {
  const row = await tx.selectFrom('outbox').select('id').where('about', '=', about).limit(1).executeTakeFirst()
  return row !== undefined
}
