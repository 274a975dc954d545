import { Refusal } from '../../contract/errors.ts'
import type { RecoveryCodes, TwoFactorStart } from '../../contract/profile.ts'
import { consumeTotpCode } from '../../platform/auth/auth.queries.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import type { ClientOrigin } from '../sign-in/limit-attempts.ts'
import { requireOwnPassword } from './own-password.ts'
import { deleteOtherSessions, lockProfile, updateProfileRow } from './profile.queries.ts'
import { queueNotice } from './profile-email.ts'
import {
  deleteTwoFactor,
  findTwoFactor,
  markTwoFactorVerified,
  updateRecoveryCodes,
  upsertPendingTwoFactor,
} from './two-factor.queries.ts'

/**
 * Creates a secret for the actor's authenticator app. It is inactive until a code is verified.
 * @throws {Refusal} `password_needed`, `stale` when the second factor is already on
 */
export async function startTwoFactor(ctx: Context): Promise<TwoFactorStart> {
  const actor = allow(ctx, [])
  requireConfirmed(ctx)
  const auth = await ctx.auth()
  const { renderSVG } = await import('uqr')
  const { createTotpSecret, createRecoveryCodes } = await import('../../platform/auth/two-factor.ts')
  const { secret, uri, encryptedSecret } = await createTotpSecret(auth, ctx.site.brand, actor.email)
  // The column is required; these codes are never shown and are replaced on activation.
  const placeholder = await createRecoveryCodes(auth)

  await ctx.transaction(async (tx) => {
    const user = await lockProfile(tx, actor.id)
    if (!user || user.twoFactor) throw new Refusal('stale')
    await upsertPendingTwoFactor(tx, actor.id, { secret: encryptedSecret, codes: placeholder.encrypted })
  })
  return { secret, uri, qr: renderSVG(uri, { ecc: 'M', border: 4 }) }
}

/**
 * Turns the second factor on with a code from the app that was set up. The actor's other sessions end, because they
 * began without it.
 * @returns recovery codes, which are shown only once
 * @throws {Refusal} `password_needed`, `invalid` at `code`, `stale` when no setup is pending
 */
export async function turnOnTwoFactor(ctx: Context, { code }: { code: string }): Promise<RecoveryCodes> {
  const { id, sessionId } = allow(ctx, [])
  requireConfirmed(ctx)
  const wrongCode = () => new Refusal('invalid', { problems: [{ path: 'code', key: 'wrongCode' }] })
  const pending = await findTwoFactor(ctx.db, id)
  if (!pending || pending.verified) throw new Refusal('stale')
  const auth = await ctx.auth()
  const { verifyTotpCode, createRecoveryCodes } = await import('../../platform/auth/two-factor.ts')
  if (!(await verifyTotpCode(auth, pending.secret, code))) throw wrongCode()
  const recovery = await createRecoveryCodes(auth)

  await ctx.transaction(async (tx) => {
    const user = await lockProfile(tx, id)
    const encrypted = { secret: pending.secret, codes: recovery.encrypted }
    if (!user || !(await markTwoFactorVerified(tx, id, encrypted))) throw new Refusal('stale')
    if (!(await consumeTotpCode(tx, id, code))) throw wrongCode()
    await updateProfileRow(tx, id, { twoFactor: true }, ctx.now())
    await deleteOtherSessions(tx, id, sessionId)
    await record(tx, ctx, {
      action: 'profile.two_factor_on',
      subject: { type: 'user', id, name: user.name },
      before: { twoFactor: false },
      after: { twoFactor: true },
    })
    await queueNotice(tx, ctx, user, 'twoFactorOn')
  })
  ctx.wake.email()
  return { recoveryCodes: recovery.codes }
}

/**
 * Turns the second factor off and deletes the secret and the recovery codes.
 * @throws {Refusal} `password_needed`, `invalid` at `password`, `too_many`, `stale` when it is already off
 */
export async function turnOffTwoFactor(
  ctx: Context,
  { password }: { password?: string | undefined },
  client: ClientOrigin,
): Promise<void> {
  const { id } = allow(ctx, [])
  requireConfirmed(ctx)
  await requireOwnPassword(ctx, { path: 'password', password }, client)

  await ctx.transaction(async (tx) => {
    const user = await lockProfile(tx, id)
    if (!user?.twoFactor) throw new Refusal('stale')
    await deleteTwoFactor(tx, id)
    await updateProfileRow(tx, id, { twoFactor: false }, ctx.now())
    await record(tx, ctx, {
      action: 'profile.two_factor_off',
      subject: { type: 'user', id, name: user.name },
      before: { twoFactor: true },
      after: { twoFactor: false },
    })
    await queueNotice(tx, ctx, user, 'twoFactorOff')
  })
  ctx.wake.email()
}

/**
 * Replaces the recovery codes.
 * @returns the new ones, which are shown only once
 * @throws {Refusal} `password_needed`, `stale` when the second factor is off
 */
export async function renewRecoveryCodes(ctx: Context): Promise<RecoveryCodes> {
  const { id } = allow(ctx, [])
  requireConfirmed(ctx)
  const auth = await ctx.auth()
  const { createRecoveryCodes } = await import('../../platform/auth/two-factor.ts')
  const recovery = await createRecoveryCodes(auth)

  await ctx.transaction(async (tx) => {
    const user = await lockProfile(tx, id)
    if (!user || !(await updateRecoveryCodes(tx, id, recovery.encrypted))) throw new Refusal('stale')
    await record(tx, ctx, {
      action: 'profile.recovery_codes_renewed',
      subject: { type: 'user', id, name: user.name },
    })
    await queueNotice(tx, ctx, user, 'recoveryCodes')
  })
  ctx.wake.email()
  return { recoveryCodes: recovery.codes }
}
