import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Locale } from '../../contract/locales.ts'
import type { pageSorts, pageStatuses } from '../../contract/pages.ts'
import type { LongList, RenderColumn } from '../../platform/db/long-list-sql.ts'
import { type ListedLocale, listedLocales, scheduledFlags, stateCodes } from './page.queries.ts'

export interface PageFilter {
  /** The search terms, from `searchTerms`. */
  terms: string[]
  trashed: boolean
  locale: Locale | undefined
  /** Whether the site has other languages than `listedLocales`. */
  otherLocales: boolean
  /** The id of the collection whose entries are listed; empty: pages that are no entries; undefined: all. */
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

/** The page list as a `LongList`, whose queries are built from these conditions. */
export const buildPageList = (filter: PageFilter): LongList => ({
  table: 'page',
  terms: filter.terms,
  filter: (column) => [
    ...(usesColumns(filter) ? conditionsOnPage(filter, column) : conditionsOnTexts(filter, column)),
    ...collectionCondition(filter, column),
    ...draftCondition(filter, column),
    ...reviewCondition(filter, column),
  ],
  filterColumns: ['trashed', 'state_nl', 'state_fa', 'scheduled'],
  order: orders[filter.sort],
  descending: filter.descending,
  // The counts table does not cover drafts of one user, reviews, collections, or other languages.
  countTable:
    filter.status === 'draft' || filter.status === 'review' || filter.collection !== undefined || !usesColumns(filter)
      ? undefined
      : 'page_count',
  scanLimits: [2_000],
})

/** Whether the columns of `page` suffice for the filter; other languages are looked up in `page_text`. */
const usesColumns = ({ locale, status, otherLocales }: PageFilter): boolean =>
  locale === undefined ? status === undefined || !otherLocales : isListedLocale(locale)
const isListedLocale = (locale: Locale): locale is ListedLocale => listedLocales.some((tag) => tag === locale)

/** The filters as a query of `page_text`, for all languages. */
function conditionsOnTexts({ trashed, locale, status }: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] {
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
 * The filters on columns of `page`, which the table of counts supports. Their values are constants, never user input,
 * and inlined, so that the query planner sees them.
 */
function conditionsOnPage(filter: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] {
  const { trashed, locale, status } = filter
  const locales = locale === undefined ? listedLocales : [locale].filter(isListedLocale)
  const state = (tag: ListedLocale) => column(`state_${tag}`)
  const anyLocale = (condition: (tag: ListedLocale) => RawBuilder<SqlBool>) =>
    sql<SqlBool>`(${sql.join(locales.map(condition), sql` or `)})`
  const { published, unpublished, changed } = stateCodes
  return [
    sql<SqlBool>`${column('trashed')} = ${sql.lit(trashed ? 1 : 0)}`,
    ...(locale === undefined ? [] : [sql<SqlBool>`${column(`state_${locale as ListedLocale}`)} > 0`]),
    ...(status === 'published' ? [anyLocale((tag) => sql<SqlBool>`${state(tag)} >= ${sql.lit(published)}`)] : []),
    ...(status === 'changed' ? [anyLocale((tag) => sql<SqlBool>`${state(tag)} = ${sql.lit(changed)}`)] : []),
    ...(status === 'unpublished' ? [anyLocale((tag) => sql<SqlBool>`${state(tag)} = ${sql.lit(unpublished)}`)] : []),
    // 3: both flags.
    ...(status === 'planned'
      ? [anyLocale((tag) => sql<SqlBool>`${column('scheduled')} in (${sql.lit(scheduledFlags[tag])}, 3)`)]
      : []),
  ]
}

/** A condition on the id: `withoutIndex` puts a unary plus before columns, which PostgreSQL refuses for text. */
const collectionCondition = ({ collection }: PageFilter, column: RenderColumn): RawBuilder<SqlBool>[] => {
  if (collection === undefined) return []
  const ofCollection = collection === '' ? sql`entry.collection is null` : sql`entry.collection = ${collection}`
  return [sql<SqlBool>`${column('id')} in (select entry.id from page as entry where ${ofCollection})`]
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
