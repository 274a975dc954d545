import { brotliDecompressSync } from 'node:zlib'
import { file, tables } from 'virtual:empty-database'

/**
 * The stored columns of each table of this program, by the name of the table: a PostgreSQL database may also have tables of
 * other programs, or tables and columns of a newer version.
 */
export const ownTables: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(tables).map(([name, columns]) => [name, new Set(columns)]),
)

/** The file of a SQLite database after all migrations, with only the rows that they insert; about a megabyte. */
export const emptyDatabaseFile = (): Buffer => brotliDecompressSync(Buffer.from(file, 'base64'))
