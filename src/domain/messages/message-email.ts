import type { ContactMessage } from '../../contract/contact.ts'
import { contactFormId, type Form } from '../../contract/form-fields.ts'
import type { FormAnswer } from '../../contract/forms.ts'
import { fillPlaceholders } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import type { MailAddress } from '../../platform/mail/transport.ts'
import type { ProposedAppointment } from './appointment.ts'
import type { StoredMessage } from './message.queries.ts'
import { updateThread } from './message-change.queries.ts'

/** The template names stored in the outbox. */
export const messageTemplate = 'contactMessage'
export const replyTemplate = 'messageReply'

/** Data of the notification email about a message. */
export interface MessageEmail {
  /** The reference number; in emails from before reference numbers existed, the message's id. */
  id: number
  message: ContactMessage
  /** A snapshot of the form, which may change or be deleted later; omitted for the contact form. */
  form?: { name: string; answers: FormAnswer[]; recipients: string[]; subject: string } | undefined
  /** ISO instant. */
  receivedAt: string
}

/** Data of a reply to a message. */
export interface ReplyEmail {
  /** The visitor who sent the message. */
  to: MailAddress
  text: string
  /** The text of the message that is replied to, to quote it. */
  bericht: string
  /** ISO instant. */
  receivedAt: string
  /** Message-IDs of the thread, the oldest first. */
  references: string[]
  /** The appointment that the visitor proposed. */
  appointment?: ProposedAppointment | undefined
  /** The Reply-To addresses; omitted: the recipients of the contact form. */
  replyTo?: string[] | undefined
}

/** The From address of the site's emails. */
export const senderOf = ({ sender, brand }: SiteConfig): MailAddress => ({
  name: fillPlaceholders(sender.name, { brand }),
  address: sender.email,
})

/** The outbox's `about` key of emails about a message, and the name of the lock on it. */
export const aboutMessage = (id: number) => `message:${id}`

/** The configured form with this id; undefined for a deleted form and for the contact form. */
export const formOf = (site: SiteConfig, id: string): Form | undefined => site.forms?.find((form) => form.id === id)

/** The recipients of a form's messages; without a form, those of the contact form. */
export const recipientsOf = (site: SiteConfig, form: Pick<Form, 'recipients'> | undefined): string[] =>
  form?.recipients ?? site.contact.recipients

/**
 * Queues the notification email about a message.
 * @param form by default as it is configured now
 * @returns the number of recipients
 */
export async function queueMessageEmail(
  tx: Transaction,
  site: SiteConfig,
  stored: Pick<StoredMessage, 'id' | 'reference' | 'message' | 'locale' | 'createdAt' | 'form'>,
  now: Date,
  form: Form | undefined = formOf(site, stored.form.id),
): Promise<number> {
  const { id, reference, message, locale, createdAt } = stored
  const { name, answers } = stored.form
  const recipients = recipientsOf(site, form)
  const subject = form?.subject ?? site.contact.subject
  const data: MessageEmail = {
    id: reference,
    message,
    receivedAt: createdAt.toISOString(),
    ...(stored.form.id !== contactFormId && { form: { name, answers, recipients, subject } }),
  }
  const about = aboutMessage(id)
  const email = { template: messageTemplate, locale, data, about, recipients }
  await updateThread(tx, id, await queueEmail(tx, email, now, site.sender.email))
  return recipients.length
}
