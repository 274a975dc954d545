import { existsSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { refusalOf } from '../../src/http/problem.ts'
import { invalidate } from '../../src/platform/cache-invalidation.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { openDatabase, readConnections } from '../../src/platform/db/database.ts'
import { createPostgresPool } from '../../src/platform/db/dialect/postgres-pool.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, anEmptyDatabase } from '../support/databases.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { aMessageOf } from '../support/people.ts'
import { aServedApp } from '../support/served-app.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as, json } from '../support/staff.ts'
import { aTcpProxy } from '../support/tcp-proxy.ts'
import { aTestApp, runCanaryWhenReady, type TestApp } from '../support/test-app.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { patienceMs, waitUntil } from '../support/wait-until.ts'

test('the program reconnects to a PostgreSQL that closes every connection, as in a restart', async () => {
  // A background job may be the first to find its connection closed.
  allowErrors(/terminating connection|Connection terminated|connection error|ECONNRESET|EPIPE/)
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
  // The pool does not know yet; a request at that moment fails.
  await waitUntil(send, 'stored message')
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
})

test('connections that break during a statement do not end the program', async () => {
  // Jobs may be using connections of the pool, too.
  allowErrors(/ECONNRESET|EPIPE|Connection terminated|connection error|socket hang up/)
  const { databaseUrl } = await aCopyOfTemplate('seeded', 'postgres')
  const wire = await aTcpProxy(String(databaseUrl))
  const { db, request } = await aTestApp({ database: 'postgres', settings: { databaseUrl: wire.url } })
  const working = Promise.allSettled(Array.from({ length: 5 }, () => sql`select pg_sleep(60)`.execute(db)))
  const direct = new pg.Client({ connectionString: databaseUrl })
  await direct.connect()
  const asleep = "select 1 from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()"
  await waitUntil(async () => (await direct.query(asleep)).rows.length === 5, 'five statements under way')
  await direct.end()
  wire.resetConnections()
  expect((await working).map((one) => one.status)).toEqual(Array(5).fill('rejected'))
  // Unhandled errors of connections come after the errors of the statements.
  await new Promise((resolve) => setImmediate(resolve))
  await waitUntil(async () => (await request('/readyz')).status === 200, 'ready')
})

test('queries of one moment share a connection, also in a busy program, and one that is held delays nobody for long', async () => {
  const at = await aCopyOfTemplate('migrated', 'postgres')
  /** How many connections the pool has after five queries at once, and after a query beside a transaction. */
  const connectionsAfterFive = async ({ isBusy = false } = {}) => {
    const { db } = await openDatabase({ ...at, databaseTimeoutMs: patienceMs })
    const count = async () =>
      (await sql`select pid from pg_stat_activity where datname = current_database()`.execute(db)).rows.length
    try {
      const first = sql`select pg_sleep(0.005)`.execute(db)
      await new Promise((sent) => setImmediate(sent))
      const others = Array.from({ length: 4 }, () => sql`select 1`.execute(db))
      // They wait for longer than they would, because the program does something else.
      if (isBusy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
      await Promise.all([first, ...others])
      const afterFive = await count()
      // Needs a second connection while the transaction has the only one.
      const inTransaction = db.transaction().execute(async () => (await sql`select 2 as two`.execute(db)).rows)
      expect(await inTransaction).toEqual([{ two: 2 }])
      return [afterFive, await count()].join()
    } finally {
      await db.destroy()
    }
  }
  // On a busy machine a query may take longer than they wait for it.
  await waitUntil(async () => (await connectionsAfterFive()) === '1,2', 'five queries that share a connection')
  const fewWhenBusy = async () => (await connectionsAfterFive({ isBusy: true })) === '2,2'
  await waitUntil(fewWhenBusy, 'five queries for which a busy program opens one connection more')
})

test('while the database hangs, readyz reports it without hanging and no update is undone for it; both recover when it answers', async () => {
  const { databaseUrl } = await aCopyOfTemplate('seeded', 'postgres')
  const wire = await aTcpProxy(String(databaseUrl))
  const settings = { databaseUrl: wire.url, databaseTimeoutMs: 60_000 }
  const { app, request, lines } = await aTestApp({ database: 'postgres', settings })
  await waitUntil(async () => (await request('/readyz')).status === 200, 'ready')
  wire.stall()
  await waitUntil(async () => (await request('/readyz')).status === 503, 'answer that it is not ready')
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'not ready',
      err: expect.objectContaining({ message: 'no answer within 2 seconds' }),
    }),
  )
  expect(await app.runCanary()).toEqual({ database: 'away' })
  wire.resume()
  await waitUntil(async () => (await request('/readyz')).status === 200, 'ready')
  expect(await runCanaryWhenReady(app)).toEqual({})
})

