import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import type { Place } from '../sign-in/limit-attempts.ts'
import { requireOwnPassword } from './own-password.ts'
import { holdPerson, updatePerson } from './profile.queries.ts'
import { postNotice } from './profile-letter.ts'
import { deleteTwoFactor } from './two-factor.queries.ts'

/**
 * Turns the second step off; the app's secret and the recovery codes are gone.
 * @throws {Refusal} `password_needed`, `invalid` at `password`, `too_many`, `stale` when it is off by now
 */
export async function turnOffTwoFactor(
  ctx: Context,
  { password }: { password?: string | undefined },
  place: Place,
): Promise<void> {
  const { id } = allow(ctx, [])
  requireConfirmed(ctx)
  await requireOwnPassword(ctx, { path: 'password', password }, place)

  await ctx.transaction(async (tx) => {
    const person = await holdPerson(tx, id)
    if (!person?.twoFactor) throw new Refusal('stale')
    await deleteTwoFactor(tx, id)
    await updatePerson(tx, id, { twoFactor: false }, ctx.now())
    await record(tx, ctx, {
      action: 'profile.two_factor_off',
      subject: { type: 'user', id, name: person.name },
      before: { twoFactor: true },
      after: { twoFactor: false },
    })
    await postNotice(tx, ctx, person, 'twoFactorOff')
  })
  ctx.signal.letter()
}
