import type { MessagesPerDay } from '../../contract/dashboard.ts'
import { addDays, dayAt, daysUpTo, startOfDay } from '../../contract/day.ts'
import { Refusal } from '../../contract/errors.ts'
import { contactFormId } from '../../contract/form-fields.ts'
import { dayMs, limits } from '../../contract/limits.ts'
import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import { defaultLocale, localized } from '../../contract/locales.ts'
import type { Inbox, ListedMessage, Message, MessageExportQuery, MessageQuery } from '../../contract/messages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { defaultSpamSettings, spamOnArrival } from '../../contract/spam.ts'
import { toLatinDigits } from '../../contract/text.ts'
import { siteTranslator } from '../../i18n/visitor-texts.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { paginateIds } from '../../platform/db/long-list.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { findEmailStates, listEmailsAbout } from '../../platform/mail/outbox-emails.ts'
import { allow } from '../allow.ts'
import { canSeeMessages, canWriteMessages } from './message.policy.ts'
import {
  countMessagesBetween,
  countMessagesSince,
  findIdByReference,
  findMessage,
  listMessageForms,
  listMessagesById,
  listNewest,
  resolveId,
  type StoredForm,
  type StoredMessage,
} from './message.queries.ts'
import { listReplies } from './message-change.queries.ts'
import { formOf, recipientsOf, senderOf } from './message-email.ts'
import { listMessageFiles } from './message-file.queries.ts'
import { countMessages, type MessageFilter, messageList } from './message-list.queries.ts'

export type { StoredMessage } from './message.queries.ts'

/** Lists messages of a folder. `search` matches the sender and the whole text, or the reference. */
export async function listMessages(ctx: Context, query: MessageQuery): Promise<ListOf<ListedMessage>> {
  allow(ctx, canSeeMessages)
  const matches = await paginateIds(
    ctx.db,
    ctx.dialect,
    messageList(await toMessageFilter(ctx.db, query)),
    rangeOf(query),
  )
  const messages = await listMessagesInOrder(ctx.db, matches.ids)
  const data = messages.map((message) => toListedMessage(message, ctx))
  return toListOf(data, query, matches)
}

/** @param number the id or reference of the message @throws {Refusal} `not_found` */
export async function getMessage(ctx: Context, number: number): Promise<Message> {
  allow(ctx, canSeeMessages)
  return loadMessageDetails(ctx.db, await getStoredMessage(ctx.db, await resolveId(ctx.db, number)), ctx)
}

/** Message counts, the forms, the retention period, and the sender and reply-to addresses of replies. */
export async function getInboxSummary(ctx: Context): Promise<Inbox> {
  allow(ctx, canSeeMessages)
  const { db, site } = ctx
  const { name, address } = senderOf(site)
  return {
    unread: await countMessages(db, { folder: 'inbox', state: 'unread' }),
    open: await countMessages(db, { folder: 'inbox', state: 'open' }),
    spam: await countMessages(db, { folder: 'spam' }),
    forms: await listForms(ctx),
    retentionDays: site.contact.retentionDays,
    sender: { name, email: address },
    replyTo: site.contact.recipients,
  }
}

/** The contact form, then the configured forms in their order, then deleted forms that still have messages. */
async function listForms({ db, site, actor }: Context): Promise<Inbox['forms']> {
  const { retentionDays } = site.contact
  const forms = new Map<string, Inbox['forms'][number]>([
    [contactFormId, { id: contactFormId, name: '', retentionDays }],
  ])
  for (const { id, ...form } of site.forms ?? []) {
    const name = localized(form.name, actor?.locale ?? defaultLocale).value
    forms.set(id, { id, name, retentionDays: form.retentionDays })
  }
  for (const { id, name } of await listMessageForms(db)) {
    if (!forms.has(id)) forms.set(id, { id, name, retentionDays: null })
  }
  return [...forms.values()]
}

/** @throws {Refusal} `not_found` */
export async function getStoredMessage(db: Db, id: number): Promise<StoredMessage> {
  const message = await findMessage(db, id)
  if (!message) throw new Refusal('not_found')
  return message
}

