import { limits } from '../../contract/limits.ts'
import type { Context } from '../../platform/context.ts'
import { record } from '../audit/record.ts'
import { createAdministrator } from './create-administrator.ts'
import { makePasswordLink } from './make-link.ts'
import { findOpenUserByEmail } from './user.queries.ts'

type OperatorContext = Pick<Context, 'now' | 'origin' | 'transaction'>

/** For the one who runs the program: a link to set somebody's password. @returns undefined when nobody who may sign in has the address */
export async function linkForEmail(ctx: OperatorContext, email: string): Promise<string | undefined> {
  return ctx.transaction(async (tx) => {
    const user = await findOpenUserByEmail(tx, email)
    if (!user) return undefined
    const subject = { type: 'user', id: user.id, name: `${user.name} <${user.email}>` }
    await record(
      tx,
      { now: ctx.now, actor: undefined },
      { action: 'user.password_link_made', subject, after: { by: 'show' } },
    )
    return makePasswordLink(tx, ctx, user.id, limits.linkMinutes)
  })
}

/**
 * For the one who runs the program: an administrator.
 * @returns the link to set a password, unless its hash is given; `known`: somebody had the address already
 */
export async function addAdministrator(
  ctx: OperatorContext,
  input: { email: string; name: string; hash: string | undefined },
): Promise<{ known: boolean; link: string | undefined }> {
  return ctx.transaction(async (tx) => {
    const { id, known } = await createAdministrator(tx, ctx, input)
    return {
      known,
      link: input.hash === undefined ? await makePasswordLink(tx, ctx, id, limits.linkMinutes) : undefined,
    }
  })
}
