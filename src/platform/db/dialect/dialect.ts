import type { ColumnDefinitionBuilder, Kysely, Dialect as KyselyDialect, RawBuilder, SqlBool } from 'kysely'
import type { Database, Transaction } from '../tables/index.ts'
import type { DatabaseCopy } from './database-copy.ts'

/** A migration sees the tables of its own time, not those of today. */
// biome-ignore lint/suspicious/noExplicitAny: which tables there were, no type says
export type MigratedDatabase = Kysely<any>

/** Everything that differs between the two databases. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  kysely: KyselyDialect
  /** The last write error because of a full or failing disk or a read-only database. `checkDatabase` clears it. */
  lastWriteFailure: { error?: unknown }
  /** Makes an integer column an auto-incrementing primary key that never reuses an id. */
  autoIncrement(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Sets the first id of a new table. For the migration that creates the table. */
  startIdsAt(db: MigratedDatabase, table: string, first: number): Promise<void>
  /** Takes a named lock until the transaction ends. On SQLite a transaction excludes all others anyway. */
  lock(tx: Transaction, name: string): Promise<void>
  /** Whether `for update skip locked` is supported, to claim rows concurrently. */
  skipLocked: boolean
  /**
   * Removes deleted rows from the files too: SQLite's write-ahead log still contains them.
   * @param options.textIndexes also merges the full-text indexes, which still contain the terms of deleted rows
   * @returns false while another process reads an older state of the database: call it again later
   */
  purgeDeleted(db: Database, options?: { textIndexes: boolean }): Promise<boolean>
  /** Returns free pages to the file system, in small steps. PostgreSQL reuses the space by itself. */
  reclaimSpace(db: Database, signal?: AbortSignal): Promise<void>
  /** A text column sorted by its bytes, whatever the collation of the database. */
  bytewiseText: 'text' | RawBuilder<unknown>
  /** Adds a stored generated column, sorted by its bytes. No foreign key may refer to the table yet. */
  addGeneratedText(
    db: MigratedDatabase,
    made: { table: string; column: string; from: RawBuilder<string> },
  ): Promise<void>
  /** Replaces the generated column `search_text` by one that triggers fill. */
  fillSearchTextByTriggers(db: MigratedDatabase, made: SearchText): Promise<void>
  /** Creates a full-text index of trigrams; see `searchIndexIds`. For the migration that creates the column. */
  indexText(db: MigratedDatabase, at: { table: string; column: string }): Promise<void>
  /**
   * A table of the ids (`id`) of rows that may contain every term, by the full-text index; the caller still compares
   * the texts. Undefined where the query planner uses the index by itself.
   */
  searchIndexIds(at: { table: string; column: string }, terms: readonly string[]): RawBuilder<number> | undefined
  /**
   * Creates a full-text index of the words of a folded column and of their suffixes, for `wordIndexIds`. It has the rows whose
   * column `words_indexed` is 1.
   */
  indexWords(db: MigratedDatabase, at: { table: string; column: string }): Promise<void>
  /** Limits the tokens of a row to what the index holds, where it has a limit, and has longer texts indexed again. */
  limitWordTokens(db: MigratedDatabase, at: { table: string; column: string }): Promise<void>
  /** Whether full-text indexes give the newest rows without reading all that match. */
  readsNewestFirst: boolean
  /** A table of the ids (`id`) of the newest rows of a language with every term, by the index of `indexWords`. */
  wordIndexIds(
    at: { table: string; column: string },
    wanted: { locale: string; terms: readonly string[]; as: WordMatch },
    limit: number,
  ): RawBuilder<number>
  /**
   * The terms, or parts of them, by which the full-text index finds few rows. Looking up the others as well would take
   * longer than comparing the texts of those rows.
   */
  rareTerms(db: Database, at: { table: string; column: string }, terms: readonly string[]): Promise<readonly string[]>
  /**
   * The column in a form for which SQLite cannot use an index, so that it reads the index of the sort order. On PostgreSQL the
   * column itself, because its planner has statistics of plain columns only.
   */
  withoutIndex(column: string): RawBuilder<unknown>
  /** Whether a text column contains `term` exactly: evaluated for each row. */
  contains(column: string, term: string): RawBuilder<SqlBool>
  /** The same condition in a form for which the query planner can use the full-text index. */
  containsByIndex(column: string, term: string): RawBuilder<SqlBool>
  /** A text column with `…` in the place of each email address. */
  redactEmails(column: string): RawBuilder<string>
  /** Creates or replaces triggers that maintain in `into` the number of rows of `table` for each combination of values. */
  maintainCounts(db: MigratedDatabase, counted: CountTable): Promise<void>
  /** Whether a write violated a unique constraint. */
  isUniqueViolation(error: unknown): boolean
  /** Reads and replaces all tables, for backups. */
  copy: DatabaseCopy
  /** The time by the clock of the database. */
  clock(db: Database): Promise<Date>
  /** How many bytes the database takes. */
  size(db: Database): Promise<number>
  /**
   * Checks the integrity of the database, also while the site is running.
   * @param options.withinMs without it a database of any size is checked to its end
   * @returns the problems found; undefined when there was no time for all tables
   */
  findDamage(db: Database, options?: { withinMs: number }): Promise<string[] | undefined>
  /** How many connections the server lets in, and how many of them other programs have now; undefined without a server. */
  connections(db: Database): Promise<{ most: number; others: number } | undefined>
  /** Whether another program has the database open. Call it before this program opens it. */
  isInUse(): Promise<boolean>
}

/** Whether a term is a whole word, the start of one, or any part of one. */
export type WordMatch = 'whole' | 'start' | 'part'

/** `search_text` of `table` contains the folded text of these columns. */
export interface SearchText {
  table: string
  columns: string[]
}

/** Rows of `table` are counted in `into (…columns, counted)`. The columns are numbers; null counts as 0. */
export interface CountTable {
  table: string
  into: string
  columns: string[]
}
