import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Backups } from '../../src/contract/backups.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { settingsOf } from '../support/backups.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder, type DatabaseKind, databases } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { aProgram } from '../support/program.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The lowest priority: beside other tests a backup takes long. */
const slowMs = 300_000

/**
 * A program with a file so large that a backup and a proof of it take a while.
 * @param options.isDue a scheduled backup, and the proof after it, are due
 * @param options.entry of another build than that of the tests
 */
async function aProgramWithBackups(
  database: DatabaseKind,
  more: Record<string, string> = {},
  options: { isDue?: boolean; entry?: string } = {},
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
  const [id, bytes] = ['a-large-file', 20_000_000]
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

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
const hasCopy = (folder: string) => namesIn(folder).some((name) => existsSync(join(folder, name, 'site')))

/** The process id of the backup process under this one, at any depth. */
function backupProcessOf(pid: number | undefined): number | undefined {
  for (const child of childrenOf(pid)) {
    const found = isBackupProcess(child) ? child : backupProcessOf(child)
    if (found === undefined) continue
    closeAfterTest(() => void (isBackupProcess(found) && process.kill(found, 'SIGKILL')))
    return found
  }
  return undefined
}

const childrenOf = (pid: number | undefined): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
const isBackupProcess = (pid: number) => read(`/proc/${pid}/cmdline`).includes('backup-process.js')

/** Empty when the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/** The nice values of all threads of a process. */
const prioritiesOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = read(`/proc/${pid}/task/${thread}/stat`)
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17])
  })

describe.runIf(process.platform === 'linux').each(databases)('on %s', (database) => {
  test('a backup and a proof have a process of low priority each, and one that is killed has failed at once', async () => {
    const { ask, ended, writingBackup, provingBackup, copies } = await aProgramWithBackups(database)

    const killed = await ask('backups')
    const writing = await writingBackup()
    expect(new Set(prioritiesOf(writing))).toEqual(new Set([19]))
    process.kill(writing, 'SIGKILL')
    expect(await ended('runs', killed)).toMatchObject({
      state: 'failed',
      error: 'het proces ervan is beëindigd door SIGKILL',
    })
    const made = await ask('backups')
    expect(await ended('runs', made)).toMatchObject({ state: 'done', error: '' })

    const cutOff = await ask('backups/proofs')
    const proving = await provingBackup()
    expect(proving).not.toBe(writing)
    process.kill(proving, 'SIGKILL')
    const reason = 'het proces ervan is beëindigd door SIGKILL'
    expect(await ended('proofs', cutOff)).toMatchObject({ state: 'unknown', reason })
    await waitUntil(() => copies().length === 0, 'removal of the copy, which is not encrypted')
    expect(await ended('proofs', await ask('backups/proofs'))).toMatchObject({ state: 'proved', reason: '' })
    await waitUntil(() => copies().length === 0, 'removal of the copy of the other one')
  })

  test('a program that is killed during a backup or a proof leaves no process, and no copy', async () => {
    const { program, ask, ended, writingBackup, provingBackup, copies } = await aProgramWithBackups(database)
    const isGone = (pid: number) => waitUntil(() => !isBackupProcess(pid), 'end of the process')

    const killed = await ask('backups')
    const writing = await writingBackup()
    process.kill(Number(program.process.pid), 'SIGKILL')
    await isGone(writing)
    await program.kill()
    await program.start()
    expect(await ended('runs', killed)).toMatchObject({ state: 'failed', error: 'interrupted' })
    const made = await ask('backups')
    expect(await ended('runs', made)).toMatchObject({ state: 'done' })

    const cutOff = await ask('backups/proofs')
    const proving = await provingBackup()
    process.kill(Number(program.process.pid), 'SIGKILL')
    await isGone(proving)
    await program.kill()
    await program.start()
    expect(await ended('proofs', cutOff)).toMatchObject({ state: 'unknown', reason: 'interrupted' })
    await waitUntil(() => copies().length === 0, 'removal of the copy, which is not encrypted')
  })
})

test.runIf(process.platform === 'linux')(
  'a scheduled backup is followed by a proof, which is repeated when its process is killed',
  async () => {
    const { program, shown, provingBackup } = await aProgramWithBackups('sqlite', {}, { isDue: true })
    process.kill(await provingBackup(), 'SIGKILL')
    const isProved = async () => (await shown()).proofs.some(({ state }) => state === 'proved')
    await waitUntil(isProved, 'proof that is repeated', slowMs)
    const { runs, proofs } = await shown()
    expect(runs).toMatchObject([{ madeBy: 'clock', state: 'done' }])
    expect(proofs).toMatchObject([
      { madeBy: 'clock', state: 'proved' },
      { madeBy: 'clock', state: 'unknown', reason: 'het proces ervan is beëindigd door SIGKILL' },
    ])
    // Nobody signed in at the site.
    expect(program.lines.filter(({ path }) => path === '/api/login')).toEqual([])
  },
)

