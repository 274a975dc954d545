import type { Day } from '../../contract/day.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

/** Rows per statement. */
const batch = 500

interface PageAtDay {
  day: Day
  path: string
  locale: Locale
  views: number
}

/** Adds to existing totals, in a fixed order that prevents deadlocks between instances. */
export async function addPageViews(tx: Transaction, rows: readonly PageAtDay[]): Promise<void> {
  const keyOf = ({ path, locale }: PageAtDay) => `${path} ${locale}`
  const sorted = [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (let start = 0; start < sorted.length; start += batch) {
    await tx
      .insertInto('page_view')
      .values(sorted.slice(start, start + batch))
      .onConflict((on) =>
        on
          .columns(['day', 'path', 'locale'])
          .doUpdateSet((eb) => ({ views: eb('page_view.views', '+', eb.ref('excluded.views')) })),
      )
      .execute()
  }
}

/** The most viewed pages from a day on. */
export async function listMostViewed(db: Database, from: Day, limit: number): Promise<Omit<PageAtDay, 'day'>[]> {
  const rows = await db
    .selectFrom('page_view')
    .select(['path', 'locale', (eb) => eb.fn.sum<number | string>('views').as('total')])
    .where('day', '>=', from)
    .groupBy(['path', 'locale'])
    .orderBy('total', 'desc')
    .orderBy('path')
    .orderBy('locale')
    .limit(limit)
    .execute()
  return rows.map(({ path, locale, total }) => ({ path, locale, views: Number(total) }))
}

/** Deletes the oldest day before another from a table of totals. @returns how many rows it had */
export async function deleteOldestDay(
  tx: Transaction,
  table: 'page_view' | 'visit_total',
  before: Day,
): Promise<number> {
  const oldest = tx
    .selectFrom(table)
    .select(({ fn }) => fn.min('day').as('day'))
    .where('day', '<', before)
  const { numDeletedRows } = await tx.deleteFrom(table).where('day', '=', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}
