import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { sqlitePath } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf, people } from '../support/people.ts'
import { aServedApp } from '../support/served-app.ts'
import { aTestApp, runCanaryWhenReady, type TestApp } from '../support/test-app.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { patienceMs, waitUntil } from '../support/wait-until.ts'

const token = 'alleen-voor-wie-meet'
const bearer = { headers: { Authorization: `Bearer ${token}` } }

const send = ({ request }: TestApp, message: object, headers: Record<string, string> = {}) =>
  request('/api/contact', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(message),
  })

describe.each(databases)('on %s', (database) => {
  test('healthz reports that the process runs, readyz that it can work; neither is cached', async () => {
    const { request } = await aTestApp({ database })
    for (const [path, text] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const response = await waitUntil(async () => {
        const answer = await request(path)
        return answer.status === 200 && answer
      }, path)
      expect(await response.text()).toBe(text)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('five hundred concurrent readiness requests cause one real check', async () => {
    const { request, db, app } = await aTestApp({ database })
    await app.warm()
    const queries = vi.spyOn(db.getExecutor(), 'executeQuery')
    const answers = await Promise.all(Array.from({ length: 500 }, () => request('/readyz')))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    const checks = queries.mock.calls.filter(
      ([query]) => query.sql === 'select "version" from "cache_invalidation_version"',
    )
    expect(checks).toHaveLength(1)
  })

  test('the program is not ready when the database does not answer: the response has no details, the log has the reason', async () => {
    allowErrors(/cache_invalidation_version|content failed/)
    const { request, db, lines } = await aTestApp({ database })
    await db.schema.dropTable('cache_invalidation_version').execute()
    const response = await request('/readyz')
    expect([response.status, await response.text()]).toEqual([503, 'not ready'])
    expect([...response.headers.keys()].sort()).not.toContain('x-error')
    expect((await request('/healthz')).status).toBe(200)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'not ready',
        err: expect.objectContaining({ message: expect.stringContaining('cache_invalidation_version') }),
      }),
    )
  })

  test('metrics count requests, cache hits and emails, for a client with the token', async () => {
    const mailbox = await aMailbox()
    const site = await aServedApp({ database, settings: { metricsToken: token, smtpUrl: mailbox.url } })
    await site.fetchRaw('/')
    await site.fetchRaw('/')
    await site.fetchRaw('/nergens')
    expect((await send(site, aMessageOf('roya'))).status).toBe(201)
    await mailbox.received(2)

    const text = await waitUntil(async () => {
      const response = await site.request('/metrics', bearer)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain('text/plain')
      expect(response.headers.get('cache-control')).toBe('no-store')
      const found = await response.text()
      // The second email is counted a moment after its state is stored.
      return ['etalage_emails{state="sent"} 2', 'etalage_events_total{name="email_sent"} 2'].every((line) =>
        found.includes(line),
      )
        ? found
        : undefined
    }, 'sent emails in the metrics')
    expect(text).toContain('etalage_page_cache_hits{status="200"} 1')
    expect(text).toMatch(/etalage_request_seconds_count\{method="GET",status="404"\} 1/)
    expect(text).toMatch(/etalage_request_seconds_count\{method="POST",status="201"\} 1/)
    expect(text).toContain('etalage_events_total{name="email_sent"} 2')
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
    expect(text).not.toContain('karimi')
  })

  test('metrics are served while the database is down, without the email counts', async () => {
    allowErrors(/outbox/)
    const { request, db } = await aTestApp({ database, settings: { metricsToken: token } })
    expect(await (await request('/metrics', bearer)).text()).toContain('etalage_emails{state="sent"} 0')
    await db.schema.alterTable('outbox').renameTo('outbox_away').execute()
    const response = await request('/metrics', bearer)
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
    expect(text).not.toContain('etalage_emails{')
  })

  test('no log line has an address, a sender or any part of a message', async () => {
    allowErrors(/./)
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { trustProxy: 1, smtpUrl: mailbox.url, metricsToken: token } })
    const from = (address: string) => ({
      'X-Forwarded-For': address,
      'User-Agent': 'Browser van Roya',
      Cookie: 'a=geheim',
    })
    const bericht = 'Een geheim plan, met Referentie 4711'

    mailbox.rejectWith({ code: 451, message: 'roya@karimi.example may not write' })
    await send(site, aMessageOf('roya', { bericht }), from('203.0.113.5'))
    await send(site, aMessageOf('roya', { bericht, email: 'roya' }), from('2001:db8:1:2::5'))
    await send(site, { ...aMessageOf('roya', { bericht }), website: 'https://geheim.example' }, from('203.0.113.5'))
    await site.request('/api/contact', {
      method: 'POST',
      body: `{"naam":"Roya Karimi","bericht":"${bericht}`,
      headers: { 'Content-Type': 'application/json' },
    })
    for (let count = 0; count < 25; count++)
      await send(site, aMessageOf('roya', { bericht: `${bericht} ${count}` }), from('203.0.113.5'))
    await site.request(`/disclaimer?naam=${people.roya.naam}`, { headers: from('203.0.113.5') })
    await waitUntil(() => site.lines.some((line) => line.msg === 'email not sent, will retry'), 'refused email')

    // A database includes the rejected row in its error.
    if (database === 'postgres')
      await sql`alter table message add constraint short check (length(bericht) < 3) not valid`.execute(site.db)
    else
      await sql`create trigger short before insert on message begin select raise(abort, 'too long'); end`.execute(
        site.db,
      )
    expect((await send(site, aMessageOf('daan', { bericht }), from('203.0.113.6'))).status).toBe(500)

    const logged = site.lines.map((line) => JSON.stringify(line))
    expect(logged.some((line) => line.includes('"status":500'))).toBe(true)
    expect(logged.some((line) => /violates check constraint|too long/.test(line))).toBe(true)
    expect(
      logged.filter((line) =>
        /203\.0\.113|2001:db8|karimi|vandermeer|geheim|Referentie|Roya|Daan|325 1234|Browser van/i.test(line),
      ),
    ).toEqual([])
  })
})

