import { Refusal } from '../../contract/errors.ts'
import type { ListedMessage, MessageFolder } from '../../contract/messages.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { messagesInOrder } from './find-messages.ts'
import { canWriteMessages } from './message.policy.ts'
import { findMessage } from './message.queries.ts'
import { updateFolder } from './message-change.queries.ts'
import { postMessageLetter } from './post-message-letter.ts'
import { listedMessage, subjectOf } from './show-messages.ts'

type MoveContext = Pick<Context, 'now' | 'site'> & Partial<Pick<Context, 'actor'>>

/**
 * Moves messages to the spam or out of it, for the staff.
 * @returns those that are there, as they are now
 */
export async function moveMessages(ctx: Context, input: { ids: number[]; spam: boolean }): Promise<ListedMessage[]> {
  allow(ctx, canWriteMessages)
  const { ids, spam } = input
  const now = await ctx.transaction(async (tx) => {
    for (const id of ids) await move(tx, ctx, { id, folder: spam ? 'spam' : 'inbox' })
    return messagesInOrder(tx, ids)
  })
  ctx.signal.letter()
  return now.map((one) => listedMessage(one, ctx))
}

/**
 * The same for one message, for the one who runs the program.
 * @returns whether it was moved (it may have been there already), and how many letters were promised
 * @throws {Refusal} `not_found`
 */
export async function moveMessage(
  ctx: MoveContext & Pick<Context, 'transaction' | 'signal'>,
  input: { id: number; folder: MessageFolder },
): Promise<{ moved: boolean; letters: number }> {
  const done = await ctx.transaction((tx) => move(tx, ctx, input))
  if (!done) throw new Refusal('not_found')
  ctx.signal.letter()
  return done
}

/** Out of the spam, the company gets the letters that it would have had, unless it has had them before. */
async function move(tx: Transaction, ctx: MoveContext, { id, folder }: { id: number; folder: MessageFolder }) {
  const moved = await updateFolder(tx, id, { folder, reason: folder === 'spam' ? 'staff' : null })
  // Looked at only now, when nobody else can move it.
  const found = await findMessage(tx, id)
  if (!found) return undefined
  if (!moved) return { moved, letters: 0 }
  await record(
    tx,
    { now: ctx.now, actor: ctx.actor },
    { action: folder === 'spam' ? 'message.spam' : 'message.not_spam', subject: subjectOf(found) },
  )
  if (folder === 'spam' || found.thread.length > 0) return { moved, letters: 0 }
  return { moved, letters: await postMessageLetter(tx, ctx.site, found, ctx.now()) }
}
