import type { ColumnDefinitionBuilder, Dialect as KyselyDialect } from 'kysely'
import type { Database, Transaction } from '../tables/index.ts'

/** All that differs between the two databases. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  kysely: KyselyDialect
  /** Makes an integer column the primary key that counts by itself and never gives a number twice. */
  autoIncrement(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /**
   * Lets one transaction at a time do what `name` stands for, until it ends. On SQLite every transaction that writes
   * is alone already.
   */
  lock(tx: Transaction, name: string): Promise<void>
  /** Whether `for update skip locked` is there, for claiming rows beside others. */
  skipLocked: boolean
  /** Lets nothing of removed rows stay in the files of the database: SQLite's log beside it still holds them. */
  forget(db: Database): Promise<void>
}
