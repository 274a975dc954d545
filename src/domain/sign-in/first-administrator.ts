import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import { nameFromEmail } from '../../contract/users.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Context } from '../../platform/context.ts'
import { createOrPromoteAdministrator } from './administrators.ts'
import { type ClientOrigin, rememberKnownBrowser } from './limit-attempts.ts'
import { deleteSetupLinks, findLink } from './link.queries.ts'
import { consumeLink, createLink } from './links.ts'
import { hashNewPassword } from './passwords.ts'
import { isRightHeld } from './user-rights.queries.ts'

type StartContext = Pick<Context, 'db' | 'dialect' | 'now' | 'origin' | 'transaction'>

/** Locked while the first administrator is created, because several instances may start at once. */
const lockName = 'first administrator'

/**
 * Runs at every start: when no user can manage users, it creates the administrator of the settings, or without these
 * settings a setup link.
 * @returns the link, or that an administrator was created; empty when a user can manage users already
 */
export async function ensureAdministrator(
  ctx: StartContext,
  admin: { email: string; password: string } | undefined,
): Promise<{ link?: string; isCreated?: boolean }> {
  if (await isRightHeld(ctx.db, 'users.write')) return {}
  const hash = admin && (await hashPassword(admin.password))
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, lockName)
    if (await isRightHeld(tx, 'users.write')) return {}
    if (!admin) {
      return { link: await createLink(tx, ctx, { purpose: 'setup', userId: null, minutes: limits.setupMinutes }) }
    }
    const email = admin.email.toLowerCase()
    await createOrPromoteAdministrator(tx, ctx, { email, name: nameFromEmail(email), hash })
    return { isCreated: true }
  })
}

/** Whether a setup link is still valid, and no user can manage users yet. The link is not consumed. */
export async function isSetupLinkValid(ctx: Pick<Context, 'db' | 'now'>, token: string): Promise<boolean> {
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
  if (!(await isSetupLinkValid(ctx, input.token))) throw new Refusal('link_ended')
  const hash = await hashNewPassword(input.password, input.email)
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, lockName)
    await consumeLink(tx, ctx, { purpose: 'setup', token: input.token })
    if (await isRightHeld(tx, 'users.write')) throw new Refusal('link_ended')
    const { email, name, locale } = input
    await createOrPromoteAdministrator(tx, ctx, { email, name, locale, hash })
    await rememberKnownBrowser(tx, ctx, email, client)
    await deleteSetupLinks(tx)
  })
}
