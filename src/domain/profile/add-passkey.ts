import { Refusal } from '../../contract/errors.ts'
import type { Passkey } from '../../contract/profile.ts'
import { within } from '../../platform/auth/within.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findPasskey } from './passkey.queries.ts'
import { holdPerson } from './profile.queries.ts'
import { postNotice } from './profile-letter.ts'

/**
 * Adds a passkey to the account of the one who asks.
 * @param input.verify holds the authenticator's answer against what it was asked, and stores the key; its queries take
 * part in the transaction
 * @throws {Refusal} `password_needed`
 */
export async function addPasskey(ctx: Context, input: { verify: () => Promise<{ id: string }> }): Promise<Passkey> {
  const { id } = allow(ctx, [])
  requireConfirmed(ctx)
  const added = await ctx.transaction(async (tx) => {
    const person = await holdPerson(tx, id)
    if (!person) throw new Refusal('signed_out')
    const made = await within(tx, input.verify)
    const passkey = await findPasskey(tx, id, Number(made.id))
    if (!passkey) throw new Error('a passkey was stored for somebody else')
    await record(tx, ctx, {
      action: 'profile.passkey_added',
      subject: { type: 'user', id, name: person.name },
      before: { passkey: null },
      after: { passkey: passkey.name },
    })
    await postNotice(tx, ctx, person, 'passkeyAdded', { passkey: passkey.name })
    return passkey
  })
  ctx.signal.letter()
  return added
}
