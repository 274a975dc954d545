import type { ContactMessage } from '../../contract/contact.ts'
import { fillPlaceholders } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import type { MailAddress } from '../../platform/mail/transport.ts'
import type { StoredMessage } from './message.queries.ts'
import { updateThread } from './message-change.queries.ts'

/** The template names stored in the outbox. */
export const messageTemplate = 'contactMessage'
export const replyTemplate = 'messageReply'

/** Data of the email about a message. */
export interface MessageEmail {
  /** Reference number: the message's id. */
  id: number
  message: ContactMessage
  /** ISO instant. */
  receivedAt: string
}

/** Data of a reply to a message. */
export interface ReplyEmail {
  /** The visitor. */
  to: MailAddress
  text: string
  /** The message that is replied to. */
  bericht: string
  /** ISO instant. */
  receivedAt: string
  /** Message-IDs of the thread, the oldest first. */
  references: string[]
}

/** The sender of the site's emails. */
export const senderOf = ({ sender, brand }: SiteConfig): MailAddress => ({
  name: fillPlaceholders(sender.name, { brand }),
  address: sender.email,
})

/** The outbox's `about` key of emails about a message. */
export const aboutMessage = (id: number) => `message:${id}`

/** Queues the email about a message to each recipient of the configuration. @returns the number of recipients */
export async function queueMessageEmail(
  tx: Transaction,
  site: SiteConfig,
  { id, message, locale, createdAt }: Pick<StoredMessage, 'id' | 'message' | 'locale' | 'createdAt'>,
  now: Date,
): Promise<number> {
  const data: MessageEmail = { id, message, receivedAt: createdAt.toISOString() }
  const { recipients } = site.contact
  const about = aboutMessage(id)
  const email = { template: messageTemplate, locale, data, about, recipients }
  await updateThread(tx, id, await queueEmail(tx, email, now, site.sender.email))
  return recipients.length
}
