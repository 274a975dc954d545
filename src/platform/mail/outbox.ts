import { randomUUID } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import type { Database, Db, Transaction } from '../db/database.ts'
import type { Dialect } from '../db/dialect/dialect.ts'
import { hasResults } from '../db/query-results.ts'
import type { Tables } from '../db/tables/index.ts'
import type { OutboxTable } from '../db/tables/messages.ts'

const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes

/** The pause after each failed attempt; the last one repeats until the email is given up. */
const longestPauseMs = 3 * hours
const pauses = [5 * seconds, 15 * seconds, 45 * seconds, 2 * minutes, 7 * minutes, 20 * minutes, hours, longestPauseMs]
const givesUpAfterMs = 72 * hours
/** An older email, which staff retried or for which no server ran, gets at least so many attempts, which take two days. */
const minAttempts = 24
const maxErrorChars = 500

/** An email to queue: its template, data and recipients. */
interface QueuedEmail {
  template: string
  locale: string
  /** Data for the template, stored as JSON. */
  data: object
  /** Confidential data for the template, stored as JSON and removed once the email is sent or has failed. */
  secret?: Record<string, string>
  /** The record that the email is about, like `message:12`; see `deleteEmailsAbout`. */
  about?: string
  /** Each gets an email of their own. */
  recipients: string[]
}

/** An email that one worker has claimed until its lease ends. Together with the id, `attempt` identifies the claim. */
export interface ClaimedEmail {
  id: number
  messageId: string
  template: string
  locale: string
  data: unknown
  recipient: string
  attempt: number
  createdAt: Date
}

/**
 * Queues an email in the transaction of the change that it reports, so that both happen or neither does.
 * @param sender the From address; its domain is in the Message-ID, which stays the same at every attempt
 * @returns the Message-ID of each recipient's email
 */
export async function queueEmail(tx: Transaction, email: QueuedEmail, now: Date, sender: string): Promise<string[]> {
  const at = now.toISOString()
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  const mailIds = email.recipients.map(() => `<${randomUUID()}@${domain}>`)
  await tx
    .insertInto('outbox')
    .values(
      email.recipients.map((recipient, index) => ({
        message_id: mailIds[index] as string,
        template: email.template,
        locale: email.locale,
        data: JSON.stringify(email.data),
        secret: email.secret ? JSON.stringify(email.secret) : null,
        about: email.about ?? null,
        recipient,
        state: 'waiting' as const,
        attempts: 0,
        next_attempt_at: at,
        created_at: at,
      })),
    )
    .execute()
  return mailIds
}

/**
 * Claims up to `limit` due emails for `leaseMs`, so that no other worker gets them until then. An email due later than
 * the longest pause from now counts as due: its time was stored while the clock was ahead.
 * @returns the emails by id
 */
export async function claimEmails(
  db: Database,
  dialect: Dialect,
  now: Date,
  limit: number,
  leaseMs: number,
): Promise<ClaimedEmail[]> {
  const rows = await db
    // Materialized, because PostgreSQL may otherwise run it more than once, and lock more rows than the limit.
    .with(
      (cte) => cte('due').materialized(),
      (qb) =>
        qb
          .selectFrom('outbox')
          .select('id')
          .where('state', '=', 'waiting')
          .where((eb) =>
            eb.or([
              eb('next_attempt_at', '<=', now.toISOString()),
              eb('next_attempt_at', '>', addMs(now, longestPauseMs)),
            ]),
          )
          .orderBy('next_attempt_at')
          .orderBy('id')
          .limit(limit)
          .$if(dialect.skipLocked, (due) => due.forUpdate().skipLocked()),
    )
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: addMs(now, leaseMs) }))
    .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
    .returning(['id', 'message_id', 'template', 'locale', 'data', 'secret', 'recipient', 'attempts', 'created_at'])
    .execute()
  return rows
    .sort((a, b) => a.id - b.id)
    .map((row) => ({
      id: row.id,
      messageId: row.message_id,
      template: row.template,
      locale: row.locale,
      data: { ...JSON.parse(row.data), ...(row.secret && JSON.parse(row.secret)) },
      recipient: row.recipient,
      attempt: row.attempts,
      createdAt: new Date(row.created_at),
    }))
}

type Claim = Pick<ClaimedEmail, 'id' | 'attempt'>

/**
 * Extends a claim to `leaseMs` from now.
 * @returns false when the claim was lost: another worker has the email, or it is gone
 */
export async function renewClaim(db: Database, claim: Claim, now: Date, leaseMs: number): Promise<boolean> {
  return setClaimEnd(db, claim, addMs(now, leaseMs))
}

/** Releases a claim: the email is due now, for any worker. Does nothing if the claim was lost. */
export async function releaseClaim(db: Database, claim: Claim, now: Date): Promise<void> {
  await setClaimEnd(db, claim, now.toISOString())
}

