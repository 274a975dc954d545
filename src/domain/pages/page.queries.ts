import { sql } from 'kysely'
import { defaultLocale, type Locale, localizedPath, mainLocaleOf, type SiteLanguages } from '../../contract/locales.ts'
import type { PageState } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { hasResults } from '../../platform/db/query-results.ts'
import type { Author } from '../audit/record.ts'

/** Which page, in which language. */
export interface PageLocaleKey {
  pageId: number
  locale: Locale
}

/** The text of a page in one language: its title, addresses and schedule, without its content. */
export interface TextRow {
  locale: Locale
  title: string
  slug: string
  version: number
  savedRevisionId: number
  savedAt: string
  savedBy: Author
  liveRevisionId: number | null
  liveSlug: string | null
  liveNoindex: boolean
  /** The date that the page shows. */
  liveDate: string | null
  publishedAt: string | null
  publishAt: string | null
  publishRevisionId: number | null
  publishSlug: string | null
  unpublishAt: string | null
  /** The live revision at the moment the page was trashed, its date, and what was scheduled. */
  trashedLiveRevisionId: number | null
  trashedLiveDate: string | null
  trashedPublishAt: string | null
  trashedPublishRevisionId: number | null
  trashedUnpublishAt: string | null
}

export interface PageRow {
  id: number
  /** Whether the site needs the page: it can be neither trashed nor unpublished. */
  fixed: boolean
  /** The page came from the configuration, and no user has changed it since. */
  seeded: boolean
  /** The id of the collection that it is an entry of. */
  collection: string | null
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  updatedBy: Author
  texts: Partial<Record<Locale, TextRow>>
}

/** The values of `page.state_nl` and `page.state_fa`; 0 is no text. Other languages are read from `page_text`. */
export const stateCodes = { unpublished: 1, published: 2, changed: 3 } as const
/** Bit flags of `page.scheduled`. */
export const scheduledFlags = { nl: 1, fa: 2 } as const satisfies Record<ListedLocale, number>

/** The languages whose state the list finds in the columns of `page`. */
export const listedLocales = ['nl', 'fa'] as const
export type ListedLocale = (typeof listedLocales)[number]

/** The texts of a page, Dutch first. */
export const textsOf = ({ texts }: Pick<PageRow, 'texts'>): TextRow[] =>
  Object.values(texts)
    .filter((text) => text !== undefined)
    .toSorted((one, other) => orderOf(one).localeCompare(orderOf(other)))
const orderOf = ({ locale }: TextRow) => (locale === defaultLocale ? '' : locale)

/** The title of a page for lists and sentences: in the main language of the site, or else in another. */
export const titleOf = (page: Pick<PageRow, 'texts'>, site: SiteLanguages): string | undefined =>
  (page.texts[mainLocaleOf(site)] ?? textsOf(page)[0])?.title

/** Whether the page is live in some language, or scheduled. */
export const isLiveOrScheduled = (page: PageRow): boolean =>
  textsOf(page).some(({ liveRevisionId, publishAt }) => liveRevisionId !== null || publishAt !== null)

/** Whether the page was live until it was trashed. */
export const wasLive = (page: PageRow): boolean =>
  textsOf(page).some(({ trashedLiveRevisionId }) => trashedLiveRevisionId !== null)

export const stateOf = ({
  liveRevisionId,
  savedRevisionId,
}: Pick<TextRow, 'liveRevisionId' | 'savedRevisionId'>): PageState =>
  liveRevisionId === null ? 'unpublished' : liveRevisionId === savedRevisionId ? 'published' : 'changed'

/** The live path as in the address bar. */
export const livePath = (
  text: Pick<TextRow, 'locale' | 'liveSlug'>,
  site: Pick<SiteLanguages, 'rootLocale'>,
): string | null => (text.liveSlug === null ? null : localizedPath(`/${text.liveSlug}`, text.locale, site))

