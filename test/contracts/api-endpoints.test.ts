import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../src/api/api-document.ts'
import { limits } from '../../src/contract/limits.ts'
import { as, aUser, json, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const document: ApiDocument = JSON.parse(readFileSync('openapi.json', 'utf8'))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const takingJson = operations.filter(
  ({ operation }) =>
    Object.keys(operation.requestBody?.content ?? {}).every((type) => type === 'application/json') &&
    operation.requestBody,
)
const filled = (path: string) =>
  path
    .replace('{locale}', 'nl')
    .replace('/sections/{id}', `/sections/${'0'.repeat(32)}`)
    .replace(/\{\w+\}/g, '1')
const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code]

describe('bodies', () => {
  const body = JSON.stringify({ email: 'noor@example.nl' })

  const refused: [what: string, type: string | undefined, sent: BodyInit, expected: [status: number, code: string]][] =
    [
      ['no type', undefined, body, [415, 'unsupported_type']],
      ['text', 'text/plain', body, [415, 'unsupported_type']],
      ['a form', 'application/x-www-form-urlencoded', 'email=noor@example.nl', [415, 'unsupported_type']],
      ['something like JSON', 'application/vnd.api+json', body, [415, 'unsupported_type']],
      ['JSON by another name', 'application/jsonp', body, [415, 'unsupported_type']],
      ['another encoding', 'application/json; charset=utf-16', body, [415, 'unsupported_type']],
      ['nothing', 'application/json', '', [400, 'malformed']],
      ['half of it', 'application/json', body.slice(0, -1), [400, 'malformed']],
      ['bytes that are no UTF-8', 'application/json', new Uint8Array([0x22, 0xff, 0x22]), [400, 'malformed']],
      [
        'a duplicate field name',
        'application/json',
        '{"email":"a@example.nl","email":"b@example.nl"}',
        [400, 'malformed'],
      ],
      ['the same deep inside', 'application/json', '{"user_role":{"set":[],"set":[2]}}', [400, 'malformed']],
      [
        'a name that is escaped the second time',
        'application/json',
        '{"name":"a","n\\u0061me":"b"}',
        [400, 'malformed'],
      ],
      ['too much', 'application/json', `{"name":"${'x'.repeat(1_048_576)}"}`, [413, 'too_large']],
      ['a list', 'application/json', '[]', [422, 'invalid']],
      ['null', 'application/json', 'null', [422, 'invalid']],
      [
        'a hundred thousand brackets',
        'application/json',
        '['.repeat(100_000) + ']'.repeat(100_000),
        [400, 'malformed'],
      ],
      ['a prototype', 'application/json', '{"__proto__":{"role_id":2},"email":"a@example.nl"}', [422, 'invalid']],
      [
        'a constructor',
        'application/json',
        '{"constructor":{"prototype":{}},"email":"a@example.nl"}',
        [422, 'invalid'],
      ],
    ]

  test('that are no JSON object, or contain a key twice, are refused with their code, and change nothing', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')
    const users = async () => (await site.db.selectFrom('user').select('id').execute()).length
    const before = await users()
    for (const [what, type, sent, expected] of refused) {
      const headers = { 'Content-Type': type ?? '' }
      for (const [path, method] of [
        ['/api/users', 'POST'],
        [`/api/users/${bente.id}`, 'PUT'],
      ] as const) {
        const answer = await bente.request(path, { method, body: sent, headers })
        expect([what, method, ...(await codeOf(answer))]).toEqual([what, method, ...expected])
      }
    }
    expect(await users()).toBe(before)
  })

  test('a chunked body without a length is stopped at its limit', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const answer = await bente.request('/api/users', {
      method: 'POST',
      body: endless,
      headers: { 'Content-Type': 'application/json' },
      duplex: 'half',
    } as RequestInit)

    expect(await codeOf(answer)).toEqual([413, 'too_large'])
    expect(sent).toBeLessThan(4_000_000)
  })

  test('every route that takes JSON refuses other types', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')
    expect(takingJson.length).toBeGreaterThan(10)

    for (const { method, path } of takingJson) {
      const send = (body: string, type: string) =>
        bente.request(`/api${filled(path)}`, { method, body, headers: { 'Content-Type': type } })
      expect([path, (await send('{}', 'text/plain')).status]).toEqual([path, 415])
      expect([path, (await send('{', 'application/json')).status]).toEqual([path, 400])
      expect([path, (await send('{"nothing-of-the-kind":1}', 'application/json')).status]).toEqual([path, 422])
      expect([path, (await send(`"${'x'.repeat(1_048_577)}"`, 'application/json')).status]).toEqual([path, 413])
    }
  })

  test('a user without the right is refused before the body is read', async () => {
    const site = await aTestApp()
    const roya = await as(site, 'roya')
    await as(site, 'beheerder')

    for (const { method, path, operation } of takingJson) {
      const send = (cookie: string) =>
        site.request(`/api${filled(path)}`, { method, body: '{', headers: { 'Content-Type': 'text/plain', cookie } })
      if (!/Needs/.test(operation.description)) continue
      expect([path, (await send('')).status]).toEqual([path, 401])
      expect([path, (await send(roya.cookie)).status]).toEqual([path, 403])
    }
  })
})

