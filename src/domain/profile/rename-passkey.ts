import { Refusal } from '../../contract/errors.ts'
import type { Passkey } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findPasskey, updatePasskeyName } from './passkey.queries.ts'

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
