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
 * @throws {Refusal} `invalid` at `password` for one that is easily guessed: common, or equal to the account's address
 */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  const refuse = (key: ValidationKey) => new Refusal('invalid', { problems: [{ path: 'password', key }] })
  const lower = password.trim().toLowerCase()
  if (lower === email.toLowerCase() || lower === nameFromEmail(email).toLowerCase()) throw refuse('passwordIsEmail')
  if (isCommonPassword(password)) throw refuse('passwordCommon')
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
  const tries = await countAttempt(ctx, actor.email, client)
  if (!(await verifyPassword({ hash, password: input.password }))) {
    throw new Refusal('invalid', { problems: [{ path: 'password', key: 'wrongPassword' }] })
  }
  await tries.uncount()
  await ctx.transaction((tx) => updateConfirmedAt(tx, actor.sessionId, ctx.now()))
}
