import { Refusal, type ValidationKey } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { localizedPath } from '../../contract/locales.ts'
import type { EmailNotification } from '../../contract/users.ts'
import { verifyPassword } from '../../platform/auth/password.ts'
import type { Context } from '../../platform/context.ts'
import { queueEmail } from '../../platform/mail/outbox.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { refuseTooMany } from '../audit/refuse-too-many.ts'
import { lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { findPasswordHash } from '../sign-in/account.queries.ts'
import { type ClientOrigin, countAttempt } from '../sign-in/limit-attempts.ts'
import { auditSubject, type UserWithRoles, withRoles } from './list-users.ts'
import { canChangeUser, canWriteUsers } from './user.policy.ts'
import { findUserRowByEmail } from './user.queries.ts'
import { aboutUser, type UserEmail, userTemplate } from './user-email.ts'

/**
 * Sends a user the email about their account. Its content cannot be forged: it goes to a user whom the actor may
 * change, uses the stored name, and contains a password only when it is the user's current one.
 * @throws {Refusal} `right_not_held`, `too_many`, `invalid` for an unknown address, a reply address that is not the
 * site's, a password that is not the user's
 */
export async function notifyUser(
  ctx: Context,
  input: EmailNotification,
  client: ClientOrigin,
): Promise<{ to: string }> {
  const requester = allow(ctx, canWriteUsers)
  const { site } = ctx
  const { replyTo } = input
  const ownAddresses = [site.sender.email, site.legal.email, ...site.contact.recipients, requester.email]
  if (replyTo !== undefined && !ownAddresses.some((address) => address.toLowerCase() === replyTo))
    throw invalid('replyTo', 'ownAddress')
  await refuseWrongPassword(ctx, input, client)

  await ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canWriteUsers)
    const row = await findUserRowByEmail(tx, input.to)
    if (!row) throw invalid('to', 'unknownUser')
    const [user] = (await withRoles(tx, [row])) as [UserWithRoles]
    if (!canChangeUser(actor, user)) throw new Refusal('right_not_held')
    await refuseTooMany(tx, ctx, 'user.notified', [
      { by: { actorId: actor.id }, maxCount: limits.notificationsPerSender, windowMs: limits.notificationWindowMs },
      {
        by: { subjectId: String(user.id) },
        maxCount: limits.notificationsPerUser,
        windowMs: limits.notificationWindowMs,
      },
    ])

    const data: UserEmail = {
      kind: input.templateId,
      to: { name: user.name, address: user.email },
      replyTo,
      url: ctx.origin + localizedPath('/login', user.locale, ctx.site),
    }
    await queueEmail(
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
      subject: auditSubject(user),
      after: { template: input.templateId, withPassword: input.password !== undefined },
    })
  })
  ctx.wake.email()
  return { to: input.to }
}

/**
 * Refuses a password that is not the user's: otherwise the actor could send any text in its place. Attempts are
 * limited, because the response tells whether a password is right.
 */
async function refuseWrongPassword(ctx: Context, input: EmailNotification, client: ClientOrigin): Promise<void> {
  if (input.password === undefined) return
  const row = await findUserRowByEmail(ctx.db, input.to)
  if (!row) throw invalid('to', 'unknownUser')
  const [user] = (await withRoles(ctx.db, [row])) as [UserWithRoles]
  if (!canChangeUser(allow(ctx, canWriteUsers), user)) throw new Refusal('right_not_held')
  const attempt = await countAttempt(ctx, `letter to ${row.id}`, client)
  const hash = await findPasswordHash(ctx.db, row.id)
  if (hash === undefined || !(await verifyPassword({ hash, password: input.password }))) {
    throw invalid('password', 'wrongPassword')
  }
  await attempt.uncount()
}

const invalid = (path: string, key: ValidationKey) => new Refusal('invalid', { problems: [{ path, key }] })
