import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, PostgresDialect, type SqlBool, sql } from 'kysely'
import { foldedColumns } from '../migrations/folded-text.ts'
import type { Database } from '../tables/index.ts'
import { emailAddresses, redactedEmail } from '../text-search.ts'
import { postgresCopy } from './database-copy.ts'
import type { CountTable, Dialect, SearchText, TextColumn, WordSearch } from './dialect.ts'
import { createPostgresPool, isWriteFailure, type PostgresLimits } from './postgres-pool.ts'
import { markUnavailable } from './unavailable.ts'
import { lastSuffixStart, localeToken, maxWordChars, wordQuery } from './word-tokens.ts'

/**
 * PostgreSQL; `pg` is loaded only when this is used.
 * @param limits without them neither statements nor transactions have a timeout
 */
export function postgres(url: string, limits?: PostgresLimits): Dialect {
  const lastWriteFailure: Dialect['lastWriteFailure'] = {}
  const noteError = (error: unknown) => {
    if (isWriteFailure(error)) lastWriteFailure.error = error
  }
  return {
    name: 'postgres',
    kysely: new PostgresDialect({ pool: () => createPostgresPool(url, limits, noteError) }),
    lastWriteFailure,
    autoIncrement: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
    async startIdsAt(db, table, first) {
      await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(first)}`.execute(db)
    },
    lock: async (tx, name) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
    },
    skipLocked: true,
    bytewiseText: sql`text collate "C"`,
    fillSearchTextByTriggers,
    addGeneratedText: async (db, { table, column, from }) => {
      await sql`alter table ${sql.id(table)} add column ${sql.id(column)} text collate "C" generated always as (${from}) stored`.execute(
        db,
      )
    },
    indexText,
    searchIndexIds: () => undefined,
    indexWords,
    limitWordTokens,
    readsNewestFirst: false,
    wordIndexIds,
    rareTerms,
    withoutIndex: (column) => sql.ref(column),
    contains,
    containsByIndex: (column, term) => sql<SqlBool>`${sql.ref(column)} like ${`%${term.replace(/[\\%_]/g, '\\$&')}%`}`,
    redactEmails: (column) =>
      sql<string>`regexp_replace(${sql.ref(column)}, ${emailAddresses.source}, ${redactedEmail}, 'g')`,
    maintainCounts,
    isUniqueViolation: (error) => (error as { code?: unknown }).code === '23505',
    copy: postgresCopy,
    clock: async (db) => {
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
      return new Date(rows[0]?.now ?? Number.NaN)
    },
    size: async (db) => {
      const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db)
      return Number(rows[0]?.bytes)
    },
    findDamage,
    connections,
    isInUse: () => hasOtherConnections(url),
    // PostgreSQL's autovacuum does both.
    purgeDeleted: async () => true,
    reclaimSpace: async () => {},
  }
}

const contains: Dialect['contains'] = (column, term) => sql<SqlBool>`strpos(${sql.ref(column)}, ${term}) > 0`

/** Terms are counted in this many of the newest rows. */
const sampleRows = 300
/** A term this many times as frequent as the rarest is not looked up in the index, but compared in the found rows. */
const muchMoreFrequent = 10

/**
 * The terms to look up in the index, by how many of the newest rows contain each: the planner does not know how frequent a term
 * is, and would read the index for all.
 */
async function rareTerms(
  db: Database,
  { table, column }: TextColumn,
  terms: readonly string[],
): Promise<readonly string[]> {
  if (terms.length < 2) return terms
  const { rows } = await sql<Record<string, string>>`
    select ${sql.join(terms.map((term, index) => sql`count(*) filter (where ${contains(column, term)}) as ${sql.id(String(index))}`))}
    from (select ${sql.id(column)} from ${sql.id(table)} order by id desc limit ${sql.lit(sampleRows)}) as newest`.execute(
    db,
  )
  const counts = terms.map((_, index) => Number(rows[0]?.[index] ?? 0))
  // Plus one: if no row contains the rarest term, terms that a few rows contain are still rare.
  const highestCount = (Math.min(...counts) + 1) * muchMoreFrequent
  return terms.filter((_, index) => (counts[index] ?? 0) <= highestCount)
}

/**
 * Reports blocks whose checksum was wrong when they were read, and invalid indexes. PostgreSQL counts the failures
 * since its statistics were reset, also those of blocks that were repaired: see `docs/operate/deploy.md`.
 */
async function findDamage(db: Database): Promise<string[]> {
  const { rows: statistics } = await sql<{ failures: string | null }>`
    select checksum_failures as failures from pg_stat_database where datname = current_database()`.execute(db)
  const failures = Number(statistics[0]?.failures ?? 0)
  const { rows: indexes } = await sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where not indisvalid and indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
    limit 5`.execute(db)
  return [
    ...(failures > 0 ? [`checksum failures: ${failures}`] : []),
    ...indexes.map(({ name }) => `index ${name} is not valid`),
  ]
}

/**
 * The number of connections that the server allows, and how many belong to other programs: all but those of the same
 * role in the same database. A role without `pg_read_all_stats` does not see the types of other roles' sessions; having
 * a database and a user distinguishes them from most processes of the server itself.
 */
async function connections(db: Database): Promise<{ allowed: number; others: number }> {
  const { rows } = await sql<{ allowed: number; others: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as allowed,
      (select count(*)::int from pg_stat_activity
        where datid is not null and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend'
        and (datname is distinct from current_database() or usename is distinct from current_user)) as others`.execute(
    db,
  )
  return rows[0] ?? { allowed: 0, others: 0 }
}

/** PostgreSQL notices within this time that a program has ended. */
const connectionEndsWithinMs = 3_000
/** A running instance polls for changed content several times within this time. */
const quietMs = 2_000

/**
 * Whether another instance is connected: every instance connects as the same role. A pooler such as PgBouncer keeps
 * connections of instances that ended, so behind a pooler only recently used connections count.
 */
async function hasOtherConnections(url: string): Promise<boolean> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 })
  // Without a listener, a connection that is lost between two queries would end the process; the next query fails instead.
  client.on('error', () => {})
  await client.connect().catch((error) => {
    throw markUnavailable(error)
  })
  try {
    const giveUpAt = performance.now() + connectionEndsWithinMs + quietMs
    for (;;) {
      const { rows } = await client.query<{ others: boolean }>(
        `select exists (select 1 from pg_stat_activity where datname = current_database() and usename = current_user
          and backend_type = 'client backend' and pid <> pg_backend_pid() and (pg_backend_pid() = $1
          or state <> 'idle' or state_change > clock_timestamp() - $2 * interval '1 millisecond')) as others`,
        // The process id as the client knows it; behind a pooler it is not that of the connection.
        [(client as unknown as { processID: number }).processID, quietMs],
      )
      if (!rows[0]?.others) return false
      if (performance.now() > giveUpAt) return true
      await pause(100)
    }
  } finally {
    await client.end()
  }
}

/** Uses the extension `pg_trgm` if it exists or may be created; without it a search scans the table. */
async function indexText(db: Kysely<never>, { table, column }: TextColumn): Promise<void> {
  const { rows } = await sql<{ allowed: boolean }>`
    select exists (select 1 from pg_extension where extname = 'pg_trgm') or (
      exists (select 1 from pg_available_extensions where name = 'pg_trgm')
      and has_database_privilege(current_database(), 'create')) as allowed`.execute(db)
  if (!rows[0]?.allowed) return
  await sql`create extension if not exists pg_trgm`.execute(db)
  const extension = await sql<{ schema: string }>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db)
  const operators = sql.id(extension.rows[0]?.schema ?? 'public', 'gin_trgm_ops')
  await sql`create index ${sql.id(`${table}_${column}_parts`)} on ${sql.id(table)} using gin (${sql.id(column)} ${operators})`.execute(
    db,
  )
}

/** A trigger function is parsed once per connection, the expression of a generated column at each write. */
async function fillSearchTextByTriggers(db: Kysely<never>, { table, columns }: SearchText): Promise<void> {
  const tableId = sql.id(table)
  const fill = sql.id(`fill_${table}_search_text`)
  const folded = foldedColumns(...columns.map((column) => `new.${column}`))
  await sql`alter table ${tableId} alter column search_text drop expression`.execute(db)
  await sql`create or replace function ${fill}() returns trigger language plpgsql as $$ begin
    new.search_text := ${folded};
    return new;
  end $$`.execute(db)
  await sql`create trigger fill_search_text before insert or update of ${sql.join(columns.map((column) => sql.id(column)))}
    on ${tableId} for each row execute function ${fill}()`.execute(db)
}

/**
 * Indexes the tokens of `word-tokens.ts`. The `tsvector` is built from them directly, because the parser of PostgreSQL
 * splits words in its own way. The function is too slow to evaluate for each row, so its `cost` is high.
 */
async function indexWords(db: Kysely<never>, { table, column }: TextColumn): Promise<void> {
  await defineWordTokens(db)
  const name = `${table}_${column}_words`
  // Each search reads the entries that wait to be merged into the index.
  await sql`create index ${sql.id(name)} on ${sql.id(table)} using gin (word_tokens(locale, ${sql.id(column)}))
    with (gin_pending_list_limit = 256) where words_indexed = 1`.execute(db)
  // ANALYZE would call the function for every row.
  await sql`alter index ${sql.id(name)} alter column 1 set statistics 0`.execute(db)
}

/** The limit of a `tsvector`. `array_to_tsvector` does not check it, and returns wrong tokens beyond it. */
const maxTokenBytes = 2 ** 20 - 1
/** The tokens of a text of at most this size always fit: each character is in at most `lastSuffixStart + 1` tokens. */
const maxFittingBytes = Math.floor(maxTokenBytes / (lastSuffixStart + 1))

/** Texts that were indexed before there was a limit are marked, and a job indexes them again. */
async function limitWordTokens(db: Kysely<never>, { table, column }: TextColumn): Promise<void> {
  await defineWordTokens(db)
  await sql`update ${sql.id(table)} set words_indexed = 0
    where words_indexed = 1 and octet_length(${sql.id(column)}) > ${sql.lit(maxFittingBytes)}`.execute(db)
}

/** Defines `word_tokens`: all whole words, and as many of their suffixes as fit, in the order of the text. */
async function defineWordTokens(db: Kysely<never>): Promise<void> {
  // Literals, because the body of a function takes no parameters: numbers of `word-tokens.ts`, never user input.
  await sql`create or replace function word_tokens(locale text, folded text) returns tsvector
    language sql immutable parallel safe cost 100000 as $$
      with words as (
        select left(word, ${sql.lit(maxWordChars)}) as word, min(number) as number
        from unnest(string_to_array(folded, ' ')) with ordinality as found (word, number)
        where word <> '' group by 1
      ), tokens as (
        select '__' || replace(locale, '-', '_') as token, 0 as number
        union all select '_' || word, 0 from words
        union all select substr(word, start), number
          from words, generate_series(2, least(length(word) - 2, ${sql.lit(lastSuffixStart)})) as start
      ), distinct_tokens as (select token, min(number) as number from tokens group by token)
      select array_to_tsvector(array_agg(token)) from (
        select token, sum(octet_length(token)) over (order by number, token) as bytes from distinct_tokens
      ) as counted where bytes <= ${sql.lit(maxTokenBytes)} $$`.execute(db)
}

function wordIndexIds({ table, column }: TextColumn, { locale, terms, match }: WordSearch, limit: number) {
  const token = (text: string, isStart = false) =>
    `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isStart ? ':*' : ''}`
  const query = `${token(localeToken(locale))} & ${wordQuery(terms, match, { token, and: ' & ', or: ' | ' })}`
  // The limit is a number of the caller, never of a request: as a literal the planner knows it.
  // `id + 0`, so that no plan calls the function for rows in the order of the ids.
  return sql<number>`(select id from ${sql.id(table)}
    where word_tokens(locale, ${sql.id(column)}) @@ cast(${query} as tsquery) and words_indexed = 1
    order by id + 0 desc limit ${sql.lit(limit)})`
}

async function maintainCounts(db: Kysely<never>, { table, into, columns }: CountTable): Promise<void> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  const values = (row: 'new' | 'old') => sql.join(columns.map((column) => sql`coalesce(${sql.id(row, column)}, '0')`))
  const counts = sql.id(into)
  const add = sql`insert into ${counts} (${names}, counted) values (${values('new')}, 1)
    on conflict (${names}) do update set counted = ${counts}.counted + 1;`
  const subtract = sql`update ${counts} set counted = counted - 1 where (${names}) = (${values('old')});`
  const name = sql.id(`maintain_${into}`)
  // `_kept`: the name of the function in earlier versions.
  for (const old of [sql.id(`${into}_kept`), name]) await sql`drop function if exists ${old}() cascade`.execute(db)
  await sql`create function ${name}() returns trigger language plpgsql as $$ begin
    if tg_op <> 'DELETE' then ${add} end if;
    if tg_op <> 'INSERT' then ${subtract} end if;
    return null;
  end $$`.execute(db)
  await sql`create trigger ${name} after insert or delete or update of ${names} on ${sql.id(table)}
    for each row execute function ${name}()`.execute(db)
}
