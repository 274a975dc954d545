import { Refusal } from '../../contract/errors.ts'
import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import { holdsAll, type Right } from '../../contract/rights.ts'
import type { ExportQuery, User, UserQuery } from '../../contract/users.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { paginateIds } from '../../platform/db/long-list.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { type EmbeddedRole, findRolesById } from '../roles/list-roles.ts'
import { canBlockUser, canChangeUser, canDeleteUser, canSeeUsers } from './user.policy.ts'
import { countUsersCreatedSince, findUserRow, listUserRows, type UserRow } from './user.queries.ts'
import { type UserFilter, userList } from './user-list.queries.ts'

/** One page of users. Search covers names and addresses. */
export async function listUsers(ctx: Context, query: UserQuery): Promise<ListOf<User>> {
  const actor = allow(ctx, canSeeUsers)
  const page = await paginateIds(ctx.db, ctx.dialect, userList(toUserFilter(query)), rangeOf(query))
  const users = await listUsersById(ctx.db, page.ids)
  return toListOf(
    users.map((user) => presentUser(user, actor)),
    query,
    page,
  )
}

/** @throws {Refusal} `not_found` */
export async function getUser(ctx: Context, id: number): Promise<User> {
  const actor = allow(ctx, canSeeUsers)
  return presentUser(await getUserWithRoles(ctx.db, id), actor)
}

/** @throws {Refusal} `not_found` */
export async function getUserWithRoles(db: Db, id: number): Promise<UserWithRoles> {
  const row = await findUserRow(db, id)
  if (!row) throw new Refusal('not_found')
  const [user] = await withRoles(db, [row])
  return user as UserWithRoles
}

/** Users in the order of `ids`; deleted ones are left out. */
export async function listUsersById(db: Db, ids: readonly number[]): Promise<UserWithRoles[]> {
  const users = await withRoles(db, await listUserRows(db, ids))
  const byId = new Map(users.map((user) => [user.id, user]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export function toUserFilter({ sort, search, roleId: roleIds, blocked }: ExportQuery): UserFilter {
  const terms = searchTerms(search)
  const descending = sort?.startsWith('-') ?? false
  const field = sort && ((descending ? sort.slice(1) : sort) as UserFilter['sort'])
  return { terms, roleIds, blocked, sort: field ?? (terms.length > 0 ? 'match' : 'name'), descending }
}

/** The number of users added since an instant. */
export async function countNewUsers(ctx: Context, since: Date): Promise<number> {
  allow(ctx, canSeeUsers)
  return countUsersCreatedSince(ctx.db, since)
}

/** A user with both roles, and their effective rights. */
export interface UserWithRoles extends UserRow {
  role: EmbeddedRole
  userRole: EmbeddedRole | null
  rights: Right[]
}

export async function withRoles(db: Db, rows: readonly UserRow[]): Promise<UserWithRoles[]> {
  const { base, byId } = await findRolesById(
    db,
    rows.map((row) => row.roleId),
  )
  /** By the user's own role, because many users share one. */
  const rightsOf = new Map<EmbeddedRole | null, Right[]>()
  return rows.map((row) => {
    const userRole = (row.roleId !== null && byId.get(row.roleId)) || null
    const rights = rightsOf.get(userRole) ?? [...new Set([...base.rights, ...(userRole?.rights ?? [])])]
    rightsOf.set(userRole, rights)
    return { ...row, role: base, userRole, rights }
  })
}

/** A user as the API returns it. */
export function presentUser(user: UserWithRoles, actor: Actor): User {
  return {
    id: user.id,
    username: user.email,
    email: user.email,
    name: user.name,
    confirmed: true,
    blocked: user.blocked,
    locale: user.locale,
    role: user.role,
    user_role: user.userRole,
    twoFactor: user.twoFactor,
    hasPassword: user.hasPassword,
    lastSignedInAt: user.lastSignedInAt,
    version: user.version,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
    can: { change: canChangeUser(actor, user), block: canBlockUser(actor, user), delete: canDeleteUser(actor, user) },
  }
}

/** The fields of a user in the audit log. */
export const auditedFields = (user: UserWithRoles) => ({
  email: user.email,
  name: user.name,
  blocked: user.blocked,
  locale: user.locale,
  role: user.userRole?.name ?? null,
})

export const auditSubject = (user: { id: number; name: string; email: string }) => ({
  type: 'user',
  id: user.id,
  name: `${user.name} <${user.email}>`,
})

/** Whether assigning this role adds rights, which requires a recent password confirmation. */
export const givesRights = (role: EmbeddedRole | null, base: EmbeddedRole): boolean =>
  role !== null && !holdsAll(base, role.rights)
