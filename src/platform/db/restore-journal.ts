import { createHmac } from 'node:crypto'
import type { Db, Transaction } from './database.ts'
import type { RestoreJournalTable } from './tables/site.ts'

/** An erasure or a deletion that a restore of an older backup must repeat. */
export interface JournalEntry {
  kind: RestoreJournalTable['kind']
  subject: string
  at: string
}

/** The keyed hash by which the journal stores an email address. @param email in lower case */
export const erasedSubject = (secret: string, email: string): string =>
  createHmac('sha256', secret).update(`erased\0${email}`).digest('base64url')

/** Records the erasure of a person, in its transaction: a restore of an older backup erases the person again. */
export const recordErasure = (tx: Transaction, secret: string, email: string, now: Date): Promise<void> =>
  addToJournal(tx, [{ kind: 'erased', subject: erasedSubject(secret, email), at: now.toISOString() }])

/** Records the deletion of a user, in its transaction: a restore of an older backup blocks the restored user. */
export const recordUserDeletion = (tx: Transaction, id: number, now: Date): Promise<void> =>
  addToJournal(tx, [{ kind: 'user_deleted', subject: String(id), at: now.toISOString() }])

/** Adds entries. An entry that exists already gets the later of both times. */
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

/** All entries, by time. */
export const readJournal = (db: Db): Promise<JournalEntry[]> =>
  db.selectFrom('restore_journal').select(['kind', 'subject', 'at']).orderBy('at').execute()
