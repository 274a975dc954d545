import { createHmac } from 'node:crypto'
import type { Db, Transaction } from './database.ts'
import type { RestoreJournalTable } from './tables/site.ts'

export interface JournalEntry {
  kind: RestoreJournalTable['kind']
  subject: string
  at: string
}

/** The keyed hash by which the journal stores an email address. @param email in lower case */
export const erasedSubject = (secret: string, email: string): string =>
  createHmac('sha256', secret).update(`erased\0${email}`).digest('base64url')

/** Notes that somebody was erased, in the transaction that does it: a restore of an older backup erases them again. */
export const noteErasure = (tx: Transaction, secret: string, email: string, now: Date): Promise<void> =>
  addToJournal(tx, [{ kind: 'erased', subject: erasedSubject(secret, email), at: now.toISOString() }])

/** Notes that a user was deleted, in the transaction that does it: after a restore the user is blocked. */
export const noteDeletedUser = (tx: Transaction, id: number, now: Date): Promise<void> =>
  addToJournal(tx, [{ kind: 'user_deleted', subject: String(id), at: now.toISOString() }])

/** Adds entries; for one that exists already, the later time is stored. */
export async function addToJournal(tx: Transaction, entries: readonly JournalEntry[]): Promise<void> {
  for (const { kind, subject, at } of entries) {
    await tx
      .insertInto('restore_journal')
      .values({ kind, subject, at })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'subject']).doUpdateSet({ at }).where('restore_journal.at', '<', at),
      )
      .execute()
  }
}

export const readJournal = (db: Db): Promise<JournalEntry[]> =>
  db.selectFrom('restore_journal').select(['kind', 'subject', 'at']).orderBy('at').execute()
