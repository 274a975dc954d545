import { type ChildProcess, execFileSync, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { spawnNode, spawnServer } from '../test/support/spawn-program.ts'

/** A server as a separate process. */
export interface Running {
  url: string
  pid: number
  /** Milliseconds from the start of the process to the first 200 of `/`. */
  firstAnswerMs: number
  stop(): Promise<void>
}

const folders: string[] = []
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-bench-'))
  folders.push(folder)
  return folder
}

/** The built program; limits on contact messages are off, emails are written to files. */
export async function startEtalage(dataDir: string, settings: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  const own = { BASE_URL: `http://localhost:${port}`, CONTACT_RATE: 'off', LOG_LEVEL: 'warn' }
  return started(port, () => spawnServer({ PORT: String(port), DATA_DIR: dataDir, ...own, ...settings }, output))
}

/** @param answer a file with its response to every request: `{ headers: [name, value, …], body: base64 }` */
export async function startBare(answer: string): Promise<Running> {
  const port = await freePort()
  const args = [join(import.meta.dirname, 'bare-server.ts'), answer]
  return started(port, () => spawnNode(args, { PORT: String(port) }, output))
}

/** @param folder where it stores uploads */
export async function startBareUpload(folder: string): Promise<Running> {
  const port = await freePort()
  const args = [join(import.meta.dirname, 'bare-upload.ts'), folder]
  return started(port, () => spawnNode(args, { PORT: String(port) }, output))
}

/** Shows only errors. */
const output: StdioOptions = ['ignore', 'ignore', 'inherit']

async function started(port: number, spawned: () => ChildProcess): Promise<Running> {
  const begun = performance.now()
  const child = spawned()
  const gone = once(child, 'close')
  const end = async () => {
    child.kill('SIGTERM')
    await gone
  }
  while ((await statusOf(port)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with code ${child.exitCode}`)
    await pause(1)
  }
  return {
    url: `http://localhost:${port}`,
    pid: child.pid as number,
    firstAnswerMs: performance.now() - begun,
    stop: end,
  }
}

function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', () => resolve(undefined))
      .end()
  })
}

/** Resident memory of a process, in bytes. */
export function residentMemory(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}

/** The most resident memory of a process since `forgetPeakMemory`, in bytes (Linux only). */
export const peakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** The most resident memory of a running child process since it was started, in bytes (Linux only); 0 without one. */
export function peakMemoryOfChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const peaks = children.map((child) => {
    try {
      return peakMemory(Number(child)) || 0
    } catch {
      // It has ended.
      return 0
    }
  })
  return Math.max(0, ...peaks)
}

export const forgetPeakMemory = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Processor time of a process in seconds; `undefined` where the system has no precise value. */
export function processorSeconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  // The sum over the threads of the process, in nanoseconds: more precise than the ticks of /proc/<pid>/stat.
  const tasks = execFileSync('sh', ['-c', `cat /proc/${pid}/task/*/schedstat`], { encoding: 'utf8' })
  const spent = tasks
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[0]))
  return spent.reduce((sum, one) => sum + one, 0) / 1e9
}
