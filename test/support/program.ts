import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeAtEnd } from './closing.ts'
import { anEmptyDatabase, type DatabaseKind } from './databases.ts'
import { type LoggedLine, noteError } from './logged.ts'
import { spawnNode, spawnProgram } from './spawn-program.ts'

export interface Program {
  /** `http://127.0.0.1:41234` */
  url: string
  port: number
  dataDir: string
  /** The settings that say where its data is: all that a command of its operator needs. */
  where: Record<string, string>
  /** What it logged, since the first start. */
  lines: LoggedLine[]
  process: ChildProcess
  /** Asks it to stop and waits until it has. @returns its exit code */
  stop(): Promise<number | null>
  /** `kill -9`. */
  kill(): Promise<void>
  /** The same program again: same data, same port. */
  start(): Promise<void>
}

/**
 * The built program as a process of its own, on a free loopback port, with data of its own.
 * @param settings with `DATA_DIR` it is another copy on data that is there
 */
export async function aProgram(
  settings: Record<string, string> = {},
  database: DatabaseKind = 'sqlite',
): Promise<Program> {
  const where = settings.DATA_DIR ? whereOf(settings.DATA_DIR, settings.DATABASE_URL) : await anEmptyPlace(database)
  const lines: LoggedLine[] = []
  let port = Number(settings.PORT ?? 0)
  let running: ChildProcess

  const start = async () => {
    running = spawnProgram({ ...settings, ...where, PORT: String(port) })
    port = await listening(running, lines)
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (running.exitCode !== null || running.signalCode !== null) return running.exitCode
    const gone = once(running, 'close')
    running.kill(signal)
    await gone
    return running.exitCode
  }
  const stop = () => end('SIGTERM')
  closeAtEnd(async () => void (await stop()))
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir: where.DATA_DIR,
    where,
    lines,
    get process() {
      return running
    },
    stop,
    kill: async () => void (await end('SIGKILL')),
    start,
  }
}

/** Settings of the program that say where an empty database of its own is. */
export async function anEmptyPlace(database: DatabaseKind) {
  const { dataDir, databaseUrl } = await anEmptyDatabase(database)
  return whereOf(dataDir, databaseUrl)
}

const whereOf = (dataDir: string, databaseUrl: string | undefined) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
})

/** One command of the operator, as `npm run cli` gives it, until it ends. */
export async function runCommand(
  settings: Record<string, string>,
  ...command: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawnNode(['dist/server/cli.js', ...command], settings)
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const [code] = await once(child, 'close')
  return { code, out, err }
}

/** Resolves with the port when the program says that it listens. Errors that it logs fail the test. */
function listening(program: ChildProcess, lines: LoggedLine[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    let rest = ''
    program.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    program.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = `${rest}${text}`.split('\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        if (!part.startsWith('{')) continue
        const line: LoggedLine = JSON.parse(part)
        lines.push(line)
        if (line.level === 'error' || line.level === 'fatal') noteError(part)
        if (line.msg === 'listening') resolve(Number(new URL(String(line.url)).port))
      }
    })
    program.once('error', reject)
    program.once('close', (code) => reject(new Error(`the program ended with code ${code}: ${said}`)))
  })
}
