import { Refusal } from '../../contract/errors.ts'
import type { TwoFactorStart } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { holdPerson } from './profile.queries.ts'
import { upsertWaitingTwoFactor } from './two-factor.queries.ts'

/**
 * Makes a secret for the authenticator app of the one who asks. Nothing counts until a code of it is given.
 * @throws {Refusal} `password_needed`, `stale` when the second step is on by now
 */
export async function startTwoFactor(ctx: Context): Promise<TwoFactorStart> {
  const actor = allow(ctx, [])
  requireConfirmed(ctx)
  const auth = await ctx.auth()
  const { renderSVG } = await import('uqr')
  const { newSecret, newRecoveryCodes } = await import('../../platform/auth/two-factor.ts')
  const { secret, uri, kept } = await newSecret(auth, ctx.site.brand, actor.email)
  // The column wants codes; nobody sees these, and turning it on makes others.
  const unseen = await newRecoveryCodes(auth)

  await ctx.transaction(async (tx) => {
    const person = await holdPerson(tx, actor.id)
    if (!person || person.twoFactor) throw new Refusal('stale')
    await upsertWaitingTwoFactor(tx, actor.id, { secret: kept, codes: unseen.kept })
  })
  return { secret, uri, qr: renderSVG(uri, { ecc: 'M', border: 4 }) }
}
