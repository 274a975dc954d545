import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Backups } from '../../src/contract/backups.ts'
import { dataSettingsOf } from './backups.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aTempFolder, type DatabaseKind } from './databases.ts'
import { aProgram } from './program.ts'
import { as } from './staff.ts'
import { aTestApp } from './test-app.ts'
import { allowErrors } from './test-log.ts'
import { slowMs, waitUntil } from './wait-until.ts'

/**
 * Starts the built program with backups to a folder, and calls its API as an administrator. Its site has a file so large that
 * a backup and a proof (a test restore) take a while, in which they can be killed. Errors about those in the log are allowed.
 * @param options.isDue true: a scheduled backup, and the proof after it, are due
 * @param options.entry the script of another build than that of the tests
 * @param options.hasLargeFile false for backups and proofs that need not be killed
 */
export async function aProgramWithBackups(
  database: DatabaseKind,
  extraSettings: Record<string, string> = {},
  options: { isDue?: boolean; entry?: string; hasLargeFile?: boolean } = {},
) {
  allowErrors(/the backup failed|a backup was not proved/)
  const site = await aTestApp({ database, startJobs: false })
  const bente = await as(site, 'beheerder')
  const folder = aTempFolder()
  const schedule = {
    daily: 7,
    weekly: 5,
    monthly: 12,
    kind: 'folder',
    folder,
    time: '03:00',
    scheduled: options.isDue === true,
  }
  const emptyBucket = { endpoint: '', region: '', bucket: '', prefix: '', accessKeyId: '' }
  expect((await bente.put('/api/backups/settings', { ...schedule, ...emptyBucket })).status).toBe(200)
  // As if the schedule was turned on long ago.
  if (options.isDue) await site.db.updateTable('backup_setting').set({ since: '2026-01-01T00:00:00.000Z' }).execute()
  const [id, bytes] = ['a-file', options.hasLargeFile === false ? 1_000 : 8_000_000]
  mkdirSync(join(site.settings.dataDir, 'files', id), { recursive: true })
  writeFileSync(join(site.settings.dataDir, 'files', id, 'original'), Buffer.alloc(bytes, 'etalage '))
  const row = { id, state: 'committed', at: new Date().toISOString(), bytes } as const
  await site.db.insertInto('stored_blob').values(row).execute()
  await site.stop()
  const program = await aProgram({ ...dataSettingsOf(site.settings), ...extraSettings }, database, options.entry)
  const call = async <Result>(method: 'GET' | 'POST', path: string): Promise<Result> => {
    const response = await fetch(`${program.url}/api${path}`, { method, headers: { cookie: bente.cookie } })
    expect(response.ok, `${path} answers ${response.status}`).toBe(true)
    return (await response.json()) as Result
  }
  const restoreRoot = join(program.dataDir, 'arriving')
  /** The paths of the folders in which proofs restore a copy of the site, one for each process. */
  const listRestoreFolders = () => listNames(restoreRoot).map((name) => join(restoreRoot, name))
  return {
    program,
    storage: site.settings,
    folder,
    listRestoreFolders,
    getBackups: () => call<Backups>('GET', '/backups'),
    /** Queues a backup or a proof. */
    startTask: (what: 'backups' | 'backups/proofs') => call<{ id: number }>('POST', `/${what}`),
    /** Waits until a backup or a proof has ended. @returns it */
    waitUntilEnded: (kind: 'runs' | 'proofs', { id }: { id: number }) =>
      waitUntil(
        async () => {
          const task = (await call<Backups>('GET', '/backups'))[kind].find((listed) => listed.id === id)
          return task?.finishedAt && task
        },
        `end of one of the ${kind}`,
        slowMs,
      ),
    /** Waits until the process of a backup has begun to write it. @returns its process id */
    waitForBackupProcess: () =>
      waitUntil(
        () => {
          const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
          return written.some((name) => name.endsWith('.partial')) && findBackupProcess(program.process.pid)
        },
        'process that writes a backup',
        slowMs,
      ),
    /** Waits until the process of a proof has begun to restore a copy. @returns its process id */
    waitForProofProcess: () =>
      waitUntil(
        () => listRestoreFolders().some(hasCopy) && findBackupProcess(program.process.pid),
        'process that proves a backup',
        slowMs,
      ),
  }
}

/** The names in a folder; none when it does not exist, because the program may remove it at any moment. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const hasCopy = (folder: string) => listNames(folder).some((name) => existsSync(join(folder, name, 'site')))

/** Finds the process of a backup or a proof below a process, at any depth. It is killed when the test ends. @returns its id */
export function findBackupProcess(pid: number | undefined): number | undefined {
  for (const child of listChildren(pid)) {
    const backupPid = isBackupProcess(child) ? child : findBackupProcess(child)
    if (backupPid === undefined) continue
    closeAfterTest(() => void (isBackupProcess(backupPid) && process.kill(backupPid, 'SIGKILL')))
    return backupPid
  }
  return undefined
}

const listChildren = (pid: number | undefined): number[] =>
  readProcessFile(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** Whether a running process makes or proves a backup. */
export const isBackupProcess = (pid: number) => readProcessFile(`/proc/${pid}/cmdline`).includes('backup-process.js')

/** The text of a file in `/proc`; empty when the process has ended. */
function readProcessFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
