import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { verifyPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { findPasswordHash } from '../sign-in/find-password-hash.ts'
import { countAttempt, type Place } from '../sign-in/limit-attempts.ts'

/**
 * Lets through who gives their own password; who has none has to have signed in just now. Tries are counted as those of
 * a sign-in. Call it before a transaction: it takes time on purpose.
 * @param given `path` is the field that the password came in
 * @returns the hash that it was held against; undefined when there is none
 * @throws {Refusal} `invalid` at the field, `password_needed`, `too_many`
 */
export async function requireOwnPassword(
  ctx: Context,
  given: { path: string; password: string | undefined },
  place: Place,
): Promise<string | undefined> {
  const { id, email } = allow(ctx, [])
  const { path, password } = given
  const hash = await findPasswordHash(ctx.db, id)
  if (hash === undefined) {
    requireConfirmed(ctx)
    return undefined
  }
  const refuse = (key: FieldProblem['key']) => new Refusal('invalid', { problems: [{ path, key }] })
  if (!password) throw refuse('required')
  const tries = await countAttempt(ctx, email, place)
  if (!(await verifyPassword({ hash, password }))) throw refuse('wrongPassword')
  await tries.takeBack()
  return hash
}