test('an instance that is starting does not miss a configuration that is saved at the same time', async () => {
  const { settings, stop } = await aTestApp({ database: 'postgres' })
  await stop()
  const { db } = await openDatabase(settings)
  closeAfterTest(() => db.destroy())
  const other = await openDatabase(settings)
  closeAfterTest(() => other.db.destroy())
  const waiting = sql`select 1 from pg_locks where not granted and relation = 'cache_invalidation_version'::regclass`

  const starting = await db.transaction().execute(async (tx) => {
    await sql`lock table cache_invalidation_version in access exclusive mode`.execute(tx)
    const copy = createApp({ settings, log: aLog().log })
    await waitUntil(async () => (await waiting.execute(other.db)).rows.length > 0, 'copy that waits for the clock')
    const config = JSON.stringify({ ...defaultSiteFile(), brand: 'Lichtkade' })
    const created_at = new Date().toISOString()
    await tx.insertInto('config_revision').values({ config, note: 'test', created_at }).execute()
    await invalidate(tx, ['site'])
    return { copy }
  })
  const app = await starting.copy
  closeAfterTest(app.stop)
  await waitUntil(() => app.source() === 'revision 1', 'new configuration')
})

test('connections that die silently are replaced, and the site works again', async () => {
  // Whatever runs meanwhile has a dead connection, or waits for one that the others have.
  allowErrors(/Query read timeout|Connection terminated|canceling statement|timeout exceeded when trying to connect/)
  const { databaseUrl } = await aCopyOfTemplate('seeded', 'postgres')
  const proxy = await aTcpProxy(String(databaseUrl))
  const { db, request } = await aTestApp({
    database: 'postgres',
    settings: { databaseUrl: proxy.url, databaseTimeoutMs: 5_000 },
  })
  // All connections of the pool are open, and all of them die.
  await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.1)`.execute(db)))
  proxy.stallOpenConnections()

  await waitUntil(async () => (await request('/readyz')).status === 200, 'ready')
  expect(await postWhenBack(request)).toBe(201)
})

/** Sends a message, again while the database is not back yet. @returns the status of the last response */
const postWhenBack = (request: TestApp['request']) =>
  waitUntil(async () => {
    const { status } = await request('/api/contact', json('POST', aMessageOf('roya')))
    return status !== 503 && status
  }, 'database that is back')

test.runIf(existsSync('/proc/net/tcp'))('an idle connection is probed after ten seconds of silence', async () => {
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const proxy = await aTcpProxy(String(databaseUrl))
  const pool = await createPostgresPool(proxy.url, { poolSize: 1, timeoutMs: patienceMs }, () => {})
  closeAfterTest(() => pool.end())
  ;(await pool.connect()).release()
  const port = Number(new URL(proxy.url).port).toString(16).toUpperCase().padStart(4, '0')
  /** The kind of timer, 02 for keepalive, and the hundredths of a second until it ends. */
  const timers = () =>
    readFileSync('/proc/net/tcp', 'latin1')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote]) => remote?.endsWith(`:${port}`))
      .map(([, , , , , timer = '']) => timer.split(':'))
  await expect.poll(() => timers().map(([kind]) => kind)).toEqual(['02'])
  expect(Number.parseInt(timers()[0]?.[1] ?? '', 16)).toBeLessThanOrEqual(1_000)
})

test('after a connection died, its rollback does not wait for another full timeout', async () => {
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const proxy = await aTcpProxy(String(databaseUrl))
  const pool = await createPostgresPool(proxy.url, { poolSize: 1, timeoutMs: 5_000 }, () => {})
  closeAfterTest(() => pool.end())
  const client = await pool.connect()
  const failedAfterMs = async (text: string) => {
    const began = performance.now()
    await expect(client.query(text, [])).rejects.toThrow()
    return performance.now() - began
  }
  proxy.stall()

  expect(await failedAfterMs('select 1')).toBeGreaterThan(5_900)
  expect(await failedAfterMs('rollback')).toBeLessThan(5_000)
  client.release()
})

test('a connection that dies while the pool is closed ends nothing else', async () => {
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const proxy = await aTcpProxy(String(databaseUrl))
  const pool = await createPostgresPool(proxy.url, { poolSize: 1, timeoutMs: 1_000 }, () => {})
  const client = await pool.connect()
  proxy.stall()
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))

  const query = client.query('select 1', [])
  const closed = pool.end()
  await expect(query).rejects.toThrow('Query read timeout')
  client.release()
  await closed
  expect(unhandled).toEqual([])
})

test('executed statements leave nothing behind in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const pool = await createPostgresPool(String(databaseUrl), { poolSize: 2, timeoutMs: patienceMs }, () => {})
  closeAfterTest(() => pool.end())
  const statements = 3_000
  const bytesAfterwards = async () => {
    for (let sent = 0; sent < statements; sent++) {
      const client = await pool.connect()
      await client.query('select 1', [])
      client.release()
    }
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const rounds = [await bytesAfterwards(), await bytesAfterwards(), await bytesAfterwards()] as const
  // What statements leave behind grows in each round; what else the process does, does not.
  const growth = Math.min(rounds[1] - rounds[0], rounds[2] - rounds[1])
  expect(growth / statements, 'bytes for each').toBeLessThan(100)
})

test('an instance that vanishes with its machine while it migrates does not hold up the next one', async () => {
  const { databaseUrl = '', dataDir } = await anEmptyDatabase('postgres')
  const proxy = await aTcpProxy(databaseUrl)
  const direct = new pg.Client({ connectionString: databaseUrl })
  await direct.connect()
  closeAfterTest(() => direct.end())
  // The migration waits for this table.
  await direct.query('begin; create table outbox (in_the_way text)')
  const vanishing = expect(
    openDatabase({ dataDir, databaseUrl: proxy.url, databaseTimeoutMs: 5_000 }),
  ).rejects.toThrow()
  const waiting = 'select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid'
  await waitUntil(async () => (await direct.query(waiting)).rows.length > 0, 'migration under way')
  proxy.stall()
  await direct.query('rollback')

  const { db } = await openDatabase({ dataDir, databaseUrl })
  closeAfterTest(() => db.destroy())
  expect(await db.selectFrom('cache_invalidation_version').select('version').execute()).toEqual([{ version: 0 }])
  proxy.close()
  await vanishing
})

test('a failing connection to something else is not taken for a database that is down', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT']) {
    expect([code, refusalOf(Object.assign(new Error(`connect ${code}`), { code })).code]).toEqual([code, 'unexpected'])
  }
})

test.each([
  ['the password of its role is changed', "alter role ROLE password 'other'", "alter role ROLE password 'x'", '28P01'],
  ['its role may no longer log in', 'alter role ROLE nologin', 'alter role ROLE login', '28000'],
  ['its database is renamed', 'alter database NAME rename to ROLE', 'alter database ROLE rename to NAME', '3D000'],
  ['its database takes no connections', 'select', 'select', '55000'],
  [
    'its role may only read',
    'grant pg_read_all_data to ROLE; alter role ROLE nosuperuser',
    'alter role ROLE superuser',
    '42501',
  ],
])('a running program says that the database is unavailable when %s', async (_, change, undo, code) => {
  allowErrors(new RegExp(`"code":"${code}"|accepting connections|terminating connection|Connection terminated`))
  const { databaseUrl } = await aCopyOfTemplate('seeded', 'postgres')
  const url = new URL(String(databaseUrl))
  const name = url.pathname.slice(1)
  const role = `role_${name}`
  url.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(`create role ${role} superuser login password 'x'`)
  closeAfterTest(async () => {
    await admin.query(`drop role ${role}`)
    await admin.end()
  })
  Object.assign(url, { pathname: `/${name}`, username: role, password: 'x' })
  const site = await aServedApp({ database: 'postgres', settings: { databaseUrl: url.href, rateLimited: false } })
  await site.app.warm()
  const endConnections = (to: string) =>
    admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${to}'`)
  /** Changes the server while the program has no connection: a database in use cannot be renamed. */
  const withoutConnections = async (statement: string, [before, after]: [string, string], allowsThem: boolean) => {
    await admin.query(`alter database ${before} allow_connections false`)
    await endConnections(before)
    await admin.query(statement.replaceAll('ROLE', role).replaceAll('NAME', name))
    await admin.query(`alter database ${after} allow_connections ${allowsThem}`)
  }
  const renamed = code === '3D000' ? role : name
  const send = () => site.request('/api/contact', json('POST', aMessageOf('roya')))

  await withoutConnections(change, [name, renamed], code !== '55000')
  // The pool may not know yet that its connections are gone.
  await waitUntil(async () => {
    const { status } = await send()
    // One that was being opened was not listed yet.
    if (status === 201) await endConnections(renamed)
    return status === 503 && site.lines.some(({ err }) => (err as { code?: string } | undefined)?.code === code)
  }, 'the cause in the log')
  const refused = await send()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  const form = new URLSearchParams({ ...aMessageOf('roya') })
  expect((await site.request('/api/contact', { method: 'POST', body: form })).status).toBe(503)
  const cookie = 'etalage.session_token=x.y'
  expect((await fetch(site.url, { headers: { cookie } })).status).toBe(200)
  expect((await site.request('/readyz')).status).toBe(503)
  expect(await site.app.runCanary()).toEqual({ database: 'away' })

  await withoutConnections(undo, [renamed, name], true)
  expect(await postWhenBack(site.request)).toBe(201)
})

