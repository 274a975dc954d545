import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { deleteDevice } from './device.queries.ts'

/**
 * Signs the one who asks out on one device.
 * @throws {Refusal} `not_found`, for the sessions of others too
 */
export async function endDevice(ctx: Context, sessionId: number): Promise<void> {
  const { id, name } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const ended = await deleteDevice(tx, id, sessionId)
    if (!ended) throw new Refusal('not_found')
    await record(tx, ctx, {
      action: 'profile.session_ended',
      subject: { type: 'user', id, name },
      before: { device: ended.userAgent },
      after: { device: null },
    })
  })
}
