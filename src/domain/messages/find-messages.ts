import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Inbox, ListedMessage, Message, MessageExportQuery, MessageQuery } from '../../contract/messages.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { searchParts } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { canSeeMessages } from './message.policy.ts'
import { findMessage, findMessagesById, type StoredMessage } from './message.queries.ts'
import { senderOf } from './message-letter.ts'
import { countMessages, findMessageIds, type WhichMessages } from './message-list.queries.ts'
import { listedMessage, shownMessage } from './show-messages.ts'

/** One page of a folder. Search looks at who wrote and at the whole text. */
export async function findMessages(ctx: Context, query: MessageQuery): Promise<ListOf<ListedMessage>> {
  allow(ctx, canSeeMessages)
  const { page, pageSize } = query
  const found = await findMessageIds(ctx.db, ctx.dialect, whichMessages(query), {
    offset: (page - 1) * pageSize,
    limit: pageSize,
  })
  const messages = await messagesInOrder(ctx.db, found.ids)
  return {
    data: messages.map((one) => listedMessage(one, ctx)),
    meta: { page, pageSize, total: found.total, ...(found.more && { more: true as const }) },
  }
}

/** @throws {Refusal} `not_found` */
export async function getMessage(ctx: Context, id: number): Promise<Message> {
  allow(ctx, canSeeMessages)
  return shownMessage(ctx.db, await findStored(ctx.db, id), ctx)
}

/** How much waits, how long messages are kept, and from whom and to whom answers go. */
export async function showInbox(ctx: Context): Promise<Inbox> {
  allow(ctx, canSeeMessages)
  const { db, site } = ctx
  const { name, address } = senderOf(site)
  return {
    unread: await countMessages(db, { folder: 'inbox', state: 'unread' }),
    open: await countMessages(db, { folder: 'inbox', state: 'open' }),
    spam: await countMessages(db, { folder: 'spam' }),
    retentionDays: site.contact.retentionDays,
    sender: { name, email: address },
    replyTo: site.contact.recipients,
  }
}

/** @throws {Refusal} `not_found` */
export async function findStored(db: Database | Transaction, id: number): Promise<StoredMessage> {
  const found = await findMessage(db, id)
  if (!found) throw new Refusal('not_found')
  return found
}

/** Messages in the order of their ids; what is gone is left out. */
export async function messagesInOrder(db: Database | Transaction, ids: readonly number[]): Promise<StoredMessage[]> {
  const byId = new Map((await findMessagesById(db, ids)).map((one) => [one.id, one]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export function whichMessages({ search, folder, state, sort = '-createdAt' }: MessageExportQuery): WhichMessages {
  return { parts: searchParts(search), folder, state, descending: sort === '-createdAt' }
}
