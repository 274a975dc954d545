import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database, Db, Transaction } from '../db/database.ts'
import type { Dialect } from '../db/dialect/dialect.ts'
import type { OutboxTable } from '../db/tables/messages.ts'
import { addressPattern, containsAllTerms, searchTerms } from '../db/text-search.ts'
import type { DeliveryReport } from './read-report.ts'

/** An email of the outbox without its content. */
export interface EmailStatus {
  id: number
  template: string
  recipient: string
  about: string | null
  state: OutboxTable['state']
  attempts: number
  lastError: string | null
  nextAttemptAt: Date
  createdAt: Date
  sentAt: Date | null
  /** Its secret (a password or link) was removed, because it was written to a file or failed: it cannot be sent again. */
  secretRemoved: boolean
  /** The report that it was not delivered, or else the first one that it is delayed. */
  bounce: EmailBounce | undefined
}

type EmailBounce = { at: Date } & Pick<DeliveryReport, 'action' | 'status' | 'reason'>

const statusColumns = [
  'outbox.id',
  'template',
  'recipient',
  'about',
  'state',
  'attempts',
  'last_error',
  'next_attempt_at',
  'created_at',
  'sent_at',
  'bounced_at',
  'bounce',
] as const

const secretRemoved = sql<number>`case when secret = '' then 1 else 0 end`

/** Emails are counted up to this number. */
const countLimit = 10_000

/** Lists emails by id; their recipients contain all terms. `total` counts up to `countLimit`, `more` is set above it. */
export async function listEmails(
  db: Database,
  dialect: Pick<Dialect, 'searchIndexIds' | 'containsByIndex'>,
  which: { terms: string[]; state?: OutboxTable['state'] | undefined; descending: boolean },
  page: { offset: number; limit: number },
): Promise<{ emails: EmailStatus[]; total: number; more: boolean }> {
  const { terms, state, descending } = which
  const matchingIds =
    terms.length > 0 ? dialect.searchIndexIds({ table: 'outbox', column: 'search_text' }, terms) : undefined
  const conditions: RawBuilder<SqlBool>[] = [
    ...(matchingIds ? [sql<SqlBool>`outbox.id = narrowed.id`] : []),
    ...(terms.length > 0 ? [containsAllTerms(dialect.containsByIndex, 'search_text', terms)] : []),
    ...(state ? [sql<SqlBool>`state = ${state}`] : []),
  ]
  // A cross join makes SQLite begin with the matching ids, and look up each row.
  const tables = matchingIds ? sql`${matchingIds} as narrowed cross join outbox` : sql`outbox`
  const condition = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`1 = 1`
  const matches = sql`${tables} where ${condition}`
  const { rows: counts } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from ${matches} limit ${sql.lit(countLimit + 1)}) as counted`.execute(db)
  const order = sql`${sql.ref(matchingIds ? 'narrowed.id' : 'outbox.id')} ${descending ? sql`desc` : sql`asc`}`
  const { rows } = await sql<Row>`
    select ${sql.join(statusColumns.map((name) => sql.ref(name)))}, ${secretRemoved} as secret_removed from ${matches} order by ${order}
    limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = Number(counts[0]?.total ?? 0)
  return { emails: rows.map(toEmailStatus), total: Math.min(total, countLimit), more: total > countLimit }
}

/** Lists up to `limit` emails in these states, the newest first. */
export async function listUnsentEmails(
  db: Database,
  wanted: { states: ('waiting' | 'failed')[]; limit: number },
): Promise<EmailStatus[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([...statusColumns, secretRemoved.as('secret_removed')])
    .where('state', 'in', wanted.states)
    .orderBy('id', 'desc')
    .limit(wanted.limit)
    .execute()
  return rows.map(toEmailStatus)
}

type Row = Pick<Selectable<OutboxTable>, 'id' | Exclude<(typeof statusColumns)[number], 'outbox.id'>> & {
  secret_removed: number
}

const toEmailStatus = (row: Row): EmailStatus => ({
  id: row.id,
  template: row.template,
  recipient: row.recipient,
  about: row.about,
  state: row.state,
  attempts: row.attempts,
  lastError: row.last_error,
  nextAttemptAt: new Date(row.next_attempt_at),
  createdAt: new Date(row.created_at),
  sentAt: row.sent_at === null ? null : new Date(row.sent_at),
  secretRemoved: row.secret_removed === 1,
  bounce: bounceOf(row),
})

const bounceOf = ({ bounced_at, bounce }: Pick<Row, 'bounced_at' | 'bounce'>): EmailBounce | undefined =>
  bounced_at !== null && bounce !== null ? { at: new Date(bounced_at), ...JSON.parse(bounce) } : undefined

/**
 * Stores a report with the emails to which it belongs; a failure replaces an earlier report.
 * @returns how many emails it matches
 */
