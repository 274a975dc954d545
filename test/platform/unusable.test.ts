import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { InvalidSettings, readSettings } from '../../src/platform/config/settings.ts'
import { validating } from '../../src/platform/config/unusable-settings.ts'
import { databaseDialect, isDatabaseUnavailable } from '../../src/platform/db/database.ts'
import { operatorMessage } from '../../src/platform/operator-message.ts'
import { aCopyOfTemplate, aDatabase, anEmptyDatabase, aTempFolder } from '../support/databases.ts'
import { aLog } from '../support/test-log.ts'

const start = (settings: Record<string, string>) =>
  createApp({ settings: readSettings({ DATA_DIR: aTempFolder(), ...settings }), log: aLog().log })

/** The error of a failed start. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const error = await start(settings).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(InvalidSettings)
  return (error as Error).message
}

describe('a start that fails names the setting:', () => {
  test('a PostgreSQL that is down', async () => {
    const message = await refusal({ DATABASE_URL: 'postgres://etalage:geheim@127.0.0.1:1/etalage' })
    expect(message).toMatch(/DATABASE_URL: found .*ECONNREFUSED.*, wanted a PostgreSQL that answers/)
    expect(message).not.toContain('geheim')
  })

  test('a PostgreSQL that refuses the login, or has no such database', async () => {
    const url = new URL(String((await anEmptyDatabase('postgres')).databaseUrl))
    url.pathname = '/elders'
    expect(await refusal({ DATABASE_URL: url.href })).toMatch(/DATABASE_URL: found .*"elders" does not exist/)
    url.password = 'verkeerd'
    const message = await refusal({ DATABASE_URL: url.href })
    expect(message).toMatch(/DATABASE_URL: found .*password authentication failed/)
    expect(message).not.toContain('verkeerd')
  })

  test('a PostgreSQL that takes no connections to the database', async () => {
    const url = new URL(String((await anEmptyDatabase('postgres')).databaseUrl))
    const name = url.pathname.slice(1)
    url.pathname = '/postgres'
    const owner = new pg.Client({ connectionString: url.href })
    await owner.connect()
    onTestFinished(() => owner.end())
    await owner.query(`alter database "${name}" with allow_connections false`)
    url.pathname = `/${name}`
    expect(await refusal({ DATABASE_URL: url.href })).toMatch(
      /DATABASE_URL: found .* not currently accepting connections/,
    )
    await expect(databaseDialect({ databaseUrl: url.href, dataDir: '' }).isInUse()).rejects.toSatisfy(
      isDatabaseUnavailable,
    )
  })

  test('a PostgreSQL without TLS, which its address asks for', async () => {
    const url = new URL(String((await anEmptyDatabase('postgres')).databaseUrl))
    url.searchParams.set('sslmode', 'verify-full')
    expect(await refusal({ DATABASE_URL: url.href })).toMatch(/DATABASE_URL: found .*does not support SSL/)
  })

  test.each(['bestand', 'bestand/data'])('a data folder that is not a folder (%s)', async (path) => {
    const folder = aTempFolder()
    writeFileSync(join(folder, 'bestand'), '')
    for (const secret of ['', 'x'.repeat(32)]) {
      const message = await refusal({ DATA_DIR: join(folder, path), SECRET: secret })
      expect(message).toMatch(/DATA_DIR: found (EEXIST|ENOTDIR).*, wanted a folder/)
    }
  })

  test('a data folder with another kind of file as database', async () => {
    const folder = aTempFolder()
    writeFileSync(join(folder, 'etalage.sqlite'), 'dit is geen database '.repeat(500))
    expect(await refusal({ DATA_DIR: folder })).toMatch(/DATA_DIR: found file is not a database/)
  })

  test('a data folder with a damaged database', async () => {
    const { dataDir } = await aCopyOfTemplate('seeded', 'sqlite')
    const file = openSync(join(dataDir, 'etalage.sqlite'), 'r+')
    writeSync(file, Buffer.alloc(100_000, 'kapot'), 0, 100_000, 4_096)
    closeSync(file)
    expect(await refusal({ DATA_DIR: dataDir })).toMatch(
      /DATA_DIR: found database disk image is malformed, wanted an intact database: .* restore a backup$/,
    )
  })

  test('a data folder with a folder in the place of the database, which is named', async () => {
    const folder = aTempFolder()
    mkdirSync(join(folder, 'etalage.sqlite'))
    const message = await refusal({ DATA_DIR: folder })
    expect(message).toContain(`DATA_DIR: found unable to open database file: ${folder}/etalage.sqlite, wanted`)
  })
})

test.each([
  ['a folder', (path: string) => mkdirSync(path), /^\/.*\/secret is a folder; a file with the secret is wanted\.$/],
  ['cut off', (path: string) => writeFileSync(path, 'abc'), /^\/.*\/secret holds 3 characters; at least 32 .*\.$/],
])('a secret that is %s stops the start with one sentence', async (_what, make, sentence) => {
  const folder = aTempFolder()
  make(join(folder, 'secret'))
  const error = await start({ DATA_DIR: folder }).catch((reason: unknown) => reason)
  expect(operatorMessage(error)).toMatch(sentence)
})

test('a PostgreSQL role that may not create tables, the default since version 15, is reported', async () => {
  const url = new URL(String((await anEmptyDatabase('postgres')).databaseUrl))
  const owner = new pg.Client({ connectionString: url.href })
  await owner.connect()
  const role = `guest_${randomUUID().slice(0, 8)}`
  await owner.query(`create role ${role} login password 'geheim'`)
  onTestFinished(async () => {
    await owner.query(`drop role ${role}`)
    await owner.end()
  })
  url.username = role
  url.password = 'geheim'
  expect(await refusal({ DATABASE_URL: url.href })).toMatch(/DATABASE_URL: found permission denied .*create tables/)
})

test('a bug is not reported as a wrong setting', async () => {
  const fault = new TypeError('x is not a function')
  await expect(validating('DATA_DIR', () => Promise.reject(fault))).rejects.toBe(fault)
  const { db } = await aDatabase('sqlite')
  await expect(validating('DATA_DIR', () => sql`select nothing`.execute(db))).rejects.not.toBeInstanceOf(
    InvalidSettings,
  )
})
