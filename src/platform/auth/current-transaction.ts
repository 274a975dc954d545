import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Transaction } from '../db/database.ts'

/** The transaction of the calling use case, if there is one. */
const transactionStorage = new AsyncLocalStorage<Transaction>()

/** Runs `work`; meanwhile all queries of Better Auth run in `tx`. */
export const runInTransaction = <T>(tx: Transaction, work: () => Promise<T>): Promise<T> =>
  transactionStorage.run(tx, work)

export const currentTransaction = (): Transaction | undefined => transactionStorage.getStore()

/** The connection for queries of Better Auth: the current transaction, else `db`. */
export const currentConnection = (db: Database): Database => (currentTransaction() ?? db) as Database
