import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database, Db, Transaction } from '../db/database.ts'
import type { Dialect } from '../db/dialect/dialect.ts'
import type { OutboxTable } from '../db/tables/messages.ts'
import { addressIn, containsAllTerms, searchTerms } from '../db/text-search.ts'
import type { DeliveryReport } from './read-report.ts'

/** An email as staff and operators see it; without its text. */
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
  /** The password or link in it was removed when it failed: it cannot be sent any more. */
  secretRemoved: boolean
  /** A report that it was not delivered, or is late. */
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

/** One page of emails, and their total up to `countLimit`. */
export async function listEmails(
  db: Database,
  dialect: Pick<Dialect, 'searchIndexIds' | 'containsByIndex'>,
  which: { terms: string[]; state?: OutboxTable['state'] | undefined; descending: boolean },
  page: { offset: number; limit: number },
): Promise<{ emails: EmailStatus[]; total: number; more: boolean }> {
  const { terms, state, descending } = which
  const narrowed =
    terms.length > 0 ? dialect.searchIndexIds({ table: 'outbox', column: 'search_text' }, terms) : undefined
  const conditions: RawBuilder<SqlBool>[] = [
    ...(narrowed ? [sql<SqlBool>`outbox.id = narrowed.id`] : []),
    ...(terms.length > 0 ? [containsAllTerms(dialect.containsByIndex, 'search_text', terms)] : []),
    ...(state ? [sql<SqlBool>`state = ${state}`] : []),
  ]
  // A cross join makes SQLite begin with the found ids, and look up each row.
  const found = sql`${narrowed ? sql`${narrowed} as narrowed cross join outbox` : sql`outbox`} where ${
    conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`1 = 1`
  }`
  const { rows: counts } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from ${found} limit ${sql.lit(countLimit + 1)}) as counted`.execute(db)
  const by = sql`${sql.ref(narrowed ? 'narrowed.id' : 'outbox.id')} ${descending ? sql`desc` : sql`asc`}`
  const { rows } = await sql<Row>`
    select ${sql.join(statusColumns.map((name) => sql.ref(name)))}, ${secretRemoved} as secret_removed from ${found} order by ${by}
    limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = Number(counts[0]?.total ?? 0)
  return { emails: rows.map(toEmailStatus), total: Math.min(total, countLimit), more: total > countLimit }
}

/** Waiting and failed emails, the newest first. */
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
 * Stores a delivery report with the email that it is about. A failure replaces an earlier report of a delay.
 * @returns how many emails of ours it is about
 */
export async function storeDeliveryReport(db: Database, report: DeliveryReport, now: Date): Promise<number> {
  const { messageId, recipients, action, status, reason } = report
  const found = await db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'bounce'])
    .where('message_id', '=', messageId)
    .execute()
  const about = found.filter(({ recipient }) => recipients.includes(recipient.toLowerCase()))
  const changed = about.filter(({ bounce }) => action === 'failed' || bounce === null)
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
  return about.length
}

/** No worker has claimed an email whose next attempt is further away than this: a lease is far shorter. */
const retryableAfterMs = 60_000

/** @param sendsMail whether there is a mail server: without one, an email in a file would only be written to a file again */
export const canRetry = (
  { state, nextAttemptAt, secretRemoved }: EmailStatus,
  now: Date,
  sendsMail: boolean,
): boolean =>
  !secretRemoved &&
  (state === 'failed' ||
    (state === 'file' && sendsMail) ||
    (state === 'waiting' && nextAttemptAt.getTime() > now.getTime() + retryableAfterMs))

/**
 * Makes emails due now: those in `ids` that `canRetry` allows. Their attempts are counted from here again.
 * @param ids without it, all failed emails
 * @returns the ids that are due now
 */
export async function retryEmails(
  tx: Transaction,
  ids: readonly number[] | undefined,
  now: Date,
  sendsMail: boolean,
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
            eb('state', 'in', sendsMail ? ['failed', 'file'] : ['failed']),
            eb.and([eb('state', '=', 'waiting'), eb('next_attempt_at', '>', retryableAfter)]),
          ]),
        ),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes every email that waits for a later attempt due now, because the cause of its last failure is gone. */
export async function makeWaitingDue(tx: Transaction, at: Date): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ next_attempt_at: at.toISOString() })
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '>', new Date(at.getTime() + retryableAfterMs).toISOString())
    .execute()
}

/** Which of these emails exist. */
export async function findExistingEmails(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.selectFrom('outbox').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** The states of emails by Message-ID; purged emails are absent. */
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

/** The emails about these subjects, to any recipient. @param about like `user:12` */
export async function listEmailsAbout(db: Db, about: readonly string[]): Promise<EmailStatus[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([...statusColumns, secretRemoved.as('secret_removed')])
    .where('about', 'in', about)
    .orderBy('id')
    .execute()
  return rows.map(toEmailStatus)
}

/**
 * The emails to one address, whatever they are about.
 * @param recipient in lower case
 */
export async function listEmailsTo(
  db: Db,
  dialect: Pick<Dialect, 'searchIndexIds' | 'containsByIndex'>,
  recipient: string,
): Promise<EmailStatus[]> {
  const terms = searchTerms(recipient)
  const narrowed = dialect.searchIndexIds({ table: 'outbox', column: 'search_text' }, terms)
  const { rows } = await sql<Row>`
    select ${sql.join(statusColumns.map((name) => sql.ref(name)))}, ${secretRemoved} as secret_removed from ${
      narrowed ? sql`${narrowed} as narrowed join outbox on outbox.id = narrowed.id` : sql`outbox`
    } where ${containsAllTerms(dialect.containsByIndex, 'search_text', terms)} order by outbox.id`.execute(db)
  // The search column is folded, so two different addresses may match.
  return rows.map(toEmailStatus).filter((email) => email.recipient.toLowerCase() === recipient)
}

/**
 * The emails, to any recipient, whose data name an address as a whole.
 * @param address in lower case
 * @param except templates with texts of visitors and staff, in which an address may occur by chance
 */
export async function listEmailsNaming(db: Db, address: string, except: readonly string[]): Promise<EmailStatus[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([...statusColumns, secretRemoved.as('secret_removed'), 'data'])
    .where('template', 'not in', except)
    // A wildcard in the address finds more, which is compared below.
    .where(sql<SqlBool>`lower(data) like ${`%${address}%`}`)
    .orderBy('id')
    .execute()
  return rows.filter(({ data }) => data.search(addressIn(address)) >= 0).map((row) => toEmailStatus(row))
}

export async function deleteEmailsById(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += deleteBatch) {
    await tx
      .deleteFrom('outbox')
      .where('id', 'in', ids.slice(at, at + deleteBatch))
      .execute()
  }
}

/** Emails in one statement. */
const deleteBatch = 500
