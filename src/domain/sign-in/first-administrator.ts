import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import { nameFromEmail } from '../../contract/users.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Context } from '../../platform/context.ts'
import { findManager } from './administrator.queries.ts'
import { consumeLink } from './consume-link.ts'
import { createAdministrator } from './create-administrator.ts'
import { type Place, rememberPlace } from './limit-attempts.ts'
import { deleteSetupLinks, findLink } from './link.queries.ts'
import { makeLink } from './make-link.ts'

type StartContext = Pick<Context, 'db' | 'dialect' | 'now' | 'origin' | 'transaction'>

/** Held while it is decided who the first administrator is: copies of the program may start at once. */
const lock = 'first administrator'

/**
 * At every start: when nobody can manage users, makes the administrator that the settings name, or a link with which
 * one is made.
 * @returns the link, or that somebody was made, or nothing when there is an administrator
 */
export async function ensureAdministrator(
  ctx: StartContext,
  admin: { email: string; password: string } | undefined,
): Promise<{ link?: string; made?: boolean }> {
  if ((await findManager(ctx.db)) !== undefined) return {}
  const hash = admin && (await hashPassword(admin.password))
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, lock)
    if ((await findManager(tx)) !== undefined) return {}
    if (!admin)
      return { link: await makeLink(tx, ctx, { purpose: 'setup', userId: null, minutes: limits.setupMinutes }) }
    const email = admin.email.toLowerCase()
    await createAdministrator(tx, ctx, { email, name: nameFromEmail(email), hash })
    return { made: true }
  })
}

/** Whether a link still makes the first administrator. Looking uses nothing up. */
export async function isSetupOpen(ctx: Pick<Context, 'db' | 'now'>, token: string): Promise<boolean> {
  const link = await findLink(ctx.db, { purpose: 'setup', tokenHash: tokenHash(token) }, ctx.now())
  return link !== undefined && (await findManager(ctx.db)) === undefined
}

/**
 * Makes the first administrator, once.
 * @throws {Refusal} `link_ended`
 */
export async function setUp(
  ctx: Context,
  input: { token: string; email: string; name: string; password: string; locale: Locale },
  place: Place,
): Promise<void> {
  if (!(await isSetupOpen(ctx, input.token))) throw new Refusal('link_ended')
  const hash = await hashPassword(input.password)
  await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, lock)
    await consumeLink(tx, ctx, { purpose: 'setup', token: input.token })
    if ((await findManager(tx)) !== undefined) throw new Refusal('link_ended')
    const { email, name, locale } = input
    await createAdministrator(tx, ctx, { email, name, locale, hash })
    await rememberPlace(tx, ctx, email, place)
    await deleteSetupLinks(tx)
  })
}

/** `bente@example.nl` is called bente until she says otherwise. */
