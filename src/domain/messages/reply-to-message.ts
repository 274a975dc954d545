import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Message, NewReply } from '../../contract/messages.ts'
import type { Context } from '../../platform/context.ts'
import { postLetter } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { refuseTooMany } from '../audit/refuse-too-many.ts'
import { findStored } from './find-messages.ts'
import { canWriteMessages } from './message.policy.ts'
import { updateReplied } from './message-change.queries.ts'
import { aboutMessage, type ReplyLetter, replyTemplate } from './message-letter.ts'
import { insertReply, listReplies } from './reply.queries.ts'
import { shownMessage, subjectOf } from './show-messages.ts'

/**
 * Answers a message by mail. The same answer again within ten minutes is the same answer: whoever heard nothing for
 * want of a network may send it again.
 * @throws {Refusal} `not_found`, `stale`, `too_many`
 */
export async function replyToMessage(ctx: Context, id: number, input: NewReply): Promise<Message> {
  const actor = allow(ctx, canWriteMessages)

  const shown = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, aboutMessage(id))
    const found = await findStored(tx, id)
    const replies = await listReplies(tx, id)
    const since = new Date(ctx.now().getTime() - limits.sameReplyMs).toISOString()
    if (replies.some(({ text, at }) => text === input.text && at > since)) return shownMessage(tx, found, ctx)
    if (input.version !== undefined && input.version !== found.version) {
      throw new Refusal('stale', { current: await shownMessage(tx, found, ctx) })
    }
    await refuseTooMany(tx, ctx, 'message.replied', [
      { by: { actorId: actor.id }, most: limits.repliesPerSender, windowMs: limits.replyWindowMs },
    ])

    const { message, locale, thread, createdAt } = found
    const data: ReplyLetter = {
      to: { name: message.naam, address: message.email },
      text: input.text,
      bericht: message.bericht,
      receivedAt: createdAt.toISOString(),
      references: [...thread, ...replies.map(({ mailId }) => mailId)],
    }
    const [mailId] = await postLetter(
      tx,
      { template: replyTemplate, locale, data, about: aboutMessage(id), recipients: [message.email] },
      ctx.now(),
      ctx.site.sender.email,
    )
    await insertReply(tx, { messageId: id, mailId: mailId as string, text: input.text, by: actor, at: ctx.now() })
    await updateReplied(tx, id, ctx.now())
    await record(tx, ctx, { action: 'message.replied', subject: subjectOf(found) })
    return shownMessage(tx, await findStored(tx, id), ctx)
  })
  ctx.signal.letter()
  return shown
}
