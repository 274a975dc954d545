import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUpTo } from '../../src/domain/backup/run-backup.ts'
import { settingsOf } from '../support/backups.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { aProgram } from '../support/program.ts'
import { as, json } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

test.each([
  ['1', { exitCode: null, signalCode: 'SIGKILL' }],
  ['2', { exitCode: 0, signalCode: null }],
])(
  'with WORKERS=%s, SIGTERM ends the program in time while a backup is read from a folder that does not answer',
  async (WORKERS, ending) => {
    const site = await aTestApp({ startJobs: false })
    const bente = await as(site, 'beheerder')
    const folder = aTempFolder()
    await backUpTo(site.app.context(), folder)
    const { runs } = await (await bente.get('/api/backups')).json()
    await site.stop()
    const program = await aProgram({ ...settingsOf(site.settings), WORKERS, PORT: String(await freePort()) })
    // Nobody writes into this pipe: the search waits for the journal beside the archive.
    const journal = join(folder, readdirSync(folder).find((name) => name.startsWith('etalage-journal-')) ?? '')
    rmSync(journal)
    execFileSync('mkfifo', [journal])
    const { headers } = json('POST', {})
    const searching = fetch(`${program.url}/api/backups/${runs[0].id}/search`, {
      ...{ method: 'POST', body: '{"text":"roya"}' },
      headers: { ...(headers as Record<string, string>), cookie: bente.cookie },
    })
    const answered = searching.then((answer) => answer.status, String)
    const pipe = await open(journal, 'w')
    closeAfterTest(() => pipe.close())

    program.process.kill('SIGTERM')
    await waitUntil(
      () => program.process.exitCode !== null || program.process.signalCode !== null,
      'end of the program',
    )
    expect(await answered).toContain('fetch failed')
    expect(program.lines.at(-1)?.msg).toBe('stopped')
    expect(program.process).toMatchObject(ending)
    // What it had copied of the backup is removed by the next start.
    await program.start()
    await waitUntil(() => readdirSync(join(program.dataDir, 'arriving')).length === 0, 'folder without the copy')
  },
)
