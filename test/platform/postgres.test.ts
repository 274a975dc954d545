import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { allowErrors } from '../support/logged.ts'
import { aMessageOf } from '../support/people.ts'
import { aTestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'

test('a PostgreSQL that drops every connection, as at its restart, is found again', async () => {
  allowErrors(/terminating connection|Connection terminated/)
  const { db, request, settings } = await aTestApp({ database: 'postgres' })
  const restart = new pg.Client({ connectionString: settings.databaseUrl })
  await restart.connect()
  const { rows } = await restart.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await restart.end()
  expect(rows.length).toBeGreaterThan(0)

  const send = async () => {
    const response = await request('/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(aMessageOf('roya')),
    })
    return response.status === 201
  }
  // Nobody has told the pool yet; who asks in that instant hears that it failed.
  await until(send, 'stored message')
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
})
