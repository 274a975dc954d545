import type { ValidationKey } from '../../contract/errors.ts'
import type { AuthenticationResults } from '../../contract/mail-checks.ts'
import type { Database, Db, Transaction } from '../db/database.ts'
import type { Dialect } from '../db/dialect/dialect.ts'
import type { MailboxPosition } from './read-mailbox.ts'

/** The only row of the table. */
const name = 'imap'
/** The value of `claimed_until` without a claim; it sorts before every timestamp. */
const unclaimed = ''

/** The read position of the mailbox, the last problem, and the last test email. */
export interface MailboxState {
  position: MailboxPosition | undefined
  readAt: Date | undefined
  problem: ValidationKey | undefined
  /** The last test email to the mailbox; `results` is null until it arrives. */
  test: { messageId: string; sentAt: Date; results: AuthenticationResults | null } | undefined
}

/** @returns undefined until the mailbox was claimed once or a test email was sent */
export async function findMailboxState(db: Db): Promise<MailboxState | undefined> {
  const row = await db
    .selectFrom('mailbox_reading')
    .select(['uid_validity', 'uid', 'read_at', 'problem', 'test_message_id', 'test_sent_at', 'test_results'])
    .where('name', '=', name)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    position: row.uid_validity === null ? undefined : { uidValidity: row.uid_validity, uid: row.uid },
    readAt: row.read_at === null ? undefined : new Date(row.read_at),
    problem: (row.problem as ValidationKey | null) ?? undefined,
    test:
      row.test_message_id === null || row.test_sent_at === null
        ? undefined
        : {
            messageId: row.test_message_id,
            sentAt: new Date(row.test_sent_at),
            results: row.test_results === null ? null : JSON.parse(row.test_results),
          },
  }
}

/**
 * Claims the mailbox for `forMs`, by the clock of the database, so that only one instance reads it.
 * @returns the end of the claim; undefined when another instance has it
 */
export async function claimMailbox(
  db: Database,
  dialect: Pick<Dialect, 'clock'>,
  forMs: number,
): Promise<Date | undefined> {
  const now = await dialect.clock(db)
  const until = new Date(now.getTime() + forMs)
  const claim = { claimed_until: until.toISOString() }
  // A claim that ends later than this was made while the clock was ahead; it is ignored.
  const latestPlausibleEnd = new Date(until.getTime() + forMs).toISOString()
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('mailbox_reading')
    .values({ name, ...claim })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(claim)
        .where((eb) =>
          eb.or([
            eb('mailbox_reading.claimed_until', '<=', now.toISOString()),
            eb('mailbox_reading.claimed_until', '>', latestPlausibleEnd),
          ]),
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n ? until : undefined
}

export type ReadingOutcome = { position: MailboxPosition } | { problem: ValidationKey }

/** Stores the outcome of a reading, unless the claim was lost. A new position clears the problem. */
export async function storeMailboxState(
  db: Database,
  claimedUntil: Date,
  outcome: ReadingOutcome,
  now: Date,
): Promise<void> {
  const read_at = now.toISOString()
  await db
    .updateTable('mailbox_reading')
    .set(
      'position' in outcome
        ? { uid_validity: outcome.position.uidValidity, uid: outcome.position.uid, read_at, problem: null }
        : { read_at, problem: outcome.problem },
    )
    .where('name', '=', name)
    .where('claimed_until', '=', claimedUntil.toISOString())
    .execute()
}

/** Stores a test email by its Message-ID, for which the next readings look; it replaces the previous one. */
export async function storeTestEmail(db: Database, messageId: string, now: Date): Promise<void> {
  const test = { test_message_id: messageId, test_sent_at: now.toISOString(), test_results: null }
  await db
    .insertInto('mailbox_reading')
    .values({ name, claimed_until: unclaimed, ...test })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(test))
    .execute()
}

/** Stores the authentication results of a test email that arrived. */
export async function storeTestResults(db: Database, messageId: string, results: AuthenticationResults): Promise<void> {
  await db
    .updateTable('mailbox_reading')
    .set({ test_results: JSON.stringify(results) })
    .where('name', '=', name)
    .where('test_message_id', '=', messageId)
    .execute()
}

/** Deletes the whole row, so that a different mailbox is read from its end. */
export async function resetMailboxState(tx: Transaction): Promise<void> {
  await tx.deleteFrom('mailbox_reading').where('name', '=', name).execute()
}

/** Releases the claim and clears the problem, so that the same mailbox can be read again immediately. */
export async function releaseMailbox(tx: Transaction): Promise<void> {
  const row = { claimed_until: unclaimed, problem: null }
  await tx.updateTable('mailbox_reading').set(row).where('name', '=', name).execute()
}
