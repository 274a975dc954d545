import type { AuditAction } from '../../contract/audit.ts'
import type { Database, Transaction } from '../db/database.ts'

/** Whether nobody signs in as this user: blocked, or not there. */
export async function isBlocked(db: Database | Transaction, userId: number): Promise<boolean> {
  const row = await db.selectFrom('user').select('blocked').where('id', '=', userId).executeTakeFirst()
  return row === undefined || row.blocked === 1
}

/** Notes that a sign-in by the identity provider made a user. */
export const recordProvidedUser = (
  db: Database | Transaction,
  user: { id: string; name: string; email: string },
): Promise<void> => recordOfProvider(db, 'user.created', user, { name: user.name, email: user.email })

/** Notes that the identity provider may sign this user in from now on. */
export async function recordLink(db: Database | Transaction, userId: number): Promise<void> {
  const user = await db.selectFrom('user').select(['name', 'email']).where('id', '=', userId).executeTakeFirstOrThrow()
  await recordOfProvider(db, 'user.provider_linked', { id: String(userId), ...user }, null)
}

async function recordOfProvider(
  db: Database | Transaction,
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

/** Keeps what was used until an instant, and forgets what is past it. @returns false when it was kept before */
export async function keepUsedCode(
  db: Database | Transaction,
  used: { code: string; now: Date; until: Date },
): Promise<boolean> {
  await db.deleteFrom('used_code').where('until', '<', used.now.toISOString()).execute()
  const fresh = await db
    .insertInto('used_code')
    .values({ code: used.code, until: used.until.toISOString() })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  return fresh !== undefined
}
