import type { Context } from '../../platform/context.ts'
import { makeMailedPasswordLink } from '../sign-in/make-link.ts'
import { linkMinutes } from './make-link-for-user.ts'
import { findUserRowByEmail } from './user.queries.ts'
import type { InvitationLetter } from './user-letter.ts'

/**
 * Fills the letter with a link at the moment of sending, so that the link is kept nowhere and its time counts from then.
 * @returns undefined when nobody who may sign in has the address any more: nothing is sent
 */
export async function fillInvitation(
  ctx: Pick<Context, 'now' | 'origin' | 'transaction'>,
  recipient: string,
): Promise<InvitationLetter | undefined> {
  return ctx.transaction(async (tx) => {
    const user = await findUserRowByEmail(tx, recipient)
    if (!user || user.blocked) return undefined
    const minutes = linkMinutes(user)
    return {
      to: { name: user.name, address: user.email },
      locale: user.locale,
      url: await makeMailedPasswordLink(tx, ctx, user.id, minutes),
      until: new Date(ctx.now().getTime() + minutes * 60_000).toISOString(),
    }
  })
}
