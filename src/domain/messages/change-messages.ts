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
    return (await listMessagesInOrder(tx, ids)).map((message) => toListedMessage(message, ctx))
  })
}

/** Marks messages as answered outside Etalage, or as unanswered. @returns the messages that still exist, as they are now */
export async function markAnswered(
  ctx: Context,
  input: { ids: number[]; answered: boolean },
): Promise<ListedMessage[]> {
  allow(ctx, canWriteMessages)
  const { ids, answered } = input
  return ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    const changedIds = await updateAnswered(tx, ids, answered ? ctx.now() : null)
    const action = answered ? 'message.answered' : 'message.unanswered'
    for (const changed of (await listMessagesById(tx, changedIds)).sort(byId)) {
      await record(tx, ctx, { action, subject: subjectOf(changed) })
    }
    return (await listMessagesInOrder(tx, ids)).map((message) => toListedMessage(message, ctx))
  })
}

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id

type MoveContext = Pick<Context, 'now' | 'site' | 'dialect'> & Partial<Pick<Context, 'actor'>>

/** Moves messages to or out of the spam folder, for staff. @returns the messages that still exist, as they are now */
export async function moveMessages(ctx: Context, input: { ids: number[]; spam: boolean }): Promise<ListedMessage[]> {
  allow(ctx, canWriteMessages)
  const { ids, spam } = input
  const messages = await ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    for (const id of ids) await moveAndRecord(tx, ctx, { id, folder: spam ? 'spam' : 'inbox' })
    return listMessagesInOrder(tx, ids)
  })
  ctx.wake.email()
  return messages.map((message) => toListedMessage(message, ctx))
}

/** Moves one message, by id or reference, without a check of rights. @throws {Refusal} `not_found` */
export async function moveMessage(
  ctx: MoveContext & Pick<Context, 'transaction' | 'wake'>,
  input: { id: number; folder: MessageFolder },
): Promise<{ moved: boolean; emailsQueued: number }> {
  const result = await ctx.transaction(async (tx) => {
    return moveAndRecord(tx, ctx, { ...input, id: await resolveId(tx, input.id) })
  })
  if (!result) throw new Refusal('not_found')
  ctx.wake.email()
  return result
}

/** Moves a message for staff, with an audit entry if it moved. @returns undefined when there is no such message */
async function moveAndRecord(tx: Transaction, ctx: MoveContext, { id, folder }: { id: number; folder: MessageFolder }) {
  const result = await moveToFolder(tx, ctx, { id, folder, reason: folder === 'spam' ? 'staff' : null })
  if (!result?.moved) return result
  const subject = subjectOf(await getStoredMessage(tx, id))
  await record(
    tx,
    { now: ctx.now, actor: ctx.actor },
    { action: folder === 'spam' ? 'message.spam' : 'message.not_spam', subject },
  )
  return result
}

/**
 * Moves a message to a folder and updates the statistics, which do not count spam. The recipients are notified of a
 * message that leaves the spam folder, unless they were before. Without audit entry.
 * @returns undefined when there is no such message
 */
export async function moveToFolder(
  tx: Transaction,
  ctx: Pick<Context, 'now' | 'site' | 'dialect'>,
  { id, folder, reason }: { id: number; folder: MessageFolder; reason: string | null },
): Promise<{ moved: boolean; emailsQueued: number } | undefined> {
  const moved = await updateFolder(tx, id, { folder, reason })
  // Read after the update, which locks the row.
  const message = await findMessage(tx, id)
  if (!message) return undefined
  if (!moved) return { moved, emailsQueued: 0 }
  const { page, counted, createdAt } = message
  // Of an old message the page is not known (null), so it cannot be uncounted.
  if (folder === 'spam' && counted && page !== null) {
    await uncountMessage(tx, ctx, { page, at: createdAt })
    await updateCounted(tx, id, false)
  }
  if (folder === 'inbox' && !counted) {
    await countMessage(tx, ctx, { page: page ?? '', at: createdAt })
    await updateCounted(tx, id, true)
  }
  if (folder === 'spam' || message.thread.length > 0) return { moved, emailsQueued: 0 }
  return { moved, emailsQueued: await queueMessageEmail(tx, ctx.site, message, ctx.now()) }
}

/** Saves the staff note of a message; the audit log does not have the text. @throws {Refusal} `not_found`, `stale` */
export async function noteMessage(ctx: Context, number: number, input: MessageNote): Promise<Message> {
  allow(ctx, canWriteMessages)
  const id = await resolveId(ctx.db, number)
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
 * Deletes messages with their replies and files and all emails about them, including queued ones.
 * @returns how many messages existed
 */
export async function deleteMessages(ctx: Context, ids: number[]): Promise<number> {
  allow(ctx, canWriteMessages)
  const deleted = await ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    const existing = (await listMessagesById(tx, ids)).sort(byId)
    await removeMessages(
      tx,
      existing.map(({ id }) => id),
      ctx.now(),
    )
    for (const message of existing) await record(tx, ctx, { action: 'message.deleted', subject: subjectOf(message) })
    return existing.length
  })
  // The messages are deleted already, so a failure does not fail the request; a job repeats this.
  await ctx.mail
    .deleteOrphanedFiles()
    .catch((error) => ctx.log.warn({ err: error }, 'the files of deleted emails were not removed'))
  await tryCollectGarbage(ctx)
  return deleted
}

/** `deleteMessages` for one message. @param number its id or reference @throws {Refusal} `not_found` */
export async function deleteMessage(ctx: Context, number: number): Promise<void> {
  allow(ctx, canWriteMessages)
  if ((await deleteMessages(ctx, [await resolveId(ctx.db, number)])) === 0) throw new Refusal('not_found')
}

/** Deletes messages with their replies and files and all emails about them, without a check of rights and audit entries. */
export async function removeMessages(tx: Transaction, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await deleteEmailsAbout(tx, ids.map(aboutMessage))
  await releaseAttachments(tx, ids, now)
  await deleteMessageRows(tx, ids)
}

/** Messages per transaction, few enough not to delay incoming messages noticeably. */
const batchSize = 200

/**
 * Deletes messages, as `removeMessages`, that are older than the retention period of their form, or of spam.
 * @returns how many
 */
export async function purgeMessages(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now' | 'site'>,
  signal?: AbortSignal,
): Promise<number> {
  const spamDays = (ctx.site.spam ?? defaultSpamSettings).retentionDays
  const spamBefore = new Date(ctx.now().getTime() - spamDays * dayMs)
  let removed = await purgeExpired(ctx, { folder: 'spam', before: spamBefore }, signal)
  for (const { formId, days } of await ctx.transaction(listRetentions)) {
    const retentionDays = retentionDaysOf(ctx.site, { id: formId, retentionDays: days })
    const before = new Date(ctx.now().getTime() - retentionDays * dayMs)
    removed += await purgeExpired(ctx, { formId, days, before }, signal)
  }
  return removed
}

async function purgeExpired(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now'>,
  expired: Expired,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  await inBatches(batchSize, signal, async () => {
    const { candidates, expiredIds } = await ctx.transaction(async (tx) => {
      const candidates = await listMessagesBefore(tx, expired, batchSize)
      if (candidates.length === 0) return { candidates, expiredIds: [] }
      await lockMessages(tx, ctx.dialect, candidates)
      // Staff may have moved one out of the spam folder before it was locked.
      const expiredIds = await listMessagesBefore(tx, expired, batchSize, candidates)
      await removeMessages(tx, expiredIds, ctx.now())
      return { candidates, expiredIds }
    })
    removed += expiredIds.length
    return candidates.length
  })
  return removed
}
