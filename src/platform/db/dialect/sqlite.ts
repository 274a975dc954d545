import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Kysely,
  type Dialect as KyselyDialect,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Database } from '../tables/index.ts'
import { sqliteCopy } from './database-copy.ts'
import type { CountTable, Dialect, SearchText, TextColumn, WordSearch } from './dialect.ts'
import { findSqliteDamage } from './sqlite-damage.ts'
import { isOpenElsewhere, isWriteFailure, NodeSqliteDriver } from './sqlite-driver.ts'
import { lastSuffixStart, localeToken, maxWordChars, wordQuery } from './word-tokens.ts'

/**
 * SQLite by Node's own `node:sqlite`. `path` may be `:memory:`.
 * @param options.openWithinMs how long opening waits for a lock; it blocks the event loop meanwhile
 */
export function sqlite(path: string, { openWithinMs = 5_000 } = {}): Dialect {
  const lastWriteFailure: Dialect['lastWriteFailure'] = {}
  const noteError = (error: unknown) => {
    if (isWriteFailure(error)) lastWriteFailure.error = error
  }
  return {
    name: 'sqlite',
    kysely: new NodeSqliteDialect(() => new NodeSqliteDriver(path, noteError, openWithinMs)),
    lastWriteFailure,
    // `autoincrement`: the id of a deleted row is never reused.
    autoIncrement: (column) => column.primaryKey().autoIncrement(),
    async startIdsAt(db, table, first) {
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${first - 1})`.execute(db)
    },
    lock: async () => {},
    skipLocked: false,
    bytewiseText: 'text',
    addGeneratedText,
    fillSearchTextByTriggers,
    indexText,
    searchIndexIds,
    indexWords,
    limitWordTokens: async () => {},
    readsNewestFirst: true,
    wordIndexIds,
    rareTerms,
    // SQLite uses no index for an expression, and a unary plus makes the column an expression.
    withoutIndex: (column) => sql`+${sql.ref(column)}`,
    contains,
    containsByIndex: contains,
    redactEmails: (column) => sql<string>`without_addresses(${sql.ref(column)})`,
    maintainCounts,
    copy: sqliteCopy,
    clock: async () => new Date(),
    size: async (db) => {
      const { rows } = await sql<{ pages: number; bytes: number }>`
        select page_count as pages, page_size as bytes from pragma_page_count, pragma_page_size`.execute(db)
      return rows.reduce((sum, { pages, bytes }) => sum + pages * bytes, 0)
    },
    findDamage: (_, options) => findSqliteDamage(path, options),
    connections: async () => undefined,
    isInUse: async () => isOpenElsewhere(path),
    // SQLITE_CONSTRAINT_UNIQUE
    isUniqueViolation: (error) => (error as { errcode?: unknown }).errcode === 2067,
    purgeDeleted: async (db, { textIndexes } = { textIndexes: false }) => {
      if (textIndexes) await mergeTextIndexes(db)
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
      return rows[0]?.busy !== 1
    },
    reclaimSpace,
  }
}

/** The free pages that stay for new rows: four megabytes. */
const minFreePages = 1_000
/** So few that a step does not delay visitors. */
const pagesPerStep = 200

/** Has no effect on a database created before the driver set `auto_vacuum`; a restore into a new file sets it. */
async function reclaimSpace(db: Database, signal?: AbortSignal): Promise<void> {
  const countFree = async () =>
    (await sql<{ pages: number }>`select freelist_count as pages from pragma_freelist_count`.execute(db)).rows[0]
      ?.pages ?? 0
  let free = await countFree()
  let isShrinking = true
  while (free > minFreePages && isShrinking && !signal?.aborted) {
    // A pragma takes no parameters.
    await sql`pragma incremental_vacuum(${sql.lit(Math.min(pagesPerStep, free - minFreePages))})`.execute(db)
    const left = await countFree()
    isShrinking = left < free
    free = left
    await nextTurn()
  }
}

/** SQLite cannot add a stored generated column to an existing table, so the table is recreated. */
async function addGeneratedText(
  db: Kysely<never>,
  { table, column, from }: { table: string; column: string; from: RawBuilder<string> },
): Promise<void> {
  const { rows: existing } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null order by type = 'table' desc`.execute(
    db,
  )
  const { rows: columnNames } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
  const { rows: sequence } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
    db,
  )
  const [createTable, ...indexesAndTriggers] = existing.map((row) => row.sql)
  const definition = createTable?.slice(createTable.indexOf('(') + 1, createTable.lastIndexOf(')'))
  const replacement = sql.id(`${table}_anew`)
  const columns = sql.join(columnNames.map(({ name }) => sql.id(name)))
  const old = sql.id(table)

  await sql`create table ${replacement} (${sql.raw(definition ?? '')},
    ${sql.id(column)} text generated always as (${from}) stored)`.execute(db)
  await sql`insert into ${replacement} (${columns}) select ${columns} from ${old}`.execute(db)
  await sql`drop table ${old}`.execute(db)
  await sql`alter table ${replacement} rename to ${old}`.execute(db)
  for (const statement of indexesAndTriggers) await sql.raw(statement).execute(db)
  for (const { seq } of sequence) await sql`update sqlite_sequence set seq = ${seq} where name = ${table}`.execute(db)
}

