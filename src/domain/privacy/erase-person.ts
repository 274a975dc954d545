import type { PersonErased, PersonRequest } from '../../contract/privacy.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { recordErasure } from '../../platform/db/restore-journal.ts'
import { deleteEmailsById } from '../../platform/mail/outbox-emails.ts'
import { allow } from '../allow.ts'
import { anonymizePerson } from '../audit/anonymize-person.ts'
import { record } from '../audit/record.ts'
import { renameConfigAuthor } from '../configuration/configuration.queries.ts'
import { tryCollectGarbage } from '../files/store-blob.ts'
import { removeAllMessages } from '../messages/messages-of-address.ts'
import { lockPages } from '../pages/edit-page.ts'
import { anonymizeAuthors } from '../pages/page-write.queries.ts'
import { requireOwnPassword } from '../profile/own-password.ts'
import { lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { anonymizeSectionAuthors } from '../sections/section.queries.ts'
import { type ClientOrigin, forgetKnownBrowsers } from '../sign-in/limit-attempts.ts'
import { removeUser } from '../users/delete-user.ts'
import type { UserWithRoles } from '../users/list-users.ts'
import { anonymizeActors, deleteLinksTo } from './account.queries.ts'
import { findPersonalData } from './find-person.ts'
import { canHandlePersonalData } from './privacy.policy.ts'

/**
 * Erases all data about an email address in one transaction: messages with their replies, emails and files, the account
 * with its drafts, and names in the audit log, at redirects, replies, files and backups, and in the histories of pages,
 * sections and configuration. The audit log records who did it and how much was erased.
 * @returns what was erased; `letters` are emails, and `changes` are audit entries
 * @throws {Refusal} `not_allowed`; `invalid` at `password`, `password_needed`, `too_many`; `right_not_held`, `own_account` or
 * `last_manager` when the account may not be deleted
 */
export async function erasePerson(ctx: Context, input: PersonRequest, client: ClientOrigin): Promise<PersonErased> {
  allow(ctx, canHandlePersonalData)
  await requireOwnPassword(ctx, { path: 'password', password: input.password }, client)
  const { email } = input

  const erased = await ctx.transaction(async (tx) => {
    const actor = await lockUsersAndAuthorize(tx, ctx, canHandlePersonalData)
    const counts = await erasePersonalData(tx, ctx, email, (user) => removeUser(tx, actor, user, ctx.now()))
    await recordErasure(tx, ctx.secret, email, ctx.now())
    await record(tx, ctx, { action: 'privacy.erased', subject: { type: 'privacy', name: '' }, after: counts })
    return counts
  })
  // The data is erased by now, so an error in these steps does not fail the request; jobs repeat them later.
  await ctx.mail
    .deleteOrphanedFiles()
    .catch((error) => ctx.log.warn({ err: error }, 'the files of erased emails were not removed'))
  await tryCollectGarbage(ctx)
  const isPurged = await ctx.dialect.purgeDeleted(ctx.db, { textIndexes: true }).catch((error) => {
    ctx.log.warn({ err: error }, 'the erased rows stay in the files of the database for now')
    return false
  })
  if (!isPurged) ctx.wake.deletedRows()
  return erased
}

/**
 * Erases all data about an email address, without checking rights.
 * @param email in lower case
 * @param deleteAccount called with the account that has this address, if there is one
 */
export async function erasePersonalData(
  tx: Transaction,
  ctx: Pick<Context, 'dialect' | 'now' | 'secret'>,
  email: string,
  deleteAccount: (user: UserWithRoles) => Promise<void>,
): Promise<PersonErased> {
  // Otherwise a page that is being saved now would store the names again that it has read before.
  await lockPages(tx, ctx)
  const { user, messageIds, emails } = await findPersonalData(tx, ctx, email)
  if (user) await deleteAccount(user)
  await removeAllMessages(tx, ctx, messageIds)
  await deleteEmailsById(
    tx,
    emails.map(({ id }) => id),
  )
  await deleteLinksTo(tx, email)
  await forgetKnownBrowsers(tx, ctx, email)
  const { changes, userIds } = await anonymizePerson(tx, { email, userId: user?.id })
  await anonymizeAuthors(tx, userIds)
  await anonymizeSectionAuthors(tx, userIds)
  await anonymizeActors(tx, userIds)
  for (const id of userIds) await renameConfigAuthor(tx, id, `#${id}`)
  return { messages: messageIds.length, letters: emails.length, account: user !== undefined, changes }
}
