import type { z } from 'zod'
import { Refusal } from '../../contract/errors.ts'
import type { me, Profile } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { findUserRoles } from '../roles/list-roles.ts'
import { findPasswordHash } from '../sign-in/account.queries.ts'
import { findPendingEmail, findProfile, listPasskeys } from './profile.queries.ts'

/**
 * The actor's profile.
 * @param db the transaction, for a caller that is in one
 * @throws {Refusal} `signed_out` also when the user was deleted
 */
export async function getProfile(ctx: Context, db: Db = ctx.db): Promise<Profile> {
  const { id } = allow(ctx, [])
  const user = await findProfile(db, id)
  const roles = await findUserRoles(db, id)
  if (!user || !roles) throw new Refusal('signed_out')
  return {
    ...user,
    ...roles,
    newEmail: await findPendingEmail(db, id, ctx.now()),
    hasPassword: (await findPasswordHash(db, id)) !== undefined,
    passkeys: await listPasskeys(db, id),
  }
}

/**
 * The signed-in user, with the base role, the user's own role, and the rights of both. Undefined: nobody is signed in, or the
 * user was deleted.
 */
export async function findMe(ctx: Context): Promise<z.infer<typeof me> | undefined> {
  const { actor, db } = ctx
  if (!actor) return undefined
  const roles = await findUserRoles(db, actor.id)
  if (!roles) return undefined
  const { id, name, email, locale } = actor
  return { id, name, email, locale, ...roles, rights: [...actor.rights] }
}
