import { Refusal } from '../../contract/errors.ts'
import type { RecoveryCodes } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { holdPerson } from './profile.queries.ts'
import { postNotice } from './profile-letter.ts'
import { updateRecoveryCodes } from './two-factor.queries.ts'

/**
 * Makes new recovery codes; the old ones work no more.
 * @throws {Refusal} `password_needed`, `stale` when the second step is off
 */
export async function renewRecoveryCodes(ctx: Context): Promise<RecoveryCodes> {
  const { id } = allow(ctx, [])
  requireConfirmed(ctx)
  const auth = await ctx.auth()
  const { newRecoveryCodes } = await import('../../platform/auth/two-factor.ts')
  const codes = await newRecoveryCodes(auth)

  await ctx.transaction(async (tx) => {
    const person = await holdPerson(tx, id)
    if (!person || !(await updateRecoveryCodes(tx, id, codes.kept))) throw new Refusal('stale')
    await record(tx, ctx, {
      action: 'profile.recovery_codes_renewed',
      subject: { type: 'user', id, name: person.name },
    })
    await postNotice(tx, ctx, person, 'recoveryCodes')
  })
  ctx.signal.letter()
  return { recoveryCodes: codes.shown }
}
