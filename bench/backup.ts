import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Backups } from '../src/contract/backups.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { loadPage, median } from './load.ts'
import { addMessages } from './messages.ts'
import { aFolder, forgetPeakMemory, peakMemory, peakMemoryOfChildren, type Running, startEtalage } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn } from './signed-in.ts'
import { untilCompressed } from './throughput.ts'

/** `BENCH_BACKUP_PART=0.05` measures a part of everything, to try the measurement itself. */
const part = Number(process.env.BENCH_BACKUP_PART ?? 1)
const messages = 100_000 * part
const fileBytes = 10_000_000
/** Of all files. */
const [fewBytes, manyBytes] = [1e9 * part, 5e9 * part]
/** Rounds of requests before, between and after a backup and a proof. */
const quietRounds = 2
/** How often a round begins while many files are backed up or proved, so that there are visitors for a small part of the time. */
const everyMs = 20_000

/** A minute after its start the program removes old spam, which the messages of the bench have at once, and merges the index of new ones. */
const tidyMs = 110_000

const log = (text: string) => process.stderr.write(`${text}\n`)
const gigabytes = (bytes: number) => `${bytes / 1e9} GB`
const mebibytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`
const rate = ({ bytes, seconds }: Timed) => bytes / 1e6 / seconds

interface Timed {
  bytes: number
  seconds: number
}
/** A backup or a proof, with the most memory of its process, and of the server meanwhile. */
interface Performed extends Timed {
  memory: number
  server: number
  endedAt: number
}
type Task = 'backup' | 'proof'
interface Site {
  etalage: Running
  cookie: string
  dataDir: string
  databaseUrl: string | undefined
  /** Where the backups are. */
  folder: string
  /** By `performance.now()`. */
  startedAt: number
}
interface Measured extends Delays {
  /** The memory of the server before. */
  idle: number
  backup: Performed
  proof: Performed
  tarAge: Timed
  again: Performed
}

/**
 * Backups beside `tar | age`, and the memory of their process, with few files without visitors; `/` while a backup is made and proved;
 * on PostgreSQL too. Then the same on SQLite with many files, with visitors now and then.
 */
export async function measureBackup(): Promise<Figure[]> {
  const { few, many } = await withFiles(async (site) => {
    const few = await measureApart(site)
    log(gigabytes(manyBytes))
    await addFiles(site, fewBytes, manyBytes)
    return { few, many: await measureTogether(site) }
  })
  const postgres = await startPostgres()
  const onPostgres = await withFiles(measureApart, postgres.url).finally(postgres.stop)
  const sizes = `${messages.toLocaleString('en')} messages and ${gigabytes(fewBytes)} of files, and ${gigabytes(manyBytes)}`
  return [
    {
      what: `a backup of ${sizes}, written and read back`,
      ours: `${rate(few.backup).toFixed(0)} and ${rate(many.backup).toFixed(0)} MB/s`,
      bare: '',
      goal: '',
      note: `\`tar | age\`, not read back: ${rate(few.tarAge).toFixed(0)} and ${rate(many.tarAge).toFixed(0)} MB/s`,
    },
    {
      what: `a proof of ${sizes}`,
      ours: `${rate(few.proof).toFixed(0)} and ${rate(many.proof).toFixed(0)} MB/s`,
      bare: '',
      goal: '',
      note: `${few.proof.seconds.toFixed(0)} and ${many.proof.seconds.toFixed(0)} s; \`tar | age\` ${few.tarAge.seconds.toFixed(0)} and ${many.tarAge.seconds.toFixed(0)} s`,
    },
    {
      what: `a backup and a proof of ${messages.toLocaleString('en')} messages and ${gigabytes(fewBytes)} of files, on PostgreSQL`,
      ours: `${rate(onPostgres.backup).toFixed(0)} and ${rate(onPostgres.proof).toFixed(0)} MB/s`,
      bare: '',
      goal: '',
      note: `${onPostgres.backup.seconds.toFixed(0)} and ${onPostgres.proof.seconds.toFixed(0)} s; \`pg_dump | age\` and \`tar | age\`: ${rate(onPostgres.tarAge).toFixed(0)} MB/s`,
    },
    {
      what: `a second backup of ${gigabytes(fewBytes)} of files that did not change, and ${gigabytes(manyBytes)}`,
      ours: `${few.again.seconds.toFixed(1)} and ${many.again.seconds.toFixed(1)} s`,
      bare: '',
      goal: '',
      note: `${(few.again.bytes / 1e6).toFixed(0)} and ${(many.again.bytes / 1e6).toFixed(0)} MB written; the first took ${few.backup.seconds.toFixed(0)} and ${many.backup.seconds.toFixed(0)} s`,
    },
    ...(['backup', 'proof'] as const).map((task) => ({
      what: `most memory of the process of a ${task} of ${sizes}`,
      ours: `${mebibytes(few[task].memory)} and ${mebibytes(many[task].memory)}`,
      bare: '',
      goal: `${gigabytes(manyBytes)} at most 1.25 times ${gigabytes(fewBytes)}`,
      met: many[task].memory <= 1.25 * few[task].memory,
      note: `of the server ${mebibytes(few[task].server)} meanwhile, without visitors, and ${mebibytes(few.idle)} before`,
    })),
    {
      what: `most memory of the process of a backup and of a proof of ${gigabytes(fewBytes)}, on PostgreSQL`,
      ours: `${mebibytes(onPostgres.backup.memory)} and ${mebibytes(onPostgres.proof.memory)}`,
      bare: '',
      goal: '',
      note: `of the server ${mebibytes(onPostgres.backup.server)} and ${mebibytes(onPostgres.proof.server)} meanwhile, and ${mebibytes(onPostgres.idle)} before`,
    },
    ...p99Figures(gigabytes(fewBytes), few),
    ...p99Figures(gigabytes(manyBytes), many),
    ...p99Figures(`${gigabytes(fewBytes)}, on PostgreSQL`, onPostgres),
  ]
}

