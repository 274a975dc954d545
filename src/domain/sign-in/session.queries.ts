import { type Locale, locales } from '../../contract/locales.ts'
import { baseRoleId, isRight } from '../../contract/rights.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Actor } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

export interface FoundSession extends Actor {
  expiresAt: Date
}

/** Who a session's token belongs to, with the rights of both roles. Nobody when it ended or its user is blocked. */
export async function findSession(db: Database, token: string, now: Date): Promise<FoundSession | undefined> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .leftJoin('role_right', (join) =>
      join.on((eb) =>
        eb.or([eb('role_right.role_id', '=', baseRoleId), eb('role_right.role_id', '=', eb.ref('user.role_id'))]),
      ),
    )
    .where('session.token_hash', '=', tokenHash(token))
    .where('session.expires_at', '>', now.toISOString())
    .where('user.blocked', '=', 0)
    .select([
      'user.id',
      'user.name',
      'user.email',
      'user.locale',
      'session.id as session_id',
      'session.expires_at',
      'session.confirmed_at',
      'session.created_at',
      'role_right.right_name',
    ])
    .execute()
  const row = rows[0]
  if (!row) return undefined
  const names = new Set(rows.flatMap(({ right_name }) => (right_name === null ? [] : [right_name])))
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    locale: locales.find((locale): locale is Locale => locale === row.locale) ?? 'nl',
    rights: [...names].filter(isRight),
    sessionId: row.session_id,
    confirmedAt: new Date(row.confirmed_at ?? row.created_at),
    expiresAt: new Date(row.expires_at),
  }
}

/** Ends the sessions of users but one, and the sign-ins that wait for a code. */
export async function deleteSessionsOf(
  tx: Transaction,
  userIds: readonly number[],
  except: number | undefined,
): Promise<void> {
  await tx
    .deleteFrom('session')
    .where('user_id', 'in', userIds)
    .$if(except !== undefined, (query) => query.where('id', '!=', except as number))
    .execute()
  await deleteWaitingOf(tx, userIds)
}

/** Ends the sign-ins of users that wait for a code. */
export async function deleteWaitingOf(tx: Transaction, userIds: readonly number[]): Promise<void> {
  // Better Auth keeps a waiting sign-in under a name of its own; the user's number is all that it says of whose it is.
  await tx.deleteFrom('verification').where('value', 'in', userIds.map(String)).execute()
}

export async function deleteSession(tx: Transaction, token: string): Promise<void> {
  await tx.deleteFrom('session').where('token_hash', '=', tokenHash(token)).execute()
}

export async function updateConfirmed(tx: Transaction, sessionId: number, now: Date): Promise<void> {
  await tx.updateTable('session').set({ confirmed_at: now.toISOString() }).where('id', '=', sessionId).execute()
}
