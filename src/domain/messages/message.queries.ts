import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { ContactMessage } from '../../contract/contact.ts'
import type { FormAnswer } from '../../contract/forms.ts'
import type { Locale } from '../../contract/locales.ts'
import { type SpamReason, spamOnArrival } from '../../contract/spam.ts'
import { compiledQuery } from '../../platform/db/compiled-query.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { countResults } from '../../platform/db/query-results.ts'

interface NewMessage {
  message: ContactMessage
  locale: Locale
  folder: 'inbox' | 'spam'
  spamReason: string | null
  spamReasons: SpamReason[]
  /** The path of the page with the form; empty when that is not a page of the site. */
  page: string
  /** Whether the statistics count it. */
  counted: boolean
  privacyVersion: string
  fingerprint: string
  addressKey: string
  createdAt: Date
  /** Undefined for the contact form. */
  form?: MessageForm | undefined
}

/** The snapshot of a form that is stored with a message. */
interface MessageForm {
  id: string
  /** In the language of the visitor. */
  name: string
  answers: FormAnswer[]
  retentionDays: number
}

/** After `since`, up to and including `until`. Messages after `until` were stored while the clock was ahead. */
export interface MessageWindow {
  since: Date
  until: Date
}

/**
 * Finds the first message with this fingerprint in a folder and within a window.
 * @param like.spamReason only a message with this reason; null and undefined: with any
 * @param like.sameSender for messages of this sender the window begins at this earlier time
 */
export async function findSameMessage(
  tx: Transaction,
  like: {
    fingerprint: string
    folder: 'inbox' | 'spam'
    spamReason?: string | null
    window: MessageWindow
    sameSender: { addressKey: string; since: Date }
  },
): Promise<{ id: number; reference: number } | undefined> {
  const row = await tx
    .selectFrom('message')
    .select(['id', 'reference'])
    .where('fingerprint', '=', like.fingerprint)
    .where((eb) =>
      eb.or([
        eb('created_at', '>', like.window.since.toISOString()),
        eb.and([
          eb('created_at', '>', like.sameSender.since.toISOString()),
          eb('address_key', '=', like.sameSender.addressKey),
        ]),
      ]),
    )
    .where('created_at', '<=', like.window.until.toISOString())
    .where('folder', '=', like.folder)
    .$if(Boolean(like.spamReason), (qb) => qb.where('spam_reason', '=', like.spamReason as string))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && { id: row.id, reference: row.reference ?? row.id }
}

/** The time of the `nth` newest message within a window, of one sender or of all. @returns undefined when there are fewer */
export async function findNthNewest(
  db: Db,
  wanted: { nth: number; window: MessageWindow; addressKey?: string },
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('message')
    .select('created_at')
    .where('created_at', '>', wanted.window.since.toISOString())
    .where('created_at', '<=', wanted.window.until.toISOString())
    .$if(wanted.addressKey !== undefined, (qb) => qb.where('address_key', '=', wanted.addressKey as string))
    .orderBy('created_at', 'desc')
    .offset(wanted.nth - 1)
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.created_at)
}

/** The reference numbers of the messages that exist, by message id. */
export async function findReferences(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('message').select(['id', 'reference']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, reference }) => [id, reference ?? id]))
}

