import { Refusal } from '../../contract/errors.ts'
import { dayMs } from '../../contract/limits.ts'
import type { ListedMessage, Message, MessageFolder, MessageNote } from '../../contract/messages.ts'
import { defaultSpamSettings } from '../../contract/spam.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { inBatches } from '../../platform/in-batches.ts'
import { deleteEmailsAbout } from '../../platform/mail/outbox.ts'
import { allow, isStale } from '../allow.ts'
import { record } from '../audit/record.ts'
import { tryCollectGarbage } from '../files/store-blob.ts'
import { countMessage, uncountMessage } from '../views/statistics.ts'
import { releaseAttachments } from './attachments.ts'
import {
  getStoredMessage,
  listMessagesInOrder,
  loadMessageDetails,
  retentionDaysOf,
  subjectOf,
  toListedMessage,
} from './list-messages.ts'
import { canSeeMessages, canWriteMessages } from './message.policy.ts'
import {
  deleteMessageRows,
  type Expired,
  findMessage,
  listMessagesBefore,
  listMessagesById,
  listRetentions,
  lockMessages,
  resolveId,
} from './message.queries.ts'
import { updateAnswered, updateCounted, updateFolder, updateNote, updateRead } from './message-change.queries.ts'
import { aboutMessage, queueMessageEmail } from './message-email.ts'

/** Marks messages as read or unread, without an audit entry. @returns the messages that still exist, as they are now */
export async function markRead(ctx: Context, input: { ids: number[]; read: boolean }): Promise<ListedMessage[]> {
  allow(ctx, canSeeMessages)
  const { ids, read } = input
  return ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    await updateRead(tx, ids, read ? ctx.now() : null)
    return (await listMessagesInOrder(tx, ids)).map((one) => toListedMessage(one, ctx))
  })
}

/** Marks messages as answered outside the program (by telephone, from a mail client), or as unanswered. */
export async function markAnswered(
  ctx: Context,
  input: { ids: number[]; answered: boolean },
): Promise<ListedMessage[]> {
  allow(ctx, canWriteMessages)
  const { ids, answered } = input
  return ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    const changed = await updateAnswered(tx, ids, answered ? ctx.now() : null)
    for (const id of changed.sort((a, b) => a - b)) {
      await record(tx, ctx, {
        action: answered ? 'message.answered' : 'message.unanswered',
        subject: subjectOf({ id }),
      })
    }
    return (await listMessagesInOrder(tx, ids)).map((one) => toListedMessage(one, ctx))
  })
}

type MoveContext = Pick<Context, 'now' | 'site' | 'dialect'> & Partial<Pick<Context, 'actor'>>

/** Moves messages to or out of the spam folder, for staff. @returns the messages that still exist, as they are now */
export async function moveMessages(ctx: Context, input: { ids: number[]; spam: boolean }): Promise<ListedMessage[]> {
  allow(ctx, canWriteMessages)
  const { ids, spam } = input
  const now = await ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    for (const id of ids) await move(tx, ctx, { id, folder: spam ? 'spam' : 'inbox' })
    return listMessagesInOrder(tx, ids)
  })
  ctx.wake.email()
  return now.map((one) => toListedMessage(one, ctx))
}

/**
 * Moves one message, named by its id or its reference, from the command line.
 * @returns whether it moved (it may have been in the folder already), and the number of emails queued
 * @throws {Refusal} `not_found`
 */
export async function moveMessage(
  ctx: MoveContext & Pick<Context, 'transaction' | 'wake'>,
  input: { id: number; folder: MessageFolder },
): Promise<{ moved: boolean; emailsQueued: number }> {
  const done = await ctx.transaction(async (tx) => move(tx, ctx, { ...input, id: await resolveId(tx, input.id) }))
  if (!done) throw new Refusal('not_found')
  ctx.wake.email()
  return done
}

/** Moves a message for staff, and records it. */
async function move(tx: Transaction, ctx: MoveContext, { id, folder }: { id: number; folder: MessageFolder }) {
  const done = await moveToFolder(tx, ctx, { id, folder, reason: folder === 'spam' ? 'staff' : null })
  if (!done?.moved) return done
  await record(
    tx,
    { now: ctx.now, actor: ctx.actor },
    { action: folder === 'spam' ? 'message.spam' : 'message.not_spam', subject: subjectOf({ id }) },
  )
  return done
}

/**
 * Moves a message to or out of the spam folder, and keeps the statistics right. One that leaves it is emailed to the
 * company, unless that was done before.
 * @returns undefined when there is no such message
 */
