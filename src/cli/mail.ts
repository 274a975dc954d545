import { retryEmailsNow } from '../domain/outbox/outbox.ts'
import { type EmailStatus, listUnsentEmails } from '../platform/mail/outbox-emails.ts'
import { print, withDatabaseAndSite } from './command-context.ts'

const limit = 100

export async function printOutbox(failedOnly: boolean): Promise<void> {
  const states: ('waiting' | 'failed')[] = failedOnly ? ['failed'] : ['waiting', 'failed']
  const found = await withDatabaseAndSite(({ db }) => listUnsentEmails(db, { states, limit }))
  if (found.length === 0) print(failedOnly ? 'There are no failed emails.' : 'Every email was sent.')
  for (const one of found) print(formatEmail(one))
  if (found.length === limit) print(`These are the newest ${limit}.`)
}

/** @returns whether this email exists and had failed or waits for a later attempt */
export async function retryEmail(id: number): Promise<boolean> {
  const due = (await withDatabaseAndSite((operator) => retryEmailsNow(operator, [id]))) > 0
  if (due) print(`Email ${id} is due now.`)
  else
    process.stderr.write(
      `There is no email ${id} that can be retried: it must have failed or wait for a later attempt, without a deleted password or link.\n`,
    )
  return due
}

function formatEmail({
  id,
  recipient,
  about,
  state,
  attempts,
  lastError,
  nextAttemptAt,
  createdAt,
}: EmailStatus): string {
  const outcome = state === 'failed' ? 'failed' : `next attempt ${nextAttemptAt.toISOString()}`
  const head = [id, createdAt.toISOString(), recipient, about ?? '', `attempts: ${attempts}`, outcome]
  return `${head.filter((part) => part !== '').join('  ')}\n    ${lastError ?? 'no attempt yet'}\n`
}
