import { Refusal } from '../../contract/errors.ts'
import type { Profile } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findRolesOf } from '../roles/find-roles-of.ts'
import { findPasswordHash } from '../sign-in/find-password-hash.ts'
import { findPasskeys } from './passkey.queries.ts'
import { findNewEmail, findPerson } from './profile.queries.ts'

/**
 * The profile of the one who asks.
 * @param db the transaction, for a verb that is in one
 */
export async function showProfile(ctx: Context, db: Database | Transaction = ctx.db): Promise<Profile> {
  const { id } = allow(ctx, [])
  const person = await findPerson(db, id)
  const roles = await findRolesOf(db, id)
  if (!person || !roles) throw new Refusal('signed_out')
  return {
    ...person,
    ...roles,
    newEmail: await findNewEmail(db, id, ctx.now()),
    hasPassword: (await findPasswordHash(db, id)) !== undefined,
    passkeys: await findPasskeys(db, id),
  }
}
