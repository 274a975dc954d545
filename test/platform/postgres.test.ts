import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { touchContent } from '../../src/platform/content-clock.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAtEnd } from '../support/closing.ts'
import { anEmptyDatabase } from '../support/databases.ts'
import { aLog, allowErrors } from '../support/logged.ts'
import { aMessageOf } from '../support/people.ts'
import { deliveredSite } from '../support/site-file.ts'
import { aTestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'
import { aWire } from '../support/wire.ts'

test('a PostgreSQL that drops every connection, as at its restart, is found again', async () => {
  // A job in the background may be the first to find its connection gone.
  allowErrors(/terminating connection|Connection terminated|connection error|ECONNRESET/)
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

test('connections that break off in the middle of their work do not end the program', async () => {
  allowErrors(/ECONNRESET|Connection terminated|socket hang up/)
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const wire = await aWire(String(databaseUrl))
  const { db, request } = await aTestApp({ database: 'postgres', settings: { databaseUrl: wire.url } })
  const working = Promise.allSettled(Array.from({ length: 5 }, () => sql`select pg_sleep(60)`.execute(db)))
  const direct = new pg.Client({ connectionString: databaseUrl })
  await direct.connect()
  const asleep = "select 1 from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()"
  await until(async () => (await direct.query(asleep)).rows.length === 5, 'five statements under way')
  await direct.end()
  wire.cut()
  expect((await working).map((one) => one.status)).toEqual(Array(5).fill('rejected'))
  // Unheard errors of connections come after the statements' own.
  await new Promise((resolve) => setImmediate(resolve))
  await until(async () => (await request('/readyz')).status === 200, 'ready')
})

test('while the database hangs it is not ready, instead of silent; and ready again when that is over', async () => {
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const wire = await aWire(String(databaseUrl))
  const { request, lines } = await aTestApp({ database: 'postgres', settings: { databaseUrl: wire.url } })
  expect((await request('/readyz')).status).toBe(200)
  wire.hang()
  await until(async () => (await request('/readyz')).status === 503, 'answer that it is not ready')
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'not ready',
      err: expect.objectContaining({ message: 'no answer within 2000 ms' }),
    }),
  )
  wire.goOn()
  await until(async () => (await request('/readyz')).status === 200, 'ready')
})

test('a configuration that is put in force during the start of a copy is not missed by it', async () => {
  const { settings, stop } = await aTestApp({ database: 'postgres' })
  await stop()
  const { db } = await openDatabase(settings)
  closeAtEnd(() => db.destroy())
  const other = await openDatabase(settings)
  closeAtEnd(() => other.db.destroy())
  const waiting = sql`select 1 from pg_locks where not granted and relation = 'content_clock'::regclass`

  const starting = await db.transaction().execute(async (tx) => {
    await sql`lock table content_clock in access exclusive mode`.execute(tx)
    const copy = createApp({ settings, log: aLog().log })
    await until(async () => (await waiting.execute(other.db)).rows.length > 0, 'copy that waits for the clock')
    const config = JSON.stringify({ ...deliveredSite(), brand: 'Lichtkade' })
    const created_at = new Date().toISOString()
    await tx.insertInto('config_revision').values({ config, note: 'test', created_at }).execute()
    await touchContent(tx, ['site'])
    return { copy }
  })
  const app = await starting.copy
  closeAtEnd(app.stop)
  await until(() => app.source() === 'revision 1', 'new configuration')
})
