import type { Form } from '../../contract/form-fields.ts'
import { adminLocale, localized, mainLocaleOf } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'

/** The template name stored in the outbox. */
export const contactChangeTemplate = 'contactChange'

/** Data of the email about a change of recipients or sender. */
export interface ContactChangeEmail {
  /** The recipient of this email: a contact recipient before the change. */
  to: string
  /** The name of the user who made the change; empty for the command line. */
  by: string
  /** After the change; empty: the form was removed. */
  recipients: string[]
  /** The name of the form whose recipients changed; omitted: the contact form. */
  form?: string
  /** Name and address after the change, such as `Voorbeeld <info@voorbeeld.example>`. */
  sender: string
  /** ISO instant. */
  at: string
}

/** Whether the change affects who receives messages, or the sender of emails. */
export const isContactChange = (before: SiteConfig, after: SiteConfig): boolean =>
  isRecipientOrSenderChanged(before, after) || listFormsWithOtherRecipients(before, after).length > 0

/** Whether the recipients of the contact form or the sender of emails differ. */
const isRecipientOrSenderChanged = (before: SiteConfig, after: SiteConfig): boolean =>
  JSON.stringify([before.contact.recipients, before.sender]) !==
  JSON.stringify([after.contact.recipients, after.sender])

/**
 * The forms whose recipients changed. One that is new or was removed counts when it has recipients of its own, so that
 * removing a form and adding it again cannot redirect it unnoticed.
 * @returns each form in both configurations, undefined where it is missing, and its name
 */
const listFormsWithOtherRecipients = (
  before: SiteConfig,
  after: SiteConfig,
): { formBefore: Form | undefined; formAfter: Form | undefined; name: string }[] => {
  const forms = new Map([...(after.forms ?? []), ...(before.forms ?? [])].map((form) => [form.id, form]))
  return [...forms.values()].flatMap(({ id, name }) => {
    const [formBefore, formAfter] = [before, after].map((site) => site.forms?.find((form) => form.id === id))
    const hasOtherRecipients = JSON.stringify(formBefore?.recipients) !== JSON.stringify(formAfter?.recipients)
    return hasOtherRecipients ? [{ formBefore, formAfter, name: localized(name, mainLocaleOf(before)).value }] : []
  })
}

/**
 * Notifies each previous recipient that recipients or sender changed, so that messages cannot be redirected unnoticed.
 */
export async function queueContactChange(
  tx: Transaction,
  change: { before: SiteConfig; after: SiteConfig; by: string; at: Date },
): Promise<void> {
  const { before, after, by, at } = change
  const { name, email } = after.sender
  const locale = adminLocale(mainLocaleOf(before))
  const redirects = [
    ...(isRecipientOrSenderChanged(before, after)
      ? [{ formerRecipients: before.contact.recipients, recipients: after.contact.recipients }]
      : []),
    // A form without recipients of its own has those of the contact form.
    ...listFormsWithOtherRecipients(before, after).map(({ formBefore, formAfter, name }) => ({
      formerRecipients: formBefore?.recipients ?? before.contact.recipients,
      recipients: formAfter ? (formAfter.recipients ?? after.contact.recipients) : [],
      form: name,
    })),
  ]
  for (const { formerRecipients, ...redirect } of redirects) {
    for (const to of formerRecipients) {
      const data: ContactChangeEmail = { to, by, ...redirect, sender: `${name} <${email}>`, at: at.toISOString() }
      const notice = { template: contactChangeTemplate, locale, data, recipients: [to] }
      await queueEmail(tx, notice, at, before.sender.email)
    }
  }
}
