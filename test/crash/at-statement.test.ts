import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { backUpTo } from '../../src/domain/backup/run-backup.ts'
import { type Database, databaseDialect, openDatabase, readMigrations } from '../../src/platform/db/database.ts'
import { migrationNames } from '../../src/platform/db/migrations/migration-names.ts'
import { runMigrations } from '../../src/platform/db/migrations/run-migrations.ts'
import { aRunningBackup, dataSettingsOf, type SiteStorage } from '../support/backups.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { anEmptyDatabase, aTempFolder, databases } from '../support/databases.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram } from '../support/program.ts'
import { spawnProgram } from '../support/spawn-program.ts'
import { as, json } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

/** Settings with which a program is killed as soon as it has sent a statement that the pattern matches. */
const killedAt = (pattern: string) => ({
  NODE_OPTIONS: `--import ${new URL('../support/kill-at-statement.mjs', import.meta.url)}`,
  KILLED_AT: pattern,
})

async function startKilledAt(siteStorage: SiteStorage, pattern: string): Promise<void> {
  const program = spawnProgram({ ...dataSettingsOf(siteStorage), ...killedAt(pattern), PORT: '0' }, [
    'ignore',
    'ignore',
    'inherit',
  ])
  closeAfterTest(() => void program.kill('SIGKILL'))
  const [, signal] = await once(program, 'exit', { signal: AbortSignal.timeout(slowMs) })
  expect([pattern, signal]).toEqual([pattern, 'SIGKILL'])
}

describe.each(databases)('on %s', (database) => {
  test('killed at any moment of its first start, the program starts the next time and takes messages', async () => {
    const siteStorage = await anEmptyDatabase(database)
    for (const statement of ['create table "outbox"', '\\bcommit\\b', 'into "page_seed"']) {
      await startKilledAt(siteStorage, statement)
    }

    const program = await aProgram(dataSettingsOf(siteStorage))
    for (const path of ['/readyz', '/', '/disclaimer']) {
      expect([path, (await fetch(program.url + path)).status]).toEqual([path, 200])
    }
    expect((await fetch(`${program.url}/api/contact`, json('POST', aMessageOf('roya')))).status).toBe(201)
    await program.kill()
  })

  test('killed while it migrates an older database, the program leaves that as it was, and migrates it the next time', async () => {
    const siteStorage = await anEmptyDatabase(database)
    const dialect = databaseDialect(siteStorage)
    const older = new Kysely<never>({ dialect: dialect.kysely })
    const names = migrationNames.slice(0, 2)
    expect((await runMigrations(older, dialect, names)).error).toBeUndefined()
    const { naam, email, tel, bericht } = aMessageOf('roya')
    const known = { locale: 'nl', privacy_version: 'x', folder: 'inbox', fingerprint: '1', address_key: 'a' } as const
    const created_at = '2026-01-01T00:00:00.000Z'
    const rows = { ...{ naam, email, tel: tel ?? '', bericht }, ...known, created_at }
    await (older as unknown as Database).insertInto('message').values(rows).execute()
    await older.destroy()

    await startKilledAt(siteStorage, 'add column "retention_error"')
    expect(await readMigrations(siteStorage)).toEqual(names)
    await startKilledAt(siteStorage, '\\bcommit\\b')

    const program = await aProgram(dataSettingsOf(siteStorage))
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
    await program.kill()
    expect(await readMigrations(siteStorage)).toEqual(migrationNames)
    const { db } = await openDatabase(siteStorage)
    closeAfterTest(() => db.destroy())
    expect(await db.selectFrom('message').select(['naam', 'bericht']).execute()).toEqual([{ naam, bericht }])
  })
})

test('killed while staff search a backup, the program leaves a copy of the backup that the next start removes', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  await backUpTo(site.app.context(), aTempFolder())
  const { runs } = await (await bente.get('/api/backups')).json()
  // A proof would fill the tables of a copy, too.
  await aRunningBackup(site)
  await site.stop()
  const program = await aProgram({ ...dataSettingsOf(site.settings), ...killedAt('^delete from "page_revision"$') })
  const arriving = () => readdirSync(join(program.dataDir, 'arriving'))

  const searching = fetch(`${program.url}/api/backups/${runs[0].id}/search`, {
    method: 'POST',
    headers: { cookie: bente.cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: 'roya' }),
  })
  await expect(searching).rejects.toThrow('fetch failed')
  await program.kill()
  expect(arriving(), 'the archive and its copy').toHaveLength(2)

  await program.start()
  await waitUntil(() => arriving().length === 0, 'removal of both')
  await program.kill()
})
