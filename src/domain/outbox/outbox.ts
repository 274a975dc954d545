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
import { canRetry, type EmailStatus, listEmails, retryEmails as retry } from '../../platform/mail/outbox-emails.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findReferences } from '../messages/message.queries.ts'

/** One page of the outbox. Search covers the recipients. */
export async function listOutbox(ctx: Context, query: OutboxQuery, locale: Locale): Promise<ListOf<OutboxEmail>> {
  allow(ctx, ['mail.read'])
  const { sort = '-createdAt', search, state } = query
  const { emails, ...found } = await listEmails(
    ctx.db,
    ctx.dialect,
    { terms: searchTerms(search), state, descending: sort === '-createdAt' },
    rangeOf(query),
  )
  const shown = { now: ctx.now(), locale, sendsMail: ctx.mail.sends }
  const listed = emails.map((email) => toOutboxEmail(email, shown))
  const ofMessages = listed.flatMap(({ about }) => (about?.type === 'message' ? [about] : []))
  const references = await findReferences(
    ctx.db,
    ofMessages.map(({ id }) => id),
  )
  for (const about of ofMessages) about.reference = references.get(about.id)
  return toListOf(listed, query, found)
}

/** The number of emails in each state; sent ones are stored for `retention.emailDays`. */
export async function countOutbox(ctx: Context): Promise<OutboxCounts> {
  allow(ctx, ['mail.read'])
  return countEmails(ctx.db)
}

function toOutboxEmail(
  email: EmailStatus,
  { now, locale, sendsMail }: { now: Date; locale: Locale; sendsMail: boolean },
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
    can: { retry: canRetry(email, now, sendsMail) },
  }
}

/** The template's label; the template's own name when the program no longer has it. */
function labelOf(template: string, locale: Locale): string {
  const known = Object.hasOwn(emailTemplates, template) ? (template as EmailTemplate) : undefined
  return known ? translator(locale)(`outbox.templates.${known}`) : template
}

/** Parses `message:12` into a reference to message 12. */
function aboutOf(about: string | null): OutboxEmail['about'] {
  const [, type, id] = about?.match(/^(\w+):(\d+)$/) ?? []
  return type && id ? { type, id: Number(id) } : null
}

type RetryContext = Pick<Context, 'now' | 'transaction' | 'wake'> & Partial<Pick<Context, 'actor'>>

/**
 * Sends failed emails, or emails that wait for their next attempt, immediately.
 * @param ids omitted: all failed ones
 * @returns how many; emails that are sent or being sent are skipped
 */
export async function retryEmails(ctx: Context, ids?: number[]): Promise<number> {
  allow(ctx, ['mail.read'])
  return retryEmailsUnchecked(ctx, ids, ctx.mail.sends)
}

/** The same without a check of rights, for the command line. @param sendsMail whether emails in files can be sent now */
export async function retryEmailsUnchecked(
  ctx: RetryContext,
  ids: number[] | undefined,
  sendsMail: boolean,
): Promise<number> {
  const due = await ctx.transaction(async (tx) => {
    const found = await retry(tx, ids, ctx.now(), sendsMail)
    const [one, ...others] = found
    if (one !== undefined) {
      const subject = others.length > 0 ? { type: 'letters', name: '' } : { type: 'letter', id: one, name: `#${one}` }
      await record(
        tx,
        { now: ctx.now, actor: ctx.actor },
        { action: 'letters.retried', subject, after: { letters: found.length } },
      )
    }
    return found
  })
  ctx.wake.email()
  return due.length
}