/** Pages by their ids, in that order; those that do not exist are left out. */
export async function listPageRows(db: Db, ids: readonly number[]): Promise<PageRow[]> {
  if (ids.length === 0) return []
  const pages = await db
    .selectFrom('page')
    .select(['id', 'fixed', 'seeded', 'collection', 'deleted_at as deletedAt', 'created_at as createdAt'])
    .select(['updated_at as updatedAt', 'updated_by_id', 'updated_by_name'])
    .where('id', 'in', ids)
    .execute()
  const texts = await db
    .selectFrom('page_text')
    .select(['page_id as pageId', 'locale', 'title', 'slug', 'version'])
    .select(['saved_id as savedRevisionId', 'saved_at as savedAt', 'saved_by_id', 'saved_by_name'])
    .select(['live_id as liveRevisionId', 'live_slug as liveSlug', 'live_noindex', 'live_date as liveDate'])
    .select(['published_at as publishedAt', 'publish_at as publishAt', 'publish_id as publishRevisionId'])
    .select(['publish_slug as publishSlug', 'unpublish_at as unpublishAt'])
    .select(['trashed_live_id as trashedLiveRevisionId', 'trashed_live_date as trashedLiveDate'])
    .select(['trashed_publish_at as trashedPublishAt', 'trashed_publish_id as trashedPublishRevisionId'])
    .select('trashed_unpublish_at as trashedUnpublishAt')
    .where('page_id', 'in', ids)
    .execute()
  const byId = new Map(
    pages.map(({ fixed, seeded, updated_by_id, updated_by_name, ...page }): [number, PageRow] => {
      const updatedBy = { id: updated_by_id, name: updated_by_name }
      return [page.id, { ...page, fixed: fixed === 1, seeded: seeded === 1, updatedBy, texts: {} }]
    }),
  )
  for (const { pageId, live_noindex, saved_by_id, saved_by_name, ...text } of texts) {
    const page = byId.get(pageId)
    const savedBy = { id: saved_by_id, name: saved_by_name }
    if (page) page.texts[text.locale] = { ...text, savedBy, liveNoindex: live_noindex === 1 }
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function findPageRow(db: Db, id: number): Promise<PageRow | undefined> {
  return (await listPageRows(db, [id]))[0]
}

/** The pages that use one of these files, by their titles in the main language of the site, or else in another. */
export async function listPagesWithFiles(
  db: Db,
  publicIds: readonly string[],
  main: Locale,
): Promise<{ id: number; title: string }[]> {
  if (publicIds.length === 0) return []
  return db
    .selectFrom('page_file_usage')
    .innerJoin('page', 'page.id', 'page_file_usage.page_id')
    .leftJoin('page_text', (join) => join.onRef('page_text.page_id', '=', 'page.id').on('page_text.locale', '=', main))
    .select((eb) => ['page.id', eb.fn.coalesce('page_text.title', 'page.title').as('title')])
    .distinct()
    .where('page_file_usage.address', 'in', publicIds)
    .orderBy('page.id')
    .execute()
}

/** The number of pages outside the trash with a text in each language. */
export async function countTextsByLocale(db: Db): Promise<{ locale: Locale; pages: number }[]> {
  const rows = await db
    .selectFrom('page_text')
    .innerJoin('page', 'page.id', 'page_text.page_id')
    .select(['page_text.locale', (eb) => eb.fn.countAll<number | string>().as('pages')])
    .where('page.trashed', '=', 0)
    .groupBy('page_text.locale')
    .orderBy('page_text.locale')
    .execute()
  return rows.map(({ locale, pages }) => ({ locale, pages: Number(pages) }))
}

/** A page outside the trash in the language at the root that has this language prefix, or a path below it, as its path. */
export async function findPageAtPrefix(
  db: Db,
  { locale, prefix }: { locale: Locale; prefix: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('page_text')
    .innerJoin('page', 'page.id', 'page_text.page_id')
    .select('page.id')
    .where('page.trashed', '=', 0)
    .where('page_text.locale', '=', locale)
    .where((eb) =>
      eb.or(
        (['slug', 'live_slug', 'publish_slug'] as const).flatMap((column) => [
          eb(`page_text.${column}`, '=', prefix),
          eb(`page_text.${column}`, 'like', `${prefix}/%`),
        ]),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Whether the slug is the saved one of this page, in any language. */
export const isSavedSlugOf = (db: Db, pageId: number, slug: string): Promise<boolean> =>
  hasResults(db.selectFrom('page_text').where('page_id', '=', pageId).where('slug', '=', slug))

/** Whether a page outside the trash has the slug saved, scheduled or live. */
export async function isSlugTaken(
  db: Db,
  { locale, slug, pageId }: { locale: Locale; slug: string; pageId: number | undefined },
): Promise<boolean> {
  return hasResults(
    db
      .selectFrom('page_text')
      .innerJoin('page', 'page.id', 'page_text.page_id')
      .where('page_text.locale', '=', locale)
      .where((eb) =>
        eb.or([
          eb('page_text.slug', '=', slug),
          eb('page_text.live_slug', '=', slug),
          eb('page_text.publish_slug', '=', slug),
        ]),
      )
      .where('page.trashed', '=', 0)
      .$if(pageId !== undefined, (query) => query.where('page_text.page_id', '!=', pageId as number)),
  )
}

/** The slugs that begin with this one and a hyphen, among them all that have a number appended. */
export async function listNumberedSlugs(db: Db, locale: Locale, slug: string): Promise<string[]> {
  const found: (string | null)[] = []
  for (const column of ['slug', 'live_slug', 'publish_slug'] as const) {
    const rows = await db
      .selectFrom('page_text')
      .innerJoin('page', 'page.id', 'page_text.page_id')
      .select(`page_text.${column} as slug`)
      .where('page_text.locale', '=', locale)
      .where(`page_text.${column}`, '>=', `${slug}-`)
      // In the order of the slugs a full stop follows the hyphen.
      .where(`page_text.${column}`, '<', `${slug}.`)
      .where('page.trashed', '=', 0)
      .execute()
    found.push(...rows.map((row) => row.slug))
  }
  return found.filter((slug) => slug !== null)
}

/** Whether users added or changed a page that is not fixed. */
export const hasOwnPage = (db: Database): Promise<boolean> =>
  hasResults(db.selectFrom('page').where('trashed', '=', 0).where('fixed', '=', 0).where('seeded', '=', 0))

/** The texts with a due schedule, each once, the longest due first. */
export async function listDueTexts(
  db: Db,
  now: Date,
  { max, offset }: { max: number; offset: number },
): Promise<PageLocaleKey[]> {
  const dueBy = (column: 'publish_at' | 'unpublish_at') =>
    db
      .selectFrom('page_text')
      .select(['page_id as pageId', 'locale', `${column} as at`])
      .where(column, '<=', now.toISOString())
  return db
    .selectFrom(dueBy('publish_at').unionAll(dueBy('unpublish_at')).as('due'))
    .select(['pageId', 'locale'])
    .groupBy(['pageId', 'locale'])
    .orderBy((eb) => eb.fn.min('at'))
    .orderBy('pageId')
    .orderBy('locale')
    .limit(max)
    .offset(offset)
    .execute()
}

/** When the next schedule is due, if there is one. */
export async function findNextDue(db: Database): Promise<Date | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select min(at) as at from (
      select min(publish_at) as at from page_text union all select min(unpublish_at) as at from page_text
    ) as schedules`.execute(db)
  const at = rows[0]?.at
  return at ? new Date(at) : undefined
}

/** The languages and collections of the current configuration; undefined while the site uses the file. */
export async function findStoredSite(
  db: Db,
): Promise<Pick<SiteConfig, 'locales' | 'rootLocale' | 'collections'> | undefined> {
  const row = await db.selectFrom('config_revision').select('config').orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!row) return undefined
  const { locales, rootLocale, collections } = JSON.parse(row.config)
  return { locales, rootLocale, collections }
}
