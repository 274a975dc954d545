import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { dropLetters } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { canWriteMessages } from './message.policy.ts'
import { deleteMessages as deleteRows, findMessagesById } from './message.queries.ts'
import { aboutMessage } from './message-letter.ts'
import { subjectOf } from './show-messages.ts'

/** Removes messages with their answers and all letters about them, also those that wait. @returns how many there were */
export async function deleteMessages(ctx: Context, ids: number[]): Promise<number> {
  allow(ctx, canWriteMessages)
  return ctx.transaction(async (tx) => {
    const found = (await findMessagesById(tx, ids)).map(({ id }) => id).sort((a, b) => a - b)
    await removeMessages(tx, found)
    for (const id of found) await record(tx, ctx, { action: 'message.deleted', subject: subjectOf({ id }) })
    return found.length
  })
}

/** @throws {Refusal} `not_found` */
export async function deleteMessage(ctx: Context, id: number): Promise<void> {
  if ((await deleteMessages(ctx, [id])) === 0) throw new Refusal('not_found')
}

/** What every removal does, whoever wants it. */
export async function removeMessages(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await dropLetters(tx, ids.map(aboutMessage))
  await deleteRows(tx, ids)
}
