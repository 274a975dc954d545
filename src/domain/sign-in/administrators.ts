import { limits } from '../../contract/limits.ts'
import { defaultLocale, type Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { upsertPassword } from './account.queries.ts'
import { createOperatorPasswordLink } from './links.ts'
import { endSessions, revokeAccessObtainedByOthers } from './sessions.ts'
import {
  findActiveUserByEmail,
  findAdministratorRoleId,
  findUserToPromote,
  getRoleName,
  insertAdministrator,
  insertAdministratorRole,
  promoteUser,
} from './user.queries.ts'

type OperatorContext = Pick<Context, 'now' | 'origin' | 'transaction'>

/**
 * Creates a password link, from the command line.
 * @returns undefined when no active user has the address
 */
export async function createPasswordLinkForEmail(ctx: OperatorContext, email: string): Promise<string | undefined> {
  return ctx.transaction(async (tx) => {
    const user = await findActiveUserByEmail(tx, email)
    if (!user) return undefined
    const subject = { type: 'user', id: user.id, name: `${user.name} <${user.email}>` }
    await record(
      tx,
      { now: ctx.now, actor: undefined },
      { action: 'user.password_link_made', subject, after: { by: 'show' } },
    )
    return createOperatorPasswordLink(tx, ctx, user.id, limits.linkMinutes)
  })
}

/**
 * Creates an administrator, or makes the user with the address one, from the command line.
 * @param input.hash of the password; undefined: it is set by a link
 * @returns `link`: sets the password, unless a hash is given; `existingName`: of the user who had the address
 */
export async function addAdministrator(
  ctx: OperatorContext,
  input: { email: string; name: string; hash: string | undefined },
): Promise<{ existingName: string | undefined; link: string | undefined }> {
  return ctx.transaction(async (tx) => {
    const { id, existingName } = await createOrPromoteAdministrator(tx, ctx, input)
    return {
      existingName,
      link: input.hash === undefined ? await createOperatorPasswordLink(tx, ctx, id, limits.linkMinutes) : undefined,
    }
  })
}

/** The name of the role that is created when no role holds every right. */
const newRoleName = 'Beheerder'

interface NewAdministrator {
  email: string
  name: string
  /** From `hashPassword`; omitted: no password is set. */
  hash?: string | undefined
  locale?: Locale | undefined
}

/**
 * Creates an administrator. An existing user with the address gets the role instead, and is unblocked; the name stays. Without
 * another password the existing one stays too, but it expires if somebody else chose it. It is recorded without an actor.
 */
export async function createOrPromoteAdministrator(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  input: NewAdministrator,
): Promise<{ id: number; existingName: string | undefined }> {
  const now = ctx.now()
  const roleId = (await findAdministratorRoleId(tx)) ?? (await insertAdministratorRole(tx, newRoleName, now))
  const existing = await findUserToPromote(tx, input.email)
  const { email, name, locale = defaultLocale } = input
  const id = existing?.id ?? (await insertAdministrator(tx, { email, name, roleId, locale }, now))
  const roleName = await getRoleName(tx, roleId)
  if (existing) await promoteUser(tx, existing.id, roleId, now)
  if (existing && existing.role !== roleName) await revokeAccessObtainedByOthers(tx, [id])
  if (input.hash !== undefined) {
    await upsertPassword(tx, id, { hash: input.hash, chosenByOther: false }, now)
    if (existing) await endSessions(tx, [id])
  }
  await record(
    tx,
    { now: ctx.now, actor: undefined },
    {
      action: existing ? 'user.updated' : 'user.created',
      subject: { type: 'user', id, name: existing?.name ?? name },
      ...(existing && { before: { role: existing.role, blocked: existing.blocked } }),
      after: existing ? { role: roleName, blocked: false } : { email, name, role: roleName },
    },
  )
  return { id, existingName: existing?.name }
}
