import { defaultLocale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'

/** The template name stored in the outbox. */
export const contactChangeTemplate = 'contactChange'

/** Data of the email about a change of recipients or sender. */
export interface ContactChangeEmail {
  /** The recipient of this email: a contact recipient before the change. */
  to: string
  /** Who made the change; empty for the command line. */
  by: string
  recipients: string[]
  /** Name and address, such as `Voorbeeld <info@voorbeeld.example>`. */
  sender: string
  /** ISO instant. */
  at: string
}

/** Whether the change affects who receives contact messages, or the sender of emails. */
export const isContactChange = (before: SiteConfig, after: SiteConfig): boolean => routeOf(before) !== routeOf(after)

const routeOf = ({ contact, sender, forms = [] }: SiteConfig) =>
  JSON.stringify([
    contact.recipients,
    sender,
    forms.flatMap(({ id, recipients }) => (recipients ? [[id, recipients]] : [])),
  ])

/**
 * Notifies each previous recipient that recipients or sender changed, so that messages cannot be redirected unnoticed.
 */
export async function queueContactChange(
  tx: Transaction,
  change: { before: SiteConfig; after: SiteConfig; by: string; at: Date },
): Promise<void> {
  const { before, after, by, at } = change
  const { name, email } = after.sender
  for (const to of before.contact.recipients) {
    const data: ContactChangeEmail = {
      to,
      by,
      recipients: after.contact.recipients,
      sender: `${name} <${email}>`,
      at: at.toISOString(),
    }
    const notice = { template: contactChangeTemplate, locale: defaultLocale, data, recipients: [to] }
    await queueEmail(tx, notice, at, before.sender.email)
  }
}
