import { type Kysely, PostgresDialect, type SqlBool, sql } from 'kysely'
import type { Counted, Dialect } from './dialect.ts'

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
    async countFrom(db, table, first) {
      await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(first)}`.execute(db)
    },
    lock: async (tx, name) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
    },
    skipLocked: true,
    bytewiseText: sql`text collate "C"`,
    addMadeText: async (db, { table, column, from }) => {
      await sql`alter table ${sql.id(table)} add column ${sql.id(column)} text collate "C" generated always as (${from}) stored`.execute(
        db,
      )
    },
    indexText,
    narrow: () => undefined,
    contains: (column, part) => sql<SqlBool>`strpos(${sql.ref(column)}, ${part}) > 0`,
    containsByIndex: (column, part) => sql<SqlBool>`${sql.ref(column)} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`,
    keepCounts,
    isTaken: (error) => (error as { code?: unknown }).code === '23505',
    // What is dead is cleaned away by the server itself.
    forget: async () => {},
  }
}

/** By trigrams, when the extension is there or may be made; without it a search reads every row and finds the same. */
async function indexText(db: Kysely<never>, { table, column }: { table: string; column: string }): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (select 1 from pg_extension where extname = 'pg_trgm') or (
      exists (select 1 from pg_available_extensions where name = 'pg_trgm')
      and has_database_privilege(current_database(), 'create')) as may`.execute(db)
  if (!rows[0]?.may) return
  await sql`create extension if not exists pg_trgm`.execute(db)
  const found = await sql<{ schema: string }>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db)
  const operators = sql.id(found.rows[0]?.schema ?? 'public', 'gin_trgm_ops')
  await sql`create index ${sql.id(`${table}_${column}_parts`)} on ${sql.id(table)} using gin (${sql.id(column)} ${operators})`.execute(
    db,
  )
}

async function keepCounts(db: Kysely<never>, { table, into, columns }: Counted): Promise<void> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  const values = (row: 'new' | 'old') => sql.join(columns.map((column) => sql`coalesce(${sql.id(row, column)}, 0)`))
  const counts = sql.id(into)
  const add = sql`insert into ${counts} (${names}, counted) values (${values('new')}, 1)
    on conflict (${names}) do update set counted = ${counts}.counted + 1;`
  const take = sql`update ${counts} set counted = counted - 1 where (${names}) = (${values('old')});`
  const name = sql.id(`${into}_kept`)
  await sql`create function ${name}() returns trigger language plpgsql as $$ begin
    if tg_op <> 'DELETE' then ${add} end if;
    if tg_op <> 'INSERT' then ${take} end if;
    return null;
  end $$`.execute(db)
  await sql`create trigger ${name} after insert or delete or update of ${names} on ${sql.id(table)}
    for each row execute function ${name}()`.execute(db)
}
