import { sql } from 'kysely'
import { type Database, openDatabase } from '../src/platform/db/database.ts'
import { aFolder } from './program.ts'

/** An empty database of a PostgreSQL server. @returns its URL */
export async function aDatabase(server: string, name: string): Promise<string> {
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
export async function tidy(databaseUrl: string): Promise<void> {
  const { db } = await openDatabase({ databaseUrl, dataDir: aFolder() })
  await sql`vacuum analyze`.execute(db)
  await db.destroy()
}

/** Waits until the program has indexed every published page, which it begins when it starts. @returns the seconds it took */
export async function untilIndexed(where: { dataDir: string; databaseUrl?: string }): Promise<number> {
  const { db } = await openDatabase(where)
  const begun = performance.now()
  while ((await count(db, 'page_search')) < (await count(db, 'page_text'))) {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await db.destroy()
  return (performance.now() - begun) / 1_000
}

async function count(db: Database, table: 'page_search' | 'page_text'): Promise<number> {
  const { total } = await db
    .selectFrom(table)
    .$if(table === 'page_text', (query) => query.where('live_id', 'is not', null))
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}
