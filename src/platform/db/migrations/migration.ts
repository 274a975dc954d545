import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../dialect/dialect.ts'

/** Migrations only go forward. */
// biome-ignore lint/suspicious/noExplicitAny: a migration sees the tables of its own time, not those of today
export type MigrationOf = (dialect: Dialect) => Omit<Migration, 'down'> & { up(db: Kysely<any>): Promise<void> }
