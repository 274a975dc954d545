import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { deletePasskey, findPasskey } from './passkey.queries.ts'
import { postNotice } from './profile-letter.ts'

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
    await postNotice(tx, ctx, actor, 'passkeyRemoved', { passkey: passkey.name })
  })
  ctx.signal.letter()
}
