import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { verifyPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { findPasswordHash } from '../sign-in/account.queries.ts'
import { type ClientOrigin, countAttempt } from '../sign-in/limit-attempts.ts'

/**
 * Verifies the actor's own password; an actor without a password must have signed in recently. Attempts count towards
 * the sign-in limit. Call it before a transaction: password hashing is slow by design.
 * @param input `path` is the field of the password in the request
 * @returns the hash that it was verified against; undefined for an actor without a password
 * @throws {Refusal} `invalid` at the field, `password_needed`, `too_many`
 */
export async function requireOwnPassword(
  ctx: Context,
  input: { path: string; password: string | undefined },
  client: ClientOrigin,
): Promise<string | undefined> {
  const { id, email } = allow(ctx, [])
  const { path, password } = input
  const hash = await findPasswordHash(ctx.db, id)
  if (hash === undefined) {
    requireConfirmed(ctx)
    return undefined
  }
  const toRefusal = (key: FieldProblem['key']) => new Refusal('invalid', { problems: [{ path, key }] })
  if (!password) throw toRefusal('required')
  const attempt = await countAttempt(ctx, email, client)
  if (!(await verifyPassword({ hash, password }))) throw toRefusal('wrongPassword')
  await attempt.uncount()
  return hash
}
