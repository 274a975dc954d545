import { Refusal, type ValidationKey } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { localizedPath } from '../../contract/locales.ts'
import type { EmailNotification } from '../../contract/users.ts'
import { verifyPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import { postLetter } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { refuseTooMany } from '../audit/refuse-too-many.ts'
import { lockPeople } from '../roles/lock-people.ts'
import { findPasswordHash } from '../sign-in/find-password-hash.ts'
import { countAttempt, type Place } from '../sign-in/limit-attempts.ts'
import { type RoledUser, subjectOf, withRoles } from './show-users.ts'
import { canChangeUser, canWriteUsers } from './user.policy.ts'
import { findUserRowByEmail } from './user.queries.ts'
import { aboutUser, type UserLetter, userTemplate } from './user-letter.ts'

/**
 * Sends a user the letter about their account. It can carry nothing that is not so: it goes to the address of a user
 * whom the caller may change, greets by the name that is stored, and tells a password only when it is the user's.
 * @throws {Refusal} `right_not_held`, `too_many`, `invalid` for an address that no user has, another address to answer
 *   to than one of ours, a password that is not the user's
 */
export async function notifyUser(ctx: Context, input: EmailNotification, place: Place): Promise<{ to: string }> {
  const asking = allow(ctx, canWriteUsers)
  const { site } = ctx
  const ours = [site.sender.email, site.legal.email, ...site.contact.recipients, asking.email]
  const answerTo = input.replyTo
  if (answerTo !== undefined && !ours.some((one) => one.toLowerCase() === answerTo))
    throw wrong('replyTo', 'ownAddress')
  await refuseWrongPassword(ctx, input, place)

  await ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canWriteUsers)
    const row = await findUserRowByEmail(tx, input.to)
    if (!row) throw wrong('to', 'unknownUser')
    const [user] = (await withRoles(tx, [row])) as [RoledUser]
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')
    await refuseTooMany(tx, ctx, 'user.notified', [
      { by: { actorId: actor.id }, most: limits.notificationsPerSender, windowMs: limits.notificationWindowMs },
      { by: { subjectId: String(user.id) }, most: limits.notificationsPerUser, windowMs: limits.notificationWindowMs },
    ])

    const data: UserLetter = {
      kind: input.templateId,
      to: { name: user.name, address: user.email },
      replyTo: answerTo,
      url: ctx.origin + localizedPath('/login', user.locale),
    }
    await postLetter(
      tx,
      {
        template: userTemplate,
        locale: user.locale,
        data,
        ...(input.password !== undefined && { secret: { password: input.password } }),
        about: aboutUser(user.id),
        recipients: [user.email],
      },
      ctx.now(),
      site.sender.email,
    )
    await record(tx, ctx, {
      action: 'user.notified',
      subject: subjectOf(user),
      after: { template: input.templateId, withPassword: input.password !== undefined },
    })
  })
  ctx.signal.letter()
  return { to: input.to }
}

/** Text that is not the password would be somebody's own words in our letter. Counted, for it is a way to guess. */
async function refuseWrongPassword(ctx: Context, input: EmailNotification, place: Place): Promise<void> {
  if (input.password === undefined) return
  const row = await findUserRowByEmail(ctx.db, input.to)
  if (!row) throw wrong('to', 'unknownUser')
  const [user] = (await withRoles(ctx.db, [row])) as [RoledUser]
  if (!canChangeUser(allow(ctx, canWriteUsers), user)) throw new Refusal('right_not_held')
  const tries = await countAttempt(ctx, `letter to ${row.id}`, place)
  const hash = await findPasswordHash(ctx.db, row.id)
  if (hash === undefined || !(await verifyPassword({ hash, password: input.password }))) {
    throw wrong('password', 'wrongPassword')
  }
  await tries.takeBack()
}

const wrong = (path: string, key: ValidationKey) => new Refusal('invalid', { problems: [{ path, key }] })
