import { dayMs } from '../../contract/limits.ts'
import type { ListedMessage, Message } from '../../contract/messages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { defaultSpamSettings, spamOnArrival } from '../../contract/spam.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { findEmailStates, listEmailsAbout } from '../../platform/mail/outbox-emails.ts'
import { canWriteMessages } from './message.policy.ts'
import type { StoredForm, StoredMessage } from './message.queries.ts'
import { listReplies } from './message-change.queries.ts'
import { listMessageFiles } from './message-file.queries.ts'

type Viewer = Pick<Context, 'actor' | 'site'>

const excerptChars = 240

export function toListedMessage(found: StoredMessage, ctx: Viewer): ListedMessage {
  const { naam, email, tel, bericht } = found.message
  return {
    id: found.id,
    reference: found.reference,
    form: { id: found.form.id, name: found.form.name },
    naam,
    email,
    tel,
    excerpt: excerptOf(bericht),
    locale: found.locale,
    folder: found.folder,
    spamReason: found.spamReason,
    spamReasons: found.spamReasons,
    readAt: found.readAt,
    answeredAt: found.answeredAt,
    hasNote: found.note !== '',
    version: found.version,
    createdAt: found.createdAt.toISOString(),
    keptUntil: new Date(found.createdAt.getTime() + daysKept(ctx.site, found) * dayMs).toISOString(),
    can: { change: ctx.actor !== undefined && canWriteMessages(ctx.actor) },
  }
}

/** Message details with replies and the states of their emails. */
export async function loadMessageDetails(
  db: Database | Transaction,
  found: StoredMessage,
  ctx: Viewer,
): Promise<Message> {
  const replies = await listReplies(db, found.id)
  const states = await findEmailStates(
    db,
    replies.map(({ mailId }) => mailId),
  )
  return {
    ...toListedMessage(found, ctx),
    bericht: found.message.bericht,
    answers: found.form.answers,
    files: (await listMessageFiles(db, [found.id])).map(({ id, field, name, type, bytes }) => ({
      id,
      field,
      name,
      type,
      bytes,
    })),
    note: found.note,
    privacyVersion: found.privacyVersion,
    bounces: (await listEmailsAbout(db, [`message:${found.id}`])).flatMap(({ recipient, bounce }) =>
      bounce ? [{ recipient, ...bounce, at: bounce.at.toISOString() }] : [],
    ),
    replyStart: translator(found.locale)('messages.replyStart', {
      name: found.message.naam,
      by: ctx.actor?.name ?? '',
      brand: ctx.site.brand,
    }),
    replies: replies.map(({ id, mailId, text, by, at }) => ({
      id,
      text,
      by,
      at,
      // Sent emails are purged from the outbox after some time.
      state: states.get(mailId) ?? 'sent',
    })),
  }
}

/** Days until a message is deleted; only spam detected on arrival has the shorter period, not spam marked by staff. */
function daysKept(site: SiteConfig, { spamReason, form }: Pick<StoredMessage, 'spamReason' | 'form'>): number {
  const days = retentionDaysOf(site, form)
  const cameAsSpam = spamOnArrival.some((reason) => reason === spamReason)
  return cameAsSpam ? Math.min(days, (site.spam ?? defaultSpamSettings).retentionDays) : days
}

/** The retention period of a message that is not spam: of the current form, or of the form when it was sent. */
export const retentionDaysOf = (
  { contact, forms }: SiteConfig,
  { id, retentionDays }: Pick<StoredForm, 'id' | 'retentionDays'>,
): number => forms?.find((form) => form.id === id)?.retentionDays ?? retentionDays ?? contact.retentionDays

/** The audit log names a message only by its number, because the log is stored longer than the message. */
export const subjectOf = ({ id }: { id: number }) => ({ type: 'message', id, name: `#${id}` })

function excerptOf(text: string): string {
  const line = text
    .slice(0, excerptChars * 2)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length > excerptChars || text.length > excerptChars * 2
    ? `${characters.slice(0, excerptChars).join('').trimEnd()}…`
    : line
}
