import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type RawBuilder, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, test } from 'vitest'
import { listBackedUpTables } from '../../src/domain/backup/contents.ts'
import { readRelease } from '../../src/platform/config/release.ts'
import { type Database, type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { postgres } from '../../src/platform/db/dialect/postgres.ts'
import { sqlite } from '../../src/platform/db/dialect/sqlite.ts'
import { first, people } from '../../src/platform/db/migrations/0001-to-0004.ts'
import { migrate } from '../../src/platform/db/migrations/index.ts'
import { migrationNames } from '../../src/platform/db/migrations/migration-names.ts'
import { runMigrations } from '../../src/platform/db/migrations/run-migrations.ts'
import { queueEmail } from '../../src/platform/mail/outbox.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, anEmptyDatabase, databases } from '../support/databases.ts'
import { waitUntil } from '../support/wait-until.ts'

const open = async (settings: Parameters<typeof openDatabase>[0]) => {
  const database = await openDatabase(settings)
  closeAfterTest(() => database.db.destroy())
  return database
}
const dialectOf = ({ databaseUrl, dataDir }: Parameters<typeof openDatabase>[0]) =>
  databaseUrl ? postgres(databaseUrl) : sqlite(join(dataDir, 'etalage.sqlite'))
const again = ({ db, dialect }: OpenDatabase) => migrate(db as never, dialect)

/** The number of open connections. The WAL file of SQLite is deleted with the last one. */
async function connectionsTo({ databaseUrl, dataDir }: Parameters<typeof openDatabase>[0]): Promise<number> {
  if (!databaseUrl) return existsSync(join(dataDir, 'etalage.sqlite-wal')) ? 1 : 0
  const looker = new Kysely<never>({ dialect: postgres(databaseUrl).kysely })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(looker)
  await looker.destroy()
  return rows[0]?.count ?? -1
}

test('a PostgreSQL that is too old is refused by its version, and nothing is changed', async () => {
  const settings = await anEmptyDatabase('postgres')
  const url = new URL(String(settings.databaseUrl))
  const db = new Kysely<never>({ dialect: postgres(url.href).kysely })
  closeAfterTest(() => db.destroy())
  await sql`create schema old`.execute(db)
  await sql`create function old.current_setting(text) returns text language sql as $$ select '12.22' $$`.execute(db)
  const own = sql.id(url.pathname.slice(1))
  await sql`alter database ${own} set search_path = public, old, pg_catalog`.execute(db)
  await expect(openDatabase(settings)).rejects.toThrow(/DATABASE_URL: found PostgreSQL 12\.22, wanted 13 or newer/)
  expect(await db.introspection.getTables()).toEqual([])
})

test('tables that were dropped by hand are created again, though their functions stayed', async () => {
  const settings = await anEmptyDatabase('postgres')
  const first = await openDatabase(settings)
  const tables = (await first.db.introspection.getTables()).map(({ name }) => sql.id(name))
  await sql`drop table ${sql.join(tables)}, kysely_migration, kysely_migration_lock cascade`.execute(first.db)
  await first.db.destroy()
  const { db } = await open(settings)
  expect(await db.selectFrom('cache_invalidation_version').select('version').execute()).toEqual([{ version: 0 }])
})

describe.each(databases)('on %s', (kind) => {
  test('an empty database gets every table, and migrating again changes nothing', async () => {
    const settings = await anEmptyDatabase(kind)
    const database = await open(settings)
    const tables = (await database.db.introspection.getTables()).map((table) => table.name)
    expect(tables.filter((name) => !name.startsWith('sqlite_'))).toEqual(
      expect.arrayContaining([
        'config_revision',
        'cache_invalidation',
        'cache_invalidation_version',
        'message',
        'outbox',
      ]),
    )
    await database.db.updateTable('cache_invalidation_version').set({ version: 41 }).execute()

    expect(await again(database)).toEqual([])
    const { db } = await open(settings)

    expect(await db.selectFrom('cache_invalidation_version').select(['id', 'version']).execute()).toEqual([
      { id: 1, version: 41 },
    ])
  })

  test('a migration that fails leaves nothing, nor a connection open, and is run completely the next time', async () => {
    const settings = await anEmptyDatabase(kind)
    const before = new Kysely<never>({ dialect: dialectOf(settings).kysely })
    await before.schema.createTable('outbox').addColumn('in_the_way', 'text').execute()
    await before.destroy()

    await expect(openDatabase(settings)).rejects.toThrow(/outbox.* already exists/)
    await waitUntil(async () => (await connectionsTo(settings)) === 0, 'closed connection')

    const after = new Kysely<never>({ dialect: dialectOf(settings).kysely })
    closeAfterTest(() => after.destroy())
    expect((await after.introspection.getTables()).map((table) => table.name)).not.toContain('message')
    await after.schema.dropTable('outbox').execute()
    const { db } = await open(settings)
    expect(await db.selectFrom('cache_invalidation_version').select('version').execute()).toEqual([{ version: 0 }])
  })

  test('a database of a newer version is not changed, and the error says so', async () => {
    const settings = await aCopyOfTemplate('migrated', kind)
    const { db } = await open(settings)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(db)
    await expect(openDatabase(settings)).rejects.toThrow(/newer version of this program: it knows 9999-later/)
  })

  test('a database to which a newer version only added things is used, and backed up without what was added', async () => {
    const settings = await aCopyOfTemplate('migrated', kind)
    const { db } = await open(settings)
    const { version } = readRelease(process.cwd())
    await sql`insert into kysely_migration (name, timestamp) values (${`9998-more@${version}`}, '2030-01-01')`.execute(
      db,
    )
    await sql`alter table message add column more text not null default ''`.execute(db)
    const older = await open(settings)
    await older.db.insertInto('cache_invalidation').values({ version: 1, tag: 'page' }).execute()
    const tables = await listBackedUpTables(older, older.db)
    const message = tables.find(({ name }) => name === 'message')
    expect([message?.columns.includes('bericht'), message?.columns.includes('more')]).toEqual([true, false])

    await sql`insert into kysely_migration (name, timestamp) values ('9999-other@99.0.0', '2030-01-01')`.execute(db)
    await expect(openDatabase(settings)).rejects.toThrow(/newer version of this program: it knows 9999-other@99\.0\.0/)
  })

  test('a deleted id is not reused', async () => {
    const { db } = await open(await aCopyOfTemplate('migrated', kind))
    const revision = { config: '{}', note: 'x', created_at: '2026-01-01T00:00:00.000Z' }
    const add = () => db.insertInto('config_revision').values(revision).returning('id').executeTakeFirstOrThrow()
    const first = await add()
    const second = await add()
    await db.deleteFrom('config_revision').where('id', '=', second.id).execute()
    expect((await add()).id).toBeGreaterThan(second.id)
    expect(second.id).toBeGreaterThan(first.id)
  })

  test('messages that were stored before there was an inbox can be read, in their thread, and found, and keep their ids', async () => {
    const settings = await anEmptyDatabase(kind)
    const dialect = dialectOf(settings)
    const before = new Kysely<never>({ dialect: dialect.kysely }) as unknown as Database
    const made = { '0001-first': first(dialect), '0002-people': people(dialect) }
    const provider = { getMigrations: async () => made }
    expect((await new Migrator({ db: before, provider }).migrateToLatest()).error).toBeUndefined()
    const row = {
      tel: '043',
      locale: 'nl',
      privacy_version: 'x',
      address_key: 'a',
      created_at: '2026-01-01T00:00:00.000Z',
    }
    const roya = {
      ...row,
      naam: 'Roya',
      email: 'roya@karimi.example',
      bericht: 'Een website',
      folder: 'inbox' as const,
    }
    const add = (fingerprint: string, more: object = {}) =>
      before
        .insertInto('message')
        .values({ ...roya, fingerprint, ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
    const { id } = await add('1')
    const spam = await add('2', { folder: 'spam' })
    const gone = await add('3')
    await before.deleteFrom('message').where('id', '=', gone.id).execute()
    await before
      .transaction()
      .execute((tx) =>
        queueEmail(
          tx,
          { template: 'contactMessage', locale: 'nl', data: {}, about: `message:${id}`, recipients: ['a@b.example'] },
          new Date(),
          'maaslicht.example',
        ),
      )
    const [mail] = await before.selectFrom('outbox').select('message_id').execute()
    await before.destroy()

    const { db, dialect: now } = await open(settings)
    const found = db.selectFrom('message').select(['id', 'read_at', 'thread', 'version', 'note']).orderBy('id')
    expect(await found.execute()).toEqual([
      { id, read_at: row.created_at, thread: mail?.message_id, version: 1, note: '' },
      { id: spam.id, read_at: null, thread: '', version: 1, note: '' },
    ])
    const narrowed = now.searchIndexIds({ table: 'message', column: 'search_text' }, ['karimi']) ?? sql`message`
    expect((await sql<{ id: number }>`select id from ${narrowed} as found order by id`.execute(db)).rows).toEqual([
      { id },
      { id: spam.id },
    ])
    const after = await db
      .insertInto('message')
      .values({ ...roya, fingerprint: '4' })
      .returning('id')
      .executeTakeFirst()
    expect(after?.id).toBeGreaterThan(gone.id)
    const indexes =
      kind === 'sqlite'
        ? sql`select name from sqlite_master where type = 'index'`
        : sql`select indexname as name from pg_indexes`
    const names = (await (indexes as RawBuilder<{ name: string }>).execute(db)).rows.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['message_created', 'message_fingerprint', 'message_unread', 'outbox_due']),
    )
  })

  test('files that had only a Dutch and a Persian description keep them and are found, and older entries and pages are counted', async () => {
    const settings = await anEmptyDatabase(kind)
    const dialect = dialectOf(settings)
    const before = new Kysely<never>({ dialect: dialect.kysely })
    const earlier = migrationNames.filter((name) => name < '0036')
    expect((await runMigrations(before, dialect, earlier)).error).toBeUndefined()
    const at = '2026-01-01T00:00:00.000Z'
    await sql`
      insert into file (name, kind, type, bytes, content_hash, public_id, blob_id, alt_nl, alt_fa, state, added_by, created_at, updated_at)
      values ('poort.jpg', 1, 'image/jpeg', 1, 'h', 'p', 'b', 'De poort', 'دروازه', 'ready', 'Rik', ${at}, ${at}),
        ('brug.jpg', 1, 'image/jpeg', 1, 'i', 'q', 'c', '', '', 'ready', 'Sanne', ${at}, ${at})`.execute(before)
    await sql`
      insert into audit (at, actor_id, actor_name, action, subject_type, subject_id, subject_name)
      values (${at}, 7, 'Rik', 'file.uploaded', 'file', '1', 'poort.jpg'),
        (${at}, 8, '#8', 'file.uploaded', 'file', '2', 'brug.jpg')`.execute(before)
    await sql`
      insert into message (naam, email, tel, bericht, locale, folder, privacy_version, address_key, fingerprint, created_at)
      values ('Roya', 'roya@karimi.example', '', 'Dag', 'nl', 'inbox', 'x', 'a', '1', ${at})`.execute(before)
    await sql`
      insert into message_reply (message_id, mail_id, text, actor_id, actor_name, created_at)
      values (1, 'a', 'Dag', 7, 'Rik', ${at}), (1, 'b', 'Dag', 8, 'Sanne', ${at})`.execute(before)
    const indexes = async (db: unknown) => {
      const { rows } = await (kind === 'postgres'
        ? sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'file' order by 1`
        : sql<{ name: string }>`select name from sqlite_master where tbl_name = 'file' and type <> 'table' order by 1`
      ).execute(db as Kysely<never>)
      return rows.map(({ name }) => name)
    }
    const known = await indexes(before)
    for (const [index, category] of ['tip', '', 'tip'].entries()) {
      const id = index + 1
      await sql`insert into page (created_at, updated_at, updated_by_name) values (${at}, ${at}, 'Rik')`.execute(before)
      await sql`
        insert into page_entry (page_id, locale, collection, text_locale, revision_id, slug, date, category, sort_key)
        values (${id}, 'nl', 'nieuws', 'nl', 1, ${`nieuws/${id}`}, '2026-01-01', ${category}, '2026-01-01')`.execute(
        before,
      )
    }
    await sql`update page_entry set sort_key = 'پروژه' where page_id = 3`.execute(before)
    await sql`insert into page (bin, planned, created_at, updated_at, updated_by_name) values (1, 2, ${at}, ${at}, 'Rik')`.execute(
      before,
    )
    await sql`insert into page_file_usage (page_id, locale, source, address) values (4, 'fa', 'planned', 'p')`.execute(
      before,
    )
    await before.destroy()

    const { db } = await open(settings)
    expect(await indexes(db)).toEqual(known)
    expect(await db.selectFrom('file').select(['added_by_id', 'added_by']).orderBy('id').execute()).toEqual([
      { added_by_id: 7, added_by: 'Rik' },
      // The log says that this person was erased.
      { added_by_id: 8, added_by: '#8' },
    ])
    expect(await db.selectFrom('message_reply').select('actor_name').orderBy('id').execute()).toEqual([
      { actor_name: 'Rik' },
      { actor_name: '#8' },
    ])
    expect(await db.selectFrom('page_entry').select('sort_key').orderBy('page_id').execute()).toEqual([
      { sort_key: '2026-01-01' },
      { sort_key: '2026-01-01' },
      { sort_key: 'ب\uffffروز\uffffو\uffff' },
    ])
    const trashed = db.selectFrom('page_count').select(['scheduled', 'counted']).where('trashed', '=', 1)
    expect(await trashed.execute()).toEqual([{ scheduled: 2, counted: 1 }])
    expect(await db.selectFrom('page_file_usage').select('source').execute()).toEqual([{ source: 'scheduled' }])
    await db.updateTable('page').set({ trashed: 0 }).where('id', '=', 4).execute()
    expect(await trashed.execute()).toEqual([{ scheduled: 2, counted: 0 }])
    const file = async () =>
      await db
        .selectFrom('file')
        .select(['id', 'alt_nl', 'alt_fa', 'alt_other', 'search_text'])
        .where('id', '=', 1)
        .executeTakeFirstOrThrow()
    const { id, search_text: found, ...alt } = await file()
    expect(alt).toEqual({ alt_nl: 'De poort', alt_fa: 'دروازه', alt_other: '{}' })
    expect(found).toMatch(/poort\.jpg.*de.*poort.*دروازه/)
    await db.updateTable('file').set({ alt_other_text: 'Das Tor' }).where('id', '=', id).execute()
    expect((await file()).search_text).toMatch(/das.*tor/)

    const counts = async () =>
      db.selectFrom('page_entry_count').select(['category', 'counted']).orderBy('category').execute()
    expect(await counts()).toEqual([
      { category: '', counted: 1 },
      { category: 'tip', counted: 2 },
    ])
    await db.deleteFrom('page').where('id', '=', 1).execute()
    await db.updateTable('page_entry').set({ category: 'werk' }).where('page_id', '=', 2).execute()
    expect(await counts()).toEqual([
      { category: '', counted: 0 },
      { category: 'tip', counted: 1 },
      { category: 'werk', counted: 1 },
    ])
    expect(await db.selectFrom('page_entry_count').select(['collection', 'locale']).distinct().execute()).toEqual([
      { collection: 'nieuws', locale: 'nl' },
    ])
  })

  test('a transaction that fails leaves nothing', async () => {
    const { db } = await open(await aCopyOfTemplate('migrated', kind))
    const failing = db.transaction().execute(async (tx) => {
      await tx.updateTable('cache_invalidation_version').set({ version: 5 }).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.selectFrom('cache_invalidation_version').select('version').execute()).toEqual([{ version: 0 }])
  })

  test('Persian text and accents are stored unchanged', async () => {
    const { db } = await open(await aCopyOfTemplate('migrated', kind))
    const note = 'پریسا می‌نویسد: “Gübbels”, ½ 👩🏽‍🍳'
    await db.insertInto('config_revision').values({ config: '{}', note, created_at: 'x' }).execute()
    expect(await db.selectFrom('config_revision').select('note').execute()).toEqual([{ note }])
  })
})

// SQLite has its own test, with two processes: see test/journeys/start.test.ts.
test('instances that start at once on one empty PostgreSQL wait for each other', async () => {
  const settings = await anEmptyDatabase('postgres')
  for (const { db } of await Promise.all([open(settings), open(settings), open(settings)])) {
    expect(await db.selectFrom('cache_invalidation_version').select('version').execute()).toEqual([{ version: 0 }])
  }
})

test('SQLite keeps every acknowledged write: WAL with synchronous FULL', async () => {
  const { db } = await open(await anEmptyDatabase('sqlite'))
  expect((await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }])
  expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }])
})
