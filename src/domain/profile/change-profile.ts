import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { ChangedProfile, Profile } from '../../contract/profile.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { refuseTooMany } from '../audit/refuse-too-many.ts'
import { endSessions } from '../sign-in/end-sessions.ts'
import { findPasswordHash } from '../sign-in/find-password-hash.ts'
import type { Place } from '../sign-in/limit-attempts.ts'
import { makeLink } from '../sign-in/make-link.ts'
import { setPassword } from '../sign-in/set-password.ts'
import { requireOwnPassword } from './own-password.ts'
import { type FoundPerson, holdPerson, updatePerson } from './profile.queries.ts'
import { postConfirmation, postNotice } from './profile-letter.ts'
import { showProfile } from './show-profile.ts'

/**
 * Changes the one who asks: name and language at once, a password with the current one, and the address when the link
 * that goes there by mail is used.
 * @throws {Refusal} `password_needed` for another address, `invalid`, `stale`, `too_many`
 */
export async function changeProfile(ctx: Context, input: ChangedProfile, place: Place): Promise<Profile> {
  const actor = allow(ctx, [])
  if (input.email !== actor.email) requireConfirmed(ctx)
  const password = await newPassword(ctx, input, place)

  const changed = await ctx.transaction(async (tx) => {
    const person = await holdPerson(tx, actor.id)
    if (!person) throw new Refusal('signed_out')
    if (input.version !== undefined && input.version !== person.version) {
      throw new Refusal('stale', { current: await showProfile(ctx, tx) })
    }
    const now = await changePerson(tx, ctx, person, input)
    if (password) await changePassword(tx, ctx, now, { ...password, sessionId: actor.sessionId })
    if (input.email !== now.email) await askForEmail(tx, ctx, now, input.email)
    return showProfile(ctx, tx)
  })
  ctx.signal.letter()
  return changed
}

/** Both hashes, made before the transaction: they take time on purpose. */
async function newPassword(
  ctx: Context,
  { password, currentPassword }: ChangedProfile,
  place: Place,
): Promise<{ before: string | undefined; hash: string } | undefined> {
  if (password === undefined) return undefined
  const before = await requireOwnPassword(ctx, { path: 'currentPassword', password: currentPassword }, place)
  return { before, hash: await hashPassword(password) }
}

async function changePerson(
  tx: Transaction,
  ctx: Context,
  person: FoundPerson,
  { name, locale }: ChangedProfile,
): Promise<FoundPerson> {
  if (name === person.name && locale === person.locale) return person
  await updatePerson(tx, person.id, { name, locale }, ctx.now())
  await record(tx, ctx, {
    action: 'profile.changed',
    subject: { type: 'user', id: person.id, name },
    before: { name: person.name, locale: person.locale },
    after: { name, locale },
  })
  return { ...person, name, locale }
}

async function changePassword(
  tx: Transaction,
  ctx: Context,
  person: FoundPerson,
  made: { before: string | undefined; hash: string; sessionId: number },
): Promise<void> {
  // Somebody else may have changed it since the current one was held against it.
  if ((await findPasswordHash(tx, person.id)) !== made.before) throw new Refusal('stale')
  await setPassword(tx, ctx, person.id, made.hash)
  await endSessions(tx, [person.id], made.sessionId)
  await record(tx, ctx, {
    action: 'profile.password_changed',
    subject: { type: 'user', id: person.id, name: person.name },
  })
  await postNotice(tx, ctx, person, 'passwordChanged')
}

/** Whether somebody else has the address is told to that person alone, when the letter is sent: see `fillConfirmation`. */
async function askForEmail(tx: Transaction, ctx: Context, person: FoundPerson, email: string): Promise<void> {
  requireConfirmed(ctx)
  await refuseTooMany(tx, ctx, 'profile.email_asked', [
    { by: { actorId: person.id }, most: limits.emailChangesPerHour, windowMs: 3_600_000 },
  ])
  // It waits for as long as its letter may; the link that is mailed takes its place.
  await makeLink(tx, ctx, { purpose: 'email', userId: person.id, email, minutes: limits.emailWaitsMinutes })
  await postConfirmation(tx, ctx, { ...person, email })
  await postNotice(tx, ctx, person, 'emailAsked', { newEmail: email })
  await record(tx, ctx, {
    action: 'profile.email_asked',
    subject: { type: 'user', id: person.id, name: person.name },
    after: { newEmail: email },
  })
}
