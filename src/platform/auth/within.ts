import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Transaction } from '../db/database.ts'

/** The transaction in which Better Auth works now, when a verb began one. */
const current = new AsyncLocalStorage<Transaction>()

/** Runs `work` so that every query of Better Auth in it goes through `tx`. */
export const within = <T>(tx: Transaction, work: () => Promise<T>): Promise<T> => current.run(tx, work)

export const currentTransaction = (): Transaction | undefined => current.getStore()

/** Where Better Auth's queries go now. */
export const connection = (db: Database): Database => (currentTransaction() ?? db) as Database
