import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { type App, createApp } from '../../src/app.ts'
import { readSettings, type Settings } from '../../src/platform/config/settings.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { closeAtEnd } from './closing.ts'
import { aDatabaseWithTables, type DatabaseKind } from './databases.ts'
import { aLog, type LoggedLine } from './logged.ts'
import { changedSite, type SiteFile } from './site-file.ts'

export interface TestApp {
  app: App
  /** A request without a socket: `await request('/api/contact', { method: 'POST', body })`. */
  request(at: string, init?: RequestInit): Promise<Response>
  db: Database
  settings: Settings
  /** What the program logged. */
  lines: LoggedLine[]
  /** The letters that it wrote as files, for want of a mail server, oldest first. */
  letters(): Promise<ParsedMail[]>
  stop(): Promise<void>
}

/** The real app on a fresh database; it ends with the test. */
export async function aTestApp(
  different: {
    database?: DatabaseKind
    /** Another app whose database and data folder this one shares: a second copy of the program. */
    beside?: TestApp
    settings?: Partial<Settings>
    /** Changes the delivered configuration before the app reads it. */
    site?: (config: SiteFile) => void
    now?: () => Date
    folders?: { client: string; public: string }
  } = {},
): Promise<TestApp> {
  const { dataDir, databaseUrl } =
    different.beside?.settings ?? (await aDatabaseWithTables(different.database ?? 'sqlite'))
  const settings = {
    ...readSettings({}),
    dataDir,
    databaseUrl,
    siteConfig: different.site ? changedSite(dataDir, different.site) : 'site.config.json',
    ...different.settings,
  }
  const { log, lines } = aLog()
  const { now, folders } = different
  const app = await createApp({ settings, log, ...(now && { now }), ...(folders && { folders }) })
  app.work()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= app.stop()
    return stopped
  }
  closeAtEnd(stop)
  return {
    app,
    request: async (at, init) => app.fetch(new Request(at.startsWith('/') ? `http://localhost${at}` : at, init)),
    db: app.context().db,
    settings,
    lines,
    letters: () => writtenLetters(join(settings.dataDir, 'mail')),
    stop,
  }
}

async function writtenLetters(folder: string): Promise<ParsedMail[]> {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  return Promise.all(names.sort().map((name) => simpleParser(readFileSync(join(folder, name)))))
}
