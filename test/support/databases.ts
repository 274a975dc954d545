import { randomBytes } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase, sqlitePath } from '../../src/platform/db/database.ts'
import { closeAfterTest } from './close-after-test.ts'
import type { Template } from './database-templates.ts'
import type { ProgramTemplate } from './program-templates.ts'
import { patienceMs } from './wait-until.ts'

/** For `describe.each(databases)`: every database test runs on both. */
export const databases = ['sqlite', 'postgres'] as const
export type DatabaseKind = (typeof databases)[number]

/** A folder that is deleted when the test ends. */
export function aTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-test-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A new database without tables; it is removed when the test ends.
 * @returns the settings to open it with, which may be used more than once: for two instances on one database
 */
export async function anEmptyDatabase(
  kind: DatabaseKind,
): Promise<{ dataDir: string; databaseUrl: string | undefined }> {
  const dataDir = aTempFolder()
  return { dataDir, databaseUrl: kind === 'postgres' ? await aPostgresDatabase() : undefined }
}

/** A copy of a data folder and database with which the built program has been started before. @returns their settings */
export async function aCopyOfProgramTemplate(
  template: ProgramTemplate,
  kind: DatabaseKind,
): Promise<{ dataDir: string; databaseUrl: string | undefined }> {
  const dataDir = aTempFolder()
  cpSync(join(inject('programTemplates'), template, kind), dataDir, { recursive: true })
  return { dataDir, databaseUrl: kind === 'postgres' ? await aPostgresDatabase(`program_${template}`) : undefined }
}

/** A copy of one of the template databases, with a data folder. @returns their settings */
export async function aCopyOfTemplate(
  template: Template,
  kind: DatabaseKind,
): Promise<{ dataDir: string; databaseUrl: string | undefined }> {
  const dataDir = aTempFolder()
  const from = join(inject('templateFolders'), template)
  // The validated configuration, which would be validated at each start of an app otherwise.
  if (existsSync(join(from, 'cache'))) cpSync(join(from, 'cache'), join(dataDir, 'cache'), { recursive: true })
  if (kind === 'postgres') return { dataDir, databaseUrl: await aPostgresDatabase(template) }
  copyFileSync(sqlitePath(from), sqlitePath(dataDir))
  return { dataDir, databaseUrl: undefined }
}

/** A new, migrated, open database. */
export async function aDatabase(kind: DatabaseKind): Promise<OpenDatabase> {
  const database = await openDatabase({ ...(await aCopyOfTemplate('migrated', kind)), databaseTimeoutMs: patienceMs })
  closeAfterTest(() => database.db.destroy())
  return database
}

/** A PostgreSQL database without tables, with the collation of a language: `nl`, `fa`. @returns its settings */
export async function aDatabaseInLanguage(language: string): Promise<{ dataDir: string; databaseUrl: string }> {
  const templateAndCollation = `template0 locale_provider icu icu_locale '${language}' locale 'C'`
  return { dataDir: aTempFolder(), databaseUrl: await aPostgresDatabase(templateAndCollation) }
}

/** @param template the name of the database to copy; more options of `create database` may follow. @returns the URL */
async function aPostgresDatabase(template = 'template1'): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomBytes(6).toString('hex')}`
  // FILE_COPY takes a third of the time of WAL_LOG.
  await runAsAdmin(`create database ${name} template ${template} strategy file_copy`)
  closeAfterTest(() => runAsAdmin(`drop database if exists ${name} with (force)`))
  url.pathname = `/${name}`
  return url.href
}

/** The connection that creates and drops databases, one for all tests of a worker. */
let adminClient: Promise<pg.Client> | undefined

async function runAsAdmin(statement: string): Promise<void> {
  adminClient ??= connect(inject('postgresUrl'))
  await (await adminClient).query(statement)
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  // It stays open until the worker or the server ends, which is no error.
  client.on('error', () => {})
  return client
}
