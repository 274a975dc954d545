import { defaultLocale, type Locale } from '../../contract/locales.ts'
import type { SitePage } from '../../contract/site-config.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'

/** A page of the configuration that was added to the database. */
export interface SeedRow {
  /** The slug in the configuration, which identifies the page there. */
  slug: string
  /** The hash of the page in the configuration that was stored last. */
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
 * The id of the page that belongs to a page of the configuration: the one seeded from it, or else the one with its
 * slug. Null when it was deleted; undefined when there is none.
 */
export async function findStoredPageId(
  db: Db,
  seeds: readonly SeedRow[],
  { slug, collection, content }: SitePage,
): Promise<number | null | undefined> {
  const seed = seeds.find((candidate) => candidate.slug === slug)
  const [locale = defaultLocale] = Object.keys(content)
  const slugInLocale = content[locale]?.slug ?? slug
  if (collection === undefined) {
    return seed ? seed.pageId : findPageIdBySlug(db, locale === defaultLocale ? slug : slugInLocale, locale)
  }
  const id = seed ? seed.pageId : await findPageIdBySlug(db, slugInLocale, locale)
  if (id == null) return id
  // The collection of a page never changes, so a page of another collection is a different page.
  const page = await db.selectFrom('page').select('collection').where('id', '=', id).executeTakeFirst()
  return page?.collection === collection ? id : undefined
}

/** The id of the page outside the trash that has this saved slug in a language. */
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
