import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { administrator } from './administrator.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aCopyOfProgramTemplate, aCopyOfTemplate, anEmptyDatabase, type DatabaseKind } from './databases.ts'
import { takeReusablePort } from './free-port.ts'
import { spawnNode, spawnProgram } from './spawn-program.ts'
import { type LoggedLine, recordError } from './test-log.ts'

export interface Program {
  /** `http://127.0.0.1:41234` */
  url: string
  port: number
  dataDir: string
  /** The settings for its database and data folder, which is all that the command line needs. */
  dataSettings: Record<string, string>
  /** The log lines since the first start, as parsed JSON. */
  lines: LoggedLine[]
  /** The process of the last start. */
  process: ChildProcess
  /** Sends SIGTERM and waits for the exit. @returns the exit code */
  stop(): Promise<number | null>
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  /** Starts it again with the same data and port. */
  start(): Promise<void>
}

/**
 * Starts the built program in a process of its own, on a free loopback port, with new data, and waits until it listens. It is
 * stopped when the test ends. An error in its log fails the test.
 * @param settings with `DATA_DIR` the program uses those existing data
 * @param entry the script of another build than that of the tests
 */
export async function aProgram(
  settings: Record<string, string> = {},
  database: DatabaseKind = 'sqlite',
  entry?: string,
): Promise<Program> {
  const dataSettings = settings.DATA_DIR
    ? dataSettingsOf(settings.DATA_DIR, settings.DATABASE_URL)
    : await dataSettingsFor(settings, database)
  const lines: LoggedLine[] = []
  // Not for another configuration: its public files have the same URLs, and browsers cache them for an hour.
  const reusablePort = settings.PORT || settings.SITE_CONFIG ? undefined : await takeReusablePort()
  let port = reusablePort?.port ?? Number(settings.PORT ?? 0)
  let child: ChildProcess

  const start = async () => {
    // A program with workers sends messages to its launcher.
    const launcherChannel = settings.WORKERS ? (['ipc'] as const) : []
    child = spawnProgram(
      { ...settings, ...dataSettings, PORT: String(port) },
      ['ignore', 'pipe', 'pipe', ...launcherChannel],
      entry,
    )
    port = await waitUntilListening(child, lines)
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
    return child.exitCode
  }
  const stop = () => end('SIGTERM')
  closeAfterTest(async () => {
    await stop()
    reusablePort?.release()
  })
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir: dataSettings.DATA_DIR,
    dataSettings,
    lines,
    get process() {
      return child
    },
    stop,
    kill: async () => void (await end('SIGKILL')),
    start,
  }
}

/**
 * Settings for new data: a copy of a program template, or with a configuration of the test's own a database with empty tables,
 * because only a first start stores the pages of a configuration.
 */
async function dataSettingsFor(settings: Record<string, string>, database: DatabaseKind) {
  if (settings.SITE_CONFIG) {
    const { dataDir, databaseUrl } = await aCopyOfTemplate('migrated', database)
    return dataSettingsOf(dataDir, databaseUrl)
  }
  const withAdministrator = settings.ADMIN_EMAIL === administrator.email
  const { dataDir, databaseUrl } = await aCopyOfProgramTemplate(withAdministrator ? 'administrator' : 'empty', database)
  return dataSettingsOf(dataDir, databaseUrl)
}

/** Settings for a new data folder and a new database without tables. */
export async function emptyDataSettings(database: DatabaseKind) {
  const { dataDir, databaseUrl } = await anEmptyDatabase(database)
  return dataSettingsOf(dataDir, databaseUrl)
}

const dataSettingsOf = (dataDir: string, databaseUrl: string | undefined) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
})

/** Runs one command of `npm run cli` of the built program until it exits. @param input for its standard input */
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

/** Collects the log lines. @returns the port, once the program listens @throws when it ends before that */
function waitUntilListening(program: ChildProcess, lines: LoggedLine[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let errorOutput = ''
    let incompleteLine = ''
    program.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errorOutput += text
    })
    program.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const completeLines = `${incompleteLine}${text}`.split('\n')
      incompleteLine = completeLines.pop() ?? ''
      for (const json of completeLines) {
        if (!json.startsWith('{')) continue
        const line: LoggedLine = JSON.parse(json)
        lines.push(line)
        if (line.level === 'error' || line.level === 'fatal') recordError(json)
        if (line.msg === 'listening') resolve(Number(new URL(String(line.url)).port))
      }
    })
    program.once('error', reject)
    program.once('close', (code) => reject(new Error(`the program ended with code ${code}: ${errorOutput}`)))
  })
}
