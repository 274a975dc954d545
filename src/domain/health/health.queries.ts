import type { Database, Transaction } from '../../platform/db/database.ts'

/** When the oldest queued email was created, and how many emails failed since a given time. */
export async function findMailTrouble(
  db: Database,
  { since }: { since: Date },
): Promise<{ waitingSince: Date | undefined; failed: number }> {
  const waiting = await db
    .selectFrom('outbox')
    .select('created_at')
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  const { failed } = await db
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll().as('failed'))
    .where('state', '=', 'failed')
    // `next_attempt_at` of a failed email is when it failed.
    .where('next_attempt_at', '>=', since.toISOString())
    .executeTakeFirstOrThrow()
  return { waitingSince: waiting && new Date(waiting.created_at), failed: Number(failed) }
}

/** The queued emails about a subject. */
export const listEmailsAbout = (tx: Transaction, about: string): Promise<{ template: string; data: string }[]> =>
  tx.selectFrom('outbox').select(['template', 'data']).where('about', '=', about).execute()

/** The newest email about a subject. */
export async function findTrialEmail(db: Database | Transaction, about: string) {
  const row = await db
    .selectFrom('outbox')
    .select(['message_id', 'state', 'created_at', 'sent_at', 'last_error', 'bounce'])
    .where('about', '=', about)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const reported: { reason: string } | undefined = row.bounce === null ? undefined : JSON.parse(row.bounce)
  return {
    messageId: row.message_id,
    createdAt: new Date(row.created_at),
    sentAt: row.sent_at === null || row.state !== 'sent' ? undefined : new Date(row.sent_at),
    /** Why it is known not to arrive. */
    problem: row.state === 'failed' ? (row.last_error ?? '') : reported?.reason,
  }
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
