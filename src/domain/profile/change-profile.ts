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
import { queueConfirmation, queueNotice } from './profile-email.ts'

/**
 * Changes the actor's profile: name and language immediately, the password with the current one, and the address once
 * the link emailed to it is used.
 * @throws {Refusal} `password_needed` for another address, `invalid`, `stale`, `too_many`
 */
export async function changeProfile(ctx: Context, input: ChangedProfile, client: ClientOrigin): Promise<Profile> {
  const actor = allow(ctx, [])
  if (input.email !== actor.email) requireConfirmed(ctx)
  const password = await newPassword(ctx, input, client)

  const changed = await ctx.transaction(async (tx) => {
    const person = await lockProfile(tx, actor.id)
    if (!person) throw new Refusal('signed_out')
    if (isStale(input, person)) throw new Refusal('stale', { current: await getProfile(ctx, tx) })
    const now = await changePerson(tx, ctx, person, input)
    if (password) await changePassword(tx, ctx, now, { ...password, sessionId: actor.sessionId })
    if (input.email !== now.email) await requestEmailChange(tx, ctx, now, input.email)
    return getProfile(ctx, tx)
  })
  ctx.wake.email()
  return changed
}

/** Hashes are computed before the transaction, because password hashing is slow by design. */
async function newPassword(
  ctx: Context,
  { email, password, currentPassword }: ChangedProfile,
  client: ClientOrigin,
): Promise<{ before: string | undefined; hash: string } | undefined> {
  if (password === undefined) return undefined
  const before = await requireOwnPassword(ctx, { path: 'currentPassword', password: currentPassword }, client)
  return { before, hash: await hashNewPassword(password, email) }
}

async function changePerson(
  tx: Transaction,
  ctx: Context,
  person: StoredProfile,
  { name, locale, reviewEmails = person.reviewEmails }: ChangedProfile,
): Promise<StoredProfile> {
  if (name === person.name && locale === person.locale && reviewEmails === person.reviewEmails) return person
  await updateProfileRow(tx, person.id, { name, locale, reviewEmails }, ctx.now())
  await record(tx, ctx, {
    action: 'profile.changed',
    subject: { type: 'user', id: person.id, name },
    before: { name: person.name, locale: person.locale, reviewEmails: person.reviewEmails },
    after: { name, locale, reviewEmails },
  })
  return { ...person, name, locale, reviewEmails }
}

async function changePassword(
  tx: Transaction,
  ctx: Context,
  person: StoredProfile,
  made: { before: string | undefined; hash: string; sessionId: number },
): Promise<void> {
  // The password may have changed since it was verified.
  if ((await findPasswordHash(tx, person.id)) !== made.before) throw new Refusal('stale')
  // The current password may have been chosen by another user, who may be changing it now.
  await upsertPassword(tx, person.id, { hash: made.hash, chosenByOther: 'unchanged' }, ctx.now())
  await endSessions(tx, [person.id], made.sessionId)
  await record(tx, ctx, {
    action: 'profile.password_changed',
    subject: { type: 'user', id: person.id, name: person.name },
  })
  await queueNotice(tx, ctx, person, 'passwordChanged')
}

/** Whether another user has the address is disclosed only in the email to that address: see `createConfirmation`. */
async function requestEmailChange(tx: Transaction, ctx: Context, person: StoredProfile, email: string): Promise<void> {
  requireConfirmed(ctx)
  await refuseTooMany(tx, ctx, 'profile.email_asked', [
    { by: { actorId: person.id }, maxCount: limits.emailChangesPerHour, windowMs: 3_600_000 },
  ])
  // This reserves the change for as long as the email may be queued; the emailed link replaces it.
  await createLink(tx, ctx, { purpose: 'email', userId: person.id, email, minutes: limits.emailChangeMinutes })
  await queueConfirmation(tx, ctx, { ...person, email })
  await queueNotice(tx, ctx, person, 'emailAsked', { newEmail: email })
  await record(tx, ctx, {
    action: 'profile.email_asked',
    subject: { type: 'user', id: person.id, name: person.name },
    after: { newEmail: email },
  })
}

/** The actor's sessions. */
export async function listOwnSessions(ctx: Context): Promise<Session[]> {
  const { id, sessionId } = allow(ctx, [])
  return listUserSessions(ctx.db, { userId: id, current: sessionId, now: ctx.now() })
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
