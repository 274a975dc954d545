import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../db/database.ts'
import type { Dialect } from '../db/dialect/dialect.ts'

const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes

/** The pause after each failed try; the last one is kept up until `givesUpAfterMs`. */
const pauses = [5 * seconds, 15 * seconds, 45 * seconds, 2 * minutes, 7 * minutes, 20 * minutes, hours, 3 * hours]
const givesUpAfterMs = 72 * hours
const errorChars = 500

/** A letter as it is promised: which template, filled with what, for whom. */
export interface PostedLetter {
  template: string
  locale: string
  /** Fills the template; kept as JSON. */
  data: object
  /** Fills the template too, and is removed once the letter is sent or given up. */
  secret?: Record<string, string>
  /** What it is about, like `message:12`; see `dropLetters`. */
  about?: string
  /** One letter goes to each. */
  recipients: string[]
}

/** A letter that one worker has, until its lease ends. `attempt` tells this claim from a later one. */
export interface ClaimedLetter {
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
 * Promises a letter in the transaction of what it reports, so that both happen or neither does.
 * @param sender the address that letters come from; its domain makes the Message-ID, which stays the same at every try
 * @returns the Message-ID of each recipient's letter
 */
export async function postLetter(tx: Transaction, letter: PostedLetter, now: Date, sender: string): Promise<string[]> {
  const at = now.toISOString()
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  const mailIds = letter.recipients.map(() => `<${randomUUID()}@${domain}>`)
  await tx
    .insertInto('outbox')
    .values(
      letter.recipients.map((recipient, index) => ({
        message_id: mailIds[index] as string,
        template: letter.template,
        locale: letter.locale,
        data: JSON.stringify(letter.data),
        secret: letter.secret ? JSON.stringify(letter.secret) : null,
        about: letter.about ?? null,
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

/** Takes up to `limit` letters that are due, for `leaseMs`; two workers never get the same one. A claim that is not settled by then is free again. */
export async function claimLetters(
  db: Database,
  dialect: Dialect,
  now: Date,
  limit: number,
  leaseMs: number,
): Promise<ClaimedLetter[]> {
  const rows = await db
    // Materialized, for PostgreSQL may else look more than once, and lock more than it was asked for.
    .with(
      (cte) => cte('due').materialized(),
      (qb) =>
        qb
          .selectFrom('outbox')
          .select('id')
          .where('state', '=', 'waiting')
          .where('next_attempt_at', '<=', now.toISOString())
          .orderBy('next_attempt_at')
          .orderBy('id')
          .limit(limit)
          .$if(dialect.skipLocked, (due) => due.forUpdate().skipLocked()),
    )
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: later(now, leaseMs) }))
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

type Claim = Pick<ClaimedLetter, 'id' | 'attempt'>

/** Keeps a claim for another `leaseMs`. False when the lease ran out and somebody else has the letter, or had it. */
export async function renewClaim(db: Database, claim: Claim, now: Date, leaseMs: number): Promise<boolean> {
  return putOff(db, claim, later(now, leaseMs))
}

/** Gives a letter back untouched: it is due at once, for any worker. */
export async function releaseClaim(db: Database, claim: Claim, now: Date): Promise<void> {
  await putOff(db, claim, now.toISOString())
}

async function putOff(db: Database, claim: Claim, until: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ next_attempt_at: until })
    .where('id', '=', claim.id)
    .where('attempts', '=', claim.attempt)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The letter is with the server. That is true whoever says it, so a claim that ran out counts as well. */
export async function settleSent(db: Database, claim: Pick<ClaimedLetter, 'id'>, now: Date): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: now.toISOString(), last_error: null, secret: null })
    .where('id', '=', claim.id)
    .where('state', '!=', 'sent')
    .execute()
}

/** There was nothing to send: the letter goes without a trace. */
export async function dropClaimed(db: Database, claim: Claim): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', claim.id).where('attempts', '=', claim.attempt).execute()
}

/**
 * The try failed: the letter waits for the next, or after three days is given up. A claim that ran out changes
 * nothing, for the letter is somebody else's then.
 * @param reason words for staff, without secrets
 */
export async function settleFailed(
  db: Database,
  claim: Pick<ClaimedLetter, 'id' | 'attempt' | 'createdAt'>,
  now: Date,
  reason: string,
): Promise<'waiting' | 'failed' | 'not ours'> {
  const end = claim.createdAt.getTime() + givesUpAfterMs
  const pause = pauses[claim.attempt - 1] ?? 3 * hours
  const state = now.getTime() >= end ? 'failed' : 'waiting'
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set((eb) => ({
      state,
      last_error: oneLine(reason).slice(0, errorChars),
      // What could not be sent without its secret cannot be tried again: an empty text says that there was one.
      ...(state === 'failed' && { secret: eb.case().when('secret', 'is not', null).then('').else(null).end() }),
      // The last try is at the very end, however long the pause before it.
      next_attempt_at: new Date(Math.min(now.getTime() + pause, end)).toISOString(),
    }))
    .where('id', '=', claim.id)
    .where('attempts', '=', claim.attempt)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n ? state : 'not ours'
}

/** When the next letter is due; undefined when none waits. */
export async function nextLetterAt(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('next_attempt_at')
    .where('state', '=', 'waiting')
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.next_attempt_at)
}

/** How many letters there are in each state. */
export async function countLetters(db: Database): Promise<Record<'waiting' | 'sent' | 'failed', number>> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['state', eb.fn.countAll().as('count')])
    .groupBy('state')
    .execute()
  return { waiting: 0, sent: 0, failed: 0, ...Object.fromEntries(rows.map((row) => [row.state, Number(row.count)])) }
}

/** Removes every letter about things that are removed. */
export async function dropLetters(tx: Transaction, about: string[]): Promise<void> {
  if (about.length > 0) await tx.deleteFrom('outbox').where('about', 'in', about).execute()
}

/** Removes up to `limit` letters that were sent, or given up, before an instant. @returns how many */
export async function dropOldLetters(db: Database, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('id')
        .where((is) =>
          is.or([
            is.and([is('state', '=', 'sent'), is('sent_at', '<', before.toISOString())]),
            // Its next try would have been at the very end.
            is.and([is('state', '=', 'failed'), is('next_attempt_at', '<', before.toISOString())]),
          ]),
        )
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** A server's answer has line ends, and PostgreSQL keeps no zero byte. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ')

const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()
