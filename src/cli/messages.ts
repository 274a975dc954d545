import { Refusal } from '../contract/errors.ts'
import { listMessages, type StoredMessage } from '../domain/messages/list-messages.ts'
import { moveMessage } from '../domain/messages/move-message.ts'
import { say, withStored } from './open.ts'

/** The newest, for a terminal; nobody reads further back there. */
const limit = 100

export async function listStored(folder: 'inbox' | 'spam'): Promise<void> {
  const found = await withStored((operator) => listMessages(operator, { folder, limit }))
  if (found.length === 0) say(folder === 'spam' ? 'There is no spam.' : 'There are no messages.')
  for (const one of found) say(inWords(one))
  if (found.length === limit) say(`These are the newest ${limit}.`)
}

/** @returns whether there is such a message */
export async function moveStored(id: number, folder: 'inbox' | 'spam'): Promise<boolean> {
  const where = folder === 'spam' ? 'spam' : 'no spam'
  try {
    const { moved, letters } = await withStored((operator) => moveMessage(operator, { id, folder }))
    if (!moved) say(`Message ${id} is ${where} already.`)
    else say(`Message ${id} is ${where} now.${letters > 0 ? ` Letters on their way: ${letters}.` : ''}`)
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    process.stderr.write(`There is no message ${id}.\n`)
    return false
  }
}

function inWords({ id, message, spamReason, createdAt }: StoredMessage): string {
  const { naam, email, tel, bericht } = message
  const head = [id, createdAt.toISOString(), `${naam} <${email}>`, tel, ...(spamReason ? [spamReason] : [])]
  return `${head.join('  ')}\n${bericht.replace(/^/gm, '    ')}\n`
}
