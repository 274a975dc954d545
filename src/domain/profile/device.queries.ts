import type { Device } from '../../contract/profile.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

/** The sessions of a user that have not ended, the one seen last first. */
export async function findDevices(
  db: Database,
  wanted: { userId: number; current: number; now: Date },
): Promise<Device[]> {
  const rows = await db
    .selectFrom('session')
    .where('user_id', '=', wanted.userId)
    .where('expires_at', '>', wanted.now.toISOString())
    .select(['id', 'user_agent', 'created_at', 'updated_at'])
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    current: row.id === wanted.current,
    userAgent: row.user_agent || null,
    signedInAt: row.created_at,
    lastSeenAt: row.updated_at,
  }))
}

/** @returns what the browser called itself; undefined when this user has no such session */
export async function deleteDevice(
  tx: Transaction,
  userId: number,
  id: number,
): Promise<{ userAgent: string | null } | undefined> {
  const row = await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('user_agent')
    .executeTakeFirst()
  return row && { userAgent: row.user_agent || null }
}

/** @returns how many there were */
export async function deleteOtherDevices(tx: Transaction, userId: number, except: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '!=', except)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
