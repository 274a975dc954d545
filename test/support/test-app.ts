import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { type App, createApp } from '../../src/app.ts'
import { readSettings, type Settings } from '../../src/platform/config/settings.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { createImageWorker, type RunTask } from '../../src/platform/images/image-worker.ts'
import { runImageTask } from '../../src/platform/images/run-image-task.ts'
import { closeAfterTest } from './close-after-test.ts'
import type { Template } from './database-templates.ts'
import { aCopyOfTemplate, aTempFolder, type DatabaseKind } from './databases.ts'
import { type SiteFile, writeSiteFile } from './site-file.ts'
import { aLog, type LoggedLine } from './test-log.ts'
import { patienceMs, waitUntil } from './wait-until.ts'

export interface TestApp {
  app: App
  /** Sends a request without a socket: `await request('/api/contact', { method: 'POST', body })`. */
  request(url: string, init?: RequestInit): Promise<Response>
  db: Database
  settings: Settings
  /** The log lines of the app. */
  lines: LoggedLine[]
  /** The emails that it wrote as files because it has no mail server, oldest first. */
  writtenEmails(): Promise<ParsedMail[]>
  stop(): Promise<void>
}

/** Starts the real app in this process on a new database; it is stopped when the test ends. */
export async function aTestApp(
  options: {
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
    /** True: images are processed in processes of their own, as in the program; by default in this process. */
    imageProcesses?: boolean
  } = {},
): Promise<TestApp> {
  const { dataDir, databaseUrl } =
    options.beside?.settings ??
    (options.settings?.databaseUrl
      ? { dataDir: aTempFolder(), databaseUrl: undefined }
      : await aCopyOfTemplate(templateFor(options), options.database ?? 'sqlite'))
  const settings = {
    ...readSettings({}),
    // Nothing answers there: tests must not query the DNS of the internet.
    dnsServer: '127.0.0.1:9',
    dataDir,
    databaseUrl,
    // Small, because each new connection is a process of PostgreSQL that reads the catalog anew. A test needs four at most: it
    // holds a lock on one, two requests wait for that lock, and a fourth connection counts them.
    databasePoolSize: 5,
    databaseTimeoutMs: patienceMs,
    siteConfig: options.site ? writeSiteFile(dataDir, options.site) : 'site.config.json',
    ...options.settings,
  }
  const { log, lines } = aLog()
  const { now, folders, countResponse } = options
  const app = await createApp({
    settings,
    log,
    ...(now && { now }),
    // No folder of a build, whose files would be listed at each start of an app.
    folders: { client: 'dist/none', ...folders },
    ...(countResponse && { countResponse }),
    ...(!options.imageProcesses && { imageWorker: createImageWorker({}, runInThisProcess) }),
  })
  if (options.startJobs !== false) await app.startJobs()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= app.stop()
    return stopped
  }
  closeAfterTest(stop)
  return {
    app,
    request: async (url, init) => app.fetch(new Request(url.startsWith('/') ? `http://localhost${url}` : url, init)),
    db: app.context().db,
    settings,
    lines,
    writtenEmails: () => readWrittenEmails(join(settings.dataDir, 'mail')),
    stop,
  }
}

/** Runs the canary (a test submission of the contact form), again until the database answers in time. @returns its result */
export const runCanaryWhenReady = (app: App) =>
  waitUntil(async () => {
    const result = await app.runCanary()
    return result.database !== 'away' && result
  }, 'database that answers')

/** Runs a task for an image without a process of its own, which would spend most of its time on loading libraries. */
const runInThisProcess: RunTask = async (task, { aborted }) => {
  const result = await runImageTask(task)
  aborted.throwIfAborted()
  return result
}

/**
 * The template for an app: with the pages of the default configuration unless it reads another one; for an app with a clock of
 * its own, with pages that were stored earlier than that.
 */
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
