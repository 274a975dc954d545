import { kyselyAdapter } from '@better-auth/kysely-adapter'
import type { BetterAuthOptions, DBAdapter, Where } from 'better-auth'
import type { Database, Transaction } from '../db/database.ts'
import { currentTransaction, runInTransaction } from './current-transaction.ts'
import { tokenHash } from './token-hash.ts'

type Adapter = DBAdapter<BetterAuthOptions>
type Row = Record<string, unknown>

/**
 * Better Auth's Kysely adapter with two changes: queries inside a transaction use that transaction, and session tokens
 * are stored as hashes.
 */
export function authAdapter(db: Database) {
  return (options: BetterAuthOptions): Adapter => {
    // `sqlite` on both databases: it makes the adapter write timestamps as ISO text and booleans as 0 and 1. The SQL is
    // the same.
    const createAdapter = (connection: Database) =>
      kyselyAdapter(connection as never, { type: 'sqlite', transaction: false })(options)
    const defaultAdapter = createAdapter(db)
    const transactionAdapters = new WeakMap<Transaction, Adapter>()
    /** The adapter of the current transaction, if there is one. */
    const current = (): Adapter => {
      const tx = currentTransaction()
      if (!tx) return defaultAdapter
      const txAdapter = transactionAdapters.get(tx) ?? createAdapter(tx as Database)
      transactionAdapters.set(tx, txAdapter)
      return txAdapter
    }
    const adapter: Adapter = {
      id: 'etalage',
      options: defaultAdapter.options,
      async create(query: Parameters<Adapter['create']>[0]) {
        const row = await current().create({ ...query, data: hashedData(query.model, query.data) as never })
        return { ...row, ...tokenOf(query.model, query.data) } as never
      },
      async findOne(query: Parameters<Adapter['findOne']>[0]) {
        const row = await current().findOne<Row>({ ...query, where: hashedWhere(query.model, query.where) as Where[] })
        return (row && { ...row, ...plainToken(query.model, query.where) }) as never
      },
      async findMany(query: Parameters<Adapter['findMany']>[0]) {
        const rows = await current().findMany<Row>({ ...query, where: hashedWhere(query.model, query.where) })
        return rows.map((row) => ({ ...row, ...plainToken(query.model, query.where) })) as never
      },
      async update(query: Parameters<Adapter['update']>[0]) {
        const where = hashedWhere(query.model, query.where) as Where[]
        const row = await current().update<Row>({ ...query, where, update: hashedData(query.model, query.update) })
        return (row && { ...row, ...plainToken(query.model, query.where) }) as never
      },
      updateMany: (query) =>
        current().updateMany({
          ...query,
          where: hashedWhere(query.model, query.where) as Where[],
          update: hashedData(query.model, query.update),
        }),
      delete: (query) => current().delete({ ...query, where: hashedWhere(query.model, query.where) as Where[] }),
      deleteMany: (query) =>
        current().deleteMany({ ...query, where: hashedWhere(query.model, query.where) as Where[] }),
      count: (query) => current().count({ ...query, where: hashedWhere(query.model, query.where) }),
      consumeOne: (query) =>
        current().consumeOne({ ...query, where: hashedWhere(query.model, query.where) as Where[] }),
      incrementOne: (query) =>
        current().incrementOne({ ...query, where: hashedWhere(query.model, query.where) as Where[] }),
      transaction: (work) =>
        currentTransaction()
          ? work(adapter)
          : db.transaction().execute((tx) => runInTransaction(tx, () => work(adapter)) as Promise<never>),
    }
    return adapter
  }
}

const isSession = (model: string) => model === 'session'

/** Replaces the token in data of a session by its hash. */
const hashedData = (model: string, data: Row): Row =>
  isSession(model) && typeof data.token === 'string' ? { ...data, token: tokenHash(data.token) } : data

/** The plain token in data of a session, for the returned row. */
const tokenOf = (model: string, data: Row): Row => (isSession(model) && data.token ? { token: data.token } : {})

/** Replaces tokens in the conditions of a session query by their hashes. */
function hashedWhere(model: string, where: Where[] | undefined): Where[] | undefined {
  if (!isSession(model)) return where
  return where?.map((condition) => {
    if (condition.field !== 'token') return condition
    const { value: tokens } = condition
    const value = Array.isArray(tokens) ? tokens.map((token) => tokenHash(String(token))) : tokenHash(String(tokens))
    return { ...condition, value } as Where
  })
}

/** The plain token for a session row that was found by it; other rows have the hash, which is not a valid token. */
function plainToken(model: string, where: Where[] | undefined): Row {
  const byToken = isSession(model)
    ? where?.find(({ field, operator }) => field === 'token' && (operator ?? 'eq') === 'eq')
    : undefined
  return byToken ? { token: String(byToken.value) } : {}
}
