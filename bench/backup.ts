import { execFile } from 'node:child_process'
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
import { aFolder, forgetPeakMemory, peakMemory, type Running, startEtalage } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn } from './signed-in.ts'
import { untilCompressed } from './throughput.ts'

/** `BENCH_BACKUP_PART=0.05` measures a part of everything, to try the measurement itself. */
const part = Number(process.env.BENCH_BACKUP_PART ?? 1)
const messages = 100_000 * part
const fileBytes = 10_000_000
/** Of all files. */
const [fewBytes, manyBytes] = [1e9 * part, 5e9 * part]
const rounds = 3

const log = (text: string) => process.stderr.write(`${text}\n`)
const gigabytes = (bytes: number) => `${bytes / 1e9} GB`
const mebibytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`
const rate = ({ bytes, seconds }: Timed) => bytes / 1e6 / seconds

interface Timed {
  bytes: number
  seconds: number
}
type Task = 'backup' | 'proof'
interface Site {
  etalage: Running
  cookie: string
  dataDir: string
  databaseUrl: string | undefined
  /** Where the backups are. */
  folder: string
}

/** Backups beside `tar | age`, and their memory, with two sizes of files; `/` while a backup is made and proved; on PostgreSQL too. */
export async function measureBackup(): Promise<Figure[]> {
  const both = async (site: Site) => ({ ...(await speeds(site)), ...(await delays(site)) })
  const few = await withFiles(fewBytes, both)
  const many = await withFiles(manyBytes, both)
  const postgres = await startPostgres()
  const onPostgres = await withFiles(fewBytes, both, postgres.url).finally(postgres.stop)
  const sizes = `${messages.toLocaleString('en')} messages and ${gigabytes(fewBytes)} of files, and ${gigabytes(manyBytes)}`
  return [
    {
      what: `a backup of ${sizes}, written and read back`,
      ours: `${rate(few.backup).toFixed(0)} and ${rate(many.backup).toFixed(0)} MB/s`,
      bare: '',
      goal: '',
      note: `\`tar | age\`, not read back: ${rate(few.tarAge).toFixed(0)} and ${rate(many.tarAge).toFixed(0)} MB/s`,
      summary: true,
    },
    {
      what: `a proof of ${sizes}`,
      ours: `${rate(few.proof).toFixed(0)} and ${rate(many.proof).toFixed(0)} MB/s`,
      bare: '',
      goal: '',
      note: `${few.proof.seconds.toFixed(0)} and ${many.proof.seconds.toFixed(0)} s; \`tar | age\` ${few.tarAge.seconds.toFixed(0)} and ${many.tarAge.seconds.toFixed(0)} s`,
      summary: true,
    },
    {
      what: `a backup and a proof of ${messages.toLocaleString('en')} messages and ${gigabytes(fewBytes)} of files, on PostgreSQL`,
      ours: `${rate(onPostgres.backup).toFixed(0)} and ${rate(onPostgres.proof).toFixed(0)} MB/s`,
      bare: '',
      goal: '',
      note: `${onPostgres.backup.seconds.toFixed(0)} and ${onPostgres.proof.seconds.toFixed(0)} s; \`pg_dump | age\` and \`tar | age\`: ${rate(onPostgres.tarAge).toFixed(0)} MB/s`,
      summary: true,
    },
    {
      what: `a second backup of ${gigabytes(fewBytes)} of files that did not change, and ${gigabytes(manyBytes)}`,
      ours: `${few.again.seconds.toFixed(1)} and ${many.again.seconds.toFixed(1)} s`,
      bare: '',
      goal: '',
      note: `${(few.again.bytes / 1e6).toFixed(0)} and ${(many.again.bytes / 1e6).toFixed(0)} MB written; the first took ${few.backup.seconds.toFixed(0)} and ${many.backup.seconds.toFixed(0)} s`,
      summary: true,
    },
    ...(['backup', 'proof'] as const).map((task) => ({
      what: `most memory during a ${task} of ${sizes}`,
      ours: `${mebibytes(few[task].peak)} and ${mebibytes(many[task].peak)}`,
      bare: '',
      goal: `${gigabytes(manyBytes)} at most 1.25 times ${gigabytes(fewBytes)}`,
      met: many[task].peak <= 1.25 * few[task].peak,
      note: `${mebibytes(few.idle)} and ${mebibytes(many.idle)} before`,
    })),
    {
      what: `most memory during a backup and a proof of ${gigabytes(fewBytes)}, on PostgreSQL`,
      ours: `${mebibytes(onPostgres.backup.peak)} and ${mebibytes(onPostgres.proof.peak)}`,
      bare: '',
      goal: '',
      note: `${mebibytes(onPostgres.idle)} before`,
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
    note: `${median(quiet).toFixed(2)} ms when it is quiet: ${(median(busy[task]) / median(quiet)).toFixed(2)} times; at worst ${Math.max(...busy[task]).toFixed(2)} beside ${Math.max(...quiet).toFixed(2)} ms`,
  }))