describe.runIf(process.platform === 'linux')('a program whose files change while it runs', () => {
  test('backs up and proves the site that it serves, whatever the configuration file says meanwhile', async () => {
    const file = join(aTempFolder(), 'site.config.json')
    const text = readFileSync('site.config.json', 'utf8')
    writeFileSync(file, text)
    const { program, ask, ended } = await aProgramWithBackups('sqlite', { SITE_CONFIG: file })
    const backUpAndProve = async () => {
      expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done', error: '' })
      expect(await ended('proofs', await ask('backups/proofs'))).toMatchObject({ state: 'proved', reason: '' })
    }

    const { pages, ...site } = JSON.parse(text)
    const added = { ...pages[0], slug: 'bijgeschreven' }
    writeFileSync(file, JSON.stringify({ ...site, brand: 'Andere Naam', pages: [...pages, added] }))
    await backUpAndProve()
    expect((await fetch(`${program.url}/bijgeschreven`)).status).toBe(404)
    expect(await (await fetch(program.url)).text()).not.toContain('Andere Naam')

    writeFileSync(file, text.slice(0, 1_000))
    await backUpAndProve()
  })

  test('leaves its database alone when another build was put in its place, and says so', async () => {
    // Packages are found from there.
    const build = mkdtempSync(resolve('node_modules', '.another-build-'))
    closeAfterTest(() => rmSync(build, { recursive: true }))
    cpSync('dist/server', build, { recursive: true })
    const { ask, ended } = await aProgramWithBackups('sqlite', {}, { entry: join(build, 'main.js') })
    expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done' })

    const entry = join(build, 'backup-process.js')
    const code = readFileSync(entry, 'utf8')
    const replaced = code.replace(/`[0-9a-f]{64}`/, `'${'0'.repeat(64)}'`)
    expect(replaced).not.toBe(code)
    writeFileSync(entry, replaced)
    const error = 'de bestanden van het programma zijn niet meer die waarmee het is gestart: start het opnieuw'
    expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'failed', error })
    const proof = await ask('backups/proofs')
    expect(await ended('proofs', proof)).toMatchObject({ state: 'unknown', reason: error })
  })
})

test.runIf(process.platform === 'linux')('after a backup, a log that is not read still blocks nothing', async () => {
  const { program, ask, ended } = await aProgramWithBackups('sqlite')
  expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done' })
  await waitUntil(() => backupProcessOf(program.process.pid) === undefined, 'end of the process', slowMs)
  const log = program.process.stdout
  log?.pause()
  closeAfterTest(() => void log?.resume())

  for (let round = 0; round < 50; round++) {
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${program.url}/api/nergens`)))
  }

  expect((await fetch(program.url)).status).toBe(200)
  log?.resume()
  expect(await program.stop()).toBe(0)
})

test.runIf(process.platform === 'linux')(
  'a backup that is done stays so when its process is stuck in an older one, or killed there, and the next one is made',
  async () => {
    const { program, place, folder, shown, ask, ended } = await aProgramWithBackups('sqlite')
    const processNow = () => backupProcessOf(program.process.pid)
    const isOver = () => waitUntil(() => processNow() === undefined, 'end of the process', slowMs)
    const { id: oldest } = await ask('backups')
    await ended('runs', { id: oldest })
    await isOver()
    // A file that no backup lists: to remove it, the lists of all of them are read.
    const files = readdirSync(folder).find((name) => name.startsWith('etalage-files-')) ?? ''
    const unused = join(folder, files, `${'a'.repeat(64)}.age`)
    writeFileSync(unused, '')
    utimesSync(unused, new Date('2026-01-01'), new Date('2026-01-01'))
    const { name } = (await shown()).runs.find(({ id }) => id === oldest) ?? {}
    const archive = join(folder, name ?? '')
    // Of a day whose backup is kept.
    const { db } = await openDatabase(place)
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString()
    await db.updateTable('backup_run').set({ started_at: yesterday, finished_at: yesterday }).execute()
    await db.destroy()
    renameSync(archive, `${archive}.away`)
    execFileSync('mkfifo', [archive])

    const stuck = await ask('backups')
    // Opens when the process reads, which waits for more than the first bytes.
    const pipe = await open(archive, 'w')
    closeAfterTest(() => pipe.close())
    await pipe.write('age-encryption.org/v1\n-> of another program\n--- \n')
    expect(await ended('runs', stuck)).toMatchObject({ state: 'done', error: '' })
    await isOver()

    const killed = await ask('backups')
    expect(await ended('runs', killed)).toMatchObject({ state: 'done', error: '' })
    process.kill(Number(processNow()), 'SIGKILL')
    await isOver()
    renameSync(`${archive}.away`, archive)
    expect(await ended('runs', await ask('backups'))).toMatchObject({ state: 'done', error: '' })
    expect(program.lines.filter(({ msg }) => msg === 'the backup failed')).toEqual([])
  },
)

describe.runIf(process.platform === 'linux')('a program that is stopped', () => {
  test.each(['1', '2'])('with WORKERS=%s during a backup ends its process first', async (WORKERS) => {
    const port = String(await freePort())
    const { program, ask, ended, writingBackup } = await aProgramWithBackups('sqlite', { WORKERS, PORT: port })
    const stopped = await ask('backups')
    const writing = await writingBackup()
    expect(await program.stop()).toBe(0)
    expect(isBackupProcess(writing)).toBe(false)
    await program.start()
    expect(await ended('runs', stopped)).toMatchObject({ state: 'failed', error: 'interrupted' })
  })

  test('kills a process of a backup that does not answer', async () => {
    const { program, ask, ended, writingBackup } = await aProgramWithBackups('sqlite')
    const stuck = await ask('backups')
    const writing = await writingBackup()
    process.kill(writing, 'SIGSTOP')
    expect(await program.stop()).toBe(0)
    expect(isBackupProcess(writing)).toBe(false)
    await program.start()
    expect(await ended('runs', stuck)).toMatchObject({ state: 'failed', error: 'interrupted' })
  })
})
