import { Refusal } from '../../contract/errors.ts'
import type { Passkey } from '../../contract/profile.ts'
import { runInTransaction } from '../../platform/auth/current-transaction.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { deletePasskey, findPasskey, lockProfile, updatePasskeyName } from './profile.queries.ts'
import { queueNotice } from './profile-email.ts'

/**
 * Adds a passkey to the actor's account.
 * @param input.verify verifies the authenticator's response against the challenge and stores the key, within the
 * transaction; returns the id of the row
 * @throws {Refusal} `password_needed`; and the errors of `verify`
 */
export async function addPasskey(ctx: Context, input: { verify: () => Promise<{ id: string }> }): Promise<Passkey> {
  const { id } = allow(ctx, [])
  requireConfirmed(ctx)
  const newPasskey = await ctx.transaction(async (tx) => {
    const user = await lockProfile(tx, id)
    if (!user) throw new Refusal('signed_out')
    const verified = await runInTransaction(tx, input.verify)
    const passkey = await findPasskey(tx, id, Number(verified.id))
    if (!passkey) throw new Error('a passkey was stored for somebody else')
    await record(tx, ctx, {
      action: 'profile.passkey_added',
      subject: { type: 'user', id, name: user.name },
      before: { passkey: null },
      after: { passkey: passkey.name },
    })
    await queueNotice(tx, ctx, user, 'passkeyAdded', { passkey: passkey.name })
    return passkey
  })
  ctx.wake.email()
  return newPasskey
}

/** @throws {Refusal} `password_needed`, `not_found` for the passkeys of others too */
export async function renamePasskey(ctx: Context, id: number, { name }: { name: string }): Promise<Passkey> {
  const actor = allow(ctx, [])
  requireConfirmed(ctx)
  return ctx.transaction(async (tx) => {
    const passkey = await findPasskey(tx, actor.id, id)
    if (!passkey) throw new Refusal('not_found')
    await updatePasskeyName(tx, id, name)
    await record(tx, ctx, {
      action: 'profile.passkey_renamed',
      subject: { type: 'user', id: actor.id, name: actor.name },
      before: { passkey: passkey.name },
      after: { passkey: name },
    })
    return { ...passkey, name }
  })
}

/** @throws {Refusal} `password_needed`, `not_found` for the passkeys of others too */
export async function removePasskey(ctx: Context, id: number): Promise<void> {
  const actor = allow(ctx, [])
  requireConfirmed(ctx)
  await ctx.transaction(async (tx) => {
    const passkey = await findPasskey(tx, actor.id, id)
    if (!passkey) throw new Refusal('not_found')
    await deletePasskey(tx, id)
    await record(tx, ctx, {
      action: 'profile.passkey_removed',
      subject: { type: 'user', id: actor.id, name: actor.name },
      before: { passkey: passkey.name },
      after: { passkey: null },
    })
    await queueNotice(tx, ctx, actor, 'passkeyRemoved', { passkey: passkey.name })
  })
  ctx.wake.email()
}
