import type { Database, Db, Transaction } from '../../platform/db/database.ts'

/** When the oldest waiting email was queued. */
export async function findWaitingSince(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('created_at')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.created_at)
}

/** Numbers of emails that were not delivered: sending them failed, or the recipient's server returned them. */
interface UndeliveredEmails {
  /** Emails that bring a visitor's message to the company. */
  lost: number
  others: number
}

/**
 * Counts the emails that failed or were returned since a time.
 * @param options.template the emails with this template are counted in `lost`
 * @param options.except the `about` key of emails that are not counted
 */
export async function countUndelivered(
  db: Database,
  options: { since: Date; template: string; except: string },
): Promise<UndeliveredEmails> {
  const since = options.since.toISOString()
  const countQuery = db
    .selectFrom('outbox')
    .select((eb) => ['template', 'state', eb.fn.countAll<string | number>().as('count')])
    .where((eb) => eb.or([eb('about', 'is', null), eb('about', '!=', options.except)]))
    .groupBy(['template', 'state'])
  // Two queries, so that each uses its index. `next_attempt_at` of a failed email is when it failed.
  const failed = await countQuery.where('state', '=', 'failed').where('next_attempt_at', '>=', since).execute()
  const returned = await countQuery
    .where('bounced_at', '>=', since)
    .where('bounce', 'like', '%"action":"failed"%')
    .execute()
  // A returned email may also be `failed`, which is counted above, or `waiting`, because it is sent again.
  const undelivered = [...failed, ...returned.filter(({ state }) => state === 'sent')]
  const sumCounts = (rows: typeof undelivered) => rows.reduce((sum, row) => sum + Number(row.count), 0)
  return {
    lost: sumCounts(undelivered.filter(({ template }) => template === options.template)),
    others: sumCounts(undelivered.filter(({ template }) => template !== options.template)),
  }
}

/** The template and the data (JSON) of the emails with an `about` key, such as `message:12`. */
export const listEmailContents = (tx: Transaction, about: string): Promise<{ template: string; data: string }[]> =>
  tx.selectFrom('outbox').select(['template', 'data']).where('about', '=', about).execute()

/** The newest email with an `about` key, and whether it was sent or has failed. */
export async function findTrialEmail(db: Db, about: string) {
  const row = await db
    .selectFrom('outbox')
    .select(['message_id', 'state', 'created_at', 'sent_at', 'last_error', 'bounce'])
    .where('about', '=', about)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const deliveryReport: { action: string; reason: string } | undefined =
    row.bounce === null ? undefined : JSON.parse(row.bounce)
  const returnReason = deliveryReport?.action === 'failed' ? deliveryReport.reason : undefined
  return {
    messageId: row.message_id,
    createdAt: new Date(row.created_at),
    sentAt: row.sent_at === null || row.state !== 'sent' ? undefined : new Date(row.sent_at),
    /** Why it could not be sent or was returned; undefined while neither is known. */
    problem: row.state === 'failed' ? (row.last_error ?? '') : returnReason,
  }
}

/** When an instance last reached the site at this public URL; undefined if it was last reached at another one. */
export async function findReachedAt(db: Database, origin: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('health_setting')
    .select('reached_at')
    .where('id', '=', 1)
    .where('reached_origin', '=', origin)
    .executeTakeFirst()
  return row?.reached_at ? new Date(row.reached_at) : undefined
}

/** Stores that the site was reached at its public URL. */
export async function storeReachedAt(tx: Transaction, origin: string, at: Date): Promise<void> {
  const reached = { reached_origin: origin, reached_at: at.toISOString() }
  await tx.updateTable('health_setting').set(reached).where('id', '=', 1).execute()
}

const answerTimesMax = 10_000

/**
 * How long it took to answer each message that was received in a period and answered since, in milliseconds; of more than
 * `answerTimesMax` messages only the newest.
 */
export async function listAnswerTimes(
  tx: Transaction,
  { from, until }: { from: Date; until: Date },
): Promise<number[]> {
  const rows = await tx
    .selectFrom('message')
    .select(['created_at', 'answered_at'])
    .where('folder', '=', 'inbox')
    .where('answered_at', 'is not', null)
    .where('created_at', '>=', from.toISOString())
    .where('created_at', '<', until.toISOString())
    .orderBy('created_at', 'desc')
    .limit(answerTimesMax)
    .execute()
  return rows.map((row) => Date.parse(String(row.answered_at)) - Date.parse(row.created_at))
}
