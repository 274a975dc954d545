import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { aboutAccount } from '../users/user-email.ts'
import type { ReviewRecipient } from './review.queries.ts'

/** The template name stored in the outbox. */
export const reviewTemplate = 'pageReview'

/** The data of an email about a review, as stored in the outbox. */
export interface ReviewEmail {
  /** A text was offered, or returned to its author; another writer added to the author's offer, or took it over. */
  kind: 'offered' | 'returned' | 'added' | 'takenOver'
  to: { name: string; address: string }
  page: { title: string; locale: Locale }
  /** The name of the user who did so. */
  by: string
  note: string
  /** The address of the page in the admin. */
  url: string
}

export async function queueReviewEmail(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  recipient: ReviewRecipient,
  email: Omit<ReviewEmail, 'to'>,
): Promise<void> {
  const data: ReviewEmail = { ...email, to: { name: recipient.name, address: recipient.email } }
  const about = aboutAccount(recipient.id)
  const queued = { template: reviewTemplate, locale: recipient.locale, data, about, recipients: [recipient.email] }
  await queueEmail(tx, queued, ctx.now(), ctx.site.sender.email)
}
