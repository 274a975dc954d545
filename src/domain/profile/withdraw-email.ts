import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { endLinks } from '../sign-in/end-links.ts'
import { findNewEmail } from './profile.queries.ts'

/**
 * Leaves the address as it is: the link that was sent ends.
 * @throws {Refusal} `not_found` when no address waits
 */
export async function withdrawEmail(ctx: Context): Promise<void> {
  const { id, name } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const newEmail = await findNewEmail(tx, id, ctx.now())
    if (newEmail === null) throw new Refusal('not_found')
    await endLinks(tx, [id], 'email')
    await record(tx, ctx, {
      action: 'profile.email_withdrawn',
      subject: { type: 'user', id, name },
      before: { newEmail },
      after: { newEmail: null },
    })
  })
}
