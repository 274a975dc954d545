import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import { nameFromEmail } from '../../contract/users.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Context } from '../../platform/context.ts'
import { createAdministrator } from './administrators.ts'
import { type ClientOrigin, rememberKnownBrowser } from './limit-attempts.ts'
import { deleteSetupLinks, findLink } from './link.queries.ts'
import { consumeLink, createLink } from './links.ts'
import { hashNewPassword } from './passwords.ts'
import { isRightHeld } from './user-rights.queries.ts'

type StartContext = Pick<Context, 'db' | 'dialect' | 'now' | 'origin' | 'transaction'>

/** Held while the first administrator is created, because several instances may start at once. */
const lock = 'first administrator'

/**
 * Runs at every start: when no user can manage users, it creates the administrator of the settings, or a setup link.
 * @returns the link, or that an administrator was created; undefined when there is one already
 */
export async function ensureAdministrator(
  ctx: StartContext,
  admin: { email: string; password: string } | undefined,
): Promise<{ link?: string; made?: boolean }> {
  if (await isRightHeld(ctx.db, 'users.write')) return {}
  const hash = admin && (await hashPassword(admin.password))
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, lock)
    if (await isRightHeld(tx, 'users.write')) return {}
    if (!admin)
      return { link: await createLink(tx, ctx, { purpose: 'setup', userId: null, minutes: limits.setupMinutes }) }
    const email = admin.email.toLowerCase()
    await createAdministrator(tx, ctx, { email, name: nameFromEmail(email), hash })
    return { made: true }
  })
}

/** Whether a setup link is still valid; it is not consumed. */
export async function isSetupOpen(ctx: Pick<Context, 'db' | 'now'>, token: string): Promise<boolean> {
  const link = await findLink(ctx.db, { purpose: 'setup', tokenHash: tokenHash(token) }, ctx.now())
  return link !== undefined && !(await isRightHeld(ctx.db, 'users.write'))
}

/**
 * Creates the first administrator with a setup link.
 * @throws {Refusal} `link_ended`, `invalid` for a password that is easily guessed
 */
export async function createFirstAdministrator(
  ctx: Context,
  input: { token: string; email: string; name: string; password: string; locale: Locale },
  client: ClientOrigin,
): Promise<void> {
  if (!(await isSetupOpen(ctx, input.token))) throw new Refusal('link_ended')
  const hash = await hashNewPassword(input.password, input.email)
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, lock)
    await consumeLink(tx, ctx, { purpose: 'setup', token: input.token })
    if (await isRightHeld(tx, 'users.write')) throw new Refusal('link_ended')
    const { email, name, locale } = input
    await createAdministrator(tx, ctx, { email, name, locale, hash })
    await rememberKnownBrowser(tx, ctx, email, client)
    await deleteSetupLinks(tx)
  })
}