async function withFiles<T>(bytes: number, work: (site: Site) => Promise<T>, databaseUrl?: string): Promise<T> {
  log(
    `${messages.toLocaleString('en')} messages and ${gigabytes(bytes)} of files${databaseUrl ? ', on PostgreSQL' : ''}`,
  )
  const dataDir = aFolder()
  const folder = aFolder()
  const database = { dataDir, ...(databaseUrl && { databaseUrl }) }
  await addMessages(database, messages)
  await addFiles(database, bytes)
  const settings = { ...admin, BACKUP_DIR: folder, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const etalage = await startEtalage(dataDir, settings)
  try {
    return await work({ etalage, dataDir, databaseUrl, folder, cookie: await firstSignIn(etalage) })
  } finally {
    await etalage.stop()
    for (const used of [dataDir, folder]) rmSync(used, { recursive: true, force: true })
  }
}

async function addFiles(database: { dataDir: string; databaseUrl?: string }, bytes: number): Promise<void> {
  const { dataDir } = database
  const { db } = await openDatabase(database)
  const content = Buffer.alloc(fileBytes, 'etalage ')
  for (let number = 0; number < bytes / fileBytes; number++) {
    const id = `file-${number}`
    mkdirSync(join(dataDir, 'files', id), { recursive: true })
    content.write(id)
    writeFileSync(join(dataDir, 'files', id, 'original'), content)
    const row = { id, state: 'committed', at: new Date().toISOString(), bytes: fileBytes } as const
    await db.insertInto('stored_blob').values(row).execute()
  }
  await db.destroy()
}

/** Without visitors. */
async function speeds(site: Site) {
  await pause(5_000)
  forgetPeakMemory(site.etalage.pid)
  const idle = peakMemory(site.etalage.pid)
  const backup = await perform(site, 'backup')
  const tarAge = await timeTarAge(site)
  const proof = await perform(site, 'proof')
  return { idle, backup, tarAge, proof, again: await perform(site, 'backup') }
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

interface Delays {
  quiet: number[]
  busy: Record<Task, number[]>
}

/** The p99 of rounds of requests for `/`, in turns without and with a backup or a proof. */
async function delays(site: Site): Promise<Delays> {
  const quiet: number[] = []
  const busy: Record<Task, number[]> = { backup: [], proof: [] }
  await untilCompressed(site.etalage)
  const request = async (into: number[]) => into.push((await loadPage(site.etalage, '/', { seconds: 3 })).p99Ms)
  await request([])
  for (const task of ['backup', 'proof'] as const) {
    for (let round = 0; round < rounds; round++) await request(quiet)
    const during: number[] = []
    // With every file again.
    if (task === 'backup') forgetFiles(site)
    await perform(site, task, () => request(during))
    // The last round went on after the end.
    busy[task].push(...(during.length > 1 ? during.slice(0, -1) : during))
  }
  for (let round = 0; round < rounds; round++) await request(quiet)
  return { quiet, busy }
}

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
): Promise<Timed & { peak: number }> {
  const call = async <Answer>(method: string, path: string): Promise<Answer> => {
    const answer = await fetch(`${etalage.url}/api${path}`, { method, headers: { cookie } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<Answer>
  }
  log(`a ${task}`)
  forgetPeakMemory(etalage.pid)
  const { id } = await call<{ id: number }>('POST', task === 'backup' ? '/backups' : '/backups/proofs')
  for (;;) {
    await meanwhile()
    const { runs, proofs } = await call<Backups>('GET', '/backups')
    const found = (task === 'backup' ? runs : proofs).find((one) => one.id === id)
    if (!found?.startedAt || !found.finishedAt) continue
    if (found.state !== 'done' && found.state !== 'proved') throw new Error(JSON.stringify(found))
    const seconds = (Date.parse(found.finishedAt) - Date.parse(found.startedAt)) / 1_000
    return { bytes: runs[0]?.bytes ?? 0, seconds, peak: peakMemory(etalage.pid) }
  }
}
