import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { readSettings, WrongSettings } from '../../src/platform/config/settings.ts'
import { restingOn } from '../../src/platform/config/unusable.ts'
import { aDatabase, aFolder, anEmptyDatabase } from '../support/databases.ts'
import { aLog } from '../support/logged.ts'

const start = (settings: Record<string, string>) =>
  createApp({ settings: readSettings({ DATA_DIR: aFolder(), ...settings }), log: aLog().log })

/** What the start is refused for. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const error = await start(settings).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(WrongSettings)
  return (error as Error).message
}

describe('a start that cannot be names the setting:', () => {
  test('a PostgreSQL that is away', async () => {
    const said = await refusal({ DATABASE_URL: 'postgres://etalage:geheim@127.0.0.1:1/etalage' })
    expect(said).toMatch(/DATABASE_URL: found .*ECONNREFUSED.*, wanted a PostgreSQL that answers/)
    expect(said).not.toContain('geheim')
  })

  test('a PostgreSQL that does not let it in, or has no such database', async () => {
    const url = new URL(String((await anEmptyDatabase('postgres')).databaseUrl))
    url.pathname = '/elders'
    expect(await refusal({ DATABASE_URL: url.href })).toMatch(/DATABASE_URL: found .*"elders" does not exist/)
    url.password = 'verkeerd'
    const said = await refusal({ DATABASE_URL: url.href })
    expect(said).toMatch(/DATABASE_URL: found .*password authentication failed/)
    expect(said).not.toContain('verkeerd')
  })

  test.each(['bestand', 'bestand/data'])('a data folder that is none (%s)', async (path) => {
    const folder = aFolder()
    writeFileSync(join(folder, 'bestand'), '')
    for (const secret of ['', 'x'.repeat(32)]) {
      const said = await refusal({ DATA_DIR: join(folder, path), SECRET: secret })
      expect(said).toMatch(/DATA_DIR: found (EEXIST|ENOTDIR).*, wanted a folder/)
    }
  })

  test('a data folder whose database is another kind of file', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'etalage.sqlite'), 'dit is geen database '.repeat(500))
    expect(await refusal({ DATA_DIR: folder })).toMatch(/DATA_DIR: found file is not a database/)
  })
})

test('a fault of the program stays one', async () => {
  const fault = new TypeError('x is not a function')
  await expect(restingOn('DATA_DIR', () => Promise.reject(fault))).rejects.toBe(fault)
  const { db } = await aDatabase('sqlite')
  await expect(restingOn('DATA_DIR', () => sql`select nothing`.execute(db))).rejects.not.toBeInstanceOf(WrongSettings)
})
