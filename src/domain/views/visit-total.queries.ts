import type { Day } from '../../contract/day.ts'
import { limits } from '../../contract/limits.ts'
import { otherValue } from '../../contract/visits.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { Dialect } from '../../platform/db/dialect/dialect.ts'
import type { VisitTotalTable } from '../../platform/db/tables/site.ts'

type Kind = VisitTotalTable['kind']

interface VisitTotal {
  kind: Kind
  value: string
  count: number
}

/**
 * Adds to the totals of a day. Values beyond `limits.statisticsValues` of one kind are counted together; of new ones the
 * most frequent come first.
 */
export async function addVisitTotals(
  tx: Transaction,
  dialect: Dialect,
  day: Day,
  totals: readonly VisitTotal[],
): Promise<void> {
  const added = totals.filter(({ count }) => count > 0)
  if (added.length === 0) return
  // Two instances would otherwise both add their last new values, and wait for each other's rows.
  await dialect.lock(tx, 'statistics')
  for (const [kind, ofKind] of Map.groupBy(added, (total) => total.kind)) {
    const stored = await tx
      .selectFrom('visit_total')
      .select('value')
      .where('kind', '=', kind)
      .where('day', '=', day)
      .execute()
    const countedValues = new Set(stored.map(({ value }) => value))
    const counts = new Map<string, number>()
    for (const { value, count } of ofKind.toSorted((a, b) => b.count - a.count)) {
      const fits = value !== otherValue && countedValues.size < limits.statisticsValues
      if (fits) countedValues.add(value)
      const key = countedValues.has(value) ? value : otherValue
      counts.set(key, (counts.get(key) ?? 0) + count)
    }
    await tx
      .insertInto('visit_total')
      .values([...counts].map(([value, count]) => ({ day, kind, value, count })))
      .onConflict((on) =>
        on
          .columns(['kind', 'day', 'value'])
          .doUpdateSet((eb) => ({ count: eb('visit_total.count', '+', eb.ref('excluded.count')) })),
      )
      .execute()
  }
}

/**
 * Subtracts one from the total of a value on a day, or else from that of the values that are counted together. A
 * deleted total is not created again.
 */
export async function subtractVisit(
  tx: Transaction,
  dialect: Dialect,
  day: Day,
  { kind, value }: { kind: Kind; value: string },
): Promise<void> {
  await dialect.lock(tx, 'statistics')
  for (const counted of [value, otherValue]) {
    const { numUpdatedRows } = await tx
      .updateTable('visit_total')
      .set((eb) => ({ count: eb('count', '-', 1) }))
      .where('kind', '=', kind)
      .where('day', '=', day)
      .where('value', '=', counted)
      .where('count', '>', 0)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
  }
}

/** The totals of each day with any, from a day on. */
export async function sumByDay(db: Database, kind: Kind, from: Day): Promise<Map<Day, number>> {
  const rows = await db
    .selectFrom('visit_total')
    .select(['day', (eb) => eb.fn.sum<number | string>('count').as('total')])
    .where('kind', '=', kind)
    .where('day', '>=', from)
    .groupBy('day')
    .execute()
  return new Map(rows.map(({ day, total }) => [day, Number(total)]))
}

/** The values with the highest totals from a day on. */
export async function listTopValues(
  db: Database,
  kind: Kind,
  { from, limit }: { from: Day; limit: number },
): Promise<{ value: string; count: number }[]> {
  const rows = await db
    .selectFrom('visit_total')
    .select(['value', (eb) => eb.fn.sum<number | string>('count').as('total')])
    .where('kind', '=', kind)
    .where('day', '>=', from)
    .where('value', '!=', otherValue)
    .groupBy('value')
    .orderBy('total', 'desc')
    .orderBy('value')
    .limit(limit)
    .execute()
  return rows.map(({ value, total }) => ({ value, count: Number(total) }))
}

/** The first day on which something of a kind was counted. */
export async function findFirstDay(db: Database, kind: Kind): Promise<Day | undefined> {
  const row = await db
    .selectFrom('visit_total')
    .select((eb) => eb.fn.min('day').as('day'))
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.day ?? undefined
}
