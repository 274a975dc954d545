import { Kysely } from 'kysely'
import { sqlite } from './dialect/sqlite.ts'
import { migrate } from './migrations/index.ts'
import type { Tables } from './tables/index.ts'

/** The stored columns of each table of this program, by the name of the table. */
export type OwnTables = ReadonlyMap<string, ReadonlySet<string>>

/** A PostgreSQL may have the tables of others beside them, and a newer version may have added tables and columns. */
export async function listOwnTables(): Promise<OwnTables> {
  const dialect = sqlite(':memory:')
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  try {
    // The cast: migrations see the tables of their own time.
    await migrate(db as unknown as Kysely<never>, dialect)
    return new Map((await dialect.copy.listTables(db)).map(({ name, columns }) => [name, new Set(columns)]))
  } finally {
    await db.destroy()
  }
}
