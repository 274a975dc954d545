import type { z } from 'zod'
import { Refusal } from '../../contract/errors.ts'
import type { BuiltInLocale } from '../../contract/locales.ts'
import { baseRoleId, type RightGroup, rightGroups } from '../../contract/rights.ts'
import type { embeddedRole, Role, rightList } from '../../contract/roles.ts'
import { type Translate, translator } from '../../i18n/translate.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { canChangeRole, canDeleteRole, canSeeRoles } from './role.policy.ts'
import { type CountedRole, findRoles, findUserRoleId, listCountedRoles } from './role.queries.ts'

/** All roles, without paging because there are few. */
export async function listRoles(ctx: Context): Promise<Role[]> {
  const actor = allow(ctx, canSeeRoles)
  return (await listCountedRoles(ctx.db)).map((role) => presentRole(role, actor))
}

/** @throws {Refusal} `not_found` */
export async function getRole(ctx: Context, id: number): Promise<Role> {
  const actor = allow(ctx, canSeeRoles)
  return presentRole(await getCountedRole(ctx.db, id), actor)
}

/** @throws {Refusal} `not_found` */
export async function getCountedRole(db: Db, id: number): Promise<CountedRole> {
  const [role] = await listCountedRoles(db, id)
  if (!role) throw new Refusal('not_found')
  return role
}

export const presentRole = (role: CountedRole, actor: Actor): Role => ({
  ...role,
  can: { change: canChangeRole(actor, role), delete: canDeleteRole(actor, role) },
})

export type EmbeddedRole = z.infer<typeof embeddedRole>

/** Roles by id; the base role is always included. */
export async function findRolesById(
  db: Db,
  ids: readonly (number | null)[],
): Promise<{ base: EmbeddedRole; byId: Map<number, EmbeddedRole> }> {
  const byId = await findRoles(db, [...new Set([baseRoleId, ...ids.filter((id) => id !== null)])])
  const base = byId.get(baseRoleId)
  if (!base) throw new Error('the base role is missing')
  return { base, byId }
}

/** Both roles of a user; undefined when the user does not exist. */
export async function findUserRoles(
  db: Db,
  userId: number,
): Promise<{ role: EmbeddedRole; user_role: EmbeddedRole | null } | undefined> {
  const roleId = await findUserRoleId(db, userId)
  if (roleId === undefined) return undefined
  const { base, byId } = await findRolesById(db, [roleId])
  return { role: base, user_role: (roleId !== null && byId.get(roleId)) || null }
}

type RightList = z.infer<typeof rightList>

/** All rights in groups, with translated descriptions, for any signed-in user. It is made once for each language. */
export function listRights(ctx: Pick<Context, 'actor'>, locale: BuiltInLocale): RightList {
  allow(ctx, [])
  rightLists[locale] ??= describeRights(translator(locale))
  return rightLists[locale]
}

const rightLists: Partial<Record<BuiltInLocale, RightList>> = {}

const describeRights = (t: Translate): RightList => ({
  data: (Object.keys(rightGroups) as RightGroup[]).map((group) => ({
    group,
    label: t(`rights.groups.${group}`),
    rights: rightGroups[group].map((name) => ({
      name,
      label: t(`rights.names.${name}.label`),
      explanation: t(`rights.names.${name}.explanation`),
    })),
  })),
})
