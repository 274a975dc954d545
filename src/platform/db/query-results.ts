import { type SelectQueryBuilder, sql } from 'kysely'

/** The number of rows that a query returns. PostgreSQL returns counts as text. */
export async function countResults<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .$castTo<{ count: number | string }>()
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a query returns any row. */
export const hasResults = async <Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<boolean> =>
  (await query.clearSelect().select(sql.lit(1).as('one')).limit(1).executeTakeFirst()) !== undefined