test('a statement that takes too long is cancelled, and its request gets a Retry-After', async () => {
  allowErrors(/statement timeout/)
  const { request, settings } = await aTestApp({ database: 'postgres', settings: { databaseTimeoutMs: 5_000 } })
  const direct = new pg.Client({ connectionString: settings.databaseUrl })
  await direct.connect()
  closeAfterTest(() => direct.end())
  await direct.query('begin; lock table message in access exclusive mode')
  const answer = await request('/api/contact', json('POST', aMessageOf('roya')))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  await direct.query('rollback')
  expect(await postWhenBack(request)).toBe(201)
})

/** An empty database of a role that may open three connections. @returns its URL */
async function aDatabaseOfLimitedRole(): Promise<string> {
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const limited = new URL(String(databaseUrl))
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  const role = limited.pathname.slice(1)
  await owner.query(`create role ${role} login password 'x' connection limit 3`)
  await owner.query(`alter database ${role} owner to ${role}`)
  await owner.query(`grant all on schema public to ${role}`)
  await owner.end()
  limited.username = role
  limited.password = 'x'
  return limited.href
}

test('when the server refuses more connections, a request waits for an existing one', async () => {
  const { db } = await openDatabase({ dataDir: '', databaseUrl: await aDatabaseOfLimitedRole() })
  closeAfterTest(() => db.destroy())

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => sql`select 1 as one from pg_sleep(0.2)`.execute(db)),
  )

  expect(answers.map(({ rows }) => rows)).toEqual(Array(10).fill([{ one: 1 }]))
})

