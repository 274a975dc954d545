import type { ContactMessage } from '../../contract/contact.ts'
import { fillText } from '../../contract/fill-text.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { MailAddress } from '../../platform/mail/transport.ts'

/** The templates' names as the outbox keeps them. */
export const messageTemplate = 'contactMessage'
export const replyTemplate = 'messageReply'

/** What the letter about a message is filled from. */
export interface MessageLetter {
  /** Reference number: the message's id. */
  id: number
  message: ContactMessage
  /** ISO instant. */
  receivedAt: string
}

/** What an answer to a message is filled from. */
export interface ReplyLetter {
  /** The visitor. */
  to: MailAddress
  text: string
  /** What is answered. */
  bericht: string
  /** ISO instant. */
  receivedAt: string
  /** Message-IDs of the thread, the oldest first. */
  references: string[]
}

/** From whom letters come. */
export const senderOf = ({ sender, brand }: SiteConfig): MailAddress => ({
  name: fillText(sender.name, { brand }),
  address: sender.email,
})

/** How the outbox knows which letters are about a message. */
export const aboutMessage = (id: number) => `message:${id}`
