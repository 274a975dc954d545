import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { anEntry, news } from '../support/collections.ts'
import { aTempFolder, type DatabaseKind, databases } from '../support/databases.ts'
import { withValue } from '../support/filled-blocks.ts'
import { appointmentForm, quoteAnswers, quoteForm } from '../support/forms.ts'
import { publishedPage, savePageIn } from '../support/pages.ts'
import { aMessageOf } from '../support/people.ts'
import { aServedApp } from '../support/served-app.ts'
import type { SiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const roya = aMessageOf('roya')
const urlencoded = 'application/x-www-form-urlencoded'

interface Post {
  body: string | Uint8Array | FormData | undefined
  /** Omitted for a multipart form, which names its own boundary. */
  type?: string
}

const json = (value: unknown): Post => ({
  body: typeof value === 'string' ? value : JSON.stringify(value),
  type: 'application/json',
})
const form = (text: string): Post => ({ body: text, type: urlencoded })
const fields = (more: Record<string, string> = {}) => new URLSearchParams({ ...roya, ...more }).toString()
function parts(add: (body: FormData) => void): Post {
  const body = new FormData()
  for (const [name, text] of Object.entries(roya)) body.set(name, text)
  add(body)
  return { body }
}

/** Each request as JSON and as a form without JavaScript: both are refused with the same status. */
const send = ({ request }: TestApp, path: string, { body, type }: Post, accept: string) =>
  request(path, {
    method: 'POST',
    headers: { Accept: accept, ...(type === undefined ? {} : { 'Content-Type': type }) },
    body,
  } as RequestInit)

const refused: [what: string, status: number, post: Post][] = [
  ['an unknown field', 422, json({ ...roya, cc: 'eve@evil.example' })],
  ['an unknown field in a form', 422, form(fields({ onderwerp: 'Loterij' }))],
  ['other types', 422, json({ naam: 1, email: {}, tel: ['043'], bericht: true })],
  ['null', 422, json({ ...roya, bericht: null })],
  ['400,000 values in one field', 422, json({ ...roya, naam: new Array(400_000).fill(1) })],
  ['a list', 422, json([roya])],
  ['broken JSON', 400, json('{"naam": "Roya"')],
  ['no body', 400, json('')],
  ['the same name twice in JSON', 400, json(JSON.stringify(roya).replace('{', '{"naam":"Eve",'))],
  ['JSON that is not UTF-8', 400, { body: new Uint8Array([0x22, 0xff, 0x22]), type: 'application/json' }],
  ['a form that is not UTF-8', 400, { body: new Uint8Array([0x6e, 0x3d, 0xe9]), type: urlencoded }],
  ['a form with a broken escape', 400, form('naam=100%')],
  ['a zero byte', 422, json({ ...roya, bericht: 'a\0b' })],
  ['a zero byte in a form', 422, form(fields().replace('naam=', 'naam=%00'))],
  ['control characters', 422, json({ ...roya, bericht: 'a\u001b[2Jb' })],
  ['a heap of marks on one letter', 422, json({ ...roya, bericht: `a${'\u0301\u0323'.repeat(120_000)}` })],
  ['an empty letter for a name', 422, json({ ...roya, naam: '\u3164' })],
  ['half a character', 422, json({ ...roya, bericht: 'a\ud800b' })],
  ['a second header in the name', 422, json({ ...roya, naam: 'Roya\r\nBcc: eve@evil.example' })],
  ['a second header in the name, in a form', 422, form(fields({ naam: 'Roya\nBcc: eve@evil.example' }))],
  ['a second header in the address', 422, json({ ...roya, email: 'roya@karimi.example\r\nBcc: eve@evil.example' })],
  ['two addresses', 422, json({ ...roya, email: 'roya@karimi.example, eve@evil.example' })],
  ['an address with a name', 422, json({ ...roya, email: 'Eve <eve@evil.example>' })],
  ['100,000 characters of name', 422, json({ ...roya, naam: 'x'.repeat(100_000) })],
  ['100,000 characters of address', 422, json({ ...roya, email: `${'x'.repeat(100_000)}@karimi.example` })],
  ['100,000 characters of telephone', 422, json({ ...roya, tel: '0'.repeat(100_000) })],
  ['100,000 characters of message', 422, json({ ...roya, bericht: 'x'.repeat(100_000) })],
  ['100,000 characters in a form', 422, form(fields({ bericht: 'سلام'.repeat(25_000) }))],
  ['ten megabytes', 413, json({ ...roya, bericht: 'x'.repeat(10_000_000) })],
  ['ten megabytes in a form', 413, form(fields({ bericht: 'x'.repeat(10_000_000) }))],
  ['a text of direction marks alone', 422, json({ ...roya, naam: '\u202e\u2066\u2069' })],
  ['a field that came twice', 422, form(`${fields()}&naam=Eve`)],
  ['a file in the place of a text', 422, parts((body) => body.set('naam', new Blob(['x']), 'x.txt'))],
  ['a field that came twice in parts', 422, parts((body) => body.append('naam', 'Eve'))],
  ['parts without their boundary', 400, { body: 'x', type: 'multipart/form-data' }],
  ['plain text', 415, { body: JSON.stringify(roya), type: 'text/plain' }],
  ['no type', 415, { body: new Uint8Array([0x7b, 0x7d]) }],
  ['XML', 415, { body: '<naam>Roya</naam>', type: 'application/xml' }],
  ['another alphabet', 415, { body: '{}', type: 'application/json; charset=utf-16' }],
]

const withForms = (forms: object[]) => (config: SiteFile) => {
  config.forms = forms
}

/** The fields of the contact form, and files, so that multipart bodies are read from a temporary file. */
const contactAsForm = {
  id: 'vragen',
  name: { nl: 'Vragen' },
  subject: 'Vraag',
  retentionDays: 90,
  fields: [
    ...[
      ['naam', 'text'],
      ['email', 'email'],
      ['tel', 'tel'],
      ['bericht', 'longText'],
    ].map(([id, kind]) => ({ id, kind, label: { nl: id }, required: true })),
    { id: 'bijlagen', kind: 'files', label: { nl: 'Bijlagen' } },
  ],
}

/** None of them reaches a database. */
test.each(['application/json', 'text/html'])(
  'an invalid body is refused with its status and not stored, with Accept: %s',
  async (accept) => {
    const site = await aTestApp({
      settings: { rateLimited: false },
      site: withForms([contactAsForm]),
    })
    for (const path of ['/api/contact', '/api/forms/vragen']) {
      const found: [string, number][] = []
      for (const [what, , post] of refused) {
        const response = await send(site, path, post, accept)
        found.push([what, response.status])
        expect(response.headers.get('content-type'), what).toMatch(/^(application\/problem\+json|text\/html)/)
        expect(response.headers.get('cache-control'), what).toContain('no-store')
      }
      expect(found, path).toEqual(refused.map(([what, status]) => [what, status]))
    }
    expect(await site.db.selectFrom('message').select('id').execute()).toEqual([])
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
  },
)

describe.each(databases)('on %s', (database) => {
  test('a zero byte in a query is refused, and finds nothing in a search', async () => {
    const site = await aTestApp({ database })
    const admin = await as(site, 'beheerder')
    for (const [path, status] of [
      ['/api/messages?form=%00', 422],
      ['/api/messages/export?form=%00', 422],
      ['/api/files?folder=%00', 422],
      ['/api/users?search=%00', 200],
      ['/api/messages?search=%00', 200],
    ] as const)
      expect([path, (await admin.get(path)).status]).toEqual([path, status])
  })

  test('unusual but valid text is stored unchanged, except for direction override characters', async () => {
    const { request, db } = await aTestApp({ database })
    const strange = {
      naam: '\u202eRoya\u202c 👩🏽‍🍳 O’Neill; DROP TABLE message;--',
      email: 'roya+test@xn--karmi-3sa.example',
      tel: '\u2066۰۴۳-۳۲۵\u2069',
      bericht: '<script>alert(1)</script>\n{{7*7}} %s [brand]\t\u200f\u06a9\u200c\u06af',
    }
    const response = await request('/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(strange),
    })
    expect(response.status).toBe(201)
    expect(await db.selectFrom('message').select(['naam', 'email', 'tel', 'bericht']).execute()).toEqual([
      { ...strange, naam: strange.naam.replace(/[\u202e\u202c]/g, ''), tel: '043-325' },
    ])
  })
})

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
const toRead = [
  '/',
  '/fa',
  '/disclaimer',
  '/fa/privacy-verklaring',
  '/zoeken',
  '/fa/zoeken',
  '/zoeken.json',
  '/assets/site-1a2b3c.js',
  '/logo.svg',
  '/favicon.ico',
  '/icon-192.png',
  '/opengraph.png',
  '/fa/opengraph.png',
  '/robots.txt',
  '/sitemap.xml',
  '/site.webmanifest',
  '/.well-known/change-password',
  '/healthz',
  '/readyz',
]

