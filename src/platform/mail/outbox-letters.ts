import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Transaction } from '../db/database.ts'
import type { Dialect } from '../db/dialect/dialect.ts'
import type { OutboxTable } from '../db/tables/outbox.ts'
import { containsAll, searchParts } from '../db/text-search.ts'

/** What staff and operators are shown of a letter; its text stays inside. */
export interface ShownLetter {
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
  /** A password or a link that it brought went when it was given up: nothing can be sent any more. */
  lost: boolean
}

const shown = [
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
] as const

/** The secret itself stays where it is. */
const lost = sql<number>`case when secret = '' then 1 else 0 end`

/** Letters are counted no further. */
const countedMost = 10_000

/** One page of letters, the newest first unless it is asked otherwise, and how many there are. */
export async function listLetters(
  db: Database,
  dialect: Pick<Dialect, 'narrow' | 'containsByIndex'>,
  which: { parts: string[]; state?: OutboxTable['state'] | undefined; descending: boolean },
  page: { offset: number; limit: number },
): Promise<{ letters: ShownLetter[]; total: number; more: boolean }> {
  const { parts, state, descending } = which
  const narrowed = parts.length > 0 ? dialect.narrow({ table: 'outbox', column: 'search_text' }, parts) : undefined
  const conditions: RawBuilder<SqlBool>[] = [
    ...(narrowed ? [sql<SqlBool>`outbox.id = narrowed.id`] : []),
    ...(parts.length > 0 ? [containsAll(dialect.containsByIndex, 'search_text', parts)] : []),
    ...(state ? [sql<SqlBool>`state = ${state}`] : []),
  ]
  // A cross join, so that SQLite begins with what was found and looks up each.
  const found = sql`${narrowed ? sql`${narrowed} as narrowed cross join outbox` : sql`outbox`} where ${
    conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`1 = 1`
  }`
  const { rows: counts } = await sql<{ total: number | string }>`
    select count(*) as total from (select 1 from ${found} limit ${sql.lit(countedMost + 1)}) as counted`.execute(db)
  const by = sql`${sql.ref(narrowed ? 'narrowed.id' : 'outbox.id')} ${descending ? sql`desc` : sql`asc`}`
  const { rows } = await sql<Row>`
    select ${sql.join(shown.map((name) => sql.ref(name)))}, ${lost} as lost from ${found} order by ${by}
    limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = Number(counts[0]?.total ?? 0)
  return { letters: rows.map(toLetter), total: Math.min(total, countedMost), more: total > countedMost }
}

/** Letters that wait, and those that were given up, the newest first. */
export async function listUnsentLetters(
  db: Database,
  wanted: { states: ('waiting' | 'failed')[]; limit: number },
): Promise<ShownLetter[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([...shown, lost.as('lost')])
    .where('state', 'in', wanted.states)
    .orderBy('id', 'desc')
    .limit(wanted.limit)
    .execute()
  return rows.map(toLetter)
}

type Row = Pick<
  OutboxTable,
  | 'template'
  | 'recipient'
  | 'about'
  | 'state'
  | 'attempts'
  | 'last_error'
  | 'next_attempt_at'
  | 'created_at'
  | 'sent_at'
> & { id: number; lost: number }

const toLetter = (row: Row): ShownLetter => ({
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
  lost: row.lost === 1,
})

/** A letter whose next try is further off than this is in no worker's hands: a claim is far shorter. */
const restsMs = 60_000

export const canRetry = ({ state, nextAttemptAt, lost }: ShownLetter, now: Date): boolean =>
  !lost && (state === 'failed' || (state === 'waiting' && nextAttemptAt.getTime() > now.getTime() + restsMs))

/**
 * Makes letters due at once: those that were given up, and of those that are named also the ones that have long to wait.
 * None that lost what it brought, a password or a link, when it was given up.
 * @param ids left out: all that were given up
 * @returns which are due now
 */
export async function retryLetters(tx: Transaction, ids: readonly number[] | undefined, now: Date): Promise<number[]> {
  const rests = new Date(now.getTime() + restsMs).toISOString()
  const rows = await tx
    .updateTable('outbox')
    .set({ state: 'waiting', next_attempt_at: now.toISOString() })
    .where((eb) => eb.or([eb('secret', 'is', null), eb('secret', '!=', '')]))
    .$if(ids === undefined, (query) => query.where('state', '=', 'failed'))
    .$if(ids !== undefined, (query) =>
      query
        .where('id', 'in', ids as number[])
        .where((eb) =>
          eb.or([eb('state', '=', 'failed'), eb.and([eb('state', '=', 'waiting'), eb('next_attempt_at', '>', rests)])]),
        ),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Where letters are, by their Message-ID; what left the outbox long ago is left out. */
export async function findLetterStates(
  db: Database | Transaction,
  mailIds: readonly string[],
): Promise<Map<string, OutboxTable['state']>> {
  if (mailIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('outbox')
    .select(['message_id', 'state'])
    .where('message_id', 'in', mailIds)
    .execute()
  return new Map(rows.map((row) => [row.message_id, row.state]))
}

/** The letters about things, whoever gets them. @param about like `user:12` */
export async function listLettersAbout(db: Database | Transaction, about: readonly string[]): Promise<ShownLetter[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([...shown, lost.as('lost')])
    .where('about', 'in', about)
    .orderBy('id')
    .execute()
  return rows.map(toLetter)
}

/**
 * The letters that go, or went, to one address, whoever they are about.
 * @param recipient in lower case
 */
export async function listLettersTo(
  db: Database | Transaction,
  dialect: Pick<Dialect, 'narrow' | 'containsByIndex'>,
  recipient: string,
): Promise<ShownLetter[]> {
  const parts = searchParts(recipient)
  const narrowed = dialect.narrow({ table: 'outbox', column: 'search_text' }, parts)
  const { rows } = await sql<Row>`
    select ${sql.join(shown.map((name) => sql.ref(name)))}, ${lost} as lost from ${
      narrowed ? sql`${narrowed} as narrowed join outbox on outbox.id = narrowed.id` : sql`outbox`
    } where ${containsAll(dialect.containsByIndex, 'search_text', parts)} order by outbox.id`.execute(db)
  // What is searched is folded: two addresses may look alike there.
  return rows.map(toLetter).filter((letter) => letter.recipient.toLowerCase() === recipient)
}

export async function dropLettersById(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += dropped) {
    await tx
      .deleteFrom('outbox')
      .where('id', 'in', ids.slice(at, at + dropped))
      .execute()
  }
}

/** Letters in one statement. */
const dropped = 500