test('connections of other roles count, also for a role that may not see what they do', async () => {
  const { databaseUrl } = await anEmptyDatabase('postgres')
  const other = new pg.Client({ connectionString: databaseUrl })
  await other.connect()
  closeAfterTest(() => other.end())
  const found = await readConnections({ dataDir: '', databaseUrl: await aDatabaseOfLimitedRole() })
  expect(found?.others).toBeGreaterThan(0)
})

test('with the default settings, eight transactions run at once', async () => {
  const { databasePoolSize } = readSettings({})
  const site = await aTestApp({ database: 'postgres', settings: { databasePoolSize }, startJobs: false })
  const direct = new pg.Client({ connectionString: site.settings.databaseUrl })
  await direct.connect()
  closeAfterTest(() => direct.end())
  await direct.query('begin; lock table message in access exclusive mode')
  const sent = Array.from({ length: 8 }, (_, number) =>
    site.request('/api/contact', json('POST', aMessageOf('roya', { bericht: `Bericht ${number}` }))),
  )
  await waitUntil(async () => (await countLockWaits(site)) === sent.length, 'transaction of each message')
  await direct.query('rollback')
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 201))
})

test('while PostgreSQL is down, cached pages and the sitemap are served to everyone, with any query; other requests get 503 with Retry-After, and the contact form shows its own text', async () => {
  allowErrors(/ECONNRESET|ECONNREFUSED|Connection terminated|socket hang up/)
  const { databaseUrl } = await aCopyOfTemplate('seeded', 'postgres')
  const proxy = await aTcpProxy(String(databaseUrl))
  const site = await aServedApp({ database: 'postgres', settings: { databaseUrl: proxy.url } })
  const bente = await as(site, 'beheerder')
  await site.app.warm()
  await proxy.close()

  expect((await site.fetchRaw('/?utm_source=brief')).status).toBe(200)
  expect((await site.request('/?utm_source=brief')).status).toBe(200)
  expect((await bente.get('/')).status).toBe(200)
  expect((await site.fetchRaw('/sitemap.xml')).status).toBe(200)
  for (const [path, init] of [
    ['/api/contact', json('POST', aMessageOf('roya'))],
    ['/api/login', json('POST', { identifier: 'roya@example.nl', password: 'geheim-123' })],
    ['/disclaimer', {}],
  ] as const) {
    const answer = await site.request(path, init)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
    if (path === '/api/contact') expect(await answer.json()).toMatchObject({ title: 'Uw bericht is niet verstuurd!' })
  }
  expect((await site.request('/healthz')).status).toBe(200)
})
