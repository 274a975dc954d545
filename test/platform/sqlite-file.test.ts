import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase, sqlitePath } from '../../src/platform/db/database.ts'
import { sqlite } from '../../src/platform/db/dialect/sqlite.ts'
import type { Tables } from '../../src/platform/db/tables/index.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, aDatabase, aTempFolder } from '../support/databases.ts'
import { canMount } from '../support/small-disk.ts'
import { waitUntil } from '../support/wait-until.ts'

const at = '2026-01-01T00:00:00.000Z'

async function aDatabaseWithAUser() {
  const settings = await aCopyOfTemplate('migrated', 'sqlite')
  const { db } = await openDatabase(settings)
  await db
    .insertInto('user')
    .values({ email: 'roya@example.nl', name: 'Röya', created_at: at, updated_at: at })
    .execute()
  return { db, path: sqlitePath(settings.dataDir) }
}

/** SQLite's parser has a stack of a hundred entries by default; each nesting level takes some of them. */
const deepest = 12

test('no statement of the schema is nested too deeply for any build of SQLite', async () => {
  const { db } = await aDatabaseWithAUser()
  const { rows } = await sql<{
    name: string
    sql: string
  }>`select name, sql from sqlite_master where sql is not null`.execute(db)
  await db.destroy()
  const depthOf = (text: string) => {
    let [depth, most] = [0, 0]
    for (const character of text) {
      if (character === '(') most = Math.max(most, ++depth)
      if (character === ')') depth--
    }
    return most
  }
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((row) => depthOf(row.sql) > deepest).map((row) => row.name)).toEqual([])
})

test('many rows are read with the same values as few, whatever the names of their columns', async () => {
  const { db } = await aDatabase('sqlite')
  const names = ['plain', '0', `"quoted" '\\ \n`, '}; throw 1; ({', 'نام']
  const columns = sql.join(names.map((name, index) => sql`value + ${sql.lit(index)} as ${sql.id(name)}`))
  const read = async (rows: number) =>
    (
      await sql`select ${columns} from (select value from json_each(${JSON.stringify([...Array(rows).keys()])}))`.execute(
        db,
      )
    ).rows
  const wanted = (row: number) => Object.fromEntries(names.map((name, index) => [name, row + index]))
  for (const rows of [1, 100, 2])
    expect(await read(rows)).toEqual(Array.from({ length: rows }, (_, row) => wanted(row)))
})

const installed = spawnSync('sqlite3', ['--version']).status === 0

test.runIf(canMount)(
  'a database file that was read-only is written to as soon as that is possible, without a restart',
  async () => {
    const { db: before, path } = await aDatabaseWithAUser()
    await before.destroy()
    const mount = (...how: string[]) => expect(spawnSync('mount', how, { encoding: 'utf8' }).stderr).toBe('')
    mount('--bind', path, path)
    closeAfterTest(() => void spawnSync('umount', ['--lazy', path]))
    mount('-o', 'remount,bind,ro', path)
    const db = new Kysely<Tables>({ dialect: sqlite(path).kysely })
    const rename = () => db.updateTable('user').set({ name: 'Roya' }).execute()
    await expect(rename()).rejects.toThrow('readonly database')
    expect(await db.selectFrom('user').select('name').execute()).toEqual([{ name: 'Röya' }])

    spawnSync('umount', ['--lazy', path])

    await waitUntil(() => rename().catch(() => undefined), 'file that can be written')
    expect(await db.selectFrom('user').select('name').execute()).toEqual([{ name: 'Roya' }])
    await db.destroy()
  },
)

test.runIf(existsSync('/proc/self/fd'))('a file that is no database is closed after each failed try', async () => {
  const path = join(aTempFolder(), 'etalage.sqlite')
  writeFileSync(path, 'dit is geen database '.repeat(500))
  const db = new Kysely({ dialect: sqlite(path).kysely })
  for (let tries = 0; tries < 5; tries++) {
    await expect(sql`select 1`.execute(db)).rejects.toThrow('file is not a database')
  }
  expect(descriptorsOf(path)).toEqual([])
})

test.runIf(existsSync('/proc/self/fd'))(
  'a database file that cannot be opened without shared memory either is closed',
  async () => {
    const path = join(aTempFolder(), 'etalage.sqlite')
    const failure = Object.assign(new Error('unable to open database file'), { code: 'ERR_SQLITE_ERROR', errcode: 14 })
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
      throw failure
    })
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    const db = new Kysely({ dialect: sqlite(path).kysely })
    await expect(sql`select 1`.execute(db)).rejects.toThrow('unable to open database file')
    expect(descriptorsOf(path)).toEqual([])
  },
)

const descriptorsOf = (path: string) =>
  readdirSync('/proc/self/fd').filter((fd) => readlinkOf(`/proc/self/fd/${fd}`) === path)

/** The descriptor that listed them is closed already. */
const readlinkOf = (path: string) => {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

test.skipIf(!installed)('the sqlite3 of the system can check, read, dump and copy the database', async () => {
  const { db, path } = await aDatabaseWithAUser()
  await db.destroy()
  const run = (command: string) => spawnSync('sqlite3', [path, command], { encoding: 'utf8' })
  expect(run('pragma integrity_check').stdout).toBe('ok\n')
  expect(run('select name, search_text from user')).toMatchObject({
    stdout: 'Röya|  roya  roya@example.nl\n',
    stderr: '',
  })
  expect(run('.dump')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Röya') })
  expect(run(`.backup ${path}.copy`)).toMatchObject({ status: 0, stderr: '' })
})
