import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { administrator } from './administrator.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aCopyOf, anEmptyDatabase, aStartedDatabase, type DatabaseKind } from './databases.ts'
import { keptPort } from './free-port.ts'
import { spawnNode, spawnProgram } from './spawn-program.ts'
import { type LoggedLine, noteError } from './test-log.ts'

export interface Program {
  /** `http://127.0.0.1:41234` */
  url: string
  port: number
  dataDir: string
  /** The settings for its database and data folder, which is all that the command line needs. */
  dataSettings: Record<string, string>
  /** The log lines since the first start. */
  lines: LoggedLine[]
  process: ChildProcess
  /** Sends SIGTERM and waits for the exit. @returns the exit code */
  stop(): Promise<number | null>
  /** `kill -9`. */
  kill(): Promise<void>
  /** Starts it again with the same data and port. */
  start(): Promise<void>
}

/**
 * The built program as a separate process, on a free loopback port, with its own data.
 * @param settings with `DATA_DIR` it is another copy on existing data
 * @param entry of another build than that of the tests
 */
export async function aProgram(
  settings: Record<string, string> = {},
  database: DatabaseKind = 'sqlite',
  entry?: string,
): Promise<Program> {
  const where = settings.DATA_DIR
    ? whereOf(settings.DATA_DIR, settings.DATABASE_URL)
    : await dataSettingsFor(settings, database)
  const lines: LoggedLine[] = []
  // Public files of another configuration have the same addresses, and browsers keep them for an hour.
  const kept = settings.PORT || settings.SITE_CONFIG ? undefined : await keptPort()
  let port = kept?.port ?? Number(settings.PORT ?? 0)
  let running: ChildProcess

  const start = async () => {
    // A program with workers reports to a launcher, by messages.
    const reports = settings.WORKERS ? (['ipc'] as const) : []
    running = spawnProgram({ ...settings, ...where, PORT: String(port) }, ['ignore', 'pipe', 'pipe', ...reports], entry)
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
  closeAfterTest(async () => {
    await stop()
    kept?.giveBack()
  })
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir: where.DATA_DIR,
    dataSettings: where,
    lines,
    get process() {
      return running
    },
    stop,
    kill: async () => void (await end('SIGKILL')),
    start,
  }
}

/** A configuration of the test's own must be read by a first start, so it gets a database with empty tables. */
async function dataSettingsFor(settings: Record<string, string>, database: DatabaseKind) {
  if (settings.SITE_CONFIG) {
    const { dataDir, databaseUrl } = await aCopyOf('migrated', database)
    return whereOf(dataDir, databaseUrl)
  }
  const withAdministrator = settings.ADMIN_EMAIL === administrator.email
  const { dataDir, databaseUrl } = await aStartedDatabase(withAdministrator ? 'administrator' : 'empty', database)
  return whereOf(dataDir, databaseUrl)
}

/** Settings that point to a new, empty database. */
export async function emptyDataSettings(database: DatabaseKind) {
  const { dataDir, databaseUrl } = await anEmptyDatabase(database)
  return whereOf(dataDir, databaseUrl)
}

const whereOf = (dataDir: string, databaseUrl: string | undefined) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
})

/** Runs one command of `npm run cli` until it exits. @param input for standard input */
export async function runCommand(
  settings: Record<string, string>,
  args: string[],
  input = '',
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawnNode(['dist/server/cli.js', ...args], settings, 'pipe') as ChildProcessWithoutNullStreams
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}

/** Resolves with the port once the program listens. Errors in its log fail the test. */
function listening(program: ChildProcess, lines: LoggedLine[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let errorOutput = ''
    let rest = ''
    program.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errorOutput += text
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
    program.once('close', (code) => reject(new Error(`the program ended with code ${code}: ${errorOutput}`)))
  })
}