test('an unexpected error counts as a fault of an updated version, and a refusal or an unavailable database does not', async () => {
  allowErrors(/no such table|readonly/)
  const counted: boolean[] = []
  const site = await aTestApp({ startJobs: false, countResponse: (isFault) => counted.push(isFault) })
  await sql`pragma query_only = on`.execute(site.db)
  expect((await send(site, aMessageOf('roya'))).status).toBe(503)
  expect(await site.app.runCanary()).toEqual({ database: 'refused' })
  await sql`pragma query_only = off`.execute(site.db)
  expect(counted).not.toContain(true)
  await sql`alter table message rename to gone`.execute(site.db)
  expect((await send(site, aMessageOf('roya'))).status).toBe(500)
  expect(counted.at(-1)).toBe(true)
  expect((await site.app.runCanary()).problem).toMatchObject({
    key: 'formBroken',
    detail: expect.stringContaining('no such table'),
  })
})

test.each(databases)(
  'on %s, the check of the contact form fails for a version that holds all its database connections',
  async (database) => {
    allowErrors(/checking for changed content failed/)
    const settings = { databasePoolSize: 1, databaseTimeoutMs: 5_000 }
    const site = await aTestApp({ database, settings, startJobs: false })
    const held = await site.db.startTransaction().execute()
    await site.app.context().dialect.copy.prepareLongTransaction(held)
    let tried: Awaited<ReturnType<typeof site.app.runCanary>> | undefined
    // A transaction on SQLite waits as long as the one before takes.
    if (database === 'sqlite') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      // A connection that takes more than two seconds counts as a database that is away, not as a form that fails.
      const until = performance.now() + patienceMs
      const tryForm = async () => {
        do tried = await site.app.runCanary()
        while (tried.database === 'away' && performance.now() < until)
      }
      let ended = false
      const trying = tryForm().finally(() => {
        ended = true
      })
      while (database === 'sqlite' && !ended && performance.now() < until) {
        vi.advanceTimersByTime(12_000)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await trying
    } finally {
      vi.useRealTimers()
      await held.rollback().execute()
    }
    const inTime = { database: 'refused' }
    expect(tried).toEqual(database === 'sqlite' ? { problem: { key: 'noAnswer', seconds: 12 } } : inTime)
    expect(await runCanaryWhenReady(site.app)).toEqual({})
  },
)

