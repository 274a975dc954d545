import { retryNow } from '../domain/outbox/retry-letters.ts'
import { listUnsentLetters, type ShownLetter } from '../platform/mail/outbox-letters.ts'
import { say, withStored } from './open.ts'

const limit = 100

export async function listLetters(failedOnly: boolean): Promise<void> {
  const states: ('waiting' | 'failed')[] = failedOnly ? ['failed'] : ['waiting', 'failed']
  const found = await withStored(({ db }) => listUnsentLetters(db, { states, limit }))
  if (found.length === 0) say(failedOnly ? 'No letter was given up.' : 'Every letter was sent.')
  for (const one of found) say(inWords(one))
  if (found.length === limit) say(`These are the newest ${limit}.`)
}

/** @returns whether there is such a letter that was given up, or that has long to wait */
export async function tryAgain(id: number): Promise<boolean> {
  const due = (await withStored((operator) => retryNow(operator, [id]))) > 0
  if (due) say(`Letter ${id} is tried once more.`)
  else
    process.stderr.write(
      `There is no letter ${id} that was given up, or has long to wait, and can be sent without a password or a link in it.\n`,
    )
  return due
}

function inWords({ id, recipient, about, state, attempts, lastError, nextAttemptAt, createdAt }: ShownLetter): string {
  const fate = state === 'failed' ? 'given up' : `next try ${nextAttemptAt.toISOString()}`
  const head = [id, createdAt.toISOString(), recipient, about ?? '', `tries: ${attempts}`, fate]
  return `${head.filter((part) => part !== '').join('  ')}\n    ${lastError ?? 'not tried yet'}\n`
}
