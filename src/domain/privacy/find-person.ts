import type { PersonExport, PersonFound, PersonWish } from '../../contract/privacy.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { listLettersAbout, listLettersTo, type ShownLetter } from '../../platform/mail/outbox-letters.ts'
import { allow } from '../allow.ts'
import { changesNaming } from '../audit/forget-person.ts'
import { record } from '../audit/record.ts'
import { messageTemplate } from '../messages/message-letter.ts'
import { findMessageIdsFrom, messagesWhole } from '../messages/messages-of-address.ts'
import { requireOwnPassword } from '../profile/own-password.ts'
import type { Place } from '../sign-in/limit-attempts.ts'
import { findUserOf } from '../users/remove-user.ts'
import { canChangeUser, canDeleteUser } from '../users/user.policy.ts'
import { aboutAccount, aboutUser } from '../users/user-letter.ts'
import { type AccountFacts, findAccountFacts } from './account.queries.ts'
import { canHandlePeople } from './privacy.policy.ts'

/** How much is known about an address. @param email in lower case */
export async function findPerson(ctx: Context, email: string): Promise<PersonFound> {
  const actor = allow(ctx, canHandlePeople)
  const known = await knownOf(ctx.db, ctx, email)
  const { user } = known
  return {
    messages: known.messageIds.length,
    letters: known.letters.length,
    account: user ? { id: user.id, name: user.name, can: { delete: canDeleteUser(actor, user) } } : null,
    changes: known.changes.length,
  }
}

/**
 * All that is known about an address, for the person whose it is. That it was given is logged, and about whom is not. Of
 * whoever holds more than the one who asks it says which facts of the account are left out.
 * @throws {Refusal} `invalid` at `password`, `password_needed`, `too_many`
 */
export async function exportPerson(ctx: Context, input: PersonWish, place: Place): Promise<PersonExport> {
  const actor = allow(ctx, canHandlePeople)
  await requireOwnPassword(ctx, { path: 'password', password: input.password }, place)
  const { email } = input
  const known = await knownOf(ctx.db, ctx, email)
  const { user } = known
  await ctx.transaction((tx) =>
    record(tx, ctx, {
      action: 'privacy.exported',
      subject: { type: 'privacy', name: '' },
      after: {
        messages: known.messageIds.length,
        letters: known.letters.length,
        account: user !== undefined,
        changes: known.changes.length,
      },
    }),
  )
  return {
    email,
    exportedAt: ctx.now().toISOString(),
    messages: (await messagesWhole(ctx.db, known.messageIds)) as PersonExport['messages'],
    letters: known.letters.map(({ template, state, createdAt, sentAt }) => ({
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
            ? await findAccountFacts(ctx.db, user.id)
            : { leftOut: ['sessions', 'passkeys', 'signsInBy'] satisfies (keyof AccountFacts)[] }),
        }
      : null,
    changes: known.changes.map(({ at, action, actor_id }) => ({
      at,
      action,
      bySelf: user !== undefined && actor_id === user.id,
    })),
  }
}

/** What belongs to an address. */
export async function knownOf(db: Database | Transaction, ctx: Pick<Context, 'dialect'>, email: string) {
  const user = await findUserOf(db, email)
  return {
    user,
    messageIds: await findMessageIdsFrom(db, ctx.dialect, email),
    letters: await lettersOf(db, ctx, { email, userId: user?.id }),
    changes: await changesNaming(db, { email, userId: user?.id }),
  }
}

/** What goes to the address, and what is about its account: that may have gone to an address of before. */
async function lettersOf(
  db: Database | Transaction,
  ctx: Pick<Context, 'dialect'>,
  person: { email: string; userId: number | undefined },
): Promise<ShownLetter[]> {
  const { email, userId } = person
  const sent = (await listLettersTo(db, ctx.dialect, email)).filter(isTheirs)
  const about = userId === undefined ? [] : await listLettersAbout(db, [aboutUser(userId), aboutAccount(userId)])
  return [...new Map([...sent, ...about].map((letter) => [letter.id, letter])).values()]
}

/** A letter that brings the company a message belongs to who wrote the message, not to the mailbox that it goes to. */
const isTheirs = ({ template }: ShownLetter) => template !== messageTemplate
