import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { databaseFile, type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { closeAtEnd } from './closing.ts'
import { emptyTables } from './postgres.ts'

/** For `describe.each(databases)`: every database test runs on both. */
export const databases = ['sqlite', 'postgres'] as const
export type DatabaseKind = (typeof databases)[number]

/** A folder that is gone when the test ends. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-test-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What the settings say of an empty database of its own. Opened twice, it is two copies of the program on one database. */
export async function anEmptyDatabase(
  kind: DatabaseKind,
): Promise<{ dataDir: string; databaseUrl: string | undefined }> {
  const dataDir = aFolder()
  return { dataDir, databaseUrl: kind === 'postgres' ? await aPostgresDatabase() : undefined }
}

/** The same with today's tables, which are copied and not made anew each time. */
export async function aDatabaseWithTables(kind: DatabaseKind): Promise<Awaited<ReturnType<typeof anEmptyDatabase>>> {
  const dataDir = aFolder()
  if (kind === 'postgres') return { dataDir, databaseUrl: await aPostgresDatabase(emptyTables) }
  copyFileSync(databaseFile(inject('sqliteTables')), databaseFile(dataDir))
  return { dataDir, databaseUrl: undefined }
}

/** A fresh database, migrated and open. */
export async function aDatabase(kind: DatabaseKind): Promise<OpenDatabase> {
  const open = await openDatabase(await aDatabaseWithTables(kind))
  closeAtEnd(() => open.db.destroy())
  return open
}

async function aPostgresDatabase(like = 'template1'): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name} template ${like}`)
  closeAtEnd(() => administer(`drop database if exists ${name} with (force)`))
  url.pathname = `/${name}`
  return url.href
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
