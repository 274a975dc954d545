import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Db } from '../db/database.ts'
import { tokenHash } from './token-hash.ts'

/** Whether a user is blocked or does not exist, and so may not sign in. */
export async function isBlockedOrDeleted(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('user').select('blocked').where('id', '=', userId).executeTakeFirst()
  return row === undefined || row.blocked === 1
}

/** Records in the audit log that a sign-in with the identity provider created a user. */
export const recordUserFromProvider = (db: Db, user: { id: string; name: string; email: string }): Promise<void> =>
  insertProviderAudit(db, 'user.created', user, { name: user.name, email: user.email })

/** Records in the audit log that the identity provider was linked to this user. */
export async function recordProviderLinked(db: Db, userId: number): Promise<void> {
  const user = await db.selectFrom('user').select(['name', 'email']).where('id', '=', userId).executeTakeFirstOrThrow()
  await insertProviderAudit(db, 'user.provider_linked', { id: String(userId), ...user }, null)
}

async function insertProviderAudit(
  db: Db,
  action: AuditAction,
  user: { id: string; name: string; email: string },
  after: object | null,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      at: new Date().toISOString(),
      actor_id: null,
      actor_name: 'OIDC',
      action,
      subject_type: 'user',
      subject_id: user.id,
      subject_name: `${user.name} <${user.email}>`,
      before: null,
      after: after && JSON.stringify(after),
    })
    .execute()
}

/** Stores the hash of a used code until it expires, and deletes expired ones. @returns false when it existed */
async function insertUsedCode(db: Db, used: { codeHash: string; now: Date; expiresAt: Date }): Promise<boolean> {
  await db.deleteFrom('used_code').where('until', '<', used.now.toISOString()).execute()
  const inserted = await db
    .insertInto('used_code')
    .values({ code: used.codeHash, until: used.expiresAt.toISOString() })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  return inserted !== undefined
}

/** How long a TOTP code can be valid, including the tolerance. */
const codeLifetimeMs = 120_000

/** Marks a TOTP code of a user as used. @returns false when it was used before */
export function consumeTotpCode(db: Db, userId: number | string, code: string): Promise<boolean> {
  const now = new Date()
  return insertUsedCode(db, {
    codeHash: tokenHash(`${userId}:${code}`),
    now,
    expiresAt: new Date(now.getTime() + codeLifetimeMs),
  })
}
