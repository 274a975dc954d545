import { randomUUID } from 'node:crypto'
import type { PersonExport, PersonExportRequest, PersonFound } from '../../contract/privacy.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { type EmailStatus, listEmailsAbout, listEmailsNaming, listEmailsTo } from '../../platform/mail/outbox-emails.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { allow } from '../allow.ts'
import { listEntriesOfPerson } from '../audit/anonymize-person.ts'
import { record } from '../audit/record.ts'
import { originalKey } from '../files/store-blob.ts'
import { messageTemplate, replyTemplate } from '../messages/message-email.ts'
import { exportStoredMessages, listMessageIdsOfSender } from '../messages/messages-of-address.ts'
import { reviewTemplate } from '../pages/review-email.ts'
import { requireOwnPassword } from '../profile/own-password.ts'
import type { ClientOrigin } from '../sign-in/limit-attempts.ts'
import { findUserByEmail } from '../users/delete-user.ts'
import { canChangeUser, canDeleteUser } from '../users/user.policy.ts'
import { aboutAccount, aboutUser } from '../users/user-email.ts'
import { findSignInData, type SignInData } from './account.queries.ts'
import { renderExportPage } from './export-page.tsx'
import { canHandlePersonalData } from './privacy.policy.ts'

/**
 * Counts the data about the person with an email address; `letters` are emails, and `changes` are audit entries.
 * @param email in lower case
 * @throws {Refusal} `not_allowed`
 */
export async function countPersonalData(ctx: Context, email: string): Promise<PersonFound> {
  const actor = allow(ctx, canHandlePersonalData)
  const { user, messageIds, emails, entries } = await findPersonalData(ctx.db, ctx, email)
  return {
    messages: messageIds.length,
    letters: emails.length,
    account: user ? { id: user.id, name: user.name, can: { delete: canDeleteUser(actor, user) } } : null,
    changes: entries.length,
  }
}

/**
 * Exports all data about the person with an email address, for a data subject access request, with the attachments of
 * messages. Sessions, passkeys and ways of signing in are left out, and `leftOut` lists them, when the person has rights that
 * the actor lacks. The audit log records the export without naming the person.
 * @returns `content`: the JSON or the HTML page
 * @throws {Refusal} `not_allowed`; `invalid` at `password`, `password_needed`, `too_many`
 */
export async function exportPerson(
  ctx: Context,
  input: PersonExportRequest,
  client: ClientOrigin,
): Promise<{ exportedAt: string; content: AsyncGenerator<string, void, undefined> }> {
  const actor = allow(ctx, canHandlePersonalData)
  await requireOwnPassword(ctx, { path: 'password', password: input.password }, client)
  const { email } = input
  const { user, messageIds, emails, entries } = await findPersonalData(ctx.db, ctx, email)
  await ctx.transaction((tx) =>
    record(tx, ctx, {
      action: 'privacy.exported',
      subject: { type: 'privacy', name: '' },
      after: {
        messages: messageIds.length,
        letters: emails.length,
        account: user !== undefined,
        changes: entries.length,
      },
    }),
  )
  const { placeholderFor, fillPlaceholders } = createFilePlaceholders(ctx.uploads.storage)
  const data: PersonExport = {
    email,
    exportedAt: ctx.now().toISOString(),
    messages: (await exportStoredMessages(ctx.db, messageIds, placeholderFor)) as PersonExport['messages'],
    letters: emails.map(({ template, state, createdAt, sentAt }) => ({
      kind: template,
      state,
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
    account: user
      ? {
          name: user.name,
          email: user.email,
          locale: user.locale,
          blocked: user.blocked,
          role: user.userRole?.name ?? null,
          twoFactor: user.twoFactor,
          lastSignedInAt: user.lastSignedInAt,
          createdAt: user.createdAt,
          updatedAt: user.updatedAt,
          ...(canChangeUser(actor, user)
            ? await findSignInData(ctx.db, user.id)
            : { leftOut: ['sessions', 'passkeys', 'signsInBy'] satisfies (keyof SignInData)[] }),
        }
      : null,
    changes: entries.map(({ at, action, actor_id }) => ({
      at,
      action,
      bySelf: user !== undefined && actor_id === user.id,
    })),
  }
  const text = input.format === 'json' ? JSON.stringify(data) : renderExportPage(data, ctx.site)
  return { exportedAt: data.exportedAt, content: fillPlaceholders(text) }
}

/**
 * Finds the account, messages, emails and audit entries of the person with an email address.
 * @param email in lower case
 */
export async function findPersonalData(db: Db, ctx: Pick<Context, 'dialect'>, email: string) {
  const user = await findUserByEmail(db, email)
  return {
    user,
    messageIds: await listMessageIdsOfSender(db, ctx.dialect, email),
    emails: await listEmailsOf(db, ctx, { email, userId: user?.id }),
    entries: await listEntriesOfPerson(db, { email, userId: user?.id }),
  }
}

/**
 * Emails to the address, emails about its account, which may have gone to an earlier address, and emails that name it,
 * such as the notice about new recipients of messages.
 */
async function listEmailsOf(
  db: Db,
  ctx: Pick<Context, 'dialect'>,
  person: { email: string; userId: number | undefined },
): Promise<EmailStatus[]> {
  const { email, userId } = person
  const toAddress = (await listEmailsTo(db, ctx.dialect, email)).filter(isAboutRecipient)
  const aboutAccountOfPerson =
    userId === undefined ? [] : await listEmailsAbout(db, [aboutUser(userId), aboutAccount(userId)])
  const namingAddress = await listEmailsNaming(db, email, [messageTemplate, replyTemplate, reviewTemplate])
  const emailById = new Map([...toAddress, ...aboutAccountOfPerson, ...namingAddress].map((row) => [row.id, row]))
  return [...emailById.values()]
}

/** An email with a visitor's message is data about the visitor, not about the mailbox that receives it. */
const isAboutRecipient = ({ template }: EmailStatus) => template !== messageTemplate

/**
 * Streams file contents into a text without holding them in memory: `placeholderFor` returns a placeholder for a file, and
 * `fillPlaceholders` yields the text with each one replaced by the content in base64, or by nothing if the file was deleted.
 */
function createFilePlaceholders(storage: Pick<Storage, 'read'>) {
  // Random, so that no text of a visitor contains a placeholder.
  const prefix = randomUUID()
  return {
    placeholderFor: (blobId: string) => `${prefix}/${blobId}`,
    async *fillPlaceholders(text: string): AsyncGenerator<string, void, undefined> {
      // Because of the capture group every second piece is the blob id of a placeholder.
      const pieces = text.split(new RegExp(`${prefix}/([0-9a-f-]{36})`))
      for (const [index, piece] of pieces.entries()) {
        if (index % 2 === 0) yield piece
        else yield* (await storage.read(originalKey(piece)))?.setEncoding('base64') ?? []
      }
    },
  }
}
