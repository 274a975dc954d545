import { defaultLocale, type Locale } from '../../contract/locales.ts'
import type { SitePage } from '../../contract/site-config.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'

/** A page that was seeded from the configuration. */
export interface SeedRow {
  slug: string
  /** Hash of the seeded content. */
  hash: string
  /** Null: the page was deleted since. */
  pageId: number | null
}

export async function listSeeds(db: Db): Promise<SeedRow[]> {
  return db.selectFrom('page_seed').select(['slug', 'hash', 'page_id as pageId']).execute()
}

export async function writeSeed(tx: Transaction, { slug, hash, pageId }: SeedRow): Promise<void> {
  await tx
    .insertInto('page_seed')
    .values({ slug, hash, page_id: pageId })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ hash, page_id: pageId }))
    .execute()
}

/**
 * The database page that belongs to a page of the configuration: the one seeded from it, or else the one with its slug.
 * Null: it was deleted. Undefined: there is none.
 */
export async function findKnownPage(
  db: Db,
  seeds: readonly SeedRow[],
  { slug, collection, content }: SitePage,
): Promise<number | null | undefined> {
  const seed = seeds.find((one) => one.slug === slug)
  const [locale = defaultLocale] = Object.keys(content)
  if (collection === undefined)
    return seed
      ? seed.pageId
      : findPageIdBySlug(db, locale === defaultLocale ? slug : (content[locale]?.slug ?? slug), locale)
  const id = seed ? seed.pageId : await findPageIdBySlug(db, content[locale]?.slug ?? slug, locale)
  if (id == null) return id
  // The collection of a page never changes, so a page of another collection is a different page.
  const page = await db.selectFrom('page').select('collection').where('id', '=', id).executeTakeFirst()
  return page?.collection === collection ? id : undefined
}

/** The page whose saved slug in a language this is. */
export async function findPageIdBySlug(
  db: Db,
  slug: string,
  locale: Locale = defaultLocale,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('page_text')
    .innerJoin('page', 'page.id', 'page_text.page_id')
    .select('page.id')
    .where('page_text.locale', '=', locale)
    .where('page_text.slug', '=', slug)
    .where('page.trashed', '=', 0)
    .executeTakeFirst()
  return row?.id
}
