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
  /** None: the form was removed. */
  recipients: string[]
  /** The form of the configuration whose recipients changed; without one it is the contact form. */
  form?: string
  /** Name and address, such as `Voorbeeld <info@voorbeeld.example>`. */
  sender: string
  /** ISO instant. */
  at: string
}

/** Whether the change affects who receives messages, or the sender of emails. */
export const isContactChange = (before: SiteConfig, after: SiteConfig): boolean =>
  routeOf(before) !== routeOf(after) || redirectedForms(before, after).length > 0

const routeOf = ({ contact, sender }: SiteConfig) => JSON.stringify([contact.recipients, sender])

/**
 * The forms whose recipients changed. One that is new or was removed counts when it has recipients of its own, so that
 * removing a form and adding it again cannot redirect it unnoticed.
 */
const redirectedForms = (
  before: SiteConfig,
  after: SiteConfig,
): { was: Form | undefined; now: Form | undefined; name: string }[] => {
  const forms = new Map([...(after.forms ?? []), ...(before.forms ?? [])].map((form) => [form.id, form]))
  return [...forms.values()].flatMap(({ id, name }) => {
    const [was, now] = [before, after].map((site) => site.forms?.find((form) => form.id === id))
    const changed = JSON.stringify(was?.recipients) !== JSON.stringify(now?.recipients)
    return changed ? [{ was, now, name: localized(name, mainLocaleOf(before)).value }] : []
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
  const notices = [
    ...(routeOf(before) === routeOf(after)
      ? []
      : [{ formerRecipients: before.contact.recipients, recipients: after.contact.recipients }]),
    ...redirectedForms(before, after).map(({ was, now, name }) => ({
      formerRecipients: was?.recipients ?? before.contact.recipients,
      recipients: now ? (now.recipients ?? after.contact.recipients) : [],
      form: name,
    })),
  ]
  for (const { formerRecipients, ...route } of notices) {
    for (const to of formerRecipients) {
      const data: ContactChangeEmail = { to, by, ...route, sender: `${name} <${email}>`, at: at.toISOString() }
      const notice = { template: contactChangeTemplate, locale, data, recipients: [to] }
      await queueEmail(tx, notice, at, before.sender.email)
    }
  }
}
