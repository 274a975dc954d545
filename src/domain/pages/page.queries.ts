import { type Locale, locales, localizedPath } from '../../contract/locales.ts'
import type { PageState } from '../../contract/pages.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { PageTable, PageTextTable } from '../../platform/db/tables/pages.ts'

export type Db = Database | Transaction

/** Somebody, as they were called then; without a number it was the program. */
export interface By {
  id: number | null
  name: string
}

/** A page in one language, without what it says. */
export interface TextRow {
  locale: Locale
  title: string
  slug: string
  version: number
  savedId: number
  savedAt: string
  savedBy: By
  liveId: number | null
  liveSlug: string | null
  /** Date of the text, as it stands on the page. */
  liveDate: string | null
  publishedAt: string | null
  publishAt: string | null
  publishId: number | null
  unpublishAt: string | null
  binLiveId: number | null
  binPublishAt: string | null
  binPublishId: number | null
  binUnpublishAt: string | null
}

export interface PageRow {
  id: number
  fixed: boolean
  seeded: boolean
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  updatedBy: By
  texts: Partial<Record<Locale, TextRow>>
}

/** Whether visitors see it in some language, or will by a plan. */
export const isLiveOrPlanned = (page: PageRow): boolean =>
  locales.some((locale) => page.texts[locale]?.liveId != null || page.texts[locale]?.publishAt != null)

/** Whether visitors saw it until it came into the bin. */
export const wasLive = (page: PageRow): boolean => locales.some((locale) => page.texts[locale]?.binLiveId != null)

export const stateOf = ({ liveId, savedId }: Pick<TextRow, 'liveId' | 'savedId'>): PageState =>
  liveId === null ? 'unpublished' : liveId === savedId ? 'published' : 'changed'

/** What visitors have in their address bar. */
export const livePath = (text: Pick<TextRow, 'locale' | 'liveSlug'>): string | null =>
  text.liveSlug === null ? null : localizedPath(`/${text.liveSlug}`, text.locale)

/** Pages by their ids, in that order; what is gone is left out. */
export async function findPageRows(db: Db, ids: readonly number[]): Promise<PageRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('page')
    .select(['id', 'fixed', 'seeded', 'deleted_at', 'created_at', 'updated_at', 'updated_by_id', 'updated_by_name'])
    .where('id', 'in', ids)
    .execute()
  const texts = await db
    .selectFrom('page_text')
    .select(['page_id', 'locale', 'title', 'slug', 'version', 'saved_id', 'saved_at', 'saved_by_id', 'saved_by_name'])
    .select(['live_id', 'live_slug', 'live_date', 'published_at', 'publish_at', 'publish_id', 'unpublish_at'])
    .select(['bin_live_id', 'bin_publish_at', 'bin_publish_id', 'bin_unpublish_at'])
    .where('page_id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, toPage(row)]))
  for (const text of texts) {
    const page = byId.get(text.page_id)
    if (page) page.texts[text.locale] = toText(text)
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function findPageRow(db: Db, id: number): Promise<PageRow | undefined> {
  return (await findPageRows(db, [id]))[0]
}

type Found = Omit<PageTable, 'id' | 'fixed' | 'seeded'> & { id: number; fixed: number; seeded: number }
type Fields =
  | 'id'
  | 'fixed'
  | 'seeded'
  | 'deleted_at'
  | 'created_at'
  | 'updated_at'
  | 'updated_by_id'
  | 'updated_by_name'

const toPage = (row: Pick<Found, Fields>): PageRow => ({
  id: row.id,
  fixed: row.fixed === 1,
  seeded: row.seeded === 1,
  deletedAt: row.deleted_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: { id: row.updated_by_id, name: row.updated_by_name },
  texts: {},
})

const toText = (row: Omit<PageTextTable, 'page_id' | 'live_noindex' | 'publish_slug'>): TextRow => ({
  locale: row.locale,
  title: row.title,
  slug: row.slug,
  version: row.version,
  savedId: row.saved_id,
  savedAt: row.saved_at,
  savedBy: { id: row.saved_by_id, name: row.saved_by_name },
  liveId: row.live_id,
  liveSlug: row.live_slug,
  liveDate: row.live_date,
  publishedAt: row.published_at,
  publishAt: row.publish_at,
  publishId: row.publish_id,
  unpublishAt: row.unpublish_at,
  binLiveId: row.bin_live_id,
  binPublishAt: row.bin_publish_at,
  binPublishId: row.bin_publish_id,
  binUnpublishAt: row.bin_unpublish_at,
})

/** Whether a page that is not in the bin has the address, will have it by a plan, or still shows it to visitors. */
export async function isSlugTaken(
  db: Db,
  { locale, slug, pageId }: { locale: Locale; slug: string; pageId: number | undefined },
): Promise<boolean> {
  const at = (column: 'slug' | 'live_slug' | 'publish_slug') =>
    db
      .selectFrom('page_text')
      .innerJoin('page', 'page.id', 'page_text.page_id')
      .select('page_text.page_id')
      .where('page_text.locale', '=', locale)
      .where(`page_text.${column}`, '=', slug)
      .where('page.bin', '=', 0)
      .$if(pageId !== undefined, (query) => query.where('page_text.page_id', '!=', pageId as number))
      .limit(1)
      .executeTakeFirst()
  return ((await at('slug')) ?? (await at('live_slug')) ?? (await at('publish_slug'))) !== undefined
}

/** The addresses that begin as this one and go on with `-`, to find a number that is free. */
export async function listSlugsLike(db: Db, locale: Locale, slug: string): Promise<string[]> {
  const found: (string | null)[] = []
  for (const column of ['slug', 'live_slug', 'publish_slug'] as const) {
    const rows = await db
      .selectFrom('page_text')
      .innerJoin('page', 'page.id', 'page_text.page_id')
      .select(`page_text.${column} as slug`)
      .where('page_text.locale', '=', locale)
      .where(`page_text.${column}`, '>=', `${slug}-`)
      // The sign that comes after the hyphen.
      .where(`page_text.${column}`, '<', `${slug}.`)
      .where('page.bin', '=', 0)
      .execute()
    found.push(...rows.map((row) => row.slug))
  }
  return found.filter((one) => one !== null)
}