/** Messages in the order of `ids`; deleted ones are left out. */
export async function listMessagesInOrder(db: Db, ids: readonly number[]): Promise<StoredMessage[]> {
  const byId = new Map((await listMessagesById(db, ids)).map((message) => [message.id, message]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/**
 * Makes the filter of a list. A search for nine digits finds the message with that reference, else messages that
 * contain the terms.
 */
export async function toMessageFilter(
  db: Database,
  { search, folder, state, form, sort = '-createdAt' }: MessageExportQuery,
): Promise<MessageFilter> {
  const filter = { folder, state, form, descending: sort === '-createdAt' }
  const digits = toLatinDigits(search ?? '').replace(/\s/g, '')
  const id = /^\d{9}$/.test(digits) ? await findIdByReference(db, Number(digits)) : undefined
  return id === undefined ? { ...filter, terms: searchTerms(search) } : { ...filter, terms: [], id }
}

/** The newest messages of one folder, newest first, without a check of rights. */
export async function listNewestMessages(
  ctx: Pick<Context, 'db'>,
  input: { folder: 'inbox' | 'spam'; limit: number },
): Promise<StoredMessage[]> {
  return listNewest(ctx.db, input)
}

/** The number of messages on each of the last `limits.messageDaysShown` days, without spam. */
export async function countMessagesPerDay(ctx: Context): Promise<MessagesPerDay> {
  allow(ctx, canSeeMessages)
  const today = dayAt(ctx.now())
  const days = daysUpTo(today, limits.messageDaysShown)
  const counts = await countMessagesBetween(ctx.db, [...days, addDays(today, 1)].map(startOfDay))
  return { days: days.map((day, index) => ({ day, count: counts[index] ?? 0 })) }
}

/** The number of messages since an instant, without spam. */
export async function countNewMessages(ctx: Context, since: Date): Promise<number> {
  allow(ctx, ['messages.read', 'messages.write'])
  return countMessagesSince(ctx.db, since)
}

type Viewer = Pick<Context, 'actor' | 'site'>

const excerptChars = 240

export function toListedMessage(message: StoredMessage, ctx: Viewer): ListedMessage {
  const { naam, email, tel, bericht } = message.message
  return {
    id: message.id,
    reference: message.reference,
    form: { id: message.form.id, name: message.form.name },
    naam,
    email,
    tel,
    excerpt: excerptOf(bericht),
    locale: message.locale,
    folder: message.folder,
    spamReason: message.spamReason,
    spamReasons: message.spamReasons,
    readAt: message.readAt,
    answeredAt: message.answeredAt,
    hasNote: message.note !== '',
    version: message.version,
    createdAt: message.createdAt.toISOString(),
    keptUntil: new Date(message.createdAt.getTime() + daysUntilDeletion(ctx.site, message) * dayMs).toISOString(),
    can: { change: ctx.actor !== undefined && canWriteMessages(ctx.actor) },
  }
}

/** Loads the details of a message: files, replies with the states of their emails, and bounces of its notification emails. */
export async function loadMessageDetails(db: Db, message: StoredMessage, ctx: Viewer): Promise<Message> {
  const replies = await listReplies(db, message.id)
  const states = await findEmailStates(
    db,
    replies.map(({ mailId }) => mailId),
  )
  return {
    ...toListedMessage(message, ctx),
    bericht: message.message.bericht,
    answers: message.form.answers,
    files: (await listMessageFiles(db, [message.id])).map(({ id, field, name, type, bytes }) => ({
      id,
      field,
      name,
      type,
      bytes,
    })),
    note: message.note,
    privacyVersion: message.privacyVersion,
    bounces: (await listEmailsAbout(db, [`message:${message.id}`])).flatMap(({ recipient, bounce }) =>
      bounce ? [{ recipient, ...bounce, at: bounce.at.toISOString() }] : [],
    ),
    replyStart: siteTranslator(ctx.site, message.locale)('messages.replyStart', {
      name: message.message.naam,
      by: ctx.actor?.name ?? '',
      brand: ctx.site.brand,
    }),
    replyTo: recipientsOf(ctx.site, formOf(ctx.site, message.form.id)),
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

/**
 * Days from arrival until a message is deleted. Spam detected on arrival may have a shorter period, spam marked by
 * staff not.
 */
function daysUntilDeletion(site: SiteConfig, { spamReason, form }: Pick<StoredMessage, 'spamReason' | 'form'>): number {
  const days = retentionDaysOf(site, form)
  const arrivedAsSpam = spamOnArrival.some((reason) => reason === spamReason)
  return arrivedAsSpam ? Math.min(days, (site.spam ?? defaultSpamSettings).retentionDays) : days
}

/**
 * The retention period of a message that is not spam: of its form as configured now, else as it was sent, else of the
 * contact form.
 */
export const retentionDaysOf = (
  { contact, forms }: SiteConfig,
  { id, retentionDays }: Pick<StoredForm, 'id' | 'retentionDays'>,
): number => forms?.find((form) => form.id === id)?.retentionDays ?? retentionDays ?? contact.retentionDays

/** The subject of audit entries: the reference and no name, because the log is stored longer than the message. */
export const subjectOf = ({ id, reference }: Pick<StoredMessage, 'id' | 'reference'>) => ({
  type: 'message',
  id,
  name: String(reference),
})

/** The beginning of a text on one line, without splitting a character. */
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
