import { kyselyAdapter } from '@better-auth/kysely-adapter'
import type { BetterAuthOptions, DBAdapter, Where } from 'better-auth'
import type { Database, Transaction } from '../db/database.ts'
import { tokenHash } from './token-hash.ts'
import { currentTransaction, within } from './within.ts'

type Adapter = DBAdapter<BetterAuthOptions>
type Row = Record<string, unknown>

/**
 * Better Auth on the tables of this program. Two things are added to its own adapter: whoever calls inside a
 * transaction stays in it, and a session's token is stored as a hash.
 */
export function authAdapter(db: Database) {
  return (options: BetterAuthOptions): Adapter => {
    // `sqlite` on both databases: it makes the adapter write instants as ISO text and booleans as 0 and 1. The SQL is the same.
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
        const row = await now().findOne<Row>({ ...query, where: lookedFor(query.model, query.where) as Where[] })
        return (row && { ...row, ...askedToken(query.model, query.where) }) as never
      },
      async findMany(query: Parameters<Adapter['findMany']>[0]) {
        const rows = await now().findMany<Row>({ ...query, where: lookedFor(query.model, query.where) })
        return rows.map((row) => ({ ...row, ...askedToken(query.model, query.where) })) as never
      },
      async update(query: Parameters<Adapter['update']>[0]) {
        const where = lookedFor(query.model, query.where) as Where[]
        const row = await now().update<Row>({ ...query, where, update: hashed(query.model, query.update) })
        return (row && { ...row, ...askedToken(query.model, query.where) }) as never
      },
      updateMany: (query) =>
        now().updateMany({
          ...query,
          where: lookedFor(query.model, query.where) as Where[],
          update: hashed(query.model, query.update),
        }),
      delete: (query) => now().delete({ ...query, where: lookedFor(query.model, query.where) as Where[] }),
      deleteMany: (query) => now().deleteMany({ ...query, where: lookedFor(query.model, query.where) as Where[] }),
      count: (query) => now().count({ ...query, where: lookedFor(query.model, query.where) }),
      consumeOne: (query) => now().consumeOne({ ...query, where: lookedFor(query.model, query.where) as Where[] }),
      incrementOne: (query) => now().incrementOne({ ...query, where: lookedFor(query.model, query.where) as Where[] }),
      transaction: (work) =>
        currentTransaction()
          ? work(adapter)
          : db.transaction().execute((tx) => within(tx, () => work(adapter)) as Promise<never>),
    }
    return adapter
  }
}

const isSession = (model: string) => model === 'session'

const hashed = (model: string, data: Row): Row =>
  isSession(model) && typeof data.token === 'string' ? { ...data, token: tokenHash(data.token) } : data

const tokenOf = (model: string, data: Row): Row => (isSession(model) && data.token ? { token: data.token } : {})

function lookedFor(model: string, where: Where[] | undefined): Where[] | undefined {
  if (!isSession(model)) return where
  return where?.map((one) => {
    if (one.field !== 'token') return one
    const value = Array.isArray(one.value)
      ? one.value.map((token) => tokenHash(String(token)))
      : tokenHash(String(one.value))
    return { ...one, value } as Where
  })
}

/** The token that was asked with comes back; rows that were found otherwise keep the hash, which opens nothing. */
function askedToken(model: string, where: Where[] | undefined): Row {
  const asked = isSession(model)
    ? where?.find((one) => one.field === 'token' && (one.operator ?? 'eq') === 'eq')
    : undefined
  return asked ? { token: String(asked.value) } : {}
}
