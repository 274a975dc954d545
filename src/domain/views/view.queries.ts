import { sql } from 'kysely'
import type { Day } from '../../contract/day.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

/** Rows per statement. */
const batch = 500

export interface PageAtDay {
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

/** Up to `limit` rows from a day on, in key order, after the key `after`. */
export async function listPageViews(
  db: Database,
  from: Day,
  limit: number,
  after: PageAtDay | undefined,
): Promise<PageAtDay[]> {
  const rows = await db
    .selectFrom('page_view')
    .select(['day', 'path', 'locale', 'views'])
    .where('day', '>=', from)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(day, path, locale) > (${after?.day}, ${after?.path}, ${after?.locale})`),
    )
    .orderBy('day')
    .orderBy('path')
    .orderBy('locale')
    .limit(limit)
    .execute()
  return rows as PageAtDay[]
}

/** Deletes the oldest day before another. @returns how many rows it had */
export async function deleteOldestDay(tx: Transaction, before: Day): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('page_view')
    .where('day', '=', (eb) =>
      eb
        .selectFrom('page_view')
        .select((min) => min.fn.min('day').as('day'))
        .where('day', '<', before),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
