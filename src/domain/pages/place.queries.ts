import type { Db } from './page.queries.ts'

export async function findPagesHolding(db: Db, addresses: readonly string[]): Promise<{ id: number; title: string }[]> {
  if (addresses.length === 0) return []
  return db
    .selectFrom('page_place')
    .innerJoin('page', 'page.id', 'page_place.page_id')
    .select(['page.id', 'page.title'])
    .distinct()
    .where('page_place.address', 'in', addresses)
    .orderBy('page.id')
    .execute()
}
