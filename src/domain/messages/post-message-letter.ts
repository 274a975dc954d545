import type { SiteConfig } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { postLetter } from '../../platform/mail/outbox.ts'
import type { StoredMessage } from './message.queries.ts'
import { updateThread } from './message-change.queries.ts'
import { aboutMessage, type MessageLetter, messageTemplate } from './message-letter.ts'

/** Promises the letter about a message to each recipient of the configuration. @returns how many */
export async function postMessageLetter(
  tx: Transaction,
  site: SiteConfig,
  { id, message, locale, createdAt }: Pick<StoredMessage, 'id' | 'message' | 'locale' | 'createdAt'>,
  now: Date,
): Promise<number> {
  const data: MessageLetter = { id, message, receivedAt: createdAt.toISOString() }
  const { recipients } = site.contact
  const about = aboutMessage(id)
  const letter = { template: messageTemplate, locale, data, about, recipients }
  await updateThread(tx, id, await postLetter(tx, letter, now, site.sender.email))
  return recipients.length
}
