import type { PersonErased, PersonWish } from '../../contract/privacy.ts'
import type { Context } from '../../platform/context.ts'
import { dropLettersById } from '../../platform/mail/outbox-letters.ts'
import { allow } from '../allow.ts'
import { forgetPerson } from '../audit/forget-person.ts'
import { record } from '../audit/record.ts'
import { forgetAuthors } from '../configuration/forget-authors.ts'
import { removeAllMessages } from '../messages/messages-of-address.ts'
import { forgetWriters } from '../pages/forget-writers.ts'
import { requireOwnPassword } from '../profile/own-password.ts'
import { lockPeople } from '../roles/lock-people.ts'
import type { Place } from '../sign-in/limit-attempts.ts'
import { removeUser } from '../users/remove-user.ts'
import { deleteLinksTo } from './account.queries.ts'
import { knownOf } from './find-person.ts'
import { canHandlePeople } from './privacy.policy.ts'

/**
 * Removes all that is known about an address, or nothing: messages with their answers, letters, the account with its
 * drafts, and in the log and the histories of pages and configuration who it was. The log keeps that it was done, by whom and how much it was.
 * @throws {Refusal} `invalid` at `password`, `password_needed`, `too_many`; `right_not_held`, `own_account` or
 *   `last_manager` when the account may not be removed
 */
export async function erasePerson(ctx: Context, input: PersonWish, place: Place): Promise<PersonErased> {
  allow(ctx, canHandlePeople)
  await requireOwnPassword(ctx, { path: 'password', password: input.password }, place)
  const { email } = input

  const erased = await ctx.transaction(async (tx) => {
    const actor = await lockPeople(tx, ctx, canHandlePeople)
    const { user, messageIds, letters } = await knownOf(tx, ctx, email)
    if (user) await removeUser(tx, actor, user)
    await removeAllMessages(tx, messageIds)
    await dropLettersById(
      tx,
      letters.map(({ id }) => id),
    )
    await deleteLinksTo(tx, email)
    const { changes, userIds } = await forgetPerson(tx, { email, userId: user?.id })
    await forgetWriters(tx, userIds)
    await forgetAuthors(tx, userIds)
    const counts = { messages: messageIds.length, letters: letters.length, account: user !== undefined, changes }
    await record(tx, ctx, { action: 'privacy.erased', subject: { type: 'privacy', name: '' }, after: counts })
    return counts
  })
  // What is gone shall not stand in the files of the database either.
  await ctx.dialect.forget(ctx.db)
  return erased
}
