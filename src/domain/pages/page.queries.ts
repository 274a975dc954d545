import { sql } from 'kysely'
import { defaultLocale, type Locale, localizedPath, mainLocaleOf, type SiteLanguages } from '../../contract/locales.ts'
import type { PageState } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { hasResults } from '../../platform/db/query-results.ts'
import type { Author } from '../audit/record.ts'

/** Identifies a text: a page in one language. */
export interface PageLocaleKey {
  pageId: number
  locale: Locale
}

/**
 * A text is a page in one language, which is saved, published and scheduled on its own. The row has its title, slugs
 * and schedule; the content is in the revisions.
 */
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
  /** What was live and scheduled when the page was moved to the trash. */
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
  /** Whether the page came from the configuration, and no user has changed it since. */
  seeded: boolean
  /** The id of the collection that the page is an entry of. */
  collection: string | null
  /** When the page was moved to the trash. */
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  updatedBy: Author
  texts: Partial<Record<Locale, TextRow>>
}

/** The values of `page.state_nl` and `page.state_fa`; 0: no text. Other languages are looked up in `page_text`. */
export const stateCodes = { unpublished: 1, published: 2, changed: 3 } as const
/** Bit flags of `page.scheduled`: the languages with a schedule. */
export const scheduledFlags = { nl: 1, fa: 2 } as const satisfies Record<ListedLocale, number>

/** The languages whose state the page list reads from columns of `page`. */
export const listedLocales = ['nl', 'fa'] as const
export type ListedLocale = (typeof listedLocales)[number]

/** The texts of a page: Dutch, then by language tag. */
export const textsOf = ({ texts }: Pick<PageRow, 'texts'>): TextRow[] =>
  Object.values(texts)
    .filter((text) => text !== undefined)
    .toSorted((a, b) => sortKeyOf(a).localeCompare(sortKeyOf(b)))
/** Empty, which sorts first, for Dutch. */
const sortKeyOf = ({ locale }: TextRow) => (locale === defaultLocale ? '' : locale)

/** The title of a page in the main language of the site, or else in its first language; undefined without texts. */
export const titleOf = (page: Pick<PageRow, 'texts'>, site: SiteLanguages): string | undefined =>
  (page.texts[mainLocaleOf(site)] ?? textsOf(page)[0])?.title

/** Whether the page is live in some language, or scheduled. */
export const isLiveOrScheduled = (page: PageRow): boolean =>
  textsOf(page).some(({ liveRevisionId, publishAt }) => liveRevisionId !== null || publishAt !== null)

/** Whether the page was live until it was trashed. */
export const wasLive = (page: PageRow): boolean =>
  textsOf(page).some(({ trashedLiveRevisionId }) => trashedLiveRevisionId !== null)

/** `changed`: a later text was saved than the one that is live. */
export const stateOf = ({
  liveRevisionId,
  savedRevisionId,
}: Pick<TextRow, 'liveRevisionId' | 'savedRevisionId'>): PageState =>
  liveRevisionId === null ? 'unpublished' : liveRevisionId === savedRevisionId ? 'published' : 'changed'

/** The path at which a text is live, as in the address bar, not encoded; null when it is not live. */
export const livePath = (
  text: Pick<TextRow, 'locale' | 'liveSlug'>,
  site: Pick<SiteLanguages, 'rootLocale'>,
): string | null => (text.liveSlug === null ? null : localizedPath(`/${text.liveSlug}`, text.locale, site))

/** The pages with these ids, in this order; ids that do not exist are left out. */
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

/** The pages that use any of these files, with their titles in the main language, or else as the page list has them. */
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

/** A page outside the trash with a slug, in the language at the root, that is a language prefix or is below it. */
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

/** Whether this page has the slug saved in any language. */
export const isSavedSlugOf = (db: Db, pageId: number, slug: string): Promise<boolean> =>
  hasResults(db.selectFrom('page_text').where('page_id', '=', pageId).where('slug', '=', slug))

/** Whether a page outside the trash, other than `pageId`, has the slug saved, scheduled or live in a language. */
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

/** The slugs of pages outside the trash that begin with `slug` and a hyphen: among them all with a number appended. */
export async function listNumberedSlugs(db: Db, locale: Locale, slug: string): Promise<string[]> {
  const slugs: (string | null)[] = []
  for (const column of ['slug', 'live_slug', 'publish_slug'] as const) {
    const rows = await db
      .selectFrom('page_text')
      .innerJoin('page', 'page.id', 'page_text.page_id')
      .select(`page_text.${column} as slug`)
      .where('page_text.locale', '=', locale)
      .where(`page_text.${column}`, '>=', `${slug}-`)
      // The character after the hyphen is the full stop, so this is a prefix search that can use the index.
      .where(`page_text.${column}`, '<', `${slug}.`)
      .where('page.trashed', '=', 0)
      .execute()
    slugs.push(...rows.map((row) => row.slug))
  }
  return slugs.filter((slug) => slug !== null)
}

/** Whether users added or changed any page that is neither fixed nor in the trash. */
export const hasUserEditedPage = (db: Database): Promise<boolean> =>
  hasResults(db.selectFrom('page').where('trashed', '=', 0).where('fixed', '=', 0).where('seeded', '=', 0))

/** The texts with a schedule that is due, each once, the longest overdue first. */
export async function listDueTexts(
  db: Db,
  now: Date,
  { max, offset }: { max: number; offset: number },
): Promise<PageLocaleKey[]> {
  const selectDue = (column: 'publish_at' | 'unpublish_at') =>
    db
      .selectFrom('page_text')
      .select(['page_id as pageId', 'locale', `${column} as at`])
      .where(column, '<=', now.toISOString())
  return db
    .selectFrom(selectDue('publish_at').unionAll(selectDue('unpublish_at')).as('due'))
    .select(['pageId', 'locale'])
    .groupBy(['pageId', 'locale'])
    .orderBy((eb) => eb.fn.min('at'))
    .orderBy('pageId')
    .orderBy('locale')
    .limit(max)
    .offset(offset)
    .execute()
}

/** When the next schedule is due; in the past when it is overdue. */
export async function findNextDue(db: Database): Promise<Date | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select min(at) as at from (
      select min(publish_at) as at from page_text union all select min(unpublish_at) as at from page_text
    ) as schedules`.execute(db)
  const at = rows[0]?.at
  return at ? new Date(at) : undefined
}

/** The languages and collections of the stored configuration; undefined while the site uses the configuration file. */
export async function findStoredSite(
  db: Db,
): Promise<Pick<SiteConfig, 'locales' | 'rootLocale' | 'collections'> | undefined> {
  const row = await db.selectFrom('config_revision').select('config').orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!row) return undefined
  const { locales, rootLocale, collections } = JSON.parse(row.config)
  return { locales, rootLocale, collections }
}
