import { Refusal } from '../../contract/errors.ts'
import type { RecoveryCodes } from '../../contract/profile.ts'
import { consumeCode } from '../../platform/auth/used-codes.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { deleteOtherDevices } from './device.queries.ts'
import { holdPerson, updatePerson } from './profile.queries.ts'
import { postNotice } from './profile-letter.ts'
import { findTwoFactor, verifyTwoFactor } from './two-factor.queries.ts'

/**
 * Turns the second step on, with a code of the app that was set up; the other sessions, which never took it, end.
 * @returns codes for when the app is lost; they are shown this once
 * @throws {Refusal} `password_needed`, `invalid` at `code`, `stale` when nothing waits for a code
 */
export async function turnOnTwoFactor(ctx: Context, { code }: { code: string }): Promise<RecoveryCodes> {
  const { id, sessionId } = allow(ctx, [])
  requireConfirmed(ctx)
  const wrong = () => new Refusal('invalid', { problems: [{ path: 'code', key: 'wrongCode' }] })
  const waiting = await findTwoFactor(ctx.db, id)
  if (!waiting || waiting.verified) throw new Refusal('stale')
  const auth = await ctx.auth()
  const { isCodeOf, newRecoveryCodes } = await import('../../platform/auth/two-factor.ts')
  if (!(await isCodeOf(auth, waiting.secret, code))) throw wrong()
  const codes = await newRecoveryCodes(auth)

  await ctx.transaction(async (tx) => {
    const person = await holdPerson(tx, id)
    const kept = { secret: waiting.secret, codes: codes.kept }
    if (!person || !(await verifyTwoFactor(tx, id, kept))) throw new Refusal('stale')
    if (!(await consumeCode(tx, id, code))) throw wrong()
    await updatePerson(tx, id, { twoFactor: true }, ctx.now())
    await deleteOtherDevices(tx, id, sessionId)
    await record(tx, ctx, {
      action: 'profile.two_factor_on',
      subject: { type: 'user', id, name: person.name },
      before: { twoFactor: false },
      after: { twoFactor: true },
    })
    await postNotice(tx, ctx, person, 'twoFactorOn')
  })
  ctx.signal.letter()
  return { recoveryCodes: codes.shown }
}
