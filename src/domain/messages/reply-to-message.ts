import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Message, NewReply } from '../../contract/messages.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { allow, isStale } from '../allow.ts'
import { hasEntryAfter } from '../audit/audit.queries.ts'
import { record } from '../audit/record.ts'
import { refuseTooMany } from '../audit/refuse-too-many.ts'
import { appointmentOf } from './appointment.ts'
import { getStoredMessage, loadMessageDetails, subjectOf } from './list-messages.ts'
import { canWriteMessages } from './message.policy.ts'
import { lockMessages, resolveId } from './message.queries.ts'
import {
  findRepliedMessage,
  insertReply,
  listReplies,
  updateAnswered,
  updateReplied,
} from './message-change.queries.ts'
import { aboutMessage, formOf, type ReplyEmail, recipientsOf, replyTemplate } from './message-email.ts'

/**
 * Replies to a message by email, which marks it as answered; without a mail server only once the reply is sent. The same
 * text again within ten minutes is not sent again, so a client may retry after a network failure.
 * @param number the id or reference of the message
 * @throws {Refusal} `not_found`, `stale`, `too_many`
 */
export async function replyToMessage(ctx: Context, number: number, input: NewReply): Promise<Message> {
  const actor = allow(ctx, canWriteMessages)
  const id = await resolveId(ctx.db, number)

  const replied = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, aboutMessage(id))
    const stored = await getStoredMessage(tx, id)
    const replies = await listReplies(tx, id)
    const since = new Date(ctx.now().getTime() - limits.sameReplyMs).toISOString()
    if (replies.some(({ text, at }) => text === input.text && at > since)) return loadMessageDetails(tx, stored, ctx)
    if (isStale(input, stored)) throw new Refusal('stale', { current: await loadMessageDetails(tx, stored, ctx) })
    // The limit counts replies to all messages, so one user's replies to different messages must not run concurrently.
    await ctx.dialect.lock(tx, `replies:${actor.id}`)
    await refuseTooMany(tx, ctx, 'message.replied', [
      { by: { actorId: actor.id }, maxCount: limits.repliesPerSender, windowMs: limits.replyWindowMs },
    ])

    const { message, locale, thread, createdAt } = stored
    const data: ReplyEmail = {
      to: { name: message.naam, address: message.email },
      text: input.text,
      bericht: message.bericht,
      receivedAt: createdAt.toISOString(),
      appointment: appointmentOf(stored),
      replyTo: recipientsOf(ctx.site, formOf(ctx.site, stored.form.id)),
      references: [...thread, ...replies.map(({ mailId }) => mailId)],
    }
    const [mailId] = await queueEmail(
      tx,
      { template: replyTemplate, locale, data, about: aboutMessage(id), recipients: [message.email] },
      ctx.now(),
      ctx.site.sender.email,
    )
    await insertReply(tx, { messageId: id, mailId: mailId as string, text: input.text, by: actor, at: ctx.now() })
    await updateReplied(tx, id, { at: ctx.now(), isSending: ctx.mail.sends })
    await record(tx, ctx, { action: 'message.replied', subject: subjectOf(stored) })
    return loadMessageDetails(tx, await getStoredMessage(tx, id), ctx)
  })
  ctx.wake.email()
  return replied
}

/**
 * Marks a message as answered when a reply to it is sent, if it is not: the reply may have been written while there was no
 * mail server. Does nothing for an email that is no reply, nor when staff marked the message as unanswered after the reply.
 */
export async function markAnsweredBySentReply(
  tx: Transaction,
  ctx: Pick<Context, 'dialect' | 'now'>,
  email: { template: string; messageId: string },
): Promise<void> {
  if (email.template !== replyTemplate) return
  const replied = await findRepliedMessage(tx, email.messageId)
  if (!replied) return
  const { id, at } = replied
  await lockMessages(tx, ctx.dialect, [id])
  const unanswered = { action: 'message.unanswered', subjectType: 'message', subjectId: String(id), after: at } as const
  if (await hasEntryAfter(tx, unanswered)) return
  if ((await updateAnswered(tx, [id], ctx.now())).length === 0) return
  const subject = subjectOf(await getStoredMessage(tx, id))
  await record(tx, { now: ctx.now, actor: undefined }, { action: 'message.answered', subject })
}
