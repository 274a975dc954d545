import { sql } from 'kysely'
import { openDatabase } from '../src/platform/db/database.ts'
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
