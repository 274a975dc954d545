import type { ListedMessage } from '../../contract/messages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { messagesInOrder } from './find-messages.ts'
import { canSeeMessages, canWriteMessages } from './message.policy.ts'
import { updateAnswered, updateRead } from './message-change.queries.ts'
import { listedMessage, subjectOf } from './show-messages.ts'

/** Says that messages were read, or are to be read again. That is no change that the log tells of. @returns those that are there, as they are now */
export async function markRead(ctx: Context, input: { ids: number[]; read: boolean }): Promise<ListedMessage[]> {
  allow(ctx, canSeeMessages)
  const { ids, read } = input
  return ctx.transaction(async (tx) => {
    await updateRead(tx, ids, read ? ctx.now() : null)
    return (await messagesInOrder(tx, ids)).map((one) => listedMessage(one, ctx))
  })
}

/** Says that messages were answered otherwise, by telephone or from a mail program, or are to be answered after all. */
export async function markAnswered(
  ctx: Context,
  input: { ids: number[]; answered: boolean },
): Promise<ListedMessage[]> {
  allow(ctx, canWriteMessages)
  const { ids, answered } = input
  return ctx.transaction(async (tx) => {
    const changed = await updateAnswered(tx, ids, answered ? ctx.now() : null)
    for (const id of changed.sort((a, b) => a - b)) {
      await record(tx, ctx, {
        action: answered ? 'message.answered' : 'message.unanswered',
        subject: subjectOf({ id }),
      })
    }
    return (await messagesInOrder(tx, ids)).map((one) => listedMessage(one, ctx))
  })
}