export async function storeDeliveryReport(db: Database, report: DeliveryReport, now: Date): Promise<number> {
  const { messageId, recipients, action, status, reason } = report
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'bounce'])
    .where('message_id', '=', messageId)
    .execute()
  const matched = rows.filter(({ recipient }) => recipients.includes(recipient.toLowerCase()))
  const changed = matched.filter(({ bounce }) => action === 'failed' || bounce === null)
  if (changed.length > 0)
    await db
      .updateTable('outbox')
      .set({
        bounced_at: now.toISOString(),
        bounce: JSON.stringify({ action, status, reason: reason.replace(/\p{Cc}+/gu, ' ') }),
      })
      .where(
        'id',
        'in',
        changed.map(({ id }) => id),
      )
      .execute()
  return matched.length
}

/** A waiting email whose next attempt is further away than this is not claimed by a worker: a lease is far shorter. */
const retryableAfterMs = 60_000

/** @param hasMailServer without one, an email that was written to a file would only be written to a file again */
export const canRetry = (
  { state, nextAttemptAt, secretRemoved }: EmailStatus,
  now: Date,
  hasMailServer: boolean,
): boolean =>
  !secretRemoved &&
  (state === 'failed' ||
    (state === 'file' && hasMailServer) ||
    (state === 'waiting' && nextAttemptAt.getTime() > now.getTime() + retryableAfterMs))

/**
 * Makes those of the emails due that `canRetry` allows, with 0 attempts.
 * @param ids undefined: all failed ones
 * @returns the changed ids
 */
export async function makeDue(
  tx: Transaction,
  ids: readonly number[] | undefined,
  now: Date,
  hasMailServer: boolean,
): Promise<number[]> {
  const retryableAfter = new Date(now.getTime() + retryableAfterMs).toISOString()
  const rows = await tx
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, next_attempt_at: now.toISOString() })
    .where((eb) => eb.or([eb('secret', 'is', null), eb('secret', '!=', '')]))
    .$if(ids === undefined, (query) => query.where('state', '=', 'failed'))
    .$if(ids !== undefined, (query) =>
      query
        .where('id', 'in', ids as number[])
        .where((eb) =>
          eb.or([
            eb('state', 'in', hasMailServer ? ['failed', 'file'] : ['failed']),
            eb.and([eb('state', '=', 'waiting'), eb('next_attempt_at', '>', retryableAfter)]),
          ]),
        ),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Makes emails that wait for a later attempt due at this time, because the cause of the failures is gone. Claimed
 * emails are skipped.
 */
export async function makeWaitingDue(tx: Transaction, at: Date): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ next_attempt_at: at.toISOString() })
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '>', new Date(at.getTime() + retryableAfterMs).toISOString())
    .execute()
}

/** Returns those of these ids whose emails exist. */
export async function findExistingEmails(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.selectFrom('outbox').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** The states of emails by Message-ID; deleted emails are absent. */
export async function findEmailStates(
  db: Db,
  messageIds: readonly string[],
): Promise<Map<string, OutboxTable['state']>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('outbox')
    .select(['message_id', 'state'])
    .where('message_id', 'in', messageIds)
    .execute()
  return new Map(rows.map((row) => [row.message_id, row.state]))
}

/** The emails about these records, to any recipient, by id. @param about such as `user:12` */
export async function listEmailsAbout(db: Db, about: readonly string[]): Promise<EmailStatus[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([...statusColumns, secretRemoved.as('secret_removed')])
    .where('about', 'in', about)
    .orderBy('id')
    .execute()
  return rows.map(toEmailStatus)
}

/** The emails to one address, by id. @param recipient in lower case */
export async function listEmailsTo(
  db: Db,
  dialect: Pick<Dialect, 'searchIndexIds' | 'containsByIndex'>,
  recipient: string,
): Promise<EmailStatus[]> {
  const terms = searchTerms(recipient)
  const matchingIds = dialect.searchIndexIds({ table: 'outbox', column: 'search_text' }, terms)
  const { rows } = await sql<Row>`
    select ${sql.join(statusColumns.map((name) => sql.ref(name)))}, ${secretRemoved} as secret_removed from ${
      matchingIds ? sql`${matchingIds} as narrowed join outbox on outbox.id = narrowed.id` : sql`outbox`
    } where ${containsAllTerms(dialect.containsByIndex, 'search_text', terms)} order by outbox.id`.execute(db)
  // The search column is folded, so two different addresses may match.
  return rows.map(toEmailStatus).filter((email) => email.recipient.toLowerCase() === recipient)
}

/** The emails whose data contain this whole address. @param address in lower case @param except templates with free text */
export async function listEmailsNaming(db: Db, address: string, except: readonly string[]): Promise<EmailStatus[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([...statusColumns, secretRemoved.as('secret_removed'), 'data'])
    .where('template', 'not in', except)
    // A `%` or `_` in the address is a wildcard here, so the filter below compares exactly.
    .where(sql<SqlBool>`lower(data) like ${`%${address}%`}`)
    .orderBy('id')
    .execute()
  return rows.filter(({ data }) => data.search(addressPattern(address)) >= 0).map((row) => toEmailStatus(row))
}

export async function deleteEmailsById(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += deleteBatch) {
    await tx
      .deleteFrom('outbox')
      .where('id', 'in', ids.slice(start, start + deleteBatch))
      .execute()
  }
}

/** How many emails one statement deletes. */
const deleteBatch = 500
