import { defaultLocale, type Locale } from '../../contract/locales.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Db } from './page.queries.ts'

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
    .where('page.bin', '=', 0)
    .executeTakeFirst()
  return row?.id
}
