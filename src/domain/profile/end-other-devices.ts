import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { deleteOtherDevices } from './device.queries.ts'

/** Signs the one who asks out on every device but this one. */
export async function endOtherDevices(ctx: Context): Promise<void> {
  const { id, name, sessionId } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const count = await deleteOtherDevices(tx, id, sessionId)
    if (count === 0) return
    await record(tx, ctx, {
      action: 'profile.sessions_ended',
      subject: { type: 'user', id, name },
      before: { devices: count + 1 },
      after: { devices: 1 },
    })
  })
}
