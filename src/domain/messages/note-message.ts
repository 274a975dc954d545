import { Refusal } from '../../contract/errors.ts'
import type { Message, MessageNote } from '../../contract/messages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findStored } from './find-messages.ts'
import { canWriteMessages } from './message.policy.ts'
import { updateNote } from './message-change.queries.ts'
import { aboutMessage } from './message-letter.ts'
import { shownMessage, subjectOf } from './show-messages.ts'

/**
 * Writes what the staff want to remember. The log tells that it was changed and not what it says.
 * @throws {Refusal} `not_found`, `stale`
 */
export async function noteMessage(ctx: Context, id: number, input: MessageNote): Promise<Message> {
  allow(ctx, canWriteMessages)
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, aboutMessage(id))
    const before = await findStored(tx, id)
    if (input.version !== undefined && input.version !== before.version) {
      throw new Refusal('stale', { current: await shownMessage(tx, before, ctx) })
    }
    if (input.note !== before.note) {
      await updateNote(tx, id, input.note)
      await record(tx, ctx, { action: 'message.noted', subject: subjectOf(before) })
    }
    return shownMessage(tx, await findStored(tx, id), ctx)
  })
}
