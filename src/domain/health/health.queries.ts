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

/** Emails that reached nobody since a given time: refused by the mail server, or returned by that of the recipient. */
export interface UndeliveredEmails {
  /** Those with this template, about messages of visitors to the company. */
  lost: number
  others: number
}

/**
 * Counts the emails that failed or were returned since a time.
 * @param options.template of the messages to the company
 * @param options.except the `about` key of emails that are not counted
 */
export async function countUndelivered(
  db: Database,
  options: { since: Date; template: string; except: string },
): Promise<UndeliveredEmails> {
  const since = options.since.toISOString()
  const counted = db
    .selectFrom('outbox')
    .select((eb) => ['template', 'state', eb.fn.countAll<string | number>().as('count')])
    .where((eb) => eb.or([eb('about', 'is', null), eb('about', '!=', options.except)]))
    .groupBy(['template', 'state'])
  // Two queries, so that each uses its index. `next_attempt_at` of a failed email is when it failed.
  const refused = await counted.where('state', '=', 'failed').where('next_attempt_at', '>=', since).execute()
  const returned = await counted
    .where('bounced_at', '>=', since)
    .where('bounce', 'like', '%"action":"failed"%')
    .execute()
  const count = (isLost: boolean) =>
    [...refused, ...returned.filter(({ state }) => state === 'sent')]
      .filter(({ template }) => (template === options.template) === isLost)
      .reduce((sum, row) => sum + Number(row.count), 0)
  return { lost: count(true), others: count(false) }
}

/** The queued emails about a subject. */
export const listEmailsAbout = (tx: Transaction, about: string): Promise<{ template: string; data: string }[]> =>
  tx.selectFrom('outbox').select(['template', 'data']).where('about', '=', about).execute()

/** The newest email about a subject. */
export async function findTrialEmail(db: Db, about: string) {
  const row = await db
    .selectFrom('outbox')
    .select(['message_id', 'state', 'created_at', 'sent_at', 'last_error', 'bounce'])
    .where('about', '=', about)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const reported: { action: string; reason: string } | undefined =
    row.bounce === null ? undefined : JSON.parse(row.bounce)
  return {
    messageId: row.message_id,
    createdAt: new Date(row.created_at),
    sentAt: row.sent_at === null || row.state !== 'sent' ? undefined : new Date(row.sent_at),
    /** Why it did not arrive; undefined if that is not known to have happened. */
    problem:
      row.state === 'failed' ? (row.last_error ?? '') : reported?.action === 'failed' ? reported.reason : undefined,
  }
}

/** When a copy of the program last reached the site at this public address. */
export async function findReachedAt(db: Database, origin: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('health_setting')
    .select('reached_at')
    .where('id', '=', 1)
    .where('reached_origin', '=', origin)
    .executeTakeFirst()
  return row?.reached_at ? new Date(row.reached_at) : undefined
}

export async function storeReached(tx: Transaction, origin: string, at: Date): Promise<void> {
  const reached = { reached_origin: origin, reached_at: at.toISOString() }
  await tx.updateTable('health_setting').set(reached).where('id', '=', 1).execute()
}

/** The maximum number of rows for the median; a month with more messages uses its newest ones. */
const answerTimesMax = 10_000

/** The response times of the answered messages of a period, in milliseconds. */
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
