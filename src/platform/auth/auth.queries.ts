import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Db } from '../db/database.ts'
import { tokenHash } from './token-hash.ts'

/** Whether this user may not sign in: blocked, or deleted. */
export async function isBlocked(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('user').select('blocked').where('id', '=', userId).executeTakeFirst()
  return row === undefined || row.blocked === 1
}

/** Audits that a sign-in with the identity provider created a user. */
export const recordUserFromProvider = (db: Db, user: { id: string; name: string; email: string }): Promise<void> =>
  recordAsProvider(db, 'user.created', user, { name: user.name, email: user.email })

/** Audits that the identity provider is linked to this user. */
export async function recordProviderLinked(db: Db, userId: number): Promise<void> {
  const user = await db.selectFrom('user').select(['name', 'email']).where('id', '=', userId).executeTakeFirstOrThrow()
  await recordAsProvider(db, 'user.provider_linked', { id: String(userId), ...user }, null)
}

async function recordAsProvider(
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

/** Stores a used code until its expiry, and deletes expired ones. @returns false when it was stored before */
async function insertUsedCode(db: Db, used: { code: string; now: Date; until: Date }): Promise<boolean> {
  await db.deleteFrom('used_code').where('until', '<', used.now.toISOString()).execute()
  const fresh = await db
    .insertInto('used_code')
    .values({ code: used.code, until: used.until.toISOString() })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  return fresh !== undefined
}

/** How long a TOTP code may be accepted, including the tolerance. */
const codeLifetimeMs = 120_000

/** Consumes a TOTP code. @returns false when it was used before */
export function consumeTotpCode(db: Db, userId: number | string, code: string): Promise<boolean> {
  const now = new Date()
  return insertUsedCode(db, {
    code: tokenHash(`${userId}:${code}`),
    now,
    until: new Date(now.getTime() + codeLifetimeMs),
  })
}
