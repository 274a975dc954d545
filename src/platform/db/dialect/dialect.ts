import type { ColumnDefinitionBuilder, Kysely, Dialect as KyselyDialect, RawBuilder, SqlBool } from 'kysely'
import type { Database, Transaction } from '../tables/index.ts'
import type { DatabaseCopy } from './database-copy.ts'

/** A migration sees the tables of its own time, not those of today. */
// biome-ignore lint/suspicious/noExplicitAny: the tables of an earlier version have no types
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
   * Removes deleted rows from the files of the database: SQLite's write-ahead log still contains them.
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
    column: { table: string; column: string; from: RawBuilder<string> },
  ): Promise<void>
  /** Replaces the generated column `search_text` by a column that triggers fill. */
  fillSearchTextByTriggers(db: MigratedDatabase, searchText: SearchText): Promise<void>
  /** Creates a full-text index of trigrams; see `searchIndexIds`. For the migration that creates the column. */
  indexText(db: MigratedDatabase, text: TextColumn): Promise<void>
  /**
   * A table of the ids (`id`) of rows that may contain every term, by the full-text index; the caller still compares
   * the texts. Undefined where the query planner uses the index by itself.
   */
  searchIndexIds(text: TextColumn, terms: readonly string[]): RawBuilder<number> | undefined
  /**
   * Creates a full-text index of the words of a folded column and of their suffixes, for `wordIndexIds`. It contains
   * the rows whose column `words_indexed` is 1.
   */
  indexWords(db: MigratedDatabase, text: TextColumn): Promise<void>
  /** Limits the tokens of a row to the maximum of the index, if any, and marks longer texts to be indexed again. */
  limitWordTokens(db: MigratedDatabase, text: TextColumn): Promise<void>
  /** Whether full-text indexes return the newest rows without reading all matches. */
  readsNewestFirst: boolean
  /** A table of the ids (`id`) of the newest rows that match a search, by the index of `indexWords`. */
  wordIndexIds(text: TextColumn, query: WordSearch, limit: number): RawBuilder<number>
  /**
   * The terms, or parts of them, by which the full-text index finds few rows. Looking up the other terms too would take
   * longer than comparing the texts of those rows.
   */
  rareTerms(db: Database, text: TextColumn, terms: readonly string[]): Promise<readonly string[]>
  /**
   * An expression of the column for which SQLite cannot use an index, so that it reads the index of the sort order. On
   * PostgreSQL it is the column itself, because its planner only has statistics of plain columns.
   */
  withoutIndex(column: string): RawBuilder<unknown>
  /** Whether a text column contains `term`, case-sensitively; evaluated for each row. */
  contains(column: string, term: string): RawBuilder<SqlBool>
  /** The same condition in a form for which the query planner can use the full-text index. */
  containsByIndex(column: string, term: string): RawBuilder<SqlBool>
  /** A text column with `…` in place of each email address. */
  redactEmails(column: string): RawBuilder<string>
  /** Creates or replaces the triggers that maintain the counts of a `CountTable`. */
  maintainCounts(db: MigratedDatabase, counts: CountTable): Promise<void>
  /** Whether a write violated a unique constraint. */
  isUniqueViolation(error: unknown): boolean
  /** Reads and replaces all tables, for backups. */
  copy: DatabaseCopy
  /** The time by the clock of the database. */
  clock(db: Database): Promise<Date>
  /** The size of the database in bytes. */
  size(db: Database): Promise<number>
  /**
   * Checks the integrity of the database, also while the site is running.
   * @param options.withinMs a time limit; without it the whole database is checked, whatever its size
   * @returns the problems found; undefined when there was no time for all tables
   */
  findDamage(db: Database, options?: { withinMs: number }): Promise<string[] | undefined>
  /** The number of connections that the server allows, and how many other programs have now; undefined for SQLite. */
  connections(db: Database): Promise<{ allowed: number; others: number } | undefined>
  /** Whether another program has the database open. Call it before this program opens it. */
  isInUse(): Promise<boolean>
}

/** A text column of a table. */
export interface TextColumn {
  table: string
  column: string
}

/** Whether a term matches a whole word, the start of a word, or any part of a word. */
export type WordMatch = 'whole' | 'start' | 'part'

export interface WordSearch {
  locale: string
  /** A row must contain every term. */
  terms: readonly string[]
  match: WordMatch
}

/** The columns of `table` whose folded text its column `search_text` contains. */
export interface SearchText {
  table: string
  columns: string[]
}

/** `into (…columns, counted)` has the number of rows of `table` for each combination of values; null counts as 0. */
export interface CountTable {
  table: string
  into: string
  columns: string[]
}
