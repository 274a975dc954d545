import type { z } from 'zod'
import type { me } from '../../contract/profile.ts'
import type { Context } from '../../platform/context.ts'
import { findRolesOf } from '../roles/find-roles-of.ts'

/** The one who asks, with both roles. */
export async function describeMe(ctx: Context): Promise<z.infer<typeof me> | undefined> {
  const { actor, db } = ctx
  if (!actor) return undefined
  const roles = await findRolesOf(db, actor.id)
  if (!roles) return undefined
  const { id, name, email, locale } = actor
  return { id, name, email, locale, ...roles, rights: [...actor.rights] }
}