async function anApp(database: DatabaseKind = 'sqlite') {
  const client = join(aTempFolder(), 'client')
  mkdirSync(join(client, 'assets'), { recursive: true })
  writeFileSync(join(client, 'assets', 'site-1a2b3c.js'), 'export {}')
  return aServedApp({ database, folders: { client, public: 'public' } })
}

test('a method that a path does not support gets 405 with the Allow header', async () => {
  const { fetchRaw: ask } = await anApp()
  for (const path of toRead) {
    for (const method of methods) {
      const { status, headers } = await ask(path, { method })
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, 'GET, HEAD'])
    }
  }
  for (const method of ['GET', 'HEAD', ...methods.slice(1)]) {
    const { status, headers } = await ask('/api/contact', { method })
    expect([method, status, headers.allow]).toEqual([method, 405, 'POST'])
  }
  for (const method of methods) expect((await ask('/nergens', { method })).status, method).toBe(404)
})

const oddPaths: [path: string, status: number][] = [
  ['/../../etc/passwd', 404],
  ['/..%2f..%2fetc%2fpasswd', 404],
  ['/%2e%2e/%2e%2e/etc/passwd', 404],
  ['/..%5c..%5cpackage.json', 404],
  ['/assets/../../package.json', 404],
  ['/assets/..%2f..%2fpackage.json', 404],
  ['/assets/%2e%2e/%2e%2e/package.json', 404],
  ['/assets', 404],
  ['/assets/', 404],
  ['/.env', 404],
  ['/.git/config', 404],
  ['/site.config.json', 404],
  ['/%00', 400],
  ['/disclaimer%00', 400],
  ['/assets/%00.js', 400],
  ['/.well-known/%00', 400],
  ['/api/contact%00', 400],
  ['//', 404],
  ['//disclaimer', 404],
  ['/disclaimer//', 404],
  ['//evil.example/disclaimer/', 404],
  ['/\\evil.example', 400],
  ['/%', 404],
  ['/%zz', 404],
  ['/%ff', 404],
  ['/%ed%a0%80', 404],
  ['/constructor', 404],
  ['/__proto__', 404],
  ['/disclaimer?q=%00', 200],
  ['/disclaimer?q=%ff', 200],
  ['/?locale=__proto__', 200],
  ['/?verzonden=1.aaaaaaaaaaaaaaaa', 200],
  ['/?verzonden=999999999999999999999.aaaaaaaaaaaaaaaa', 200],
]

