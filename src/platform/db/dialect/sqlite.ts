import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** SQLite by Node's own `node:sqlite`. `path` may be `:memory:`. */
export function sqlite(path: string): Dialect {
  return {
    name: 'sqlite',
    kysely: new Sqlite({ database: async () => open(path) }),
    // `autoincrement`: a number that was given out is never given again, also when its row is gone.
    autoIncrement: (column) => column.primaryKey().autoIncrement(),
    lock: async () => {},
    skipLocked: false,
    forget: async (db) => {
      await sql`pragma wal_checkpoint(truncate)`.execute(db)
    },
  }
}

/** Kysely holds that SQLite cannot undo a `create table`. It can, so a migration that is cut off leaves nothing, and copies that start at once wait for each other. */
class Sqlite extends SqliteDialect {
  override createAdapter() {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl() {
        return true
      }
    })()
  }
}

function open(path: string) {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: true, defensive: true })
  // FULL: what was acknowledged is on disk, also after a power cut.
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory; pragma cache_size = -4000')
  // What is removed is overwritten, so that it cannot be read from the file or from a copy of it.
  db.exec('pragma secure_delete = on')
  return kyselyDatabase(db)
}

/** Kysely speaks better-sqlite3; `node:sqlite` does the same in slightly other words. */
function kyselyDatabase(db: DatabaseSync) {
  // Parsing a statement costs more than running it; the program has some tens of them, lists of values make a few more.
  const statements = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= 500) statements.clear()
    const made = prepared(db.prepare(text))
    statements.set(text, made)
    return made
  }
  return {
    // Kysely says plain `begin`; `immediate` waits for the lock at the start, where waiting is possible, and not in the middle.
    prepare: (text: string) => prepare(text === 'begin' ? 'begin immediate' : text),
    close: () => {
      statements.clear()
      db.close()
    },
  }
}

type Prepared = ReturnType<typeof prepared>

function prepared(statement: StatementSync) {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...values(parameters)) as unknown[],
    run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)) as IterableIterator<unknown>,
  }
}