test('the program is not ready before the start is complete', async () => {
  const { settings } = await aTestApp()
  const { log } = aLog()
  const app = await createApp({ settings, log })
  closeAfterTest(app.stop)
  const statusOf = async () => (await app.fetch(new Request('http://localhost/readyz'))).status
  expect(await statusOf()).toBe(503)
  await app.startJobs()
  expect(await statusOf()).toBe(200)
})

describe('SQLite', () => {
  test('that another process has locked delays writes and nothing else', async () => {
    const site = await aServedApp()
    const other = new DatabaseSync(sqlitePath(site.settings.dataDir), { timeout: 30_000 })
    other.exec('begin immediate')

    const sent = send(site, aMessageOf('roya'))
    expect((await site.fetchRaw('/')).status).toBe(200)
    expect((await site.fetchRaw('/disclaimer')).status).toBe(200)
    expect((await site.fetchRaw('/readyz')).status).toBe(200)
    expect((await site.fetchRaw('/')).status).toBe(200)
    other.exec('rollback')
    other.close()

    expect((await sent).status).toBe(201)
  })

  test('with a full disk is not ready, the log has the reason, and it recovers once there is space', async () => {
    allowErrors(/disk is full/)
    const site = await aTestApp()
    const pages = async (name: string) =>
      Object.values((await sql<Record<string, number>>`${sql.raw(`pragma ${name}`)}`.execute(site.db)).rows[0] ?? {})[0]
    await pages(`max_page_count = ${await pages('page_count')}`)
    const long = { ...aMessageOf('roya'), bericht: 'Een lang verhaal. '.repeat(500) }

    const refused = await send(site, long)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ code: 'contact_unavailable' })
    expect(site.lines.map((line) => (line.err as { message?: string } | undefined)?.message)).toContain(
      'database or disk is full',
    )
    expect((await site.request('/disclaimer')).status).toBe(200)
    expect((await site.request('/readyz')).status).toBe(503)

    await pages('max_page_count = 100000')
    await waitUntil(async () => (await site.request('/readyz')).status === 200, 'ready')
    expect((await send(site, long)).status).toBe(201)
  })

  test('that is read-only is not ready until it can be written', async () => {
    allowErrors(/readonly/)
    const site = await aTestApp()
    await sql`pragma query_only = on`.execute(site.db)
    expect((await send(site, aMessageOf('roya'))).status).toBe(503)
    expect((await site.request('/readyz')).status).toBe(503)
    expect((await site.request('/disclaimer')).status).toBe(200)
    expect(site.lines).toContainEqual(
      expect.objectContaining({
        msg: 'not ready',
        err: expect.objectContaining({ message: expect.stringContaining('readonly') }),
      }),
    )
    await sql`pragma query_only = off`.execute(site.db)
    await waitUntil(async () => (await site.request('/readyz')).status === 200, 'ready')
  })
})

test('health checks are not logged at the default level', async () => {
  const site = await aTestApp()
  for (const path of ['/healthz', '/readyz', '/disclaimer']) await site.request(path)
  const requests = site.lines.filter((line) => line.msg === 'request')
  expect(requests.map((line) => [line.level, line.path])).toEqual([
    ['debug', '/healthz'],
    ['debug', '/readyz'],
    ['info', '/disclaimer'],
  ])
})

