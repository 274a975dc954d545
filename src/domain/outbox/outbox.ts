import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import {
  type EmailTemplate,
  emailTemplates,
  type OutboxCounts,
  type OutboxEmail,
  type OutboxQuery,
} from '../../contract/outbox.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { countEmails } from '../../platform/mail/outbox.ts'
import { canRetry, type EmailStatus, listEmails, makeDue } from '../../platform/mail/outbox-emails.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findReferences } from '../messages/message.queries.ts'

/** Lists emails of the outbox by creation time; `search` matches their recipients. */
export async function listOutbox(ctx: Context, query: OutboxQuery, locale: Locale): Promise<ListOf<OutboxEmail>> {
  allow(ctx, ['mail.read'])
  const { sort = '-createdAt', search, state } = query
  const { emails, ...totals } = await listEmails(
    ctx.db,
    ctx.dialect,
    { terms: searchTerms(search), state, descending: sort === '-createdAt' },
    rangeOf(query),
  )
  const options = { now: ctx.now(), locale, hasMailServer: ctx.mail.sends }
  const listed = emails.map((email) => toOutboxEmail(email, options))
  // Also show the reference of each message; these objects belong to `listed`.
  const messages = listed.flatMap(({ about }) => (about?.type === 'message' ? [about] : []))
  const references = await findReferences(
    ctx.db,
    messages.map(({ id }) => id),
  )
  for (const message of messages) message.reference = references.get(message.id)
  return toListOf(listed, query, totals)
}

/** The number of emails in each state; sent ones are stored for `retention.emailDays`. */
export async function countOutbox(ctx: Context): Promise<OutboxCounts> {
  allow(ctx, ['mail.read'])
  return countEmails(ctx.db)
}

function toOutboxEmail(
  email: EmailStatus,
  { now, locale, hasMailServer }: { now: Date; locale: Locale; hasMailServer: boolean },
): OutboxEmail {
  const { id, template, recipient, state, attempts } = email
  return {
    id,
    template,
    label: labelOf(template, locale),
    recipient,
    about: aboutOf(email.about),
    state,
    attempts,
    reason: email.lastError,
    createdAt: email.createdAt.toISOString(),
    nextAttemptAt: state === 'waiting' ? email.nextAttemptAt.toISOString() : null,
    sentAt: email.sentAt?.toISOString() ?? null,
    bounce: email.bounce ? { ...email.bounce, at: email.bounce.at.toISOString() } : null,
    can: { retry: canRetry(email, now, hasMailServer) },
  }
}

/** The translated label of a template; for a template that no longer exists its name. */
function labelOf(template: string, locale: Locale): string {
  const known = Object.hasOwn(emailTemplates, template) ? (template as EmailTemplate) : undefined
  return known ? translator(locale)(`outbox.templates.${known}`) : template
}

/** Parses `message:12` into a type and an id. */
function aboutOf(about: string | null): OutboxEmail['about'] {
  const [, type, id] = about?.match(/^(\w+):(\d+)$/) ?? []
  return type && id ? { type, id: Number(id) } : null
}

type RetryContext = Pick<Context, 'now' | 'transaction' | 'wake'> & Partial<Pick<Context, 'actor'>>

/**
 * Makes emails due now and wakes the mail job. With a mail server this includes emails that were only written to files.
 * Emails that are sent or being sent are skipped, and those whose secret was removed.
 * @param ids omitted: all failed emails
 * @returns how many became due
 */
export async function retryEmails(ctx: Context, ids?: number[]): Promise<number> {
  allow(ctx, ['mail.read'])
  return retryEmailsUnchecked(ctx, ids, ctx.mail.sends)
}

/** `retryEmails` without a check of rights, for the command line. */
export async function retryEmailsUnchecked(
  ctx: RetryContext,
  ids: number[] | undefined,
  hasMailServer: boolean,
): Promise<number> {
  const dueIds = await ctx.transaction(async (tx) => {
    const retriedIds = await makeDue(tx, ids, ctx.now(), hasMailServer)
    const [firstId] = retriedIds
    if (firstId !== undefined) {
      const single = { type: 'letter', id: firstId, name: `#${firstId}` }
      const subject = retriedIds.length > 1 ? { type: 'letters', name: '' } : single
      await record(
        tx,
        { now: ctx.now, actor: ctx.actor },
        { action: 'letters.retried', subject, after: { letters: retriedIds.length } },
      )
    }
    return retriedIds
  })
  ctx.wake.email()
  return dueIds.length
}