const textIndexName = ({ table, column }: TextColumn) => `${table}_${column}_parts`

/** An FTS5 index of trigrams that does not store the text: a tenth of the size of the rows. */
async function indexText(db: Kysely<never>, text: TextColumn): Promise<void> {
  const index = sql.id(textIndexName(text))
  const table = sql.id(text.table)
  const column = sql.id(text.column)
  const trigger = (event: string) => sql.id(`${textIndexName(text)}_${event}`)
  await sql`create virtual table ${index} using fts5(folded, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`.execute(
    db,
  )
  await sql`create trigger ${trigger('insert')} after insert on ${table} begin
    insert into ${index} (rowid, folded) values (new.id, new.${column}); end`.execute(db)
  await sql`create trigger ${trigger('update')} after update on ${table} when new.${column} <> old.${column} begin
    update ${index} set folded = new.${column} where rowid = new.id; end`.execute(db)
  await sql`create trigger ${trigger('delete')} after delete on ${table} begin
    delete from ${index} where rowid = old.id; end`.execute(db)
  await sql`insert into ${index} (rowid, folded) select id, ${column} from ${table}`.execute(db)
}

/** Merges each full-text index into one segment, which contains no entries of deleted rows. */
async function mergeTextIndexes(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and sql like 'create virtual table%using fts5%'`.execute(db)
  const countChanges = async () =>
    (await sql<{ total: number }>`select total_changes() as total`.execute(db)).rows[0]?.total ?? 0
  for (const { name } of rows) {
    for (let isMerging = true; isMerging; ) {
      const before = await countChanges()
      await sql`insert into ${sql.id(name)} (${sql.id(name)}, rank) values ('merge', -200)`.execute(db)
      // FTS5: a merge step with less than two changes had nothing to do.
      isMerging = (await countChanges()) - before >= 2
      // SQLite's calls are synchronous: this lets other requests run between the steps.
      await nextTurn()
    }
  }
}

/**
 * A generated column would put hundreds of nested `replace()` into the schema, which most builds of SQLite cannot
 * parse, so no other program could open the file. Triggers are only resolved when they fire, so the file can be read
 * without the function that they call, `folded_text` of the driver.
 */
async function fillSearchTextByTriggers(db: Kysely<never>, { table, columns }: SearchText): Promise<void> {
  const { rows: dependents } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master
    where tbl_name = ${table} and type in ('index', 'trigger') and sql like '%search_text%'`.execute(db)
  for (const { type, name } of dependents) await sql`drop ${sql.raw(type)} ${sql.id(name)}`.execute(db)
  const tableId = sql.id(table)
  await sql`alter table ${tableId} drop column search_text`.execute(db)
  await sql`alter table ${tableId} add column search_text text not null default ''`.execute(db)
  const folded = (row: string) =>
    sql`folded_text(${sql.join(
      columns.map((column) => sql.id(row, column)),
      sql` || ' ' || `,
    )})`
  await sql`update ${tableId} set search_text = ${folded(table)}`.execute(db)
  for (const { type, sql: statement } of dependents) if (type === 'index') await sql.raw(statement).execute(db)

  const index = textIndexName({ table, column: 'search_text' })
  const fts = sql.id(index)
  const trigger = (event: string) => sql.id(`${index}_${event}`)
  const fill = sql`update ${tableId} set search_text = ${folded('new')} where id = new.id;`
  await sql`create trigger ${trigger('insert')} after insert on ${tableId} begin ${fill}
    insert into ${fts} (rowid, folded) values (new.id, ${folded('new')}); end`.execute(db)
  await sql`create trigger ${trigger('update')} after update of ${sql.join(columns.map((column) => sql.id(column)))} on ${tableId}
    when ${folded('new')} <> old.search_text begin ${fill}
    update ${fts} set folded = ${folded('new')} where rowid = new.id; end`.execute(db)
  await sql`create trigger ${trigger('delete')} after delete on ${tableId} begin
    delete from ${fts} where rowid = old.id; end`.execute(db)
}