async function setClaimEnd(db: Database, claim: Claim, until: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ next_attempt_at: until })
    .where('id', '=', claim.id)
    .where('attempts', '=', claim.attempt)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores that the mail server accepted the email, even if the claim has expired.
 * @returns false when the email was deleted meanwhile
 */
export async function markSent(tx: Transaction, claim: Pick<ClaimedEmail, 'id'>, now: Date): Promise<boolean> {
  return finish(tx, claim, { state: 'sent', sent_at: now.toISOString(), last_error: null, secret: null })
}

/** Stores that the email was written to a file instead of being sent. @returns false when the email was deleted meanwhile */
export async function markWritten(db: Database, claim: Pick<ClaimedEmail, 'id'>, now: Date): Promise<boolean> {
  return finish(db, claim, { state: 'file', sent_at: now.toISOString(), last_error: null, ...withoutSecret })
}

async function finish(db: Db, { id }: Pick<ClaimedEmail, 'id'>, values: UpdateObject<Tables, 'outbox'>) {
  await db.updateTable('outbox').set(values).where('id', '=', id).where('state', '!=', 'sent').execute()
  return hasResults(db.selectFrom('outbox').where('id', '=', id))
}

/** Removes the secret. The empty string records that there was one: without it the email cannot be sent again. */
export const withoutSecret = { secret: sql<string | null>`case when secret is null then null else '' end` }

/** Deletes a claimed email, because it must no longer be sent. Does nothing if the claim was lost. */
export async function deleteClaimed(db: Database, claim: Claim): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', claim.id).where('attempts', '=', claim.attempt).execute()
}

/**
 * Stores a failed attempt: the email waits for the next one, or fails after three days and `minAttempts`. A lost claim
 * changes nothing, because another worker has the email.
 * @param reason for staff, without secrets
 */
export async function markFailed(
  db: Database,
  claim: Pick<ClaimedEmail, 'id' | 'attempt' | 'createdAt'>,
  now: Date,
  reason: string,
): Promise<'waiting' | 'failed' | 'claim_lost'> {
  const deadline = claim.createdAt.getTime() + givesUpAfterMs
  const afterPause = now.getTime() + (pauses[claim.attempt - 1] ?? longestPauseMs)
  const isPastDeadline = now.getTime() >= deadline
  const state = isPastDeadline && claim.attempt >= minAttempts ? 'failed' : 'waiting'
  // One attempt is made at the deadline itself, however long the pause before it.
  const nextAttempt = isPastDeadline ? afterPause : Math.min(afterPause, deadline)
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({
      state,
      last_error: oneLine(reason).slice(0, maxErrorChars),
      ...(state === 'waiting'
        ? { next_attempt_at: new Date(nextAttempt).toISOString() }
        : { next_attempt_at: now.toISOString(), ...withoutSecret }),
    })
    .where('id', '=', claim.id)
    .where('attempts', '=', claim.attempt)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n ? state : 'claim_lost'
}

/** When the next waiting email is due, or its claim ends; undefined when none is waiting. */
export async function nextEmailAt(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('next_attempt_at')
    .where('state', '=', 'waiting')
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.next_attempt_at)
}

export async function countEmails(db: Database): Promise<Record<OutboxTable['state'], number>> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['state', eb.fn.countAll().as('count')])
    .groupBy('state')
    .execute()
  return {
    waiting: 0,
    sent: 0,
    failed: 0,
    file: 0,
    ...Object.fromEntries(rows.map((row) => [row.state, Number(row.count)])),
  }
}

/** Deletes every email about these records. @param about such as `message:12` */
export async function deleteEmailsAbout(tx: Transaction, about: string[]): Promise<void> {
  if (about.length > 0) await tx.deleteFrom('outbox').where('about', 'in', about).execute()
}

/**
 * Deletes up to `limit` emails that were sent, written to a file or failed before an instant.
 * @param old.exceptUnsentTemplate a template whose unsent emails are not deleted, because their state is still shown
 * @returns how many
 */
export async function deleteOldEmails(
  db: Database,
  old: { before: Date; limit: number; exceptUnsentTemplate?: string },
): Promise<number> {
  const before = old.before.toISOString()
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('id')
        .where((eb) =>
          eb.or([
            eb.and([eb('state', '=', 'sent'), eb('sent_at', '<', before)]),
            eb.and([
              eb('template', '!=', old.exceptUnsentTemplate ?? ''),
              eb.or([
                eb.and([eb('state', '=', 'file'), eb('sent_at', '<', before)]),
                // `next_attempt_at` of a failed email is when it failed.
                eb.and([eb('state', '=', 'failed'), eb('next_attempt_at', '<', before)]),
              ]),
            ]),
          ]),
        )
        .limit(old.limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** A server's response has line breaks, and PostgreSQL cannot store a zero byte. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ')

const addMs = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()
