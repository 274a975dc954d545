import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { baseRoleId } from '../../contract/rights.ts'
import type { userSorts } from '../../contract/users.ts'
import type { LongList } from '../../platform/db/long-list-sql.ts'

export interface UserFilter {
  /** From `searchTerms`. */
  terms: string[]
  roleIds?: number[] | undefined
  blocked?: boolean | undefined
  /** `match`: by name, names that start with the search text first. */
  sort: (typeof userSorts)[number] | 'match'
  descending: boolean
}

/** The sort columns; each has an index that also covers id, role and block. */
const orders: Record<UserFilter['sort'], RawBuilder<string>> = {
  match: sql`search_text`,
  name: sql`search_text`,
  email: sql`email`,
  createdAt: sql`created_at`,
  lastSignedInAt: sql`coalesce(last_signed_in_at, '')`,
}

export const userList = (which: UserFilter): LongList => {
  const { terms, blocked, sort, descending } = which
  const roleIds = namedRoles(which)
  return {
    table: 'user',
    terms,
    filter: (column) => [
      ...(roleIds ? [sql<SqlBool>`${column('role_id')} in (${sql.join(roleIds)})`] : []),
      ...(blocked === undefined ? [] : [sql<SqlBool>`${column('blocked')} = ${blocked ? 1 : 0}`]),
    ],
    filterColumns: ['role_id', 'blocked'],
    order: orders[sort],
    descending,
    prefixMatchesFirst: beginning(which),
    countTable: 'user_count',
    // The index of names also covers the search text.
    ...(sort === 'match' || sort === 'name'
      ? { initialScanRows: 2_000, scanLimits: [10_000] }
      : { scanLimits: [1_500] }),
  }
}

/** Every user has the base role, so filtering by it filters nothing. */
const namedRoles = ({ roleIds }: UserFilter) => (roleIds?.includes(baseRoleId) ? undefined : roleIds)

/** Names that start with the first search term, a range of the name index. */
function beginning({ sort, terms: [first] }: UserFilter): RawBuilder<SqlBool> | undefined {
  if (sort !== 'match' || first === undefined) return undefined
  const from = `  ${first.trimStart()}`
  // The highest code point: no name sorts after it.
  return sql<SqlBool>`(search_text >= ${from} and search_text < ${`${from}\u{10ffff}`})`
}
