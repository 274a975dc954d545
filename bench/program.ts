import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { server } from '../scripts/setup/node26.mjs'

/** A server in a process of its own. */
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

/** The built program; limits on contact messages are off, letters are written as files. */
export async function startEtalage(dataDir: string, settings: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  return start([...server.flags, 'dist/server/main.js'], port, {
    DATA_DIR: dataDir,
    BASE_URL: `http://localhost:${port}`,
    CONTACT_RATE: 'off',
    LOG_LEVEL: 'warn',
    ...server.environment,
    ...settings,
  })
}

/** @param answer a file with what it gives to every request: `{ headers: [name, value, …], body: base64 }` */
export async function startBare(answer: string): Promise<Running> {
  return start([join(import.meta.dirname, 'bare-server.ts'), answer], await freePort(), {})
}

async function start(args: string[], port: number, settings: Record<string, string>): Promise<Running> {
  const { PATH = '', HOME = '', TZ = 'UTC' } = process.env
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, TZ, HOST: '127.0.0.1', NODE_ENV: 'production', PORT: String(port), ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = once(child, 'close')
  const end = async () => {
    child.kill('SIGTERM')
    await gone
  }
  while ((await statusOf(port)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with code ${child.exitCode}`)
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}

/** Resident memory of a process, in bytes. */
export function residentMemory(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}

/** Processor time that a process has used, in seconds; `undefined` where the system does not tell it finely. */
export function processorSeconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  // The sum over the process's threads, in nanoseconds: finer than the ticks of /proc/<pid>/stat.
  const tasks = execFileSync('sh', ['-c', `cat /proc/${pid}/task/*/schedstat`], { encoding: 'utf8' })
  const spent = tasks
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[0]))
  return spent.reduce((sum, one) => sum + one, 0) / 1e9
}
