import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Locale, locales } from '../../contract/locales.ts'
import type { pageSorts, pageStatuses } from '../../contract/pages.ts'
import type { Database } from '../../platform/db/database.ts'
import { type FoundIds, findPart } from '../../platform/db/long-list.ts'
import type { Column, LongList, Search } from '../../platform/db/long-list-rows.ts'
import { plannedNumbers, stateNumbers } from './page-write.queries.ts'

export interface WhichPages {
  /** Of `searchParts`. */
  parts: string[]
  bin: boolean
  locale: Locale | undefined
  status: (typeof pageStatuses)[number] | undefined
  /** Whose drafts. */
  userId: number
  sort: (typeof pageSorts)[number]
  descending: boolean
}

/** What each order is read by: an index that also holds what is filtered by. */
const orders: Record<WhichPages['sort'], RawBuilder<unknown>> = {
  updatedAt: sql`updated_at`,
  title: sql`search_text`,
}

/** The ids of one page of the list, in order, and how many there are. */
export const findPageIds = (
  db: Database,
  search: Search,
  which: WhichPages,
  page: { offset: number; limit: number },
): Promise<FoundIds> => findPart(db, search, listOf(which), page)

const listOf = (which: WhichPages): LongList => ({
  table: 'page',
  parts: which.parts,
  filter: (column) => [...filtered(which, column), ...ofDrafts(which, column)],
  filtered: ['bin', 'state_nl', 'state_fa', 'planned'],
  order: orders[which.sort],
  descending: which.descending,
  // Whose drafts they are no count tells.
  kept: which.status === 'draft' ? undefined : 'page_count',
  walked: [2_000],
})

/** What the counted columns can tell. Their values are our own constants and stand in the query, so that each is planned by what it asks for. */
function filtered(which: WhichPages, column: Column): RawBuilder<SqlBool>[] {
  const { bin, locale, status } = which
  const asked = locale === undefined ? locales : [locale]
  const state = (one: Locale) => column(`state_${one}`)
  const some = (of: (one: Locale) => RawBuilder<SqlBool>) => sql<SqlBool>`(${sql.join(asked.map(of), sql` or `)})`
  const { published, unpublished, changed } = stateNumbers
  return [
    sql<SqlBool>`${column('bin')} = ${sql.lit(bin ? 1 : 0)}`,
    ...(locale === undefined ? [] : [sql<SqlBool>`${state(locale)} > 0`]),
    ...(status === 'published' ? [some((one) => sql<SqlBool>`${state(one)} >= ${sql.lit(published)}`)] : []),
    ...(status === 'changed' ? [some((one) => sql<SqlBool>`${state(one)} = ${sql.lit(changed)}`)] : []),
    ...(status === 'unpublished' ? [some((one) => sql<SqlBool>`${state(one)} = ${sql.lit(unpublished)}`)] : []),
    ...(status === 'planned'
      ? [some((one) => sql<SqlBool>`${column('planned')} in (${sql.lit(plannedNumbers[one])}, 3)`)]
      : []),
  ]
}

const ofDrafts = ({ status, userId, locale }: WhichPages, column: Column): RawBuilder<SqlBool>[] => {
  if (status !== 'draft') return []
  const inLocale = locale === undefined ? sql`` : sql` and locale = ${locale}`
  return [
    sql<SqlBool>`${column('id')} in (
      select page_id from page_draft where user_id = ${userId} and text is not null${inLocale})`,
  ]
}
