import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db, Transaction } from '../tables/index.ts'

/** A value of a column; the tables have no other types, which `toValue` ensures. */
export type Value = string | number | null

export interface TableColumns {
  name: string
  columns: string[]
}

/** Reads and replaces the tables of a database as a whole, for backups. */
export interface DatabaseCopy {
  /** Begins a snapshot transaction, which does not block writers. */
  beginSnapshot(connection: Database): Promise<void>
  endSnapshot(connection: Database): Promise<void>
  /** All tables with their columns, without the columns that the database fills. */
  listTables(db: Db): Promise<TableColumns[]>
  /** The foreign keys between tables. */
  listReferences(db: Db): Promise<{ table: string; refersTo: string }[]>
  /** Reads all rows of a table in batches. `connection` must be in a transaction. */
  readRows(connection: Database, table: TableColumns): AsyncIterable<Record<string, unknown>[]>
  /** The last auto-increment id of each table, including tables of other programs. */
  readLastIds(db: Db): Promise<Record<string, number>>
  /**
   * Raises the last id of each table to that of `lastIds`; a higher one stays. Tables that do not exist, or have no
   * auto-increment ids, are skipped.
   */
  continueIds(tx: Transaction, lastIds: Readonly<Record<string, number>>): Promise<void>
  /** Drops tables in this order, with their triggers, trigger functions and full-text indexes. */
  dropTables(tx: Transaction, tables: readonly string[]): Promise<void>
  /** The SQL that an `insert` needs before `values` to set ids explicitly. */
  beforeValues: RawBuilder<unknown>
  /** Removes the timeouts of a transaction that takes long. */
  prepareLongTransaction(tx: Db): Promise<void>
}

/**
 * So few that reading a batch and writing it as JSON does not block the event loop for long. The statements have it as
 * a literal, because `fetch` takes no parameter.
 */
export const rowsPerBatch = 50

async function endSnapshot(connection: Database): Promise<void> {
  await sql`rollback`.execute(connection)
}

/** SQLite reads tables in batches by `rowid`, which every table has. */
export const sqliteCopy: DatabaseCopy = {
  async beginSnapshot(connection) {
    await sql`begin deferred`.execute(connection)
    // The first read fixes the snapshot.
    await sql`select count(*) from sqlite_master`.execute(connection)
  },
  endSnapshot,
  async listTables(db) {
    const { rows } = await sql<{ table: string; column: string }>`
      select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_xinfo(t.name) c
      where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' and c.hidden = 0
      and not (c.name = 'search_text' and exists (
        select 1 from sqlite_master s where s.type = 'trigger' and s.tbl_name = t.name and s.sql like '%set search_text = folded_text(%'))
      order by t.name, c.cid`.execute(db)
    return groupByTable(rows)
  },
  async listReferences(db) {
    const { rows } = await sql<{ table: string; refersTo: string }>`
      select t.name as "table", f."table" as "refersTo" from pragma_table_list t, pragma_foreign_key_list(t.name) f
      where t.schema = 'main' and t.type = 'table'`.execute(db)
    return rows
  },
  async *readRows(connection, { name, columns }) {
    for (let lastRowId = -1; ; ) {
      const { rows } = await sql<Record<string, unknown> & { row_number: number }>`
        select ${sql.join(columns.map((column) => sql.id(column)))}, rowid as row_number from ${sql.id(name)}
        where rowid > ${lastRowId} order by rowid limit ${sql.lit(rowsPerBatch)}`.execute(connection)
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerBatch) return
      lastRowId = rows.at(-1)?.row_number ?? lastRowId
      // SQLite's calls are synchronous: requests run between the batches.
      await nextTurn()
    }
  },
  async readLastIds(db) {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db)
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  },
  async continueIds(tx, lastIds) {
    for (const [table, last] of Object.entries(lastIds)) {
      await sql`insert into sqlite_sequence (name, seq) select name, 0 from sqlite_master
        where type = 'table' and name = ${table} and sql like '%autoincrement%'
        and not exists (select 1 from sqlite_sequence where name = ${table})`.execute(tx)
      await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(tx)
    }
  },
  async dropTables(tx, tables) {
    // Full-text indexes are virtual tables; dropping one also drops its shadow tables.
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_list where schema = 'main' and type = 'virtual'`.execute(tx)
    for (const name of [...rows.map((row) => row.name), ...tables]) {
      await sql`drop table if exists ${sql.id(name)}`.execute(tx)
    }
  },
  beforeValues: sql``,
  async prepareLongTransaction() {},
}

export const postgresCopy: DatabaseCopy = {
  async beginSnapshot(connection) {
    await sql`begin isolation level repeatable read read only`.execute(connection)
    await postgresCopy.prepareLongTransaction(connection)
  },
  endSnapshot,
  async listTables(db) {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and not (a.attname = 'search_text' and exists (
        select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'fill_search_text'))
      order by c.relname, a.attnum`.execute(db)
    return groupByTable(rows)
  },
  async listReferences(db) {
    const { rows } = await sql<{ table: string; refersTo: string }>`
      select c.relname as "table", r.relname as "refersTo" from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
      where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace`.execute(db)
    return rows
  },
  async *readRows(connection, { name, columns }) {
    await sql`declare backup_rows no scroll cursor for
      select ${sql.join(columns.map((column) => sql.id(column)))} from ${sql.id(name)}`.execute(connection)
    for (;;) {
      const { rows } = await sql<
        Record<string, unknown>
      >`fetch forward ${sql.lit(rowsPerBatch)} from backup_rows`.execute(connection)
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerBatch) break
    }
    await sql`close backup_rows`.execute(connection)
  },
  async readLastIds(db) {
    const rows = await listSequences(db)
    return Object.fromEntries(rows.flatMap(({ table, last }) => (last === null ? [] : [[table, Number(last)]])))
  },
  async continueIds(tx, lastIds) {
    for (const { table, sequence, last } of await listSequences(tx)) {
      const wanted = lastIds[table]
      if (wanted === undefined || wanted <= Number(last)) continue
      await sql`select setval(${sequence}::regclass, ${wanted})`.execute(tx)
    }
  },
  async dropTables(tx, tables) {
    const { rows } = await sql<{ name: string }>`
      select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace
      and c.relname in (${sql.join(tables)})`.execute(tx)
    for (const name of tables) await sql`drop table if exists ${sql.id(name)} cascade`.execute(tx)
    for (const { name } of rows) await sql`drop function ${sql.id(name)}()`.execute(tx)
  },
  beforeValues: sql`overriding system value`,
  async prepareLongTransaction(tx) {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  },
}

async function listSequences(db: Db) {
  const { rows } = await sql<{ table: string; sequence: string; last: string | null }>`
    select table_name as "table", sequence, pg_sequence_last_value(sequence::regclass) as last
    from information_schema.columns, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    where is_identity = 'YES' and column_name = 'id' and table_schema = current_schema()`.execute(db)
  return rows
}

function groupByTable(rows: { table: string; column: string }[]): TableColumns[] {
  const tables = new Map<string, string[]>()
  for (const { table, column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])
  return [...tables].map(([name, columns]) => ({ name, columns }))
}

/** Checks the type of a value. @throws for a type that the two databases would not restore unchanged */
export function toValue(value: unknown): Value {
  if (value === null || typeof value === 'string' || Number.isFinite(value)) return value as Value
  throw new Error(`a column has a value of type ${typeof value}, which backups do not know`)
}
