import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { baseRoleId } from '../../contract/rights.ts'
import type { userSorts } from '../../contract/users.ts'
import type { LongList } from '../../platform/db/long-list-sql.ts'

export interface UserFilter {
  /**
   * Folded search terms from `searchTerms`. One of one or two characters begins with two spaces, as words do in `search_text`:
   * it is only found at the start of a word.
   */
  terms: string[]
  roleIds?: number[] | undefined
  blocked?: boolean | undefined
  /** `match`: by name, names that start with the search text first. */
  sort: (typeof userSorts)[number] | 'match'
  descending: boolean
}

/** The columns to sort by. Each has an index that also covers the columns `id`, `role_id` and `blocked`. */
const sortColumns: Record<UserFilter['sort'], RawBuilder<string>> = {
  match: sql`search_text`,
  name: sql`search_text`,
  email: sql`email`,
  createdAt: sql`created_at`,
  lastSignedInAt: sql`coalesce(last_signed_in_at, '')`,
}

/** How `LongList` queries the users that match a filter. */
export const userList = (filter: UserFilter): LongList => {
  const { terms, blocked, sort, descending } = filter
  const roleIds = rolesToFilterBy(filter)
  return {
    table: 'user',
    terms,
    filter: (column) => [
      ...(roleIds ? [sql<SqlBool>`${column('role_id')} in (${sql.join(roleIds)})`] : []),
      ...(blocked === undefined ? [] : [sql<SqlBool>`${column('blocked')} = ${blocked ? 1 : 0}`]),
    ],
    filterColumns: ['role_id', 'blocked'],
    order: sortColumns[sort],
    descending,
    prefixMatchesFirst: startsWithFirstTerm(filter),
    countTable: 'user_count',
    // The index for sorting by name has the search text too, so reading more of its rows is cheap.
    ...(sort === 'match' || sort === 'name'
      ? { initialScanRows: 2_000, scanLimits: [10_000] }
      : { scanLimits: [1_500] }),
  }
}

/** Undefined for no filter: every user has the base role, whether or not `role_id` names another role. */
const rolesToFilterBy = ({ roleIds }: UserFilter) => (roleIds?.includes(baseRoleId) ? undefined : roleIds)

/** A range condition on the name index: `search_text` begins with two spaces and the folded name. */
function startsWithFirstTerm({ sort, terms: [first] }: UserFilter): RawBuilder<SqlBool> | undefined {
  if (sort !== 'match' || first === undefined) return undefined
  const from = `  ${first.trimStart()}`
  // The highest code point: no name sorts after it.
  return sql<SqlBool>`(search_text >= ${from} and search_text < ${`${from}\u{10ffff}`})`
}
