import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { allowErrors } from '../support/logged.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf, people } from '../support/people.ts'
import { aServedApp } from '../support/served.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'

const token = 'alleen-voor-wie-meet'
const bearer = { headers: { Authorization: `Bearer ${token}` } }

const send = ({ request }: TestApp, message: object, headers: Record<string, string> = {}) =>
  request('/api/contact', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(message),
  })

describe.each(databases)('on %s', (database) => {
  test('healthz says that the process answers, readyz that it can do its work; neither is kept', async () => {
    const { request } = await aTestApp({ database })
    for (const [path, text] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const response = await request(path)
      expect([response.status, await response.text()]).toEqual([200, text])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('five hundred who ask at once whether it is ready cause one real check', async () => {
    const { request, db } = await aTestApp({ database })
    const queries = vi.spyOn(db.getExecutor(), 'executeQuery')
    const answers = await Promise.all(Array.from({ length: 500 }, () => request('/readyz')))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    const checks = queries.mock.calls.filter(([query]) => query.sql === 'select "version" from "content_clock"')
    expect(checks).toHaveLength(1)
  })

  test('it is not ready when the database does not answer: strangers are told no more than that, the log says why', async () => {
    allowErrors(/content_clock|content failed/)
    const { request, db, lines } = await aTestApp({ database })
    await db.schema.dropTable('content_clock').execute()
    const response = await request('/readyz')
    expect([response.status, await response.text()]).toEqual([503, 'not ready'])
    expect([...response.headers.keys()].sort()).not.toContain('x-error')
    expect((await request('/healthz')).status).toBe(200)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'not ready',
        err: expect.objectContaining({ message: expect.stringContaining('content_clock') }),
      }),
    )
  })

  test('it is not ready as soon as it is about to stop, while it still answers', async () => {
    const { request, app } = await aTestApp({ database })
    expect((await request('/readyz')).status).toBe(200)
    app.retire()
    expect((await request('/readyz')).status).toBe(503)
    expect((await request('/')).status).toBe(200)
  })

  test('metrics count requests, visits from memory and letters, for who has the token', async () => {
    const site = await aServedApp({ database, settings: { metricsToken: token } })
    await site.ask('/')
    await site.ask('/')
    await site.ask('/nergens')
    expect((await send(site, aMessageOf('roya'))).status).toBe(201)
    await until(async () => (await site.letters()).length === 2, 'letters')

    const text = await until(async () => {
      const response = await site.request('/metrics', bearer)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain('text/plain')
      expect(response.headers.get('cache-control')).toBe('no-store')
      const found = await response.text()
      // The second letter is counted a moment after it is settled.
      return ['etalage_letters{state="sent"} 2', 'etalage_events_total{name="letter_sent"} 2'].every((line) =>
        found.includes(line),
      )
        ? found
        : undefined
    }, 'sent letters in the metrics')
    expect(text).toContain('etalage_kept_answers_given{status="200"} 1')
    expect(text).toMatch(/etalage_request_seconds_count\{method="GET",status="404"\} 1/)
    expect(text).toMatch(/etalage_request_seconds_count\{method="POST",status="201"\} 1/)
    expect(text).toContain('etalage_events_total{name="letter_sent"} 2')
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
    expect(text).not.toContain('karimi')
  })

  test('metrics are told also while the database is away, but for the letters in it', async () => {
    allowErrors(/outbox/)
    const { request, db } = await aTestApp({ database, settings: { metricsToken: token } })
    expect(await (await request('/metrics', bearer)).text()).toContain('etalage_letters{state="sent"} 0')
    await db.schema.alterTable('outbox').renameTo('outbox_away').execute()
    const response = await request('/metrics', bearer)
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
    expect(text).not.toContain('etalage_letters{')
  })

  test('no line of the log holds an address, or a word of who writes or of what was written', async () => {
    allowErrors(/./)
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { trustProxy: 1, smtpUrl: mailbox.url, metricsToken: token } })
    const from = (address: string) => ({
      'X-Forwarded-For': address,
      'User-Agent': 'Browser van Roya',
      Cookie: 'a=geheim',
    })
    const bericht = 'Een geheim plan, met Referentie 4711'

    mailbox.refuse({ code: 451, message: 'roya@karimi.example may not write' })
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
    await until(
      () => site.lines.some((line) => line.msg === 'a letter was not sent and is tried again'),
      'refused letter',
    )

    // A database tells, with what it refuses, the row that it would not take.
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

describe('metrics are hidden from', () => {
  const hidden = async (site: TestApp, init: RequestInit) => {
    const response = await site.request('/metrics', init)
    expect(response.status).toBe(404)
    expect(response.headers.get('allow')).toBeNull()
    const html = await response.text()
    expect(html).toContain('Page Not Found')
    expect(html).not.toContain('etalage_')
  }

  test.each(['GET', 'HEAD', 'POST', 'OPTIONS'])('everybody, where no token is set (%s)', async (method) => {
    const site = await aTestApp()
    if (method === 'HEAD') return expect((await site.request('/metrics', { method })).status).toBe(404)
    await hidden(site, { method })
    for (const Authorization of ['Bearer ', 'Bearer undefined', 'Bearer', ''])
      await hidden(site, { method, headers: { Authorization } })
  })

  test.each([
    undefined,
    '',
    'Bearer',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    token,
    `Basic ${token}`,
    `Bearer  ${token}`,
  ])('who says %j', async (authorization) => {
    const site = await aTestApp({ settings: { metricsToken: token } })
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization }
    await hidden(site, { headers })
    await hidden(site, { method: 'POST', headers })
  })

  test('nobody who has the token, and who has it is told of a wrong method', async () => {
    const site = await aTestApp({ settings: { metricsToken: token } })
    expect((await site.request('/metrics', bearer)).status).toBe(200)
    const response = await site.request('/metrics', { method: 'POST', ...bearer })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('a request', () => {
  test('has a number, which stands in the answer and in every line of the log about it', async () => {
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

  test('keeps the number that the proxy gave it, when there is one and it is sound', async () => {
    const numberOf = async (trustProxy: number, given: string) => {
      const { request } = await aTestApp({ settings: { trustProxy } })
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

test('every answer carries the security headers, and a policy that lets nothing inline through', async () => {
  allowErrors(/unexpected|not stored/)
  const site = await aServedApp()
  const asked: [path: string, how?: Parameters<typeof site.ask>[1]][] = [
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
    const { headers, status } = await site.ask(path, how)
    const what = `${how?.method ?? 'GET'} ${path.slice(0, 40)} ${status}`
    const policy = String(headers['content-security-policy'])
    expect(policy, what).toContain("default-src 'none'")
    expect(policy, what).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')?;/)
    expect(policy, what).toMatch(/style-src ('none'|'sha256-[\w+/=]+');/)
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
  expect((await plain.ask('/')).headers['strict-transport-security'], 'without https').toBeUndefined()
})
