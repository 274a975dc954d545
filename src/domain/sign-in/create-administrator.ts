import { defaultLocale, type Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import {
  findAdministratorRole,
  findUserToPromote,
  insertAdministrator,
  insertAdministratorRole,
  nameOfRole,
  promoteUser,
} from './administrator.queries.ts'
import { endSessions } from './end-sessions.ts'
import { setPassword } from './set-password.ts'

/** What the role is called when there is none left that manages users. */
const roleName = 'Beheerder'

export interface NewAdministrator {
  email: string
  name: string
  /** Of `hashPassword`; without it the password is set by a link. */
  hash?: string | undefined
  locale?: Locale | undefined
}

/**
 * Makes somebody an administrator, by the one who runs the program: there is no actor. Who has the address already gets
 * the role, is let in again, and keeps name and password when no other is given.
 */
export async function createAdministrator(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  input: NewAdministrator,
): Promise<{ id: number; known: boolean }> {
  const now = ctx.now()
  const roleId = (await findAdministratorRole(tx)) ?? (await insertAdministratorRole(tx, roleName, now))
  const known = await findUserToPromote(tx, input.email)
  const { email, name, locale = defaultLocale } = input
  const id = known?.id ?? (await insertAdministrator(tx, { email, name, roleId, locale }, now))
  if (known) await promoteUser(tx, known.id, roleId, now)
  if (input.hash !== undefined) {
    await setPassword(tx, ctx, id, input.hash)
    if (known) await endSessions(tx, [id])
  }
  const role = await nameOfRole(tx, roleId)
  await record(
    tx,
    { now: ctx.now, actor: undefined },
    {
      action: known ? 'user.updated' : 'user.created',
      subject: { type: 'user', id, name: known?.name ?? name },
      ...(known && { before: { role: known.role, blocked: known.blocked } }),
      after: known ? { role, blocked: false } : { email, name, role },
    },
  )
  return { id, known: known !== undefined }
}
