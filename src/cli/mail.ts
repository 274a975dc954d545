import { listUnsentLetters, retryLetter, type UnsentLetter } from '../platform/mail/outbox-unsent.ts'
import { say, withStored } from './open.ts'

const limit = 100

export async function listLetters(failedOnly: boolean): Promise<void> {
  const states: UnsentLetter['state'][] = failedOnly ? ['failed'] : ['waiting', 'failed']
  const found = await withStored(({ db }) => listUnsentLetters(db, { states, limit }))
  if (found.length === 0) say(failedOnly ? 'No letter was given up.' : 'Every letter was sent.')
  for (const one of found) say(inWords(one))
  if (found.length === limit) say(`These are the newest ${limit}.`)
}

/** @returns whether there is such a letter that was given up */
export async function tryAgain(id: number): Promise<boolean> {
  const due = await withStored(({ transaction, now }) => transaction((tx) => retryLetter(tx, id, now())))
  if (due) say(`Letter ${id} is tried once more.`)
  else
    process.stderr.write(
      `There is no letter ${id} that was given up and can be sent without a password or a link in it.\n`,
    )
  return due
}

function inWords({ id, recipient, about, state, attempts, lastError, nextAttemptAt, createdAt }: UnsentLetter): string {
  const fate = state === 'failed' ? 'given up' : `next try ${nextAttemptAt.toISOString()}`
  const head = [id, createdAt.toISOString(), recipient, about ?? '', `tries: ${attempts}`, fate]
  return `${head.filter((part) => part !== '').join('  ')}\n    ${lastError ?? 'not tried yet'}\n`
}
