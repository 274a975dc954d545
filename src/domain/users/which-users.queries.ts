import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { baseRoleId } from '../../contract/rights.ts'
import type { userSorts } from '../../contract/users.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import { containsAll } from '../../platform/db/text-search.ts'

export interface WhichUsers {
  /** Of `searchParts`. */
  parts: string[]
  roleIds?: number[] | undefined
  blocked?: boolean | undefined
  /** `match`: by name, those first whose name begins with what is searched. */
  sort: (typeof userSorts)[number] | 'match'
  descending: boolean
}

export type Search = Pick<Dialect, 'narrow' | 'contains' | 'containsByIndex'>

/** What each order is read by; every one is an index that also holds id, role and block. */
export const orders: Record<WhichUsers['sort'], RawBuilder<string>> = {
  match: sql`search_text`,
  name: sql`search_text`,
  email: sql`email`,
  createdAt: sql`created_at`,
  lastSignedInAt: sql`coalesce(last_signed_in_at, '')`,
}

/** The rows that match, by the index of texts: what stands after `from`, with its condition. */
export function matches(search: Search, which: WhichUsers): RawBuilder<unknown> {
  const narrowed =
    which.parts.length > 0 ? search.narrow({ table: 'user', column: 'search_text' }, which.parts) : undefined
  const conditions = [...filtered(which), ...searched(search.containsByIndex, which)]
  // A cross join, so that SQLite begins with what was found and looks up each.
  return narrowed
    ? sql`${narrowed} as narrowed cross join "user" where ${every([sql<SqlBool>`"user".id = narrowed.id`, ...conditions])}`
    : sql`"user" where ${every(conditions)}`
}

/** Names that begin with the first part, which the index of names has side by side. */
export function beginning({ sort, parts: [first = ''] }: WhichUsers): RawBuilder<SqlBool> | undefined {
  if (sort !== 'match') return undefined
  const from = `  ${first.trimStart()}`
  // The last letter there is: no name goes on with it.
  return sql<SqlBool>`(search_text >= ${from} and search_text < ${`${from}\u{10ffff}`})`
}

/** What a found row is put in order by: its order, after 0 or 1 where the beginning of a name counts. */
export function keyOf(which: WhichUsers): RawBuilder<string> {
  const begins = beginning(which)
  return begins ? sql`case when ${begins} then '0' else '1' end || search_text` : orders[which.sort]
}
export const byKey = (which: WhichUsers) => sql`ordered ${direction(which)}, id ${direction(which)}`

const direction = (which: WhichUsers) => (which.descending ? sql`desc` : sql`asc`)
export const orderOf = (which: WhichUsers) =>
  sql`${orders[which.sort]} ${direction(which)}, "user".id ${direction(which)}`

/** Everyone has the base role, so who asks for it asks for everyone. */
export const namedRoles = ({ roleIds }: WhichUsers) => (roleIds?.includes(baseRoleId) ? undefined : roleIds)

const conditionsOn = (which: WhichUsers, column: (name: 'role_id' | 'blocked') => Expression<unknown>) => {
  const roleIds = namedRoles(which)
  return [
    ...(roleIds ? [sql<SqlBool>`${column('role_id')} in (${sql.join(roleIds)})`] : []),
    ...(which.blocked === undefined ? [] : [sql<SqlBool>`${column('blocked')} = ${which.blocked ? 1 : 0}`]),
  ]
}

export const filtered = (which: WhichUsers) => conditionsOn(which, (name) => sql.ref(name))

/** With a plus before it a column's own index is left alone, and the order's is read. */
export const walking = (which: WhichUsers) => conditionsOn(which, (name) => sql`+${sql.ref(name)}`)

export const searched = (contains: Search['contains'], which: WhichUsers) =>
  which.parts.length > 0 ? [containsAll(contains, 'search_text', which.parts)] : []

export const every = (list: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  list.length > 0 ? sql.join(list, sql` and `) : sql<SqlBool>`1 = 1`
