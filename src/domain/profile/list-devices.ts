import type { Device } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { findDevices } from './device.queries.ts'

/** Where the one who asks is signed in. */
export async function listDevices(ctx: Context): Promise<Device[]> {
  const { id, sessionId } = allow(ctx, [])
  return findDevices(ctx.db, { userId: id, current: sessionId, now: ctx.now() })
}
