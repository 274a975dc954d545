import { PostgresDialect, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** PostgreSQL; `pg` is loaded only when this is used. */
export function postgres(url: string): Dialect {
  return {
    name: 'postgres',
    kysely: new PostgresDialect({
      pool: async () => {
        const { Pool } = (await import('pg')).default
        const pool = new Pool({
          connectionString: url,
          max: 10,
          // Longer than the rush of a hundred messages takes on a slow machine: whoever waits is served, not refused.
          connectionTimeoutMillis: 15_000,
          idleTimeoutMillis: 30_000,
        })
        // A connection that breaks is replaced at the next use; unheard, its error would end the program. The pool hears
        // those that are idle, and lets go of one that is lent out.
        pool.on('error', () => {})
        pool.on('connect', (client) => client.on('error', () => {}))
        return pool
      },
    }),
    autoIncrement: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
    lock: async (tx, name) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
    },
    skipLocked: true,
    // What is dead is cleaned away by the server itself.
    forget: async () => {},
  }
}