/** Inserts a message. The caller must hold the lock `contact`, so that no other message gets the same reference. */
export async function insertMessage(tx: Transaction, input: NewMessage): Promise<{ id: number; reference: number }> {
  const { naam, email, tel, bericht } = input.message
  const { form } = input
  const reference = await unusedReference(tx)
  const { id } = await tx
    .insertInto('message')
    .values({
      naam,
      email,
      tel,
      bericht,
      locale: input.locale,
      folder: input.folder,
      spam_reason: input.spamReason,
      spam_reasons: JSON.stringify(input.spamReasons),
      page: input.page,
      counted: input.counted ? 1 : 0,
      privacy_version: input.privacyVersion,
      fingerprint: input.fingerprint,
      address_key: input.addressKey,
      created_at: input.createdAt.toISOString(),
      reference,
      ...(form && {
        form_id: form.id,
        form_name: form.name,
        answers: JSON.stringify(form.answers),
        retention_days: form.retentionDays,
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, reference }
}

/**
 * Random nine-digit numbers: easy to dictate, higher than any id, and independent of the number of messages. `end` is
 * exclusive.
 */
const references = { min: 100_000_000, end: 1_000_000_000 }

async function unusedReference(tx: Transaction): Promise<number> {
  for (;;) {
    const reference = randomInt(references.min, references.end)
    if ((await findIdByReference(tx, reference)) === undefined) return reference
  }
}

export async function findIdByReference(db: Db, reference: number): Promise<number | undefined> {
  const row = await db.selectFrom('message').select('id').where('reference', '=', reference).executeTakeFirst()
  return row?.id
}

/** Returns the id of the message whose id or reference is this number; the number itself if there is no such message. */
export const resolveId = async (db: Db, number: number): Promise<number> =>
  number < references.min ? number : ((await findIdByReference(db, number)) ?? number)

/** A message as stored, for staff. */
export interface StoredMessage {
  id: number
  reference: number
  message: ContactMessage
  locale: Locale
  folder: 'inbox' | 'spam'
  spamReason: string | null
  spamReasons: SpamReason[]
  /** The path of the page with the form; empty when that is not a page, null for a message from before this was stored. */
  page: string | null
  counted: boolean
  privacyVersion: string
  readAt: string | null
  answeredAt: string | null
  note: string
  /** Message-IDs of the notification emails about it. */
  thread: string[]
  version: number
  createdAt: Date
  form: StoredForm
}

/** The form of a message when it was sent. */
export interface StoredForm {
  id: string
  /** Empty for the contact form. */
  name: string
  answers: FormAnswer[]
  /** Null for the contact form. */
  retentionDays: number | null
}

const selectMessages = (db: Db) =>
  db
    .selectFrom('message')
    .select(['id', 'reference', 'naam', 'email', 'tel', 'bericht', 'locale', 'folder', 'spam_reason as spamReason'])
    .select(['spam_reasons', 'page', 'counted', 'privacy_version as privacyVersion', 'read_at as readAt'])
    .select(['answered_at as answeredAt', 'note', 'thread', 'version', 'created_at'])
    .select(['form_id', 'form_name', 'answers', 'retention_days'])

/** Locks the rows of messages in the order of their ids, so that two transactions that change the same ones cannot deadlock. */
export async function lockMessages(tx: Transaction, dialect: Dialect, ids: readonly number[]): Promise<void> {
  // On SQLite write transactions run one at a time.
  if (dialect.name === 'sqlite' || ids.length === 0) return
  await tx.selectFrom('message').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** At most `limit` messages of one folder, newest first. */
export async function listNewest(
  db: Db,
  wanted: { folder: 'inbox' | 'spam'; limit: number },
): Promise<StoredMessage[]> {
  const rows = await selectMessages(db)
    .where('folder', '=', wanted.folder)
    .orderBy('id', 'desc')
    .limit(wanted.limit)
    .execute()
  return rows.map(toStoredMessage)
}

export async function findMessage(db: Db, id: number): Promise<StoredMessage | undefined> {
  const [message] = await listMessagesById(db, [id])
  return message
}

/** In any order; deleted messages are left out. */
export async function listMessagesById(db: Db, ids: readonly number[]): Promise<StoredMessage[]> {
  if (ids.length === 0) return []
  const rows = await selectMessages(db).where('id', 'in', ids).execute()
  return rows.map(toStoredMessage)
}

type MessageRow = Awaited<ReturnType<ReturnType<typeof selectMessages>['execute']>>[number]

function toStoredMessage(row: MessageRow): StoredMessage {
  const { naam, email, tel, bericht, spam_reasons, created_at, ...rest } = row
  const { form_id, form_name, answers, retention_days, ...message } = rest
  return {
    ...message,
    reference: row.reference ?? row.id,
    message: { naam, email, tel, bericht },
    spamReasons: JSON.parse(spam_reasons),
    counted: row.counted === 1,
    thread: row.thread.split(' ').filter(Boolean),
    createdAt: new Date(created_at),
    form: { id: form_id, name: form_name, answers: JSON.parse(answers), retentionDays: retention_days },
  }
}

/** The forms that have messages, each with its newest name. The recursion (a skip scan) needs one index lookup per form. */
export async function listMessageForms(db: Database): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive found(id) as (
      select min(form_id) from message
      union all select (select min(form_id) from message where form_id > found.id) from found where found.id is not null
    )
    select found.id, (select form_name from message where form_id = found.id order by folder, id desc limit 1) as name
    from found where found.id is not null`.execute(db)
  return rows
}

/** All pairs of form and retention period that messages were stored with. */
export async function listRetentions(db: Db): Promise<{ formId: string; days: number | null }[]> {
  return db.selectFrom('message').select(['form_id as formId', 'retention_days as days']).distinct().execute()
}

interface ExpiredOfForm {
  formId: string
  days: number | null
  before: Date
}
interface ExpiredSpam {
  folder: 'spam'
  before: Date
}
/** Messages from before an instant: those of a form with this retention period, or those that arrived as spam and still are. */
export type Expired = ExpiredOfForm | ExpiredSpam

/** The ids of at most `limit` of these messages, oldest first. @param among only messages with these ids */
export async function listMessagesBefore(
  db: Db,
  wanted: Expired,
  limit: number,
  among?: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('message')
    .select('id')
    .$if('folder' in wanted, (qb) =>
      qb.where('folder', '=', (wanted as ExpiredSpam).folder).where('spam_reason', 'in', spamOnArrival),
    )
    .$if('formId' in wanted, (qb) => {
      const { formId, days } = wanted as ExpiredOfForm
      return qb.where('form_id', '=', formId).where('retention_days', days === null ? 'is' : '=', days)
    })
    .where('created_at', '<', wanted.before.toISOString())
    .$if(among !== undefined, (qb) => qb.where('id', 'in', among as readonly number[]))
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

export async function deleteMessageRows(tx: Transaction, ids: number[]): Promise<void> {
  await tx.deleteFrom('message').where('id', 'in', ids).execute()
}

/** The number of messages after an instant, without spam. */
export const countMessagesSince = (db: Database, since: Date): Promise<number> =>
  countResults(db.selectFrom('message').where('folder', '=', 'inbox').where('created_at', '>', since.toISOString()))

/**
 * The number of messages from each instant (inclusive) to the next (exclusive), without spam: one number less than
 * instants.
 */
export async function countMessagesBetween(db: Database, instants: readonly Date[]): Promise<number[]> {
  const counts = await selectCounts(db, { instants: instants.map((instant) => instant.toISOString()) })
  return instants.slice(1).map((_, index) => Number(counts[index]?.count))
}

/**
 * One subquery, run for each range, so that PostgreSQL plans it once: planning it takes as long as counting a day with
 * thousands of messages.
 */
const selectCounts = compiledQuery((db, { instants }: { instants: readonly string[] }) => {
  // `compiledQuery` pads the list with its last value; the extra ranges are empty and count nothing. The index is a
  // literal, because PostgreSQL takes a parameter for a text, and would sort 10 before 2.
  const ranges = instants.slice(1).map((before, index) => sql`(${sql.lit(index)}, ${instants[index]}, ${before})`)
  // Both databases name the columns of a list of values like this.
  const values = sql<{ column1: number; column2: string; column3: string }>`(values ${sql.join(ranges)})`
  return db
    .selectFrom(values.as('range'))
    .select((eb) =>
      eb
        .selectFrom('message')
        .where('folder', '=', eb.val('inbox'))
        .whereRef('created_at', '>=', 'range.column2')
        .whereRef('created_at', '<', 'range.column3')
        .select((count) => count.fn.countAll<number | string>().as('count'))
        .as('count'),
    )
    .orderBy('range.column1')
})
