import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restore as restoreCommand } from '../../src/cli/backup.ts'
import { runDueBackup } from '../../src/domain/backup/run-backup.ts'
import { archivesIn, dataSettingsOf, filesIn } from '../support/backups.ts'
import { anEmptyDatabase, aTempFolder } from '../support/databases.ts'
import { aProgram, runCommand } from '../support/program.ts'
import { runCommandInProcess } from '../support/run-command-in-process.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

/** @returns where the file is, without content */
async function aStoredBlob({ db, settings: { dataDir } }: TestApp, id: string): Promise<string> {
  mkdirSync(join(dataDir, 'files', id), { recursive: true })
  await db
    .insertInto('stored_blob')
    .values({ id, state: 'committed', at: new Date().toISOString(), bytes: id.length })
    .execute()
  return join(dataDir, 'files', id, 'original')
}

test('a program that is killed while it stores files leaves no backup, and only files that the next backup uses or removes', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  for (const id of ['a-file', 'b-file']) writeFileSync(await aStoredBlob(site, id), id)
  // Nobody writes into this pipe: the program waits there until it is killed.
  const pipe = await aStoredBlob(site, 'z-file')
  execFileSync('mkfifo', [pipe])
  const folder = aTempFolder()
  const plan = { daily: 7, weekly: 0, monthly: 0, kind: 'folder', folder, time: '03:00', scheduled: false }
  const ofBucket = { endpoint: '', region: '', bucket: '', prefix: '', accessKeyId: '' }
  expect((await bente.put('/api/backups/settings', { ...plan, ...ofBucket })).status).toBe(200)
  expect((await bente.post('/api/backups', {})).status).toBe(202)
  const { identity } = await site.app.context().backups.key()
  await site.stop()

  const program = await aProgram(dataSettingsOf(site.settings))
  const stored = () => {
    const beside = readdirSync(folder).find((name) => name.startsWith('etalage-files-'))
    return beside === undefined ? [] : readdirSync(join(folder, beside)).filter((name) => name.endsWith('.age'))
  }
  await waitUntil(() => stored().length === 2, 'two files of the backup', slowMs)
  await program.kill()
  expect([archivesIn(folder), stored()]).toEqual([[], [expect.any(String), expect.any(String)]])
  rmSync(pipe)
  writeFileSync(pipe, 'z-file')

  // Staff delete a file that the killed run had stored, days ago.
  const [inFolder = ''] = readdirSync(folder).filter((one) => one.startsWith('etalage-files-'))
  for (const name of stored()) utimesSync(join(folder, inFolder, name), 0, 0)
  const again = await aTestApp({ beside: site, startJobs: false })
  await again.db.deleteFrom('stored_blob').where('id', '=', 'a-file').execute()
  rmSync(join(site.settings.dataDir, 'files', 'a-file'), { recursive: true })
  await again.db.updateTable('backup_run').set({ lease_until: '2020-01-01T00:00:00.000Z' }).execute()
  expect((await (await as(again, 'beheerder')).post('/api/backups', {})).status).toBe(202)
  await runDueBackup(again.app.context())
  const [name = '', ...more] = archivesIn(folder)
  expect([more, stored()]).toEqual([[], [expect.any(String), expect.any(String)]])
  const place = await anEmptyDatabase('sqlite')
  const { code } = await runCommandInProcess({ ...dataSettingsOf(place), BACKUP_KEY: identity }, () =>
    restoreCommand(join(folder, name), { yes: true, moved: false, check: false }),
  )
  expect([code, filesIn(place)]).toEqual([0, filesIn(site.settings)])

  const [beside = ''] = readdirSync(folder).filter((one) => one.startsWith('etalage-files-'))
  rmSync(join(folder, beside, stored()[0] ?? ''))
  const rest = ['restore', join(folder, name), '--yes', '--without-damaged-files']
  const elsewhere = await anEmptyDatabase('sqlite')
  const { out, err } = await runCommand({ ...dataSettingsOf(elsewhere), BACKUP_KEY: identity }, rest)
  expect({ out, err }).toEqual({ out: expect.stringContaining('Left out: files that are missing'), err: '' })
})
