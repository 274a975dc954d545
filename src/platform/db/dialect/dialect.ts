import type { ColumnDefinitionBuilder, Kysely, Dialect as KyselyDialect, RawBuilder, SqlBool } from 'kysely'
import type { Database, Transaction } from '../tables/index.ts'

/** All that differs between the two databases. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  kysely: KyselyDialect
  /** Makes an integer column the primary key that counts by itself and never gives a number twice. */
  autoIncrement(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Lets the numbers of a new table begin at `first`. Belongs to the migration that makes the table. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration sees the tables of its own time
  countFrom(db: Kysely<any>, table: string, first: number): Promise<void>
  /**
   * Lets one transaction at a time do what `name` stands for, until it ends. On SQLite every transaction that writes
   * is alone already.
   */
  lock(tx: Transaction, name: string): Promise<void>
  /** Whether `for update skip locked` is there, for claiming rows beside others. */
  skipLocked: boolean
  /** Lets nothing of removed rows stay in the files of the database: SQLite's log beside it still holds them. */
  forget(db: Database): Promise<void>
  /** The type of a text column whose order is that of its bytes, whatever language the database was made for. */
  bytewiseText: 'text' | RawBuilder<unknown>
  /** Adds a text column, not empty, that the database itself makes of others, and keeps; its order is that of its bytes. Nothing may refer to the table yet. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration sees the tables of its own time
  addMadeText(db: Kysely<any>, made: { table: string; column: string; from: RawBuilder<string> }): Promise<void>
  /** Makes the parts of a text column quick to find; see `narrow`. Belongs to the migration that makes the column. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  indexText(db: Kysely<any>, at: { table: string; column: string }): Promise<void>
  /**
   * A table of the ids (`id`) of rows that may contain every one of `parts`, by the index of texts; whoever asks still compares the texts.
   * Undefined when the database finds its index by itself.
   */
  narrow(at: { table: string; column: string }, parts: readonly string[]): RawBuilder<number> | undefined
  /** Whether a text column contains `part`, to the letter: asked of row after row. */
  contains(column: string, part: string): RawBuilder<SqlBool>
  /** The same, in words that the index of texts answers where the database finds it by itself. */
  containsByIndex(column: string, part: string): RawBuilder<SqlBool>
  /** Keeps in the table `into` how many rows of `table` there are for each pair of values, so that nobody has to count them. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  keepCounts(db: Kysely<any>, counted: Counted): Promise<void>
  /** Whether a write failed because a value is taken. */
  isTaken(error: unknown): boolean
}

/** Rows of `table` are counted in `into (…columns, counted)`. Columns are numbers; none counts as 0. */
export interface Counted {
  table: string
  into: string
  columns: string[]
}
