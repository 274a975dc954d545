import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import {
  deletePasskeysAfterPasswordChosenByOther,
  expirePasswordsChosenByOthers,
  findPasswordByEmail,
  lockPasswordHash,
} from './account.queries.ts'
import { type ClientOrigin, rememberKnownBrowser } from './limit-attempts.ts'
import { deleteUserLinks } from './link.queries.ts'
import {
  deletePendingSignIns,
  deleteSession,
  deleteUserSessions,
  type FoundSession,
  findSession,
} from './session.queries.ts'
import { updateLastSignedIn } from './user.queries.ts'

/** The user of a session token; undefined when the token is not valid. */
export async function findActor(
  ctx: Pick<Context, 'db' | 'now'>,
  token: string | undefined,
): Promise<FoundSession | undefined> {
  return token === undefined ? undefined : findSession(ctx.db, token, ctx.now())
}

/** The last step of every way to sign in: remembers the browser, and ends the session that it had before. */
export async function recordSignIn(
  ctx: Pick<Context, 'now' | 'secret' | 'site' | 'transaction'>,
  input: { user: { id: number; email: string }; client: ClientOrigin; tokenBefore: string | undefined },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await updateLastSignedIn(tx, input.user.id, ctx.now())
    await rememberKnownBrowser(tx, ctx, input.user.email, input.client)
    if (input.tokenBefore) await deleteSession(tx, input.tokenBefore)
  })
}

/** Ends the session with this token while a sign-in waits for its second factor. */
export async function endSessionByToken(ctx: Pick<Context, 'transaction'>, token: string): Promise<void> {
  await ctx.transaction((tx) => deleteSession(tx, token))
}

/**
 * Ends the sessions of users in every browser, their pending second-factor sign-ins and their open links. Call it
 * whenever a password is set, a user is blocked, or another user changes the address.
 * @param except id of a session that stays: the actor's own
 */
export async function endSessions(tx: Transaction, userIds: readonly number[], except?: number): Promise<void> {
  if (userIds.length === 0) return
  await deleteUserSessions(tx, userIds, except)
  await deleteUserLinks(tx, userIds)
}

/**
 * Revokes access that other users may have obtained, when users gain rights: a user manager could have created a
 * session or link, or chosen the password. Such a password expires, and passkeys that may have been added with one are
 * deleted, also when the user has chosen another password since.
 */
export async function revokeAccessObtainedByOthers(
  tx: Transaction,
  userIds: readonly number[],
  except?: number,
): Promise<void> {
  for (let at = 0; at < userIds.length; at += batch) {
    const some = userIds.slice(at, at + batch)
    await endSessions(tx, some, except)
    await expirePasswordsChosenByOthers(tx, some)
    await deletePasskeysAfterPasswordChosenByOther(tx, some)
  }
}

/** Values per statement. */
const batch = 500

type PasswordSnapshot = { userId: number; hash: string | null } | undefined

/** The password of an address before a sign-in starts; see `endSessionIfPasswordChanged`. */
export const findPasswordSnapshot = (ctx: Pick<Context, 'db'>, email: string): Promise<PasswordSnapshot> =>
  findPasswordByEmail(ctx.db, email)

/**
 * Ends the new session of a sign-in when its password has expired, or was changed during the sign-in: the change could
 * not end a session that did not exist yet.
 */
export async function endSessionIfPasswordChanged(
  ctx: Pick<Context, 'transaction'>,
  before: PasswordSnapshot,
  token: string | undefined,
): Promise<'unchanged' | 'changed' | 'expired'> {
  if (!before) return 'unchanged'
  return ctx.transaction(async (tx) => {
    const now = await lockPasswordHash(tx, before.userId)
    if (now?.hash === before.hash && !now.expired) return 'unchanged'
    if (token) await deleteSession(tx, token)
    await deletePendingSignIns(tx, [before.userId])
    return now?.hash === before.hash ? 'expired' : 'changed'
  })
}
