import { sql } from 'kysely'
import { type Database, openDatabase } from '../src/platform/db/database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { aFolder, type Running, startEtalage } from './program.ts'
import type { Figure } from './report.ts'

/** Where a site stores its data; without `databaseUrl` in SQLite. */
export interface Where {
  dataDir: string
  databaseUrl?: string
}
/** @param server the address of a PostgreSQL server; without it SQLite is measured */
type Measure = (name: string, server?: string) => Promise<Figure[]>

/** The figures of SQLite and then of PostgreSQL. */
export async function onBothDatabases(measure: Measure): Promise<Figure[]> {
  const postgres = await startPostgres()
  try {
    return [...(await measure('SQLite')), ...(await measure('PostgreSQL', postgres.url))]
  } finally {
    await postgres.stop()
  }
}

/**
 * Starts the program on a new database that was filled first, and stops it after the work.
 * @param site `database`: its name on the server
 */
export async function withSite<Result>(
  site: {
    server: string | undefined
    database: string
    fill: (where: Where) => Promise<unknown>
    settings?: Record<string, string>
  },
  work: (etalage: Running, where: Where) => Promise<Result>,
): Promise<Result> {
  const databaseUrl = site.server && (await aDatabase(site.server, site.database))
  const where = { dataDir: aFolder(), ...(databaseUrl && { databaseUrl }) }
  await site.fill(where)
  if (databaseUrl) await tidy(databaseUrl)
  const etalage = await startEtalage(where.dataDir, {
    ...site.settings,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  try {
    return await work(etalage, where)
  } finally {
    await etalage.stop()
  }
}

/** Runs work on the database of a site that is not running. */
export async function inDatabase<Result>(where: Where, work: (db: Database) => Promise<Result>): Promise<Result> {
  const { db } = await openDatabase(where)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** An empty database of a PostgreSQL server. @returns its URL */
async function aDatabase(server: string, name: string): Promise<string> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** What autovacuum does some minutes after many inserts. */
async function tidy(databaseUrl: string): Promise<void> {
  await inDatabase({ databaseUrl, dataDir: aFolder() }, (db) => sql`vacuum analyze`.execute(db))
}

/** Waits until the program has indexed every published page, which it begins when it starts. @returns the seconds it took */
export async function untilIndexed(where: Where): Promise<number> {
  const begun = performance.now()
  await inDatabase(where, async (db) => {
    while ((await count(db, 'page_search')) < (await count(db, 'page_text'))) {
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })
  const seconds = (performance.now() - begun) / 1_000
  if (where.databaseUrl) await tidy(where.databaseUrl)
  return seconds
}

async function count(db: Database, table: 'page_search' | 'page_text'): Promise<number> {
  const { total } = await db
    .selectFrom(table)
    .$if(table === 'page_text', (query) => query.where('live_id', 'is not', null))
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}
