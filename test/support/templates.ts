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
 * Template databases for the tests: one with the current tables, one that also has the pages of the default configuration,
 * and one that had them before the clock of any test.
 */
export type Template = 'migrated' | 'seeded' | 'earlier'

/** In the year of most clocks of the tests: texts for the search have the year in them. */
const earlierDay = new Date('2026-01-01T12:00:00Z')

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run; the path names the maintenance database. */
    postgresUrl: string
    /** A folder with the data folder of each template. */
    templateFolders: string
  }
}

interface Made {
  postgresUrl: string
  templateFolders: string
  remove: () => Promise<void>
}

/** Vitest runs the setup once for each project, and they share the templates. */
const run = globalThis as { templatesOfTests?: Promise<Made> | undefined }

/** Vitest global setup: a real PostgreSQL on a free loopback port, deleted at the end, and both templates on both databases. */
export default async function setup(project: TestProject) {
  run.templatesOfTests ??= makeTemplates()
  const { postgresUrl, templateFolders } = await run.templatesOfTests
  project.provide('postgresUrl', postgresUrl)
  project.provide('templateFolders', templateFolders)
  return async () => {
    const made = run.templatesOfTests
    run.templatesOfTests = undefined
    await (await made)?.remove()
  }
}

async function makeTemplates(): Promise<Made> {
  const server = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'etalage-templates-'))
  const dataDirOf = (template: Template) => join(folder, template)
  await createDatabase(server.url, 'migrated')
  for (const databaseUrl of [undefined, server.url]) {
    await migrate({ dataDir: dataDirOf('migrated'), databaseUrl: at(databaseUrl, 'migrated') })
  }
  // Migrations are what takes long, so the others are copies.
  for (const template of ['seeded', 'earlier'] as const) {
    cpSync(dataDirOf('migrated'), dataDirOf(template), { recursive: true })
    await createDatabase(server.url, template, 'migrated')
    for (const databaseUrl of [undefined, server.url]) {
      const storage = { dataDir: dataDirOf(template), databaseUrl: at(databaseUrl, template) }
      await seed(storage, template === 'earlier' ? earlierDay : undefined)
    }
  }
  const remove = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { postgresUrl: server.url, templateFolders: folder, remove }
}

const at = (serverUrl: string | undefined, template: Template) => serverUrl && new URL(`/${template}`, serverUrl).href

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
