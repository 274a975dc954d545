import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Transaction } from '../db/database.ts'

/** The transaction of the calling use case, when there is one. */
const current = new AsyncLocalStorage<Transaction>()

/** Runs `work` with every query of Better Auth in `tx`. */
export const runInTransaction = <T>(tx: Transaction, work: () => Promise<T>): Promise<T> => current.run(tx, work)

export const currentTransaction = (): Transaction | undefined => current.getStore()

/** The connection that Better Auth's queries use now. */
export const currentConnection = (db: Database): Database => (currentTransaction() ?? db) as Database
