import { Kysely } from 'kysely'
import { sqlite } from './dialect/sqlite.ts'
import { migrate } from './migrations/index.ts'
import type { Tables } from './tables/index.ts'

/** The stored columns of each table of this program, by the name of the table. */
export type OwnTables = ReadonlyMap<string, ReadonlySet<string>>

let known: OwnTables | undefined

/**
 * Needed where a PostgreSQL database also has tables of other programs, or tables and columns of a newer version. They are
 * listed once, because that runs every migration on an empty database, and blocks the event loop meanwhile.
 */
export async function listOwnTables(): Promise<OwnTables> {
  if (known) return known
  const dialect = sqlite(':memory:')
  const db = new Kysely<Tables>({ dialect: dialect.kysely })
  try {
    // The cast: migrations see the tables of their own time.
    await migrate(db as unknown as Kysely<never>, dialect)
    known = new Map((await dialect.copy.listTables(db)).map(({ name, columns }) => [name, new Set(columns)]))
    return known
  } finally {
    await db.destroy()
  }
}
