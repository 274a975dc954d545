import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { ExportQuery, User, UserQuery } from '../../contract/users.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { searchParts } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { type RoledUser, shownUser, withRoles } from './show-users.ts'
import { canSeeUsers } from './user.policy.ts'
import { findUserRow, findUserRows } from './user.queries.ts'
import { findUserIds, type WhichUsers } from './user-list.queries.ts'

/** One page of users. Search looks at names and addresses alone. */
export async function findUsers(ctx: Context, query: UserQuery): Promise<ListOf<User>> {
  const actor = allow(ctx, canSeeUsers)
  const { page, pageSize } = query
  const found = await findUserIds(ctx.db, ctx.dialect, whichUsers(query), {
    offset: (page - 1) * pageSize,
    limit: pageSize,
  })
  const users = await usersInOrder(ctx.db, found.ids)
  return {
    data: users.map((user) => shownUser(user, actor)),
    meta: { page, pageSize, total: found.total, ...(found.more && { more: true as const }) },
  }
}

/** @throws {Refusal} `not_found` */
export async function getUser(ctx: Context, id: number): Promise<User> {
  const actor = allow(ctx, canSeeUsers)
  return shownUser(await findRoledUser(ctx.db, id), actor)
}

/** @throws {Refusal} `not_found` */
export async function findRoledUser(db: Database | Transaction, id: number): Promise<RoledUser> {
  const row = await findUserRow(db, id)
  if (!row) throw new Refusal('not_found')
  const [user] = await withRoles(db, [row])
  return user as RoledUser
}

/** Users in the order of their ids; who is gone is left out. */
export async function usersInOrder(db: Database | Transaction, ids: readonly number[]): Promise<RoledUser[]> {
  const users = await withRoles(db, await findUserRows(db, ids))
  const byId = new Map(users.map((user) => [user.id, user]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export function whichUsers({ sort, search, roleId: roleIds, blocked }: ExportQuery): WhichUsers {
  const parts = searchParts(search)
  const descending = sort?.startsWith('-') ?? false
  const field = sort && ((descending ? sort.slice(1) : sort) as WhichUsers['sort'])
  return { parts, roleIds, blocked, sort: field ?? (parts.length > 0 ? 'match' : 'name'), descending }
}
