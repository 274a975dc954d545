import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Backups } from '../../src/contract/backups.ts'
import { settingsOf } from './backups.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aTempFolder, type DatabaseKind } from './databases.ts'
import { aProgram } from './program.ts'
import { as } from './staff.ts'
import { aTestApp } from './test-app.ts'
import { allowErrors } from './test-log.ts'
import { slowMs, waitUntil } from './wait-until.ts'

/**
 * A program with a file so large that a backup and a proof of it take a while, in which they can be killed.
 * @param options.isDue a scheduled backup, and the proof after it, are due
 * @param options.entry of another build than that of the tests
 * @param options.hasLargeFile false for backups and proofs that only have to end
 */
export async function aProgramWithBackups(
  database: DatabaseKind,
  more: Record<string, string> = {},
  options: { isDue?: boolean; entry?: string; hasLargeFile?: boolean } = {},
) {
  allowErrors(/the backup failed|a backup was not proved/)
  const site = await aTestApp({ database, startJobs: false })
  const bente = await as(site, 'beheerder')
  const folder = aTempFolder()
  const plan = {
    daily: 7,
    weekly: 5,
    monthly: 12,
    kind: 'folder',
    folder,
    time: '03:00',
    scheduled: options.isDue === true,
  }
  const ofBucket = { endpoint: '', region: '', bucket: '', prefix: '', accessKeyId: '' }
  expect((await bente.put('/api/backups/settings', { ...plan, ...ofBucket })).status).toBe(200)
  // As if it was turned on days ago.
  if (options.isDue) await site.db.updateTable('backup_setting').set({ since: '2026-01-01T00:00:00.000Z' }).execute()
  const [id, bytes] = ['a-file', options.hasLargeFile === false ? 1_000 : 8_000_000]
  mkdirSync(join(site.settings.dataDir, 'files', id), { recursive: true })
  writeFileSync(join(site.settings.dataDir, 'files', id, 'original'), Buffer.alloc(bytes, 'etalage '))
  const row = { id, state: 'committed', at: new Date().toISOString(), bytes } as const
  await site.db.insertInto('stored_blob').values(row).execute()
  await site.stop()
  const program = await aProgram({ ...settingsOf(site.settings), ...more }, database, options.entry)
  const call = async <Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> => {
    const answer = await fetch(`${program.url}/api${path}`, { method, headers: { cookie: bente.cookie } })
    expect(answer.ok, `${path} answers ${answer.status}`).toBe(true)
    return (await answer.json()) as Answer
  }
  const arriving = join(program.dataDir, 'arriving')
  /** The folder of each process that restores a copy. */
  const copies = () => namesIn(arriving).map((name) => join(arriving, name))
  return {
    program,
    place: site.settings,
    folder,
    copies,
    shown: () => call<Backups>('GET', '/backups'),
    ask: (what: 'backups' | 'backups/proofs') => call<{ id: number }>('POST', `/${what}`),
    /** Waits until a backup or a proof has ended. */
    ended: (kind: 'runs' | 'proofs', { id }: { id: number }) =>
      waitUntil(
        async () => {
          const found = (await call<Backups>('GET', '/backups'))[kind].find((one) => one.id === id)
          return found?.finishedAt && found
        },
        `end of one of the ${kind}`,
        slowMs,
      ),
    /** Waits until the process of a backup has begun to write it. */
    writingBackup: () =>
      waitUntil(
        () => {
          const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
          return written.some((name) => name.endsWith('.partial')) && backupProcessOf(program.process.pid)
        },
        'process that writes a backup',
        slowMs,
      ),
    /** Waits until the process of a proof has begun to restore a copy. */
    provingBackup: () =>
      waitUntil(
        () => copies().some(hasCopy) && backupProcessOf(program.process.pid),
        'process that proves a backup',
        slowMs,
      ),
  }
}

/** Empty while there is no such folder: a program removes it at any moment. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
const hasCopy = (folder: string) => namesIn(folder).some((name) => existsSync(join(folder, name, 'site')))

/** The process id of the backup process under this one, at any depth. */
export function backupProcessOf(pid: number | undefined): number | undefined {
  for (const child of childrenOf(pid)) {
    const found = isBackupProcess(child) ? child : backupProcessOf(child)
    if (found === undefined) continue
    closeAfterTest(() => void (isBackupProcess(found) && process.kill(found, 'SIGKILL')))
    return found
  }
  return undefined
}

const childrenOf = (pid: number | undefined): number[] =>
  readProcessFile(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
export const isBackupProcess = (pid: number) => readProcessFile(`/proc/${pid}/cmdline`).includes('backup-process.js')

/** Empty when the process has ended. */
function readProcessFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