test.each(databases)('each odd path is answered with its status, on %s', async (database) => {
  const { fetchRaw: ask } = await anApp(database)
  for (const [path, status] of oddPaths) expect([path, (await ask(path)).status]).toEqual([path, status])
})

test('a path that is too long, and a head that is too large, get their status', async () => {
  const { sendBytes: say } = await anApp()
  for (const [start, length, status] of [
    ['/', 3_000, 414],
    ['/?q=', 3_000, 414],
    ['/disclaimer?', 10_000, 414],
    ['/', 20_000, 431],
  ] as const) {
    const path = `${start}${'a'.repeat(length)}`
    const answered = await say(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect([start, length, answered.slice(9, 12)]).toEqual([start, length, `${status}`])
  }
})

test('a long path of digits takes about the processor time of one of letters', async () => {
  const site = await aTestApp()
  const cpuOf = async (path: string) => {
    const before = process.cpuUsage()
    for (let request = 0; request < 10; request++) expect((await site.request(path)).status).toBe(414)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await cpuOf(`/${'a'.repeat(15_000)}`)
  const letters = await cpuOf(`/${'a'.repeat(15_000)}`)
  expect(await cpuOf(`/${'1'.repeat(15_000)}`)).toBeLessThan(10 * letters)
})

test('a body of ten megabytes is refused at every endpoint', async () => {
  const { url } = await anApp()
  const body = new Blob(['x'.repeat(10_000_000)])
  for (const [path, type, status] of [
    ['/', 'text/plain', 405],
    ['/nergens', 'text/plain', 404],
    ['/healthz', 'application/json', 405],
    ['/api/contact', 'application/json', 413],
    ['/api/contact', urlencoded, 413],
    ['/api/contact', 'multipart/form-data; boundary=x', 413],
    ['/api/contact', 'application/octet-stream', 415],
  ] as const) {
    const response = await fetch(url + path, { method: 'POST', body, headers: { 'Content-Type': type } })
    expect([path, type, response.status]).toEqual([path, type, status])
  }
})

test('malformed headers get a response and do no harm', async () => {
  const { sendBytes: say, fetchRaw: ask } = await anApp()
  await ask('/disclaimer')
  const absurd: [header: string, statuses: number[]][] = [
    ['Accept-Encoding: ;;;,q=,br;q=x', [200]],
    ['Accept-Encoding: br;q=0, gzip;q=0, identity;q=0', [200]],
    ['Accept-Language: \xff;q=9,,;;,x-y-z', [200]],
    ['Cookie: locale=%zz; =; etalage; __proto__=1', [200]],
    ['If-None-Match: "\xff", W/, ,,', [200]],
    ['If-Modified-Since: gisteren', [200]],
    ['Range: bytes=9-1', [200]],
    ['X-Forwarded-For: \xff,,,', [200]],
    ['X-Request-Id: ../../etc', [200]],
    ['Origin: \xff', [200]],
    ['Authorization: \xff', [200]],
    ['Upgrade: h2c', [200]],
    ['Expect: a miracle', [417]],
    ['Content-Length: -1', [400]],
    ['Content-Length: x', [400]],
    ['Content-Length: 5\r\nTransfer-Encoding: chunked', [400]],
    [`X-Large: ${'a'.repeat(20_000)}`, [431]],
    [Array.from({ length: 1_000 }, (_, at) => `X-${at}: x`).join('\r\n'), [200, 431]],
  ]
  for (const path of ['/disclaimer', '/disclaimer?locale=xx']) {
    for (const [header, statuses] of absurd) {
      const answered = await say(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n\r\n`)
      expect(statuses, `${path} ${header.slice(0, 60)}: ${answered.slice(0, 30)}`).toContain(
        Number(answered.slice(9, 12)),
      )
    }
  }
  for (const host of ['a b', '///', 'x:99999', '[::1', '\xe9', '<script>', '', 'a@b']) {
    const answered = await say(`GET /disclaimer?locale=xx HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(Number(answered.slice(9, 12)), host).toBe(400)
  }
  for (const nonsense of [
    '\0\x01\x02\r\n\r\n',
    'GET\r\n\r\n',
    'GET * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ]) {
    expect((await say(nonsense)).slice(9, 12)).toBe('400')
  }
  expect((await ask('/disclaimer')).status).toBe(200)
})

test.each(databases)('no combination of path, method and headers causes a 500, on %s', async (database) => {
  const { request } = await aTestApp({ database, settings: { trustProxy: 1 } })
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'fa',
      'api',
      'contact',
      'assets',
      'disclaimer',
      'zoeken',
      '.well-known',
      '%2e',
      '%00',
      '%2f',
      '%ff',
      'favicon.ico',
    ),
    fc.webSegment(),
    fc.string({ unit: 'binary', maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())),
  )
  const path = fc
    .tuple(fc.array(piece, { maxLength: 5 }), fc.option(fc.webQueryParameters()))
    .map(([pieces, query]) => `/${pieces.join('/')}${query === null ? '' : `?${query}`}`)
  const header = fc.constantFrom(
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Cookie',
    'If-None-Match',
    'Origin',
    'Sec-Fetch-Site',
    'X-Forwarded-For',
    'X-Request-Id',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
  )
  const value = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 30,
  })
  const method = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS')
  await fc.assert(
    fc.asyncProperty(path, method, fc.dictionary(header, value, { maxKeys: 4 }), async (address, how, headers) => {
      const response = await request(`http://localhost${address}`, { method: how, headers })
      expect(response.status).toBeLessThan(500)
      await response.arrayBuffer()
    }),
    { numRuns: 200 },
  )
})

describe.each(databases)('no value causes a 500, on %s,', (database) => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('', '__proto__', 'constructor', '\u0000', '\ud800', 'x'.repeat(30_000), '=1+1', '[brand]', '/x'),
    fc.constantFrom(-1, 1e308, 0.1, null, [], {}, [''], '31-2-2026', '٣', 'nieuws/tip', 'javascript:alert(1)'),
  )
  const isAnswered = (response: Response) => expect([200, 201, 422]).toContain(response.status)

  test('as an answer to a form', async () => {
    const forms = [quoteForm, appointmentForm]
    const { request, db } = await aTestApp({
      database,
      settings: { rateLimited: false },
      site: withForms(forms),
    })
    const names = forms.flatMap(({ fields }) => fields.map(({ id }) => id))
    const name = fc.oneof(fc.constantFrom(...names, 'taal', 'website', '_begin', '__proto__'), fc.string())
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...forms),
        fc.dictionary(name, odd, { maxKeys: 3 }),
        async ({ id, fields }, more) => {
          const good = Object.entries(quoteAnswers).filter(([field]) => fields.some((one) => one.id === field))
          const body = JSON.stringify({ ...Object.fromEntries(good), ...more })
          const headers = { 'Content-Type': 'application/json' }
          isAnswered(await request(`/api/forms/${id}`, { method: 'POST', headers, body }))
        },
      ),
      { numRuns: 100 },
    )
    expect((await db.selectFrom('message').select('id').execute()).length).toBeGreaterThan(0)
  })

  test('in the settings of forms, collections and spam, or in an entry and its list', async () => {
    const site = await aTestApp({
      database,
      site(config) {
        config.forms = [quoteForm]
        config.collections = [news]
      },
    })
    const bente = await as(site, 'beheerder')
    const entry = await anEntry(bente, 'Een', { soort: 'tip' })
    const page = await publishedPage(bente, {
      title: 'Welkom',
      body: [{ type: 'form', title: 'Vraag', form: 'offerte' }],
    })
    const settings = { forms: [quoteForm], collections: [news], spam: defaultSpamSettings }
    const values = { samenvatting: 'x', datum: '2026-01-01', prijs: 1, uitleg: '<p>x</p>', meer: '/x', soort: 'tip' }
    const list = { type: 'entry-list', title: 'Lijst', from: 'nieuws', items: [{ url: '/nieuws/een' }], count: '3' }
    let version = 0
    const ways: Record<string, [base: object, save: (changed: object) => Promise<Response>]> = {
      settings: [
        settings,
        async (config) => {
          const response = await bente.put('/api/config', { version, config })
          if (response.ok) ({ version } = await response.clone().json())
          return response
        },
      ],
      entry: [values, (fields) => savePageIn(bente, entry, { fields }, { publish: true })],
      list: [list, (block) => savePageIn(bente, page, { body: [block] }, { publish: true })],
    }
    for (const [base, save] of Object.values(ways)) {
      const at = fc.constantFrom(...pathsIn(base))
      await fc.assert(
        fc.asyncProperty(at, odd, async (path, value) => {
          isAnswered(await save(withValue(base as never, path, value)))
        }),
        { numRuns: 30 },
      )
      for (const path of ['/welkom', '/nieuws', '/nieuws/een', '/nieuws/feed.xml', '/api/messages/inbox']) {
        expect((await bente.get(path)).status, path).toBeLessThan(500)
      }
    }
  })
})

