import { Refusal } from '../contract/errors.ts'
import { moveMessage } from '../domain/messages/change-messages.ts'
import { listMessages, type StoredMessage } from '../domain/messages/find-messages.ts'
import { print, withDatabaseAndSite } from './command-context.ts'

/** Of the newest messages, for a terminal. */
const limit = 100

export async function printMessages(folder: 'inbox' | 'spam'): Promise<void> {
  const found = await withDatabaseAndSite((operator) => listMessages(operator, { folder, limit }))
  if (found.length === 0) print(folder === 'spam' ? 'There is no spam.' : 'There are no messages.')
  for (const one of found) print(formatMessage(one))
  if (found.length === limit) print(`These are the newest ${limit}.`)
}

/** @returns false when there is no such message */
export async function moveStoredMessage(id: number, folder: 'inbox' | 'spam'): Promise<boolean> {
  const where = folder === 'spam' ? 'spam' : 'not spam'
  try {
    const { moved, emailsQueued } = await withDatabaseAndSite((operator) => moveMessage(operator, { id, folder }))
    if (!moved) print(`Message ${id} is ${where} already.`)
    else print(`Message ${id} is ${where} now.${emailsQueued > 0 ? ` Emails queued: ${emailsQueued}.` : ''}`)
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    process.stderr.write(`There is no message ${id}.\n`)
    return false
  }
}

function formatMessage({ id, message, spamReason, createdAt }: StoredMessage): string {
  const { naam, email, tel, bericht } = message
  const head = [id, createdAt.toISOString(), `${naam} <${email}>`, tel, ...(spamReason ? [spamReason] : [])]
  return `${head.join('  ')}\n${bericht.replace(/^/gm, '    ')}\n`
}
