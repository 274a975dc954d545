import type { ContactMessage } from '../../contract/contact.ts'

/** The template's name as the outbox keeps it. */
export const messageTemplate = 'contactMessage'

/** What the letter about a message is filled from. */
export interface MessageLetter {
  /** Reference number: the message's id. */
  id: number
  message: ContactMessage
  /** ISO instant. */
  receivedAt: string
}

/** How the outbox knows which letters are about a message. */
export const aboutMessage = (id: number) => `message:${id}`
