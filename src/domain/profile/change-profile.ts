import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { ChangedProfile, Profile, Session } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow, isStale, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { refuseTooMany } from '../audit/refuse-too-many.ts'
import { findPasswordHash, upsertPassword } from '../sign-in/account.queries.ts'
import type { ClientOrigin } from '../sign-in/limit-attempts.ts'
import { createLink } from '../sign-in/links.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { endSessions } from '../sign-in/sessions.ts'
import { getProfile } from './get-profile.ts'
import { requireOwnPassword } from './own-password.ts'
import {
  deleteOtherSessions,
  deleteUserSession,
  listUserSessions,
  lockProfile,
  type StoredProfile,
  updateProfileRow,
} from './profile.queries.ts'
import { queueConfirmationEmail, queueNotice } from './profile-email.ts'

/**
 * Changes the actor's profile. Name, language and emails about reviews change at once; so does the password, for which
 * `currentPassword` is verified. The address changes when the link in the email to the new address is used.
 * @throws {Refusal} `password_needed` for another address, or for a first password; `invalid`, `stale`, `too_many`
 */
export async function changeProfile(ctx: Context, input: ChangedProfile, client: ClientOrigin): Promise<Profile> {
  const actor = allow(ctx, [])
  if (input.email !== actor.email) requireConfirmed(ctx)
  const passwordChange = await preparePasswordChange(ctx, input, client)

  const changed = await ctx.transaction(async (tx) => {
    const user = await lockProfile(tx, actor.id)
    if (!user) throw new Refusal('signed_out')
    if (isStale(input, user)) throw new Refusal('stale', { current: await getProfile(ctx, tx) })
    const current = await changeSettings(tx, ctx, user, input)
    if (passwordChange) await changePassword(tx, ctx, current, { ...passwordChange, sessionId: actor.sessionId })
    if (input.email !== current.email) await requestEmailChange(tx, ctx, current, input.email)
    return getProfile(ctx, tx)
  })
  ctx.wake.email()
  return changed
}

interface PasswordChange {
  /** Undefined: the actor has no password yet. */
  currentHash: string | undefined
  newHash: string
}

/**
 * Verifies the current password and hashes the new one; undefined when the password stays. Call it before the
 * transaction: password hashing is slow by design.
 */
async function preparePasswordChange(
  ctx: Context,
  { email, password, currentPassword }: ChangedProfile,
  client: ClientOrigin,
): Promise<PasswordChange | undefined> {
  if (password === undefined) return undefined
  const currentHash = await requireOwnPassword(ctx, { path: 'currentPassword', password: currentPassword }, client)
  return { currentHash, newHash: await hashNewPassword(password, email) }
}

/** Stores name, language and emails about reviews, if any of them differs. @returns the user after it */
async function changeSettings(
  tx: Transaction,
  ctx: Context,
  user: StoredProfile,
  { name, locale, reviewEmails = user.reviewEmails }: ChangedProfile,
): Promise<StoredProfile> {
  if (name === user.name && locale === user.locale && reviewEmails === user.reviewEmails) return user
  await updateProfileRow(tx, user.id, { name, locale, reviewEmails }, ctx.now())
  await record(tx, ctx, {
    action: 'profile.changed',
    subject: { type: 'user', id: user.id, name },
    before: { name: user.name, locale: user.locale, reviewEmails: user.reviewEmails },
    after: { name, locale, reviewEmails },
  })
  return { ...user, name, locale, reviewEmails }
}

async function changePassword(
  tx: Transaction,
  ctx: Context,
  user: StoredProfile,
  { currentHash, newHash, sessionId }: PasswordChange & { sessionId: number },
): Promise<void> {
  // The password may have changed since it was verified.
  if ((await findPasswordHash(tx, user.id)) !== currentHash) throw new Refusal('stale')
  // `unchanged`: if another user chose the current password, that user may be the one who changes it now.
  await upsertPassword(tx, user.id, { hash: newHash, chosenByOther: 'unchanged' }, ctx.now())
  await endSessions(tx, [user.id], sessionId)
  await record(tx, ctx, {
    action: 'profile.password_changed',
    subject: { type: 'user', id: user.id, name: user.name },
  })
  await queueNotice(tx, ctx, user, 'passwordChanged')
}

/**
 * Queues an email with a confirmation link to the new address, and a notice to the current one. Only the email to the
 * new address tells whether another user has it: see `prepareConfirmationEmail`.
 */
async function requestEmailChange(tx: Transaction, ctx: Context, user: StoredProfile, email: string): Promise<void> {
  // Again: the address may have been changed since `actor` was read, so that the first check was skipped.
  requireConfirmed(ctx)
  await refuseTooMany(tx, ctx, 'profile.email_asked', [
    { by: { actorId: user.id }, maxCount: limits.emailChangesPerHour, windowMs: 3_600_000 },
  ])
  // This link is never sent: it makes the change pending while the email is queued, and the emailed link replaces it.
  await createLink(tx, ctx, { purpose: 'email', userId: user.id, email, minutes: limits.emailChangeMinutes })
  await queueConfirmationEmail(tx, ctx, { ...user, email })
  await queueNotice(tx, ctx, user, 'emailAsked', { newEmail: email })
  await record(tx, ctx, {
    action: 'profile.email_asked',
    subject: { type: 'user', id: user.id, name: user.name },
    after: { newEmail: email },
  })
}

/** The actor's sessions. */
export async function listOwnSessions(ctx: Context): Promise<Session[]> {
  const { id, sessionId } = allow(ctx, [])
  return listUserSessions(ctx.db, { userId: id, currentId: sessionId, now: ctx.now() })
}

/** Ends one of the actor's sessions. @throws {Refusal} `not_found`, for the sessions of others too */
export async function endOwnSession(ctx: Context, sessionId: number): Promise<void> {
  const { id, name } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const ended = await deleteUserSession(tx, id, sessionId)
    if (!ended) throw new Refusal('not_found')
    await record(tx, ctx, {
      action: 'profile.session_ended',
      subject: { type: 'user', id, name },
      before: { device: ended.userAgent },
      after: { device: null },
    })
  })
}

/** Ends all sessions of the actor except the current one. */
export async function endOtherSessions(ctx: Context): Promise<void> {
  const { id, name, sessionId } = allow(ctx, [])
  await ctx.transaction(async (tx) => {
    const count = await deleteOtherSessions(tx, id, sessionId)
    if (count === 0) return
    await record(tx, ctx, {
      action: 'profile.sessions_ended',
      subject: { type: 'user', id, name },
      before: { devices: count + 1 },
      after: { devices: 1 },
    })
  })
}
