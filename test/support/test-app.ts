import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { type App, createApp } from '../../src/app.ts'
import { readSettings, type Settings } from '../../src/platform/config/settings.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { createImageWorker, type RunTask } from '../../src/platform/images/image-worker.ts'
import { runImageTask } from '../../src/platform/images/run-image-task.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aCopyOf, aTempFolder, type DatabaseKind } from './databases.ts'
import { changedSite, type SiteFile } from './site-file.ts'
import type { Template } from './templates.ts'
import { aLog, type LoggedLine } from './test-log.ts'
import { patienceMs, waitUntil } from './wait-until.ts'

export interface TestApp {
  app: App
  /** A request without a socket: `await request('/api/contact', { method: 'POST', body })`. */
  request(at: string, init?: RequestInit): Promise<Response>
  db: Database
  settings: Settings
  /** The log lines of the program. */
  lines: LoggedLine[]
  /** The emails that it wrote as files without a mail server, oldest first. */
  writtenEmails(): Promise<ParsedMail[]>
  stop(): Promise<void>
}

/** The real app on a new database; it is closed when the test ends. */
export async function aTestApp(
  different: {
    database?: DatabaseKind
    /** Another app to share the database and data folder with: a second instance. */
    beside?: TestApp
    settings?: Partial<Settings>
    /** Changes the default configuration before the app reads it. */
    site?: (config: SiteFile) => void
    now?: () => Date
    /** False: no background jobs. */
    startJobs?: boolean
    countResponse?: (isFault: boolean) => void
    folders?: { client?: string; public?: string }
    /** True: each image has a process of its own, as in the program. */
    imageProcesses?: boolean
  } = {},
): Promise<TestApp> {
  const { dataDir, databaseUrl } =
    different.beside?.settings ??
    (different.settings?.databaseUrl
      ? { dataDir: aTempFolder(), databaseUrl: undefined }
      : await aCopyOf(templateFor(different), different.database ?? 'sqlite'))
  const settings = {
    ...readSettings({}),
    // No test asks the DNS of the internet.
    dnsServer: '127.0.0.1:9',
    dataDir,
    databaseUrl,
    // Each new connection is a process of PostgreSQL that reads the catalog anew. Where most are busy at once, the test
    // holds a lock on one, two requests wait for it, and a fourth connection sees that they do.
    databasePoolSize: 5,
    databaseTimeoutMs: patienceMs,
    siteConfig: different.site ? changedSite(dataDir, different.site) : 'site.config.json',
    ...different.settings,
  }
  const { log, lines } = aLog()
  const { now, folders, countResponse } = different
  const app = await createApp({
    settings,
    log,
    ...(now && { now }),
    // Nothing of the build: what it has is listed at each start of an app.
    folders: { client: 'dist/none', ...folders },
    ...(countResponse && { countResponse }),
    ...(!different.imageProcesses && { imageWorker: createImageWorker({}, runInTest) }),
  })
  if (different.startJobs !== false) await app.startJobs()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= app.stop()
    return stopped
  }
  closeAfterTest(stop)
  return {
    app,
    request: async (at, init) => app.fetch(new Request(at.startsWith('/') ? `http://localhost${at}` : at, init)),
    db: app.context().db,
    settings,
    lines,
    writtenEmails: () => readWrittenEmails(join(settings.dataDir, 'mail')),
    stop,
  }
}

/** The result of a try of the form, once the database answers in time. */
export const canaryOf = (app: App) =>
  waitUntil(async () => {
    const found = await app.runCanary()
    return found.database !== 'away' && found
  }, 'database that answers')

/** The same work without a process, most of whose time goes to loading libraries. */
const runInTest: RunTask = async (task, { aborted }) => {
  const result = await runImageTask(task)
  aborted.throwIfAborted()
  return result
}

/** With the pages of the default configuration, unless the app reads another one. */
function templateFor({
  site,
  settings,
  now,
}: {
  site?: unknown
  settings?: Partial<Settings>
  now?: unknown
}): Template {
  if (site || settings?.siteConfig) return 'migrated'
  return now ? 'earlier' : 'seeded'
}

async function readWrittenEmails(folder: string): Promise<ParsedMail[]> {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  return Promise.all(names.sort().map((name) => simpleParser(readFileSync(join(folder, name)))))
}
