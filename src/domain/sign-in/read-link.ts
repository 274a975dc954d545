import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Context } from '../../platform/context.ts'
import { findLink } from './link.queries.ts'
import { findOpenUser } from './user.queries.ts'

/** Whose password a link sets; undefined when it does not work, or no more. Looking uses nothing up: programs that read mail look too. */
export async function readPasswordLink(
  ctx: Pick<Context, 'db' | 'now'>,
  token: string,
): Promise<{ email: string } | undefined> {
  const link = await findLink(ctx.db, { purpose: 'password', tokenHash: tokenHash(token) }, ctx.now())
  if (!link || link.userId === null) return undefined
  const user = await findOpenUser(ctx.db, link.userId)
  return user && { email: user.email }
}

/** Whether a link still confirms an address. */
export async function isEmailLinkOpen(ctx: Pick<Context, 'db' | 'now'>, token: string): Promise<boolean> {
  return (await findLink(ctx.db, { purpose: 'email', tokenHash: tokenHash(token) }, ctx.now())) !== undefined
}
