import { Kysely } from 'kysely'
import { sqlite } from './dialect/sqlite.ts'
import { migrate } from './migrations/index.ts'
import type { Tables } from './tables/index.ts'

/** The names of all tables of this program: a PostgreSQL may have those of others beside them. */
export async function listOwnTables(): Promise<ReadonlySet<string>> {
  const dialect = sqlite(':memory:')
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  try {
    // The cast: migrations see the tables of their own time.
    await migrate(db as unknown as Kysely<never>, dialect)
    return new Set((await dialect.copy.listTables(db)).map(({ name }) => name))
  } finally {
    await db.destroy()
  }
}
