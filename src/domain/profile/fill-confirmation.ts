import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { makeLink } from '../sign-in/make-link.ts'
import { findNewEmail, findPersonByEmail, holdPerson } from './profile.queries.ts'
import type { ConfirmEmailLetter, WaitingConfirmation } from './profile-letter.ts'

/**
 * Fills a promised letter at the moment of sending: an hour counts from then, however long the mail server was away.
 * Whether somebody else has the address changes nothing that the one who asked can see.
 * @returns undefined when the address is not wanted any more: nothing is sent
 */
export async function fillConfirmation(
  ctx: Pick<Context, 'now' | 'origin' | 'transaction'>,
  recipient: string,
  { userId }: WaitingConfirmation,
): Promise<ConfirmEmailLetter | undefined> {
  return ctx.transaction(async (tx) => {
    const person = await holdPerson(tx, userId)
    if (!person || (await findNewEmail(tx, userId, ctx.now())) !== recipient) return undefined
    const minutes = limits.linkMinutes
    const url = await makeLink(tx, ctx, { purpose: 'email', userId, email: recipient, minutes })
    const owner = await findPersonByEmail(tx, recipient)
    return {
      // A name is somebody's own words, and until the address is confirmed it is perhaps a stranger's.
      to: { name: owner?.name ?? '', address: recipient },
      minutes,
      url,
      ...(owner && { owner: { name: owner.name, locale: owner.locale, at: ctx.now().toISOString() } }),
    }
  })
}