describe('paths', () => {
  test('another spelling of a path does not bypass its checks', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)
    const spellings = (path: string) => [
      `${path}/`,
      `/${path}`,
      path.replace('/api/', '/api//'),
      path.replace('/api/', '//api/'),
      path.toUpperCase(),
      path.replace('/api/', '/Api/'),
      path.replace(/\/(\w)(\w*)$/, (_all, first: string, rest: string) => `/${first.toUpperCase()}${rest}`),
      path.replace('/api/', '/api/./'),
      path.replace('/api/', '/api/x/../'),
      path.replace('/api/', '/api/%2e%2e/api/'),
      path.replace('/api/', '/api%2F'),
      path.replace('/api/', '/api\\'),
      `${path}%00`,
      `${path};a=b`,
      `${path}.json`,
    ]

    for (const { method, path, operation } of operations) {
      if (operation.security) continue
      const plain = `/api${path.replace(/\{\w+\}/g, String(roya))}`
      for (const spelling of spellings(plain)) {
        const url = `http://localhost${spelling}`
        const body = ['GET', 'DELETE'].includes(method) ? {} : json(method, {})
        if (
          new URL(url).pathname === plain ||
          method === 'DELETE' ||
          path.startsWith('/profile') ||
          path === '/confirm'
        ) {
          const nobody = await site.app.fetch(new Request(url, { ...body, method }))
          // Anonymous: never more than the route itself, which gives 401.
          expect([method, spelling, nobody.status]).toEqual([method, spelling, expect.toBeOneOf([400, 401, 404, 405])])
          continue
        }
        // Not even a manager finds a route at this spelling, so nobody does.
        const manager = await bente.request(spelling, { ...body, method })
        expect([method, spelling, manager.status]).toEqual([method, spelling, expect.toBeOneOf([400, 404, 405])])
      }
    }
    expect(await site.db.selectFrom('user').where('id', '=', roya).select('id').execute()).toHaveLength(1)
  })

  test('an unsupported method is refused with the supported ones', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')

    const answer = await bente.request('/api/users', { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    for (const method of ['PATCH', 'POST', 'OPTIONS']) {
      const one = await bente.request('/api/users/1', { method })
      expect([method, one.status, one.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, PUT, DELETE'])
    }
    expect(await codeOf(await bente.get('/api/nothing'))).toEqual([404, 'not_found'])
    for (const header of ['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method']) {
      const overridden = await bente.request('/api/users/1', { method: 'POST', headers: { [header]: 'DELETE' } })
      expect(overridden.status).toBe(405)
    }
  })

  test('a cross-site write is refused, whatever the session may do', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)

    for (const { method, path, operation } of operations) {
      if (method === 'GET' || operation.security) continue
      const foreign: Record<string, string>[] = [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
      ]
      for (const headers of foreign) {
        const answer = await bente.request(`/api${path.replace(/\{\w+\}/g, String(roya))}`, { method, headers })
        expect([path, ...(await codeOf(answer))]).toEqual([path, 403, 'forged'])
      }
    }
    expect(await site.db.selectFrom('user').where('id', '=', roya).select('id').execute()).toHaveLength(1)
  })

  test('no response with personal data is cached', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')

    for (const path of [
      '/api/users',
      `/api/users/${bente.id}`,
      '/api/roles',
      '/api/rights',
      '/api/audit',
      '/api/me',
      '/api/users/9999',
    ]) {
      expect([path, (await bente.get(path)).headers.get('cache-control')]).toEqual([
        path,
        expect.stringContaining('no-store'),
      ])
    }
    expect((await site.request('/api/users')).headers.get('cache-control')).toBe('private, no-store')
  })
})

test('a user who sends more changes in a minute than the limit is slowed down, and no other user is', async () => {
  let at = Date.parse('2026-11-24T09:00:00Z')
  const site = await aTestApp({ now: () => new Date(at), startJobs: false })
  const [bente, roya] = [await as(site, 'beheerder'), await as(site, 'roya')]
  const write = async (who: typeof bente) => (await who.post('/api/redirects', {})).status
  const before = Array.from({ length: limits.writesPerPerson }, () => write(bente))
  expect(new Set(await Promise.all(before))).toEqual(new Set([422]))
  const refused = await bente.post('/api/redirects', {})
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect([(await bente.get('/api/redirects')).status, await write(roya)]).toEqual([200, 403])
  at += limits.writeWindowMs
  expect(await write(bente)).toBe(422)
})
