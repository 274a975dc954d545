import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Kysely, type RawBuilder, type SqlBool, SqliteAdapter, SqliteDialect, sql } from 'kysely'
import type { Counted, Dialect } from './dialect.ts'

/** SQLite by Node's own `node:sqlite`. `path` may be `:memory:`. */
export function sqlite(path: string): Dialect {
  return {
    name: 'sqlite',
    kysely: new Sqlite({ database: async () => open(path) }),
    // `autoincrement`: a number that was given out is never given again, also when its row is gone.
    autoIncrement: (column) => column.primaryKey().autoIncrement(),
    async countFrom(db, table, first) {
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${first - 1})`.execute(db)
    },
    lock: async () => {},
    skipLocked: false,
    bytewiseText: 'text',
    addMadeText,
    indexText,
    narrow,
    contains,
    containsByIndex: contains,
    keepCounts,
    // SQLITE_CONSTRAINT_UNIQUE
    isTaken: (error) => (error as { errcode?: unknown }).errcode === 2067,
    forget: async (db) => {
      await sql`pragma wal_checkpoint(truncate)`.execute(db)
    },
  }
}

/** SQLite adds no stored column to a table that is there, so the table is made anew beside it and takes its place. */
async function addMadeText(
  db: Kysely<never>,
  { table, column, from }: { table: string; column: string; from: RawBuilder<string> },
): Promise<void> {
  const { rows: made } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null order by type = 'table' desc`.execute(
    db,
  )
  const { rows: known } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
  const { rows: counted } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
    db,
  )
  const [first, ...others] = made.map((one) => one.sql)
  const definition = first?.slice(first.indexOf('(') + 1, first.lastIndexOf(')'))
  const anew = sql.id(`${table}_anew`)
  const columns = sql.join(known.map(({ name }) => sql.id(name)))
  const old = sql.id(table)

  await sql`create table ${anew} (${sql.raw(definition ?? '')},
    ${sql.id(column)} text generated always as (${from}) stored)`.execute(db)
  await sql`insert into ${anew} (${columns}) select ${columns} from ${old}`.execute(db)
  await sql`drop table ${old}`.execute(db)
  await sql`alter table ${anew} rename to ${old}`.execute(db)
  for (const statement of others) await sql.raw(statement).execute(db)
  // A number that was given out is never given again, also when its row is gone.
  for (const { seq } of counted) await sql`update sqlite_sequence set seq = ${seq} where name = ${table}`.execute(db)
}

type At = { table: string; column: string }
const indexName = ({ table, column }: At) => `${table}_${column}_parts`

/** FTS5 by groups of three characters, without the text itself: a tenth of what the rows take. */
async function indexText(db: Kysely<never>, at: At): Promise<void> {
  const index = sql.id(indexName(at))
  const table = sql.id(at.table)
  const column = sql.id(at.column)
  const trigger = (when: string) => sql.id(`${indexName(at)}_${when}`)
  await sql`create virtual table ${index} using fts5(folded, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`.execute(
    db,
  )
  await sql`create trigger ${trigger('insert')} after insert on ${table} begin
    insert into ${index} (rowid, folded) values (new.id, new.${column}); end`.execute(db)
  await sql`create trigger ${trigger('update')} after update on ${table} when new.${column} <> old.${column} begin
    update ${index} set folded = new.${column} where rowid = new.id; end`.execute(db)
  await sql`create trigger ${trigger('delete')} after delete on ${table} begin
    delete from ${index} where rowid = old.id; end`.execute(db)
  await sql`insert into ${index} (rowid, folded) select id, ${column} from ${table}`.execute(db)
}

const contains = (column: string, part: string) => sql<SqlBool>`instr(${sql.ref(column)}, ${part}) > 0`

function narrow(at: At, parts: readonly string[]) {
  const index = sql.id(indexName(at))
  const threes = parts.flatMap((part) => {
    const letters = [...part]
    return letters.slice(2).map((_, end) => letters.slice(end, end + 3).join(''))
  })
  const wanted = [...new Set(threes)].map((three) => `"${three.replaceAll('"', '""')}"`).join(' AND ')
  return sql<number>`(select rowid as id from ${index} where ${index} match ${wanted})`
}

async function keepCounts(db: Kysely<never>, { table, into, columns }: Counted): Promise<void> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  const values = (row: 'new' | 'old') => sql.join(columns.map((column) => sql`coalesce(${sql.id(row, column)}, 0)`))
  const counts = sql.id(into)
  const add = sql`insert into ${counts} (${names}, counted) values (${values('new')}, 1)
    on conflict (${names}) do update set counted = counted + 1;`
  const take = sql`update ${counts} set counted = counted - 1 where (${names}) = (${values('old')});`
  const on = sql.id(table)
  await sql`create trigger ${sql.id(`${into}_insert`)} after insert on ${on} begin ${add} end`.execute(db)
  await sql`create trigger ${sql.id(`${into}_update`)} after update of ${names} on ${on} begin ${add} ${take} end`.execute(
    db,
  )
  await sql`create trigger ${sql.id(`${into}_delete`)} after delete on ${on} begin ${take} end`.execute(db)
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
