import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { aboutAccount } from '../users/user-email.ts'

/** The template name stored in the outbox. */
export const reviewTemplate = 'pageReview'

/** Data of the email about a page that was offered for review, sent back to its author, or offered again by another. */
export interface ReviewEmail {
  kind: 'offered' | 'returned' | 'added' | 'takenOver'
  to: { name: string; address: string }
  page: { title: string; locale: Locale }
  /** The user who did so, and the note. */
  by: string
  note: string
  /** The page's editor. */
  url: string
}

export async function queueReviewEmail(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site'>,
  to: { id: number; name: string; email: string; locale: string },
  email: Omit<ReviewEmail, 'to'>,
): Promise<void> {
  const data: ReviewEmail = { ...email, to: { name: to.name, address: to.email } }
  const about = aboutAccount(to.id)
  const queued = { template: reviewTemplate, locale: to.locale, data, about, recipients: [to.email] }
  await queueEmail(tx, queued, ctx.now(), ctx.site.sender.email)
}
