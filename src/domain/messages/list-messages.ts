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

/** One page of a folder. Search covers the sender and the whole text. */
export async function listMessages(ctx: Context, query: MessageQuery): Promise<ListOf<ListedMessage>> {
  allow(ctx, canSeeMessages)
  const found = await paginateIds(
    ctx.db,
    ctx.dialect,
    messageList(await toMessageFilter(ctx.db, query)),
    rangeOf(query),
  )
  const messages = await listMessagesInOrder(ctx.db, found.ids)
  const data = messages.map((one) => toListedMessage(one, ctx))
  return toListOf(data, query, found)
}

/** @param named by its id or its reference, as in every call about one message. @throws {Refusal} `not_found` */
export async function getMessage(ctx: Context, named: number): Promise<Message> {
  allow(ctx, canSeeMessages)
  return loadMessageDetails(ctx.db, await getStoredMessage(ctx.db, await resolveId(ctx.db, named)), ctx)
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
  const found = await findMessage(db, id)
  if (!found) throw new Refusal('not_found')
  return found
}

/** Messages in the order of `ids`; deleted ones are left out. */
export async function listMessagesInOrder(db: Db, ids: readonly number[]): Promise<StoredMessage[]> {
  const byId = new Map((await listMessagesById(db, ids)).map((one) => [one.id, one]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** A search for nine digits finds the message with that reference number; any other text is split into terms. */
export async function toMessageFilter(
  db: Database,
  { search, folder, state, form, sort = '-createdAt' }: MessageExportQuery,
): Promise<MessageFilter> {
  const filter = { folder, state, form, descending: sort === '-createdAt' }
  const typed = toLatinDigits(search ?? '').replace(/\s/g, '')
  const id = /^\d{9}$/.test(typed) ? await findIdByReference(db, Number(typed)) : undefined
  return id === undefined ? { ...filter, terms: searchTerms(search) } : { ...filter, terms: [], id }
}

/** The newest messages of one folder, newest first. */
export async function listNewestMessages(
  ctx: Pick<Context, 'db'>,
  input: { folder: 'inbox' | 'spam'; limit: number },
): Promise<StoredMessage[]> {
  return listNewest(ctx.db, input)
}

/** The number of messages per recent day, without spam. */
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
    keptUntil: new Date(found.createdAt.getTime() + daysUntilDeletion(ctx.site, found) * dayMs).toISOString(),
    can: { change: ctx.actor !== undefined && canWriteMessages(ctx.actor) },
  }
}

/** Message details with replies and the states of their emails. */
export async function loadMessageDetails(db: Db, found: StoredMessage, ctx: Viewer): Promise<Message> {
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
    replyStart: siteTranslator(ctx.site, found.locale)('messages.replyStart', {
      name: found.message.naam,
      by: ctx.actor?.name ?? '',
      brand: ctx.site.brand,
    }),
    replyTo: recipientsOf(ctx.site, formOf(ctx.site, found.form.id)),
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
function daysUntilDeletion(site: SiteConfig, { spamReason, form }: Pick<StoredMessage, 'spamReason' | 'form'>): number {
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