describe('metrics are hidden from', () => {
  const hidden = async (site: TestApp, init: RequestInit) => {
    const response = await site.request('/metrics', init)
    expect(response.status).toBe(404)
    expect(response.headers.get('allow')).toBeNull()
    const html = await response.text()
    expect(html).toContain('Page Not Found')
    expect(html).not.toContain('etalage_')
  }

  test('everybody, when no token is set', async () => {
    const site = await aTestApp()
    expect((await site.request('/metrics', { method: 'HEAD' })).status).toBe(404)
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      await hidden(site, { method })
      for (const Authorization of ['Bearer ', 'Bearer undefined', 'Bearer', ''])
        await hidden(site, { method, headers: { Authorization } })
    }
  })

  test('everybody without the exact token; with it, another method than GET or HEAD gets 405', async () => {
    const site = await aTestApp({ settings: { metricsToken: token } })
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      token,
      `Basic ${token}`,
      `Bearer  ${token}`,
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization }
      await hidden(site, { headers })
      await hidden(site, { method: 'POST', headers })
    }
    expect((await site.request('/metrics', bearer)).status).toBe(200)
    const response = await site.request('/metrics', { method: 'POST', ...bearer })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('a request', () => {
  test('has an id, which is in the response and in every log line about it', async () => {
    allowErrors(/./)
    const site = await aTestApp()
    await site.db.schema.dropTable('outbox').execute()
    for (const response of [await site.request('/nergens'), await send(site, aMessageOf('roya'))]) {
      const id = response.headers.get('x-request-id')
      expect(id).toMatch(/^[\da-f-]{36}$/)
      const about = site.lines.filter((line) => line.requestId === id)
      expect(about.at(-1)).toMatchObject({
        level: 'info',
        msg: 'request',
        status: response.status,
        path: expect.any(String),
        ms: expect.any(Number),
      })
      if (response.status === 500) expect(about.map((line) => line.level)).toContain('error')
    }
  })

  test('keeps the id that the proxy set, when it is valid', async () => {
    const [alone, behindProxy] = [await aTestApp(), await aTestApp({ settings: { trustProxy: 1 } })]
    const numberOf = async (trustProxy: 0 | 1, given: string) => {
      const { request } = trustProxy === 1 ? behindProxy : alone
      return (await request('/nergens', { headers: { 'X-Request-Id': given } })).headers.get('x-request-id')
    }
    expect(await numberOf(1, 'proxy-4711-abc')).toBe('proxy-4711-abc')
    for (const [trustProxy, given] of [
      [0, 'proxy-4711-abc'],
      [1, 'x'],
      [1, 'a"b{}cdefgh'],
      [1, 'x'.repeat(200)],
    ] as const) {
      expect(await numberOf(trustProxy, given)).toMatch(/^[\da-f-]{36}$/)
    }
  })
})

test('every response has the security headers, and a policy without inline scripts or styles', async () => {
  allowErrors(/unexpected|not stored/)
  const site = await aServedApp()
  const asked: [path: string, how?: Parameters<typeof site.fetchRaw>[1]][] = [
    ['/'],
    ['/'],
    ['/fa'],
    ['/disclaimer', { headers: { Cookie: 'etalage.session_token=x' } }],
    ['/nergens'],
    ['/?locale=fa'],
    ['/disclaimer/'],
    ['/', { method: 'PUT' }],
    [`/${'x'.repeat(3_000)}`],
    ['/logo.svg'],
    ['/favicon.ico'],
    ['/robots.txt'],
    ['/sitemap.xml'],
    ['/site.webmanifest'],
    ['/.well-known/x'],
    ['/healthz'],
    ['/readyz'],
    ['/metrics'],
    ['/api/contact'],
    ['/api/nergens'],
    ['/api/contact', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }],
    [
      '/api/contact',
      { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'naam=' },
    ],
    ['/api/contact', { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' }, body: '' }],
  ]
  for (const [path, how] of asked) {
    const { headers, status } = await site.fetchRaw(path, how)
    const what = `${how?.method ?? 'GET'} ${path.slice(0, 40)} ${status}`
    const policy = String(headers['content-security-policy'])
    expect(policy, what).toContain("default-src 'none'")
    expect(policy, what).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')?;/)
    expect(policy, what).toMatch(/style-src ('none'|('self' )?'sha256-[\w+/=]+');/)
    expect(policy, what).toContain("frame-ancestors 'none'")
    expect(policy, what).not.toMatch(/unsafe|\*/)
    expect(headers, what).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age='),
    })
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers.server).toBeUndefined()
  }
  const plain = await aServedApp({ settings: { baseUrl: 'http://localhost:3000' } })
  expect((await plain.fetchRaw('/')).headers['strict-transport-security'], 'without https').toBeUndefined()
})
