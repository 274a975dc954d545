import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import { record } from '../audit/record.ts'
import { consumeLink } from '../sign-in/consume-link.ts'
import { endLinks } from '../sign-in/end-links.ts'
import { findPersonByEmail, holdPerson, updatePerson } from './profile.queries.ts'
import { postNotice } from './profile-letter.ts'

/**
 * Gives somebody the address to which the link went, whoever is signed in where it is opened.
 * @throws {Refusal} `link_ended`, also when somebody else has the address by now
 */
export async function confirmEmail(ctx: Context, token: string): Promise<{ email: string }> {
  const confirmed = await change(ctx, token).catch((error) => {
    // Two who confirm the same address in the same moment: one has it.
    throw ctx.dialect.isTaken(error) ? new Refusal('link_ended') : error
  })
  ctx.signal.letter()
  return confirmed
}

async function change(ctx: Context, token: string): Promise<{ email: string }> {
  return ctx.transaction(async (tx) => {
    const { userId, email } = await consumeLink(tx, ctx, { purpose: 'email', token })
    const person = userId === null ? undefined : await holdPerson(tx, userId)
    if (!person || email === null || (await findPersonByEmail(tx, email))) throw new Refusal('link_ended')

    await updatePerson(tx, person.id, { email }, ctx.now())
    // Open links went to the address that is no longer theirs.
    await endLinks(tx, [person.id])
    await record(
      tx,
      { ...ctx, actor: person },
      {
        action: 'profile.email_changed',
        subject: { type: 'user', id: person.id, name: person.name },
        before: { email: person.email },
        after: { email },
      },
    )
    await postNotice(tx, ctx, person, 'emailChanged', { newEmail: email })
    return { email }
  })
}
