import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { makeMailedPasswordLink } from './make-link.ts'
import type { PasswordLetter } from './password-letter.ts'
import { findOpenUserByEmail } from './user.queries.ts'

/**
 * Fills a promised letter at the moment of sending: an hour counts from then, however long the mail server was away.
 * @returns undefined when nobody who may sign in has the address: nothing is sent
 */
export async function fillPasswordLetter(
  ctx: Pick<Context, 'now' | 'origin' | 'transaction'>,
  recipient: string,
): Promise<PasswordLetter | undefined> {
  return ctx.transaction(async (tx) => {
    const user = await findOpenUserByEmail(tx, recipient)
    if (!user) return undefined
    const url = await makeMailedPasswordLink(tx, ctx, user.id, limits.linkMinutes)
    return { name: user.name, email: user.email, locale: user.locale, url }
  })
}