const p99Figures = (of: string, { quiet, busy }: Delays): Figure[] =>
  (['backup', 'proof'] as const).map((task) => ({
    what: `\`/\`, p99 during a ${task} of ${of}`,
    ours: `${median(busy[task]).toFixed(2)} ms`,
    bare: '',
    goal: 'at most twice when it is quiet',
    met: median(busy[task]) <= 2 * median(quiet),
    note: `${median(quiet).toFixed(2)} ms when it is quiet: ${(median(busy[task]) / median(quiet)).toFixed(2)} times; at worst ${Math.max(...busy[task]).toFixed(2)} in ${busy[task].length} rounds, beside ${Math.max(...quiet).toFixed(2)} ms`,
  }))

async function withFiles<T>(work: (site: Site) => Promise<T>, databaseUrl?: string): Promise<T> {
  log(
    `${messages.toLocaleString('en')} messages and ${gigabytes(fewBytes)} of files${databaseUrl ? ', on PostgreSQL' : ''}`,
  )
  const dataDir = aFolder()
  const folder = aFolder()
  await addMessages({ dataDir, ...(databaseUrl && { databaseUrl }) }, messages)
  await addFiles({ dataDir, databaseUrl }, 0, fewBytes)
  const settings = { ...admin, BACKUP_DIR: folder, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const etalage = await startEtalage(dataDir, settings)
  try {
    await untilCompressed(etalage)
    const startedAt = performance.now()
    return await work({ etalage, dataDir, databaseUrl, folder, startedAt, cookie: await firstSignIn(etalage) })
  } finally {
    await etalage.stop()
    for (const used of [dataDir, folder]) rmSync(used, { recursive: true, force: true })
  }
}

/** Adds files until all have this size; each has another content, none of which can be compressed. */
async function addFiles(
  { dataDir, databaseUrl }: Pick<Site, 'dataDir' | 'databaseUrl'>,
  fromBytes: number,
  toBytes: number,
): Promise<void> {
  const content = randomFillSync(Buffer.alloc(fileBytes))
  const rows = []
  for (let number = fromBytes / fileBytes; number < toBytes / fileBytes; number++) {
    const id = `file-${number}`
    mkdirSync(join(dataDir, 'files', id), { recursive: true })
    content.write(id)
    writeFileSync(join(dataDir, 'files', id, 'original'), content)
    rows.push({ id, state: 'committed', at: new Date().toISOString(), bytes: fileBytes } as const)
  }
  const { db } = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  await db.insertInto('stored_blob').values(rows).execute()
  await db.destroy()
}

/** The speed and the memory without visitors, and then their waiting. */
async function measureApart(site: Site): Promise<Measured> {
  await pause(5_000)
  forgetPeakMemory(site.etalage.pid)
  const idle = peakMemory(site.etalage.pid)
  const backup = await perform(site, 'backup')
  const tarAge = await timeTarAge(site)
  const proof = await perform(site, 'proof')
  const again = await perform(site, 'backup')
  return { idle, backup, tarAge, proof, again, ...(await measureDelays(site, 0)).delays }
}

/** The speed with visitors for a small part of the time, and their waiting: once, because it takes minutes. */
async function measureTogether(site: Site): Promise<Measured> {
  forgetPeakMemory(site.etalage.pid)
  const idle = peakMemory(site.etalage.pid)
  const { delays, backup, proof } = await measureDelays(site, everyMs)
  const tarAge = await timeTarAge(site)
  return { idle, backup, tarAge, proof, again: await perform(site, 'backup'), ...delays }
}

/** Of PostgreSQL the database by `pg_dump`, before the files. */
async function timeTarAge({ dataDir, databaseUrl, folder }: Site): Promise<Timed> {
  log('tar | age')
  const archive = join(folder, 'by-tar.age')
  const recipient = await identityToRecipient(await generateX25519Identity())
  const files = 'tar -C "$1" -cf - $5 files | age -r "$2" -o "$3" && sync "$3"'
  const command = databaseUrl ? `pg_dump -Fc -Z0 "$4" | age -r "$2" -o "$3.dump" && sync "$3.dump" && ${files}` : files
  const begun = performance.now()
  const rest = databaseUrl ? [databaseUrl, ''] : ['', 'etalage.sqlite']
  await promisify(execFile)('sh', ['-c', command, 'sh', dataDir, recipient, archive, ...rest])
  const written = databaseUrl ? [archive, `${archive}.dump`] : [archive]
  const bytes = written.reduce((sum, path) => sum + statSync(path).size, 0)
  const timed = { bytes, seconds: (performance.now() - begun) / 1_000 }
  for (const path of written) rmSync(path)
  return timed
}

/** The p99 of each round of requests for `/`, without a backup or a proof and with one. */
interface Delays {
  quiet: number[]
  busy: Record<Task, number[]>
}

/** Rounds of requests, in turns without and with a backup and a proof. @param everyMs from the beginning of a round to that of the next */
async function measureDelays(
  site: Site,
  everyMs: number,
): Promise<{ delays: Delays; backup: Performed; proof: Performed }> {
  const quiet: number[] = []
  const request = async () => (await loadPage(site.etalage, '/', { seconds: 3 })).p99Ms
  const requestQuietly = async () => {
    for (let round = 0; round < quietRounds; round++) quiet.push(await request())
  }
  const performBusily = async (task: Task) => {
    const rounds: { p99: number; endedAt: number }[] = []
    let next = 0
    const performed = await perform(site, task, async () => {
      if (performance.now() < next) return pause(250)
      next = performance.now() + everyMs
      rounds.push({ p99: await request(), endedAt: Date.now() })
    })
    const during = rounds.filter(({ endedAt }) => endedAt <= performed.endedAt)
    // One that is shorter than a round has that alone.
    return { performed, p99s: (during.length > 0 ? during : rounds).map(({ p99 }) => p99) }
  }
  await pause(Math.max(0, site.startedAt + tidyMs - performance.now()))
  await request()
  await requestQuietly()
  forgetFiles(site)
  const backup = await performBusily('backup')
  await requestQuietly()
  const proof = await performBusily('proof')
  await requestQuietly()
  const delays = { quiet, busy: { backup: backup.p99s, proof: proof.p99s } }
  return { delays, backup: backup.performed, proof: proof.performed }
}

/** The next backup writes every file again. */
function forgetFiles({ folder }: Site): void {
  const beside = readdirSync(folder).filter((name) => name.startsWith('etalage-files-'))
  for (const name of beside) rmSync(join(folder, name), { recursive: true })
}

/**
 * Makes a backup, or proves the newest one.
 * @param meanwhile is repeated until the end
 */
async function perform(
  { etalage, cookie }: Site,
  task: Task,
  meanwhile: () => Promise<unknown> = () => pause(250),
): Promise<Performed> {
  const call = async <Answer>(method: string, path: string): Promise<Answer> => {
    const answer = await fetch(`${etalage.url}/api${path}`, { method, headers: { cookie } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<Answer>
  }
  log(`a ${task}`)
  forgetPeakMemory(etalage.pid)
  let memory = 0
  const watching = setInterval(() => {
    memory = Math.max(memory, peakMemoryOfChildren(etalage.pid))
  }, 50)
  try {
    const { id } = await call<{ id: number }>('POST', task === 'backup' ? '/backups' : '/backups/proofs')
    for (;;) {
      await meanwhile()
      const { runs, proofs } = await call<Backups>('GET', '/backups')
      const found = (task === 'backup' ? runs : proofs).find((one) => one.id === id)
      if (!found?.startedAt || !found.finishedAt) continue
      if (found.state !== 'done' && found.state !== 'proved') throw new Error(JSON.stringify(found))
      const endedAt = Date.parse(found.finishedAt)
      const seconds = (endedAt - Date.parse(found.startedAt)) / 1_000
      return { bytes: runs[0]?.bytes ?? 0, seconds, memory, server: peakMemory(etalage.pid), endedAt }
    }
  } finally {
    clearInterval(watching)
  }
}
