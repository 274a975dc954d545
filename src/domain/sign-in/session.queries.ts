import { adminLocale } from '../../contract/locales.ts'
import type { Right } from '../../contract/rights.ts'
import { tokenHash } from '../../platform/auth/token-hash.ts'
import type { Actor } from '../../platform/context.ts'
import { compiledQuery } from '../../platform/db/compiled-query.ts'
import type { Database, Db, Transaction } from '../../platform/db/database.ts'
import { rightNamesColumn, selectUserRights, toRights } from './user-rights.queries.ts'

export interface FoundSession extends Actor {
  expiresAt: Date
}

/** The user of a session token, with their rights. Undefined when the session ended or the user is blocked. */
export async function findSession(db: Database, token: string, now: Date): Promise<FoundSession | undefined> {
  const [row] = await selectSession(db, { hash: tokenHash(token), now: now.toISOString() })
  if (!row) return undefined
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    locale: adminLocale(row.locale),
    rights: toRights(row.right_names?.split(' ') ?? []),
    sessionId: row.session_id,
    confirmedAt: new Date(row.confirmed_at ?? row.created_at),
    expiresAt: new Date(row.expires_at),
  }
}

/** Compiled once, because it runs for every request of a signed-in user. */
const selectSession = compiledQuery((db, { hash, now }: { hash: string; now: string }) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .where('session.token_hash', '=', hash)
    .where('session.expires_at', '>', now)
    .where((eb) => eb('user.blocked', '=', eb.lit(0)))
    .select([
      'user.id',
      'user.name',
      'user.email',
      'user.locale',
      'session.id as session_id',
      'session.expires_at',
      'session.confirmed_at',
      'session.created_at',
      rightNamesColumn.as('right_names'),
    ]),
)

/** The actor's current rights; undefined when the user is blocked or deleted, or the session ended. */
export async function findCurrentRights(
  db: Db,
  actor: { id: number; sessionId: number },
): Promise<Right[] | undefined> {
  const rows = await selectUserRights(db)
    .innerJoin('session', 'session.user_id', 'user.id')
    .where('session.id', '=', actor.sessionId)
    .where('user.id', '=', actor.id)
    .select('role_right.right_name')
    .execute()
  return rows.length === 0 ? undefined : toRights(rows.map((row) => row.right_name))
}

/**
 * Deletes all sessions of users, and their pending second-factor sign-ins.
 * @param except id of a session that stays
 */
export async function deleteUserSessions(
  tx: Transaction,
  userIds: readonly number[],
  except: number | undefined,
): Promise<void> {
  await tx
    .deleteFrom('session')
    .where('user_id', 'in', userIds)
    .$if(except !== undefined, (query) => query.where('id', '!=', except as number))
    .execute()
  await deletePendingSignIns(tx, userIds)
}

/** Deletes the pending second-factor sign-ins of users. */
export async function deletePendingSignIns(tx: Transaction, userIds: readonly number[]): Promise<void> {
  // Better Auth stores a pending sign-in under a random name with the user's id as its only value.
  await tx.deleteFrom('verification').where('value', 'in', userIds.map(String)).execute()
}

export async function deleteSession(tx: Transaction, token: string): Promise<void> {
  await tx.deleteFrom('session').where('token_hash', '=', tokenHash(token)).execute()
}

/** Stores when the user last entered the password in a session. */
export async function updateConfirmedAt(tx: Transaction, sessionId: number, now: Date): Promise<void> {
  await tx.updateTable('session').set({ confirmed_at: now.toISOString() }).where('id', '=', sessionId).execute()
}
