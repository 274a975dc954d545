import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUpTo } from '../../src/domain/backup/run-backup.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { dataSettingsOf } from '../support/backups.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { aProgram, type Program } from '../support/program.ts'
import { as, json } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

test('SIGTERM ends the program in time while a backup is read from a folder that does not answer, with one worker and with two', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const folder = aTempFolder()
  await backUpTo(site.app.context(), folder)
  const { runs } = await (await bente.get('/api/backups')).json()
  await site.stop()
  // Nobody writes into this pipe: a search waits for the journal beside the archive.
  const journal = join(folder, readdirSync(folder).find((name) => name.startsWith('etalage-journal-')) ?? '')
  rmSync(journal)
  execFileSync('mkfifo', [journal])
  const arriving = join(site.settings.dataDir, 'arriving')
  const copied = () => (existsSync(arriving) ? readdirSync(arriving) : [])

  const startWith = async (WORKERS: string) => {
    const program = await aProgram({ ...dataSettingsOf(site.settings), WORKERS, PORT: String(await freePort()) })
    // What the one before had copied of the backup is removed by its start.
    await waitUntil(() => copied().length === 0, 'folder without the copy')
    return program
  }
  const stopsDuringSearch = async (program: Program, ending: object) => {
    const { headers } = json('POST', {})
    const searching = fetch(`${program.url}/api/backups/${runs[0].id}/search`, {
      ...{ method: 'POST', body: '{"text":"roya"}' },
      headers: { ...(headers as Record<string, string>), cookie: bente.cookie },
    })
    const answered = searching.then((answer) => answer.status, String)
    const pipe = await open(journal, 'w')
    closeAfterTest(() => pipe.close())
    expect(copied()).not.toEqual([])

    program.process.kill('SIGTERM')
    await waitUntil(
      () => program.process.exitCode !== null || program.process.signalCode !== null,
      'end of the program',
    )
    expect(await answered).toContain('fetch failed')
    expect(program.lines.at(-1)?.msg).toBe('stopped')
    expect(program.process).toMatchObject(ending)
    await pipe.close()
    // As a minute later, when the killed program counts no longer as one that reads the backup.
    const { db } = await openDatabase(site.settings)
    await db.updateTable('backup_run').set({ reading_until: null }).execute()
    await db.destroy()
  }
  await stopsDuringSearch(await startWith('1'), { exitCode: null, signalCode: 'SIGKILL' })
  await stopsDuringSearch(await startWith('2'), { exitCode: 0, signalCode: null })
  await startWith('1')
})
