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

/** The session of a token, with its user; undefined when the token is not valid. */
export async function findActor(
  ctx: Pick<Context, 'db' | 'now'>,
  token: string | undefined,
): Promise<FoundSession | undefined> {
  return token === undefined ? undefined : findSession(ctx.db, token, ctx.now())
}

/**
 * The last step of every way to sign in: stores its time, remembers the browser as known to this user, and ends the session
 * that the browser had before.
 */
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

/** Ends the session that a browser had before, when a sign-in in it has to wait for its second factor. */
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
 * Revokes the access that a user manager may have obtained to these accounts, when their users gain rights: ends sessions
 * and links, expires passwords that somebody else chose, and deletes the passkeys of users who ever had such a password.
 */
export async function revokeAccessObtainedByOthers(
  tx: Transaction,
  userIds: readonly number[],
  except?: number,
): Promise<void> {
  for (let start = 0; start < userIds.length; start += maxIdsPerStatement) {
    const some = userIds.slice(start, start + maxIdsPerStatement)
    await endSessions(tx, some, except)
    await expirePasswordsChosenByOthers(tx, some)
    await deletePasskeysAfterPasswordChosenByOther(tx, some)
  }
}

/** A role may have very many users, and a statement has a limit of parameters. */
const maxIdsPerStatement = 500

type PasswordSnapshot = { userId: number; hash: string | null } | undefined

/**
 * The password of an address before a sign-in starts; see `endSessionIfPasswordChanged`. Undefined for an unknown address,
 * and for a user who has no password.
 */
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
    const current = await lockPasswordHash(tx, before.userId)
    if (current?.hash === before.hash && !current.expired) return 'unchanged'
    if (token) await deleteSession(tx, token)
    await deletePendingSignIns(tx, [before.userId])
    return current?.hash === before.hash ? 'expired' : 'changed'
  })
}
