import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { hasLetters } from '../../platform/mail/outbox-unsent.ts'
import { findMessage, updateFolder } from './message.queries.ts'
import { aboutMessage } from './message-letter.ts'
import { postMessageLetter } from './post-message-letter.ts'

/**
 * Moves a message to the spam, or out of it: then the company gets the letters that it would have had, unless it has had
 * them before.
 * @returns whether it was moved (it may have been there already), and how many letters were promised
 * @throws {Refusal} `not_found`
 */
export async function moveMessage(
  ctx: Pick<Context, 'transaction' | 'now' | 'site' | 'signal'>,
  input: { id: number; folder: 'inbox' | 'spam' },
): Promise<{ moved: boolean; letters: number }> {
  const { id, folder } = input
  const done = await ctx.transaction(async (tx) => {
    const found = await findMessage(tx, id)
    if (!found) throw new Refusal('not_found')
    const moved = await updateFolder(tx, id, { folder, reason: folder === 'spam' ? 'staff' : null })
    if (!moved) return { moved, letters: 0 }
    if (folder === 'spam' || (await hasLetters(tx, aboutMessage(id)))) return { moved, letters: 0 }
    return { moved, letters: await postMessageLetter(tx, ctx.site, found, ctx.now()) }
  })
  ctx.signal.letter()
  return done
}
