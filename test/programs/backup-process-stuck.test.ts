import { execFileSync } from 'node:child_process'
import { readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aProgramWithBackups, findBackupProcess } from '../support/program-with-backups.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

/** A file of its own, because it takes two minutes: so long a target may be silent. */
test.runIf(process.platform === 'linux')(
  'a finished backup stays finished when its process hangs or is killed while it reads an older one, and the next one is made',
  async () => {
    const { program, storage, folder, getBackups, startTask, waitUntilEnded } = await aProgramWithBackups('sqlite')
    const processNow = () => findBackupProcess(program.process.pid)
    const isOver = () => waitUntil(() => processNow() === undefined, 'end of the process', slowMs)
    const { id: oldest } = await startTask('backups')
    await waitUntilEnded('runs', { id: oldest })
    await isOver()
    // A file that no backup lists: to remove it, the lists of all of them are read.
    const files = readdirSync(folder).find((name) => name.startsWith('etalage-files-')) ?? ''
    const unused = join(folder, files, `${'a'.repeat(64)}.age`)
    writeFileSync(unused, '')
    utimesSync(unused, new Date('2026-01-01'), new Date('2026-01-01'))
    const { name } = (await getBackups()).runs.find(({ id }) => id === oldest) ?? {}
    const archive = join(folder, name ?? '')
    // Of a day whose backup is kept.
    const { db } = await openDatabase(storage)
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString()
    await db.updateTable('backup_run').set({ started_at: yesterday, finished_at: yesterday }).execute()
    await db.destroy()
    renameSync(archive, `${archive}.away`)
    execFileSync('mkfifo', [archive])

    const stuck = await startTask('backups')
    // Opens when the process reads, which waits for more than the first bytes.
    const pipe = await open(archive, 'w')
    closeAfterTest(() => pipe.close())
    await pipe.write('age-encryption.org/v1\n-> of another program\n--- \n')
    expect(await waitUntilEnded('runs', stuck)).toMatchObject({ state: 'done', error: '' })
    await isOver()

    const killed = await startTask('backups')
    expect(await waitUntilEnded('runs', killed)).toMatchObject({ state: 'done', error: '' })
    process.kill(Number(processNow()), 'SIGKILL')
    await isOver()
    renameSync(`${archive}.away`, archive)
    expect(await waitUntilEnded('runs', await startTask('backups'))).toMatchObject({ state: 'done', error: '' })
    expect(program.lines.filter(({ msg }) => msg === 'the backup failed')).toEqual([])
  },
)
