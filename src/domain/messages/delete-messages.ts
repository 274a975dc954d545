import { setImmediate as turn } from 'node:timers/promises'
import { Refusal } from '../../contract/errors.ts'
import { dayMs } from '../../contract/limits.ts'
import { defaultSpamSettings } from '../../contract/spam.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { deleteEmailsAbout } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { tryCollectGarbage } from '../files/store-blob.ts'
import { releaseAttachments } from './attachments.ts'
import { canWriteMessages } from './message.policy.ts'
import {
  deleteMessageRows,
  type Expired,
  findMessagesById,
  listMessagesBefore,
  listRetentions,
  lockMessages,
  resolveId,
} from './message.queries.ts'
import { aboutMessage } from './message-email.ts'
import { retentionDaysOf, subjectOf } from './show-messages.ts'

/**
 * Deletes messages with their replies and all emails about them, including queued ones.
 * @returns how many messages existed
 */
export async function deleteMessages(ctx: Context, ids: number[]): Promise<number> {
  allow(ctx, canWriteMessages)
  const deleted = await ctx.transaction(async (tx) => {
    await lockMessages(tx, ctx.dialect, ids)
    const found = (await findMessagesById(tx, ids)).map(({ id }) => id).sort((a, b) => a - b)
    await removeMessages(tx, found, ctx.now())
    for (const id of found) await record(tx, ctx, { action: 'message.deleted', subject: subjectOf({ id }) })
    return found.length
  })
  await ctx.mail.deleteOrphanedFiles()
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
  input: { signal?: AbortSignal } = {},
): Promise<number> {
  const spamDays = (ctx.site.spam ?? defaultSpamSettings).retentionDays
  const spamBefore = new Date(ctx.now().getTime() - spamDays * dayMs)
  let removed = await purgeBefore(ctx, { folder: 'spam', before: spamBefore }, input.signal)
  for (const of of await ctx.transaction(listRetentions)) {
    const retentionDays = retentionDaysOf(ctx.site, { id: of.formId, retentionDays: of.days })
    const before = new Date(ctx.now().getTime() - retentionDays * dayMs)
    removed += await purgeBefore(ctx, { ...of, before }, input.signal)
  }
  return removed
}

async function purgeBefore(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now'>,
  of: Expired,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0
  while (!signal?.aborted) {
    const ids = await ctx.transaction(async (tx) => {
      const found = await listMessagesBefore(tx, of, batch)
      if (found.length > 0) {
        await lockMessages(tx, ctx.dialect, found)
        await removeMessages(tx, found, ctx.now())
      }
      return found
    })
    removed += ids.length
    if (ids.length < batch) break
    // SQLite queries are synchronous, so without this no other request would run in between.
    await turn()
  }
  return removed
}
