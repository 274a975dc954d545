import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Backups } from '../src/contract/backups.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { loadPage, median } from './load.ts'
import { addMessages } from './messages.ts'
import { aFolder, forgetPeakMemory, peakMemory, type Running, startEtalage } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn } from './signed-in.ts'
import { untilCompressed } from './throughput.ts'

const messages = 100_000
const fileBytes = 10_000_000
/** Of all files. */
const [fewBytes, manyBytes] = [1e9, 5e9]
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
  /** Where the backups are. */
  folder: string
}

/** Backups beside `tar | age`, and their memory, with two sizes of files; `/` while a backup is made and proved. */
export async function measureBackup(): Promise<Figure[]> {
  const few = await withFiles(fewBytes, async (site) => ({ ...(await speeds(site)), ...(await delays(site)) }))
  const many = await withFiles(manyBytes, speeds)
  const sizes = `${messages.toLocaleString('en')} messages and ${gigabytes(fewBytes)} of files, and ${gigabytes(manyBytes)}`
  return [
    {
      what: `a backup of ${sizes}, written and read back`,
      ours: `${rate(few.backup).toFixed(0)} and ${rate(many.backup).toFixed(0)} MB/s`,
      bare: '',
      goal: '',
      note: `\`tar | age\`, not read back: ${rate(few.tarAge).toFixed(0)} and ${rate(many.tarAge).toFixed(0)} MB/s; the proof ${rate(few.proof).toFixed(0)} and ${rate(many.proof).toFixed(0)} MB/s`,
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
    ...(['backup', 'proof'] as const).map((task) => ({
      what: `\`/\`, p99 during a ${task}`,
      ours: `${median(few.busy[task]).toFixed(2)} ms`,
      bare: '',
      goal: 'at most twice when it is quiet',
      met: median(few.busy[task]) <= 2 * median(few.quiet),
      note: `${median(few.quiet).toFixed(2)} ms when it is quiet: ${(median(few.busy[task]) / median(few.quiet)).toFixed(2)} times; at worst ${Math.max(...few.busy[task]).toFixed(2)} beside ${Math.max(...few.quiet).toFixed(2)} ms`,
    })),
  ]
}

async function withFiles<T>(bytes: number, work: (site: Site) => Promise<T>): Promise<T> {
  log(`${messages.toLocaleString('en')} messages and ${gigabytes(bytes)} of files`)
  const dataDir = aFolder()
  const folder = aFolder()
  await addMessages({ dataDir }, messages)
  await addFiles(dataDir, bytes)
  const etalage = await startEtalage(dataDir, { ...admin, BACKUP_DIR: folder })
  try {
    return await work({ etalage, dataDir, folder, cookie: await firstSignIn(etalage) })
  } finally {
    await etalage.stop()
    for (const used of [dataDir, folder]) rmSync(used, { recursive: true, force: true })
  }
}

async function addFiles(dataDir: string, bytes: number): Promise<void> {
  const { db } = await openDatabase({ dataDir })
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

async function timeTarAge({ dataDir, folder }: Site): Promise<Timed> {
  log('tar | age')
  const archive = join(folder, 'by-tar.age')
  const recipient = await identityToRecipient(await generateX25519Identity())
  const command = 'tar -C "$1" -cf - etalage.sqlite files | age -r "$2" -o "$3" && sync "$3"'
  const begun = performance.now()
  await promisify(execFile)('sh', ['-c', command, 'sh', dataDir, recipient, archive])
  const timed = { bytes: statSync(archive).size, seconds: (performance.now() - begun) / 1_000 }
  rmSync(archive)
  return timed
}

/** The p99 of rounds of requests for `/`, in turns without and with a backup or a proof. */
async function delays(site: Site) {
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