/**
 * Compares with `instr`, after `glob` with the rarest part of the term has rejected most texts without it. `instr`
 * compares at each character; `glob` jumps to the first character of its pattern, and takes a fraction of the time.
 */
function contains(column: string, term: string) {
  const containsTerm = sql<SqlBool>`instr(${sql.ref(column)}, ${term}) > 0`
  const part = rarePart(term)
  if (part === undefined) return containsTerm
  return sql<SqlBool>`(${sql.ref(column)} glob ${`*${part.replace(/[*?[]/g, '[$&]')}*`} and ${containsTerm})`
}

/** The characters of Dutch and English texts, the most frequent first; digits and signs are rarer. */
const frequentCharacters = ' enatirodslghvkmubpwcjfzyxq'

/**
 * The end of a term from its rarest character on; undefined if no ASCII character, for which `glob` is fast, is at
 * least three from the end.
 */
function rarePart(term: string): string | undefined {
  const rarity = (index: number) => {
    const character = term.charAt(index)
    if (!/[ -~]/.test(character)) return -1
    const rank = frequentCharacters.indexOf(character)
    return rank < 0 ? frequentCharacters.length : rank
  }
  let rarest = 0
  // The part has at least three characters.
  for (let index = 1; index <= term.length - 3; index++) if (rarity(index) > rarity(rarest)) rarest = index
  return rarity(rarest) < 0 ? undefined : term.slice(rarest)
}

function searchIndexIds(text: TextColumn, terms: readonly string[]) {
  const index = sql.id(textIndexName(text))
  return sql<number>`(select rowid as id from ${index} where ${index} match ${trigramsOf(terms).map(quoted).join(' AND ')})`
}

const wordIndexName = ({ table, column }: TextColumn) => `${table}_${column}_words`

/** Indexes the tokens of `word-tokens.ts`. */
async function indexWords(db: Kysely<never>, text: TextColumn): Promise<void> {
  const index = sql.id(wordIndexName(text))
  const table = sql.id(text.table)
  const column = sql.id(text.column)
  const trigger = (event: string) => sql.id(`${wordIndexName(text)}_${event}`)
  // `prefix`: also an index of the first three characters, with which very many words begin.
  await sql`create virtual table ${index} using fts5(words, content='', contentless_delete=1, detail=none, prefix='3', tokenize="ascii tokenchars '_'")`.execute(
    db,
  )
  // Literals, because a trigger takes no parameters: numbers of `word-tokens.ts`, never user input.
  const starts = sql.lit(JSON.stringify([0, ...Array.from({ length: lastSuffixStart - 1 }, (_, index) => index + 2)]))
  const add = sql`insert into ${index} (rowid, words)
    select new.id, '__' || replace(new.locale, '-', '_') || ' ' || coalesce((
      select group_concat(case start.value when 0 then '_' || word else substr(word, start.value) end, ' ')
      from (
        select distinct substr(value, 1, ${sql.lit(maxWordChars)}) as word
        from json_each('["' || replace(trim(new.${column}), '  ', '","') || '"]') where value <> ''
      ) cross join json_each(${starts}) as start
      where start.value = 0 or start.value <= length(word) - 2), '');`
  const remove = sql`delete from ${index} where rowid = old.id;`
  await sql`create trigger ${trigger('insert')} after insert on ${table} when new.words_indexed = 1 begin ${add} end`.execute(
    db,
  )
  await sql`create trigger ${trigger('update')} after update of ${column}, words_indexed on ${table}
    when new.words_indexed = 1 and (old.words_indexed = 0 or new.${column} <> old.${column}) begin ${remove} ${add} end`.execute(
    db,
  )
  await sql`create trigger ${trigger('delete')} after delete on ${table} begin ${remove} end`.execute(db)
}

function wordIndexIds(text: TextColumn, { locale, terms, match }: WordSearch, limit: number) {
  const index = sql.id(wordIndexName(text))
  const query = wordQuery(terms, match, {
    token: (text, isStart) => `"${text.replaceAll('"', '""')}"${isStart ? '*' : ''}`,
    and: ' AND ',
    or: ' OR ',
  })
  // The limit is a number of the caller, never of a request: as a literal the planner knows it.
  return sql<number>`(select rowid as id from ${index}
    where ${index} match ${`${quoted(localeToken(locale))} AND ${query}`} order by rowid desc limit ${sql.lit(limit)})`
}

/** At most this many entries of a trigram are read to estimate how many it has. */
const sampledEntries = 300
/** A trigram that is this many times as frequent as the rarest hardly narrows a search. */
const muchMoreFrequent = 10

async function rareTerms(db: Database, text: TextColumn, terms: readonly string[]): Promise<readonly string[]> {
  const index = sql.id(textIndexName(text))
  const trigrams: { trigram: string; share: number }[] = []
  for (const trigram of trigramsOf(terms)) {
    const { rows } = await sql<{ entries: number; last: number | null }>`
      select count(*) as entries, max(rowid) as last from (
        select rowid from ${index} where ${index} match ${quoted(trigram)} limit ${sql.lit(sampledEntries)}
      )`.execute(db)
    const { entries = 0, last } = rows[0] ?? {}
    // Entries are read by ascending id: the lower the last id, the denser they are.
    trigrams.push({ trigram, share: entries < sampledEntries || !last ? 0 : entries / last })
  }
  const rarest = Math.min(...trigrams.map(({ share }) => share))
  return trigrams.filter(({ share }) => share <= rarest * muchMoreFrequent).map(({ trigram }) => trigram)
}

function trigramsOf(terms: readonly string[]): string[] {
  const trigrams = terms.flatMap((term) => {
    const characters = [...term]
    return characters.slice(2).map((_, start) => characters.slice(start, start + 3).join(''))
  })
  return [...new Set(trigrams)]
}

const quoted = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`

async function maintainCounts(db: Kysely<never>, { table, into, columns }: CountTable): Promise<void> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  const values = (row: 'new' | 'old') => sql.join(columns.map((column) => sql`coalesce(${sql.id(row, column)}, 0)`))
  const counts = sql.id(into)
  const add = sql`insert into ${counts} (${names}, counted) values (${values('new')}, 1)
    on conflict (${names}) do update set counted = counted + 1;`
  const subtract = sql`update ${counts} set counted = counted - 1 where (${names}) = (${values('old')});`
  const tableId = sql.id(table)
  for (const event of ['insert', 'update', 'delete']) {
    await sql`drop trigger if exists ${sql.id(`${into}_${event}`)}`.execute(db)
  }
  await sql`create trigger ${sql.id(`${into}_insert`)} after insert on ${tableId} begin ${add} end`.execute(db)
  await sql`create trigger ${sql.id(`${into}_update`)} after update of ${names} on ${tableId} begin ${add} ${subtract} end`.execute(
    db,
  )
  await sql`create trigger ${sql.id(`${into}_delete`)} after delete on ${tableId} begin ${subtract} end`.execute(db)
}

class NodeSqliteDialect implements KyselyDialect {
  readonly #createDriver: () => NodeSqliteDriver

  constructor(createDriver: () => NodeSqliteDriver) {
    this.#createDriver = createDriver
  }
  createDriver() {
    return this.#createDriver()
  }
  createAdapter() {
    return new NodeSqliteAdapter()
  }
  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db)
  }
  createQueryCompiler() {
    return new SqliteQueryCompiler()
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /**
   * SQLite does roll back a `create table`, so an interrupted migration leaves nothing behind, and migrations that
   * start at the same time wait for each other.
   */
  override get supportsTransactionalDdl() {
    return true
  }
  /** The driver itself serialises access to its one connection. */
  override get supportsMultipleConnections() {
    return true
  }
}