export async function moveToFolder(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site' | 'dialect'>,
  { id, folder, reason }: { id: number; folder: MessageFolder; reason: string | null },
): Promise<{ moved: boolean; emailsQueued: number } | undefined> {
  const moved = await updateFolder(tx, id, { folder, reason })
  // Read after the update, which locks the row.
  const found = await findMessage(tx, id)
  if (!found) return undefined
  if (!moved) return { moved, emailsQueued: 0 }
  const { page, counted, createdAt } = found
  // The page of an earlier message is not known, so it stays counted.
  if (folder === 'spam' && counted && page !== null) {
    await uncountMessage(tx, ctx, { page, at: createdAt })
    await updateCounted(tx, id, false)
  }
  if (folder === 'inbox' && !counted) {
    await countMessage(tx, ctx, { page: page ?? '', at: createdAt })
    await updateCounted(tx, id, true)
  }
  if (folder === 'spam' || found.thread.length > 0) return { moved, emailsQueued: 0 }
  return { moved, emailsQueued: await queueMessageEmail(tx, ctx.site, found, ctx.now()) }
}

/**
 * Saves the staff note of a message. The audit log records the change without the text.
 * @throws {Refusal} `not_found`, `stale`
 */
export async function noteMessage(ctx: Context, named: number, input: MessageNote): Promise<Message> {
  allow(ctx, canWriteMessages)
  const id = await resolveId(ctx.db, named)
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, aboutMessage(id))
    const before = await getStoredMessage(tx, id)
    if (isStale(input, before)) throw new Refusal('stale', { current: await loadMessageDetails(tx, before, ctx) })
    if (input.note !== before.note) {
      await updateNote(tx, id, input.note)
      await record(tx, ctx, { action: 'message.noted', subject: subjectOf(before) })
    }
    return loadMessageDetails(tx, await getStoredMessage(tx, id), ctx)
  })
}

/**
 * Deletes messages with their replies and all emails about them, including queued ones.
 * @returns how many messages existed
 */
export async function deleteMessages(ctx: Context, ids: number[]): Promise<number> {
  allow(ctx, canWriteMessages)
  const deleted = await ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    const found = (await listMessagesById(tx, ids)).map(({ id }) => id).sort((a, b) => a - b)
    await removeMessages(tx, found, ctx.now())
    for (const id of found) await record(tx, ctx, { action: 'message.deleted', subject: subjectOf({ id }) })
    return found.length
  })
  // The messages are deleted by now, so this does not fail the request; it is repeated later.
  await ctx.mail
    .deleteOrphanedFiles()
    .catch((error) => ctx.log.warn({ err: error }, 'the files of deleted emails were not removed'))
  await tryCollectGarbage(ctx)
  return deleted
}

/** @throws {Refusal} `not_found` */
export async function deleteMessage(ctx: Context, named: number): Promise<void> {
  allow(ctx, canWriteMessages)
  if ((await deleteMessages(ctx, [await resolveId(ctx.db, named)])) === 0) throw new Refusal('not_found')
}

/** The deletion shared by all callers. */
export async function removeMessages(tx: Transaction, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await deleteEmailsAbout(tx, ids.map(aboutMessage))
  await releaseAttachments(tx, ids, now)
  await deleteMessageRows(tx, ids)
}

/** Messages per transaction, few enough not to delay incoming messages noticeably. */
const batch = 200

/** Deletes messages past the retention period of their form, or of spam, with their emails. @returns how many */
export async function purgeMessages(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now' | 'site'>,
  signal?: AbortSignal,
): Promise<number> {
  const spamDays = (ctx.site.spam ?? defaultSpamSettings).retentionDays
  const spamBefore = new Date(ctx.now().getTime() - spamDays * dayMs)
  let removed = await purgeBefore(ctx, { folder: 'spam', before: spamBefore }, signal)
  for (const of of await ctx.transaction(listRetentions)) {
    const retentionDays = retentionDaysOf(ctx.site, { id: of.formId, retentionDays: of.days })
    const before = new Date(ctx.now().getTime() - retentionDays * dayMs)
    removed += await purgeBefore(ctx, { ...of, before }, signal)
  }
  return removed
}

async function purgeBefore(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now'>,
  of: Expired,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  await inBatches(batch, signal, async () => {
    const { found, expired } = await ctx.transaction(async (tx) => {
      const found = await listMessagesBefore(tx, of, batch)
      if (found.length === 0) return { found, expired: [] }
      await lockMessages(tx, ctx.dialect, found)
      // Staff may have moved one out of the spam folder before it was locked.
      const expired = await listMessagesBefore(tx, of, batch, found)
      await removeMessages(tx, expired, ctx.now())
      return { found, expired }
    })
    removed += expired.length
    return found.length
  })
  return removed
}
