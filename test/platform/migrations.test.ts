import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { postgres } from '../../src/platform/db/dialect/postgres.ts'
import { sqlite } from '../../src/platform/db/dialect/sqlite.ts'
import { migrate } from '../../src/platform/db/migrations/index.ts'
import { closeAtEnd } from '../support/closing.ts'
import { anEmptyDatabase, databases } from '../support/databases.ts'
import { until } from '../support/until.ts'

const open = async (settings: Parameters<typeof openDatabase>[0]) => {
  const database = await openDatabase(settings)
  closeAtEnd(() => database.db.destroy())
  return database
}
const dialectOf = ({ databaseUrl, dataDir }: Parameters<typeof openDatabase>[0]) =>
  databaseUrl ? postgres(databaseUrl) : sqlite(join(dataDir, 'etalage.sqlite'))
const again = ({ db, dialect }: OpenDatabase) => migrate(db as never, dialect)

/** How many there are. SQLite's log file beside the database goes with the last of them. */
async function connectionsTo({ databaseUrl, dataDir }: Parameters<typeof openDatabase>[0]): Promise<number> {
  if (!databaseUrl) return existsSync(join(dataDir, 'etalage.sqlite-wal')) ? 1 : 0
  const looker = new Kysely<never>({ dialect: postgres(databaseUrl).kysely })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(looker)
  await looker.destroy()
  return rows[0]?.count ?? -1
}

describe.each(databases)('on %s', (kind) => {
  test('an empty database gets every table', async () => {
    const { db } = await open(await anEmptyDatabase(kind))
    const tables = (await db.introspection.getTables()).map((table) => table.name)
    expect(tables.filter((name) => !name.startsWith('sqlite_'))).toEqual(
      expect.arrayContaining(['config_revision', 'content_change', 'content_clock', 'message', 'outbox']),
    )
  })

  test('migrating again changes nothing', async () => {
    const settings = await anEmptyDatabase(kind)
    const database = await open(settings)
    await database.db.updateTable('content_clock').set({ version: 41 }).execute()

    expect(await again(database)).toEqual([])
    const { db } = await open(settings)

    expect(await db.selectFrom('content_clock').select(['id', 'version']).execute()).toEqual([{ id: 1, version: 41 }])
  })

  test('a migration that breaks off leaves nothing, and is done whole the next time', async () => {
    const settings = await anEmptyDatabase(kind)
    const raw = new Kysely<never>({ dialect: dialectOf(settings).kysely })
    closeAtEnd(() => raw.destroy())
    await raw.schema.createTable('outbox').addColumn('in_the_way', 'text').execute()

    await expect(open(settings)).rejects.toThrow(/outbox.* already exists/)
    expect((await raw.introspection.getTables()).map((table) => table.name)).not.toContain('message')

    await raw.schema.dropTable('outbox').execute()
    const { db } = await open(settings)
    expect(await db.selectFrom('content_clock').select('version').execute()).toEqual([{ version: 0 }])
  })

  test('a migration that breaks off leaves no connection open', async () => {
    const settings = await anEmptyDatabase(kind)
    const raw = new Kysely<never>({ dialect: dialectOf(settings).kysely })
    await raw.schema.createTable('outbox').addColumn('in_the_way', 'text').execute()
    await raw.destroy()

    await expect(openDatabase(settings)).rejects.toThrow(/outbox.* already exists/)

    await until(async () => (await connectionsTo(settings)) === 0, 'closed connection')
  })

  test('a database of a newer program is left alone, and that is said in plain words', async () => {
    const settings = await anEmptyDatabase(kind)
    const { db } = await open(settings)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(db)
    await expect(openDatabase(settings)).rejects.toThrow(/newer version of this program: it knows 9999-later/)
  })

  test('a number that was given out is not given again', async () => {
    const { db } = await open(await anEmptyDatabase(kind))
    const revision = { config: '{}', note: 'x', created_at: '2026-01-01T00:00:00.000Z' }
    const add = () => db.insertInto('config_revision').values(revision).returning('id').executeTakeFirstOrThrow()
    const first = await add()
    const second = await add()
    await db.deleteFrom('config_revision').where('id', '=', second.id).execute()
    expect((await add()).id).toBeGreaterThan(second.id)
    expect(second.id).toBeGreaterThan(first.id)
  })

  test('a transaction that fails leaves nothing', async () => {
    const { db } = await open(await anEmptyDatabase(kind))
    const failing = db.transaction().execute(async (tx) => {
      await tx.updateTable('content_clock').set({ version: 5 }).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.selectFrom('content_clock').select('version').execute()).toEqual([{ version: 0 }])
  })

  test('Persian text and accents come back as they went in', async () => {
    const { db } = await open(await anEmptyDatabase(kind))
    const note = 'پریسا می‌نویسد: “Gübbels”, ½ 👩🏽‍🍳'
    await db.insertInto('config_revision').values({ config: '{}', note, created_at: 'x' }).execute()
    expect(await db.selectFrom('config_revision').select('note').execute()).toEqual([{ note }])
  })
})

// SQLite's copies are whole programs: see the journey of two starts at once.
test('copies that start at once on one empty PostgreSQL wait for each other', async () => {
  const settings = await anEmptyDatabase('postgres')
  for (const { db } of await Promise.all([open(settings), open(settings), open(settings)])) {
    expect(await db.selectFrom('content_clock').select('version').execute()).toEqual([{ version: 0 }])
  }
})

test('SQLite keeps what it acknowledged: WAL with synchronous FULL', async () => {
  const { db } = await open(await anEmptyDatabase('sqlite'))
  expect((await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }])
  expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }])
})
