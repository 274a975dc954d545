import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createApp } from '../../src/app.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { SiteStorage } from './backups.ts'
import { startPostgres } from './postgres.ts'

/**
 * The template databases, which the tests copy: `migrated` has the current tables, `seeded` also the pages of the default
 * configuration, and `earlier` the same pages, stored before the clock of any test.
 */
export type Template = 'migrated' | 'seeded' | 'earlier'

/** In the same year as the clocks of most tests, because the texts for the search contain the year. */
const earlierDay = new Date('2026-01-01T12:00:00Z')

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run; the path names the maintenance database. */
    postgresUrl: string
    /** A folder with the data folder of each template. */
    templateFolders: string
  }
}

interface Templates {
  postgresUrl: string
  templateFolders: string
  remove: () => Promise<void>
}

/** Vitest runs the setup once for each of its projects (groups of tests), and they share the templates. */
const sharedByProjects = globalThis as { templatesOfTests?: Promise<Templates> | undefined }

/**
 * Vitest global setup: starts a real PostgreSQL on a free loopback port, and makes each template on both databases. Returns what
 * stops the server and removes them at the end.
 */
export default async function setup(project: TestProject) {
  sharedByProjects.templatesOfTests ??= makeTemplates()
  const { postgresUrl, templateFolders } = await sharedByProjects.templatesOfTests
  project.provide('postgresUrl', postgresUrl)
  project.provide('templateFolders', templateFolders)
  return async () => {
    const templates = sharedByProjects.templatesOfTests
    sharedByProjects.templatesOfTests = undefined
    await (await templates)?.remove()
  }
}

async function makeTemplates(): Promise<Templates> {
  const server = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'etalage-templates-'))
  const dataDirOf = (template: Template) => join(folder, template)
  await createDatabase(server.url, 'migrated')
  for (const databaseUrl of [undefined, server.url]) {
    await migrate({ dataDir: dataDirOf('migrated'), databaseUrl: databaseUrlOf(databaseUrl, 'migrated') })
  }
  // The migrations take most of the time, so the other templates are copies.
  for (const template of ['seeded', 'earlier'] as const) {
    cpSync(dataDirOf('migrated'), dataDirOf(template), { recursive: true })
    await createDatabase(server.url, template, 'migrated')
    for (const databaseUrl of [undefined, server.url]) {
      const storage = { dataDir: dataDirOf(template), databaseUrl: databaseUrlOf(databaseUrl, template) }
      await seed(storage, template === 'earlier' ? earlierDay : undefined)
    }
  }
  const remove = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { postgresUrl: server.url, templateFolders: folder, remove }
}

const databaseUrlOf = (serverUrl: string | undefined, template: Template) =>
  serverUrl && new URL(`/${template}`, serverUrl).href

async function createDatabase(connectionString: string, name: Template, template = 'template1'): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
}

async function migrate(storage: SiteStorage): Promise<void> {
  const { db } = await openDatabase(storage)
  await db.destroy()
}

async function seed(storage: SiteStorage, now?: Date): Promise<void> {
  const settings = { ...readSettings({}), ...storage }
  const app = await createApp({ settings, log: createLog('error'), ...(now && { now: () => now }) })
  await app.stop()
}
