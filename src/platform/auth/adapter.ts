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
    const on = (where: Database) => kyselyAdapter(where as never, { type: 'sqlite', transaction: false })(options)
    const outside = on(db)
    const inside = new WeakMap<Transaction, Adapter>()
    const now = (): Adapter => {
      const tx = currentTransaction()
      if (!tx) return outside
      const made = inside.get(tx) ?? on(tx as Database)
      inside.set(tx, made)
      return made
    }
    const adapter: Adapter = {
      id: 'etalage',
      options: outside.options,
      async create(query: Parameters<Adapter['create']>[0]) {
        const row = await now().create({ ...query, data: hashed(query.model, query.data) as never })
        return { ...row, ...tokenOf(query.model, query.data) } as never
      },
      async findOne(query: Parameters<Adapter['findOne']>[0]) {
        const row = await now().findOne<Row>({ ...query, where: withHashedToken(query.model, query.where) as Where[] })
        return (row && { ...row, ...plainToken(query.model, query.where) }) as never
      },
      async findMany(query: Parameters<Adapter['findMany']>[0]) {
        const rows = await now().findMany<Row>({ ...query, where: withHashedToken(query.model, query.where) })
        return rows.map((row) => ({ ...row, ...plainToken(query.model, query.where) })) as never
      },
      async update(query: Parameters<Adapter['update']>[0]) {
        const where = withHashedToken(query.model, query.where) as Where[]
        const row = await now().update<Row>({ ...query, where, update: hashed(query.model, query.update) })
        return (row && { ...row, ...plainToken(query.model, query.where) }) as never
      },
      updateMany: (query) =>
        now().updateMany({
          ...query,
          where: withHashedToken(query.model, query.where) as Where[],
          update: hashed(query.model, query.update),
        }),
      delete: (query) => now().delete({ ...query, where: withHashedToken(query.model, query.where) as Where[] }),
      deleteMany: (query) =>
        now().deleteMany({ ...query, where: withHashedToken(query.model, query.where) as Where[] }),
      count: (query) => now().count({ ...query, where: withHashedToken(query.model, query.where) }),
      consumeOne: (query) =>
        now().consumeOne({ ...query, where: withHashedToken(query.model, query.where) as Where[] }),
      incrementOne: (query) =>
        now().incrementOne({ ...query, where: withHashedToken(query.model, query.where) as Where[] }),
      transaction: (work) =>
        currentTransaction()
          ? work(adapter)
          : db.transaction().execute((tx) => runInTransaction(tx, () => work(adapter)) as Promise<never>),
    }
    return adapter
  }
}

const isSession = (model: string) => model === 'session'

const hashed = (model: string, data: Row): Row =>
  isSession(model) && typeof data.token === 'string' ? { ...data, token: tokenHash(data.token) } : data

const tokenOf = (model: string, data: Row): Row => (isSession(model) && data.token ? { token: data.token } : {})

function withHashedToken(model: string, where: Where[] | undefined): Where[] | undefined {
  if (!isSession(model)) return where
  return where?.map((one) => {
    if (one.field !== 'token') return one
    const value = Array.isArray(one.value)
      ? one.value.map((token) => tokenHash(String(token)))
      : tokenHash(String(one.value))
    return { ...one, value } as Where
  })
}

/** Restores the plain token in a session row that was found by it; other rows keep the hash, which is not a valid token. */
function plainToken(model: string, where: Where[] | undefined): Row {
  const byToken = isSession(model)
    ? where?.find((one) => one.field === 'token' && (one.operator ?? 'eq') === 'eq')
    : undefined
  return byToken ? { token: String(byToken.value) } : {}
}
