import { sql } from 'kysely'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { Db } from './page.queries.ts'

/** What visitors see of a page in one language. */
export interface LiveRow {
  pageId: number
  /** Date of the text. */
  date: string
  text: PageText
}

/** Where visitors find a page. */
export interface LiveAddress {
  pageId: number
  locale: Locale
  slug: string
}

/** The page that visitors find at an address, with what it says: one read of the index of live addresses. */
export async function findLivePage(db: Db, locale: Locale, slug: string): Promise<LiveRow | undefined> {
  const row = await db
    .selectFrom('page_text')
    .innerJoin('page_revision', 'page_revision.id', 'page_text.live_id')
    .select(['page_text.page_id', 'page_text.live_date', 'page_revision.text'])
    .where('page_text.locale', '=', locale)
    .where('page_text.live_slug', '=', slug)
    .executeTakeFirst()
  return row && { pageId: row.page_id, date: row.live_date ?? '', text: JSON.parse(row.text) }
}

/** Which page is at an address, if any. */
export async function findLiveText(db: Db, locale: Locale, slug: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('page_text')
    .select('page_id')
    .where('locale', '=', locale)
    .where('live_slug', '=', slug)
    .executeTakeFirst()
  return row?.page_id
}

/** The addresses of one page, by language. */
export async function listAddressesOf(db: Db, pageId: number): Promise<LiveAddress[]> {
  const rows = await db
    .selectFrom('page_text')
    .select(['page_id', 'locale', 'live_slug'])
    .where('page_id', '=', pageId)
    .where('live_slug', 'is not', null)
    .execute()
  return rows.map((row) => ({ pageId: row.page_id, locale: row.locale, slug: row.live_slug ?? '' }))
}

/** What search engines may know of, in the order of its number. */
export async function countListed(db: Db, locales: readonly Locale[]): Promise<number> {
  const { total } = await listed(db, locales)
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function listListed(db: Db, locales: readonly Locale[], part: { offset: number; limit: number }) {
  const rows = await listed(db, locales)
    .select(['page_id', 'locale', 'live_slug', 'live_date'])
    .orderBy('page_id')
    .orderBy(sql`case locale when 'nl' then 0 else 1 end`)
    .offset(part.offset)
    .limit(part.limit)
    .execute()
  return rows.map((row) => ({
    pageId: row.page_id,
    locale: row.locale,
    slug: row.live_slug ?? '',
    date: row.live_date ?? '',
  }))
}

const listed = (db: Db, locales: readonly Locale[]) =>
  db
    .selectFrom('page_text')
    .where('live_slug', 'is not', null)
    .where('live_noindex', '=', 0)
    .where('locale', 'in', locales)
