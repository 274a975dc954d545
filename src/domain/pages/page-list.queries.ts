import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Locale } from '../../contract/locales.ts'
import type { pageSorts, pageStatuses } from '../../contract/pages.ts'
import type { LongList, RenderColumn } from '../../platform/db/long-list-sql.ts'
import { type ListedLocale, listedLocales, scheduledFlags, stateCodes } from './page.queries.ts'

export interface PageFilter {
  /** From `searchTerms`. */
  terms: string[]
  trashed: boolean
  locale: Locale | undefined
  /** Whether the site has languages besides `listedLocales`. */
  otherLocales: boolean
  /** Entries of this collection; empty: pages that are no entries. */
  collection: string | undefined
  status: (typeof pageStatuses)[number] | undefined
  /** The user whose drafts are listed. */
  userId: number
  sort: (typeof pageSorts)[number]
  descending: boolean
}

/** The sort columns; each has an index that also covers the filter columns. */
const orders: Record<PageFilter['sort'], RawBuilder<unknown>> = {
  updatedAt: sql`updated_at`,
  title: sql`search_text`,
}

export const pageList = (which: PageFilter): LongList => ({
  table: 'page',
  terms: which.terms,
  filter: (column) => [
    ...(isListed(which) ? filtered(which, column) : filteredByTexts(which, column)),
    ...collectionCondition(which, column),
    ...draftCondition(which, column),
    ...reviewCondition(which, column),
  ],
  filterColumns: ['trashed', 'state_nl', 'state_fa', 'scheduled'],
  order: orders[which.sort],
  descending: which.descending,
  // The counts table does not cover drafts of one user, reviews, collections, or other languages.
  countTable:
    which.status === 'draft' || which.status === 'review' || which.collection !== undefined || !isListed(which)
      ? undefined
      : 'page_count',
  scanLimits: [2_000],
})

/** Whether the columns of `page` suffice for the filter; other languages are looked up in `page_text`. */
const isListed = ({ locale, status, otherLocales }: PageFilter): boolean =>
  locale === undefined ? status === undefined || !otherLocales : isColumn(locale)
const isColumn = (locale: Locale): locale is ListedLocale => listedLocales.some((one) => one === locale)

/** The same filters, as a query of `page_text`. */
function filteredByTexts({ trashed, locale, status }: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] {
  const inLocale = locale === undefined ? sql`` : sql` and locale = ${locale}`
  const conditions: Partial<Record<NonNullable<PageFilter['status']>, RawBuilder<unknown>>> = {
    published: sql` and live_id is not null`,
    changed: sql` and live_id is not null and live_id <> saved_id`,
    unpublished: sql` and live_id is null`,
    planned: sql` and (publish_at is not null or unpublish_at is not null)`,
  }
  return [
    sql<SqlBool>`${column('trashed')} = ${sql.lit(trashed ? 1 : 0)}`,
    sql<SqlBool>`${column('id')} in (
      select page_id from page_text where page_id > 0${inLocale}${(status && conditions[status]) ?? sql``})`,
  ]
}

/**
 * The filters that the counts table supports. Values are our own constants and are inlined, so that the query planner
 * sees them.
 */
function filtered(which: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] {
  const { trashed, locale, status } = which
  const wanted = locale === undefined ? listedLocales : [locale].filter(isColumn)
  const state = (one: ListedLocale) => column(`state_${one}`)
  const some = (of: (one: ListedLocale) => RawBuilder<SqlBool>) =>
    sql<SqlBool>`(${sql.join(wanted.map(of), sql` or `)})`
  const { published, unpublished, changed } = stateCodes
  return [
    sql<SqlBool>`${column('trashed')} = ${sql.lit(trashed ? 1 : 0)}`,
    ...(locale === undefined ? [] : [sql<SqlBool>`${column(`state_${locale as ListedLocale}`)} > 0`]),
    ...(status === 'published' ? [some((one) => sql<SqlBool>`${state(one)} >= ${sql.lit(published)}`)] : []),
    ...(status === 'changed' ? [some((one) => sql<SqlBool>`${state(one)} = ${sql.lit(changed)}`)] : []),
    ...(status === 'unpublished' ? [some((one) => sql<SqlBool>`${state(one)} = ${sql.lit(unpublished)}`)] : []),
    ...(status === 'planned'
      ? [some((one) => sql<SqlBool>`${column('scheduled')} in (${sql.lit(scheduledFlags[one])}, 3)`)]
      : []),
  ]
}

/** By id, because `withoutIndex` puts a unary plus before columns, which PostgreSQL refuses for text. */
const collectionCondition = ({ collection }: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] => {
  if (collection === undefined) return []
  const which = collection === '' ? sql`entry.collection is null` : sql`entry.collection = ${collection}`
  return [sql<SqlBool>`${column('id')} in (select entry.id from page as entry where ${which})`]
}

const draftCondition = ({ status, userId, locale }: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] => {
  if (status !== 'draft') return []
  const inLocale = locale === undefined ? sql`` : sql` and locale = ${locale}`
  return [
    sql<SqlBool>`${column('id')} in (
      select page_id from page_draft where user_id = ${userId} and text is not null${inLocale})`,
  ]
}

const reviewCondition = ({ status, locale }: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] => {
  if (status !== 'review') return []
  const inLocale = locale === undefined ? sql`` : sql` and locale = ${locale}`
  return [sql<SqlBool>`${column('id')} in (select page_id from page_review where state = 'waiting'${inLocale})`]
}
