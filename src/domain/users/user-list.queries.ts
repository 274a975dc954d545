import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { baseRoleId } from '../../contract/rights.ts'
import type { userSorts } from '../../contract/users.ts'
import type { Database } from '../../platform/db/database.ts'
import { type FoundIds, findAll, findPart } from '../../platform/db/long-list.ts'
import type { LongList, Search } from '../../platform/db/long-list-rows.ts'

export interface WhichUsers {
  /** Of `searchParts`. */
  parts: string[]
  roleIds?: number[] | undefined
  blocked?: boolean | undefined
  /** `match`: by name, those first whose name begins with what is searched. */
  sort: (typeof userSorts)[number] | 'match'
  descending: boolean
}

/** What each order is read by; every one is an index that also holds id, role and block. */
const orders: Record<WhichUsers['sort'], RawBuilder<string>> = {
  match: sql`search_text`,
  name: sql`search_text`,
  email: sql`email`,
  createdAt: sql`created_at`,
  lastSignedInAt: sql`coalesce(last_signed_in_at, '')`,
}

/** The ids of one page, in order, and how many there are. */
export const findUserIds = (
  db: Database,
  search: Search,
  which: WhichUsers,
  page: { offset: number; limit: number },
): Promise<FoundIds> => findPart(db, search, listOf(which), page)

/** Every id, in order. */
export const findAllUserIds = (db: Database, search: Search, which: WhichUsers): Promise<number[]> =>
  findAll(db, search, listOf(which))

const listOf = (which: WhichUsers): LongList => {
  const { parts, blocked, sort, descending } = which
  const roleIds = namedRoles(which)
  return {
    table: 'user',
    parts,
    filter: (column) => [
      ...(roleIds ? [sql<SqlBool>`${column('role_id')} in (${sql.join(roleIds)})`] : []),
      ...(blocked === undefined ? [] : [sql<SqlBool>`${column('blocked')} = ${blocked ? 1 : 0}`]),
    ],
    filtered: ['role_id', 'blocked'],
    order: orders[sort],
    descending,
    front: beginning(which),
    kept: 'user_count',
    // The index of names holds what is searched, too.
    ...(sort === 'match' || sort === 'name' ? { tried: 2_000, walked: [10_000] } : { walked: [1_500] }),
  }
}

/** Everyone has the base role, so who asks for it asks for everyone. */
const namedRoles = ({ roleIds }: WhichUsers) => (roleIds?.includes(baseRoleId) ? undefined : roleIds)

/** Names that begin with the first part, which the index of names has side by side. */
function beginning({ sort, parts: [first] }: WhichUsers): RawBuilder<SqlBool> | undefined {
  if (sort !== 'match' || first === undefined) return undefined
  const from = `  ${first.trimStart()}`
  // The last letter there is: no name goes on with it.
  return sql<SqlBool>`(search_text >= ${from} and search_text < ${`${from}\u{10ffff}`})`
}
