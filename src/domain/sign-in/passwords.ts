import { Refusal, type ValidationKey } from '../../contract/errors.ts'
import { nameFromEmail } from '../../contract/users.ts'
import { hashPassword, isCommonPassword, verifyPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findPasswordHash } from './account.queries.ts'
import { type ClientOrigin, countAttempt } from './limit-attempts.ts'
import { updateConfirmedAt } from './session.queries.ts'

/**
 * Hashes a new password. Call it before a transaction: hashing is slow by design.
 * @param email of the account
 * @throws {Refusal} `invalid` at `password` for one that is easily guessed: a common one, or the address of the account
 * with or without its domain
 */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  const toRefusal = (key: ValidationKey) => new Refusal('invalid', { problems: [{ path: 'password', key }] })
  const lowerCase = password.trim().toLowerCase()
  if (lowerCase === email.toLowerCase() || lowerCase === nameFromEmail(email).toLowerCase())
    throw toRefusal('passwordIsEmail')
  if (isCommonPassword(password)) throw toRefusal('passwordCommon')
  return hashPassword(password)
}

/**
 * Reauthenticates the actor: sensitive actions are allowed in this session for ten minutes.
 * @throws {Refusal} `invalid`, `too_many`; `password_needed` for a user without a password, who confirms by signing in
 * again
 */
export async function confirmPassword(ctx: Context, input: { password: string }, client: ClientOrigin): Promise<void> {
  const actor = allow(ctx, [])
  const hash = await findPasswordHash(ctx.db, actor.id)
  if (hash === undefined) throw new Refusal('password_needed')
  const attempt = await countAttempt(ctx, actor.email, client)
  if (!(await verifyPassword({ hash, password: input.password }))) {
    throw new Refusal('invalid', { problems: [{ path: 'password', key: 'wrongPassword' }] })
  }
  await attempt.uncount()
  await ctx.transaction((tx) => updateConfirmedAt(tx, actor.sessionId, ctx.now()))
}