/** The path of everything within a value, dotted. */
const pathsIn = (value: object, before = ''): string[] =>
  Object.entries(value).flatMap(([name, inner]) => [
    before + name,
    ...(typeof inner === 'object' && inner !== null ? pathsIn(inner, `${before}${name}.`) : []),
  ])

test('a body in tiny chunks is refused before it fills the memory', async () => {
  const { port, db } = await aServedApp()
  const asked = request({
    host: '127.0.0.1',
    port,
    path: '/api/contact',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    agent: false,
  })
  asked.setNoDelay(true)
  asked.on('error', () => {})
  const answer = once(asked, 'response')
  for (let crumb = 0; crumb < 8_000 && !asked.destroyed; crumb++) {
    asked.write(' ')
    // Data that is sent at once is read as one chunk.
    await new Promise((resolve) => setImmediate(resolve))
  }
  asked.end(JSON.stringify(roya))
  const [response] = await answer
  expect(response.statusCode).toBe(413)
  expect(await db.selectFrom('message').select('id').execute()).toEqual([])
})

test('an invalid Host is refused, and an HTTP/1.0 client without one is answered', async () => {
  const { sendBytes: say, lines } = await aServedApp()
  const get = (path: string, host: string) => say(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  for (const host of ['256.1.1.1', '1.2.3.4.5', '0x100000000']) {
    expect(await get('/disclaimer?locale=xx', host)).toMatch(/^HTTP\/1\.1 400 /)
  }
  expect(await say('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  expect(lines.filter((line) => line.level === 'error')).toEqual([])
})
