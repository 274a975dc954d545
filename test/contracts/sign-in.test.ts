import { createHook } from 'node:async_hooks'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { configScreens } from '../../src/contract/admin-start.ts'
import { limits } from '../../src/contract/limits.ts'
import { sessionCookieStart } from '../../src/http/page-cache.ts'
import { hashPassword } from '../../src/platform/auth/password.ts'
import { databases } from '../support/databases.ts'
import { parseHtml } from '../support/parse-html.ts'
import { withRealPasswordCost } from '../support/password-cost.ts'
import { aSession, as, aUser, json, password, staff, withCookie } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { aVisitor } from '../support/visitor.ts'

const wrongWords = {
  title: 'Onjuiste inloggegevens!',
  detail: 'Controleer de gebruikersnaam en het wachtwoord en probeer het opnieuw.',
}

/** Every reason for a failed sign-in. */
const reasons = [
  ['wrong', { identifier: 'roya@example.nl', password: 'geheim-124' }],
  ['unknown', { identifier: 'niemand@example.nl', password }],
  ['blocked', { identifier: 'blok@example.nl', password }],
  ['without a password', { identifier: 'oidc@example.nl', password }],
  ['no address at all', { identifier: 'roya', password }],
] as const

async function withPeople(database: (typeof databases)[number]): Promise<TestApp> {
  const site = await aTestApp({ database })
  await aUser(site, staff.roya)
  await aUser(site, { name: 'Blok', email: 'blok@example.nl', blocked: true })
  await aUser(site, { name: 'Odin', email: 'oidc@example.nl', password: null })
  return site
}

describe.each(databases)('on %s', (database) => {
  test('spec 4 login and logout: a user signs in, is recognised, and signs out', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')

    const me = await bente.get('/api/me')
    expect(me.status).toBe(200)
    expect(await me.json()).toMatchObject({
      email: staff.beheerder.email,
      role: { id: 1, name: 'Geregistreerd', rights: [] },
      user_role: { id: 2, name: 'Beheerder' },
    })

    expect(await (await bente.post('/api/logout')).json()).toEqual({ target: '/' })
    expect((await bente.get('/api/me')).status).toBe(401)
  })

  test('spec 8 wrong login: the same text and status for every reason, and no session', async () => {
    const site = await withPeople(database)

    for (const [why, body] of reasons) {
      const answer = await site.request('/api/login', json('POST', body))

      expect([why, answer.status]).toEqual([why, 401])
      expect(await answer.json()).toMatchObject(wrongWords)
      expect(answer.headers.getSetCookie().filter((line) => !/Max-Age=0/i.test(line))).toEqual([])
    }
    expect(await site.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test('spec 8 wrong login, on the page: the same bytes for every reason, except the submitted values', async () => {
    const site = await withPeople(database)
    const pages = await Promise.all(
      reasons.map(async ([, body]) => {
        const answer = await aVisitor(site).submitForm('/login', body)
        const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'set-cookie')
        return { status: answer.status, headers, html: (await answer.text()).replace(`"${body.identifier}"`, '""') }
      }),
    )
    expect(pages[0]?.status).toBe(401)
    expect(pages[0]?.html).toContain(wrongWords.title)
    expect(pages[0]?.html).toContain(wrongWords.detail)
    for (const page of pages) expect(page).toEqual(pages[0])
  })

  test('every sign-in computes one password hash, whatever the reason of a refusal, so that the response time reveals nothing', async () => {
    const site = await withPeople(database)
    // The first request loads code and caches; leave it out of the count.
    await site.request('/api/login', json('POST', { identifier: 'warm@example.nl', password }))
    for (const [why, body] of [...reasons, ['right', { identifier: staff.roya.email, password }] as const]) {
      const hashes = await countHashes(() => site.request('/api/login', json('POST', body)))
      expect({ why, hashes }).toEqual({ why, hashes: 1 })
    }
  })

  test('session fixation is prevented: signing in creates a new session and ends the previous one', async () => {
    const site = await aTestApp({ database })
    await aUser(site, staff.roya)
    const mallory = await as(site, 'redacteur')
    const victim = aVisitor(site)
    for (const pair of mallory.cookie.split('; ')) {
      const at = pair.indexOf('=')
      victim.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }

    expect((await victim.post('/api/login', { identifier: staff.roya.email, password })).status).toBe(200)

    expect(await (await victim.get('/api/me')).json()).toMatchObject({ email: staff.roya.email })
    expect((await mallory.get('/api/me')).status).toBe(401)
    const sessions = await site.db.selectFrom('session').select(['user_id', 'token_hash']).execute()
    expect(sessions).toHaveLength(1)
  })

  test('a session row from the database cannot be used: only a hash of its token is stored', async () => {
    const site = await aTestApp({ database })
    const roya = await as(site, 'roya')
    const { token_hash } = await site.db.selectFrom('session').select('token_hash').executeTakeFirstOrThrow()
    expect(roya.cookie).not.toContain(token_hash)
    const stolen = await site.request('/api/me', { headers: { cookie: `etalage.session_token=${token_hash}.x` } })
    expect(stolen.status).toBe(401)
  })

  test('a changed signature is refused after the right one too, and an ended session at once', async () => {
    const site = await aTestApp({ database })
    const roya = await as(site, 'roya')
    const status = async (cookie: string) => (await site.request('/api/rights', { headers: { cookie } })).status
    const at = roya.cookie.lastIndexOf('.') + 1
    const changed = roya.cookie.slice(0, at) + (roya.cookie[at] === 'A' ? 'B' : 'A') + roya.cookie.slice(at + 1)
    expect(await status(changed)).toBe(401)
    for (const _time of ['first', 'later']) expect(await status(roya.cookie)).toBe(200)
    expect(await status(changed)).toBe(401)
    await site.db.deleteFrom('session').execute()
    expect(await status(roya.cookie)).toBe(401)
  })

  test('spec 4 logout clears the session cookie, also an invalid one, and a GET request does not sign out', async () => {
    const site = await aTestApp({ database })
    await aUser(site, staff.roya)
    const roya = aVisitor(site)
    await roya.post('/api/login', { identifier: staff.roya.email, password })
    const asked = await roya.get('/logout')
    expect(asked.status).toBe(200)
    expect(await asked.text()).toContain('<form action="/logout" method="post">')
    expect((await roya.get('/api/me')).status).toBe(200)

    expect((await roya.submitForm('/logout', {})).status).toBe(303)
    expect([...roya.cookies.keys()]).toEqual(['etalage.device'])
    expect(await site.db.selectFrom('session').select('id').execute()).toEqual([])

    roya.cookies.set('etalage.session_token', 'nonsense')
    expect((await roya.submitForm('/logout', {})).headers.get('location')).toBe('/')
    expect(roya.cookies.has('etalage.session_token')).toBe(false)
    expect((await roya.get('/logout')).headers.get('location')).toBe('/')
  })

  test('spec 4 and 8 failed logout: the error is ignored, the cookie is cleared and the target is still opened', async () => {
    const site = await aTestApp({ database })
    await aUser(site, staff.roya)
    const [byPage, byProgram] = [aVisitor(site), aVisitor(site)]
    for (const visitor of [byPage, byProgram]) {
      await visitor.post('/api/login', { identifier: staff.roya.email, password })
      expect(visitor.cookies.has('etalage.session_token')).toBe(true)
    }
    // The sessions table is missing.
    await sql`alter table session rename to lost`.execute(site.db)

    const page = await byPage.submitForm('/logout', { redirect: '/disclaimer' })
    expect([page.status, page.headers.get('location')]).toEqual([303, '/disclaimer'])
    const answer = await byProgram.post('/api/logout')
    expect([answer.status, await answer.json()]).toEqual([200, { target: '/' }])
    for (const visitor of [byPage, byProgram]) expect([...visitor.cookies.keys()]).toEqual(['etalage.device'])
  })

  test('confirming the password allows risky actions for ten minutes, and a wrong password does not', async () => {
    const site = await aTestApp({ database })
    const roya = await as(site, 'roya')
    const long = new Date(Date.now() - 3_600_000).toISOString()
    await site.db.updateTable('session').set({ created_at: long }).execute()
    const confirmedAt = async () =>
      (await site.db.selectFrom('session').select('confirmed_at').executeTakeFirstOrThrow()).confirmed_at

    const wrong = await roya.post('/api/confirm', { password: 'geheim-124' })
    expect(wrong.status).toBe(422)
    expect(await wrong.json()).toMatchObject({ errors: [{ path: 'password' }] })
    expect(await confirmedAt()).toBeNull()

    expect((await roya.post('/api/confirm', { password })).status).toBe(204)
    expect(Date.parse((await confirmedAt()) ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect((await site.request('/api/confirm', json('POST', { password }))).status).toBe(401)
  })

  test('a user without a password confirms by signing in again', async () => {
    const site = await aTestApp({ database })
    const roya = await as(site, 'roya')
    await site.db.deleteFrom('account').execute()
    const answer = await roya.post('/api/confirm', { password })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 'password_needed' })
    const again = await roya.get('/login?opnieuw=1')
    expect(again.status).toBe(200)
    const page = parseHtml(await again.text())
    const hidden = [...page.querySelectorAll('form input[type=hidden]')].map((input) => [
      String(input.getAttribute('name')),
      String(input.getAttribute('value')),
    ])
    const wrong = { ...Object.fromEntries(hidden), identifier: staff.roya.email, password: 'geraden' }
    const refused = parseHtml(await (await aVisitor(site).submitForm('/login', wrong)).text())
    for (const shown of [page, refused]) {
      const persian = shown.querySelector('a[hreflang=fa]')
      const chosen = await roya.get(String(persian?.getAttribute('href')))
      expect((await roya.get(String(chosen.headers.get('location')))).status).toBe(200)
    }
    expect((await roya.get('/login')).status).toBe(303)
  })

  test('spec 2 menus: a signed-in visitor sees their name, on pages that are not cached', async () => {
    const site = await aTestApp({ database })
    const before = await (await site.request('/')).text()
    expect(before).not.toContain('/user')

    const roya = await as(site, 'roya')
    for (const path of ['/', '/fa', '/disclaimer', '/bestaat-niet', '/wachtwoord-vergeten']) {
      const answer = await roya.get(path)
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(await answer.text()).toContain(staff.roya.name)
    }
    expect(await (await site.request('/')).text()).toBe(before)

    await roya.post('/api/logout')
    expect(await (await roya.get('/')).text()).not.toContain(staff.roya.name)
  })

  test('no password and no token is in any log line', async () => {
    const site = await withPeople(database)
    const roya = aVisitor(site)
    await roya.post('/api/login', { identifier: staff.roya.email, password: 'verkeerd-wachtwoord' })
    await roya.submitForm('/login', { identifier: staff.roya.email, password: 'verkeerd-wachtwoord' })
    await roya.submitForm('/login', { identifier: 'blok@example.nl', password })
    await roya.post('/api/login', { identifier: staff.roya.email, password })
    await roya.post('/api/confirm', { password: 'verkeerd-wachtwoord' })
    const token = decodeURIComponent(roya.cookies.get('etalage.session_token') ?? '').split('.')[0] ?? ''
    await roya.submitForm('/wachtwoord', { token: 'geheime-sleutel', password: 'nieuw-geheim', repeat: 'nieuw-geheim' })
    await roya.get('/wachtwoord?token=geheime-sleutel')

    expect(token.length).toBeGreaterThan(20)
    const log = JSON.stringify(site.lines)
    expect(site.lines.length).toBeGreaterThan(6)
    for (const secret of ['verkeerd-wachtwoord', password, 'nieuw-geheim', 'geheime-sleutel', token, '$argon2id']) {
      expect(log).not.toContain(secret)
    }
  })
})

test('the cookie is HttpOnly and Lax, and Secure behind https', async () => {
  const at = async (baseUrl: string) => {
    const site = await aTestApp({ settings: { baseUrl } })
    await aUser(site, staff.roya)
    const answer = await site.request('/api/login', json('POST', { identifier: staff.roya.email, password }))
    return answer.headers.getSetCookie().find((line) => line.includes('session_token')) ?? ''
  }
  const plain = await at('http://localhost:3000')
  expect(plain).toMatch(/^etalage\.session_token=[^;]{40,};.*HttpOnly/)
  expect(plain).toMatch(/SameSite=Lax/i)
  expect(plain).not.toMatch(/Secure/i)
  const secure = await at('https://www.example.nl')
  expect(secure).toMatch(/^__Secure-etalage\.session_token=.*; Secure/)
  expect(secure).toMatch(/HttpOnly/)
})

test('without BASE_URL a sign-in works at any host name', async () => {
  const site = await aTestApp()
  await aUser(site, staff.roya)
  for (const [url, prefix] of [
    ['http://192.168.1.20:3000', ''],
    [`${site.app.context().site.url}`, '__Secure-'],
  ] as const) {
    const answer = await site.request(`${url}/api/login`, json('POST', { identifier: staff.roya.email, password }))
    const [line = ''] = answer.headers.getSetCookie().filter((one) => one.includes('session_token'))
    expect(line.startsWith(`${prefix}etalage.session_token=`)).toBe(true)
    const cookie = line.split(';')[0] ?? ''
    expect((await site.request(`${url}/api/me`, { headers: { cookie } })).status).toBe(200)
  }
})

test('unknown fields in a sign-in are refused, and change nothing', async () => {
  const site = await withPeople('sqlite')
  const body = { identifier: staff.roya.email, password }
  for (const more of [{ rememberMe: false }, { callbackURL: 'https://evil.example' }, { trustDevice: true }]) {
    const answer = await site.request('/api/login', json('POST', { ...body, ...more }))
    expect(answer.status).toBe(422)
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  const page = await aVisitor(site).submitForm('/login', { ...body, callbackURL: 'https://evil.example' })
  expect(page.headers.get('location')).toBe('/user')
})

test('a cross-site post can neither sign in nor sign out', async () => {
  const site = await aTestApp()
  const roya = await as(site, 'roya')
  const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  for (const path of ['/login', '/login/code', '/logout', '/wachtwoord-vergeten', '/wachtwoord', '/setup']) {
    const visitor = aVisitor(site)
    const answer = await visitor.submitForm(path, { identifier: staff.roya.email, password }, forged)
    expect({ path, status: answer.status }).toEqual({ path, status: 403 })
    const old = await aVisitor(site).submitForm(path, {}, { origin: 'https://evil.example' })
    expect({ path, status: old.status }).toEqual({ path, status: 403 })
    expect(visitor.cookies.size).toBe(0)
  }
  for (const path of ['/api/login', '/api/login/code', '/api/login/passkey', '/api/logout', '/api/confirm']) {
    const headers = { cookie: roya.cookie, 'Content-Type': 'application/json', ...forged }
    const answer = await site.request(path, { method: 'POST', headers, body: '{}' })
    expect({ path, status: answer.status }).toEqual({ path, status: 403 })
  }
  expect((await roya.get('/api/me')).status).toBe(200)
})

test('spec 2 after login and logout: /user and /, unless another path of this site is requested', async () => {
  const site = await withPeople('sqlite')
  const roya = { identifier: staff.roya.email, password }
  const goesTo = async (redirect: string | undefined) =>
    (await aVisitor(site).submitForm('/login', { ...roya, ...(redirect !== undefined && { redirect }) })).headers.get(
      'location',
    )
  expect(await goesTo(undefined)).toBe('/user')
  expect(await goesTo('/disclaimer?a=1#b')).toBe('/disclaimer?a=1#b')
  for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example', '/login', '/fa/logout']) {
    expect(await goesTo(elsewhere)).toBe('/user')
  }
  const visitor = aVisitor(site)
  expect((await visitor.submitForm('/logout', {})).headers.get('location')).toBe('/')
  expect((await visitor.submitForm('/logout', { redirect: '/disclaimer' })).headers.get('location')).toBe('/disclaimer')
  expect((await visitor.submitForm('/logout', { redirect: '//evil.example' })).headers.get('location')).toBe('/')
  const byProgram = async (query: string) => (await visitor.post(`/api/logout?${query}`)).json()
  expect(await byProgram('redirect=/disclaimer')).toEqual({ target: '/disclaimer' })
  expect(await byProgram('redirect=https://evil.example')).toEqual({ target: '/' })
  expect(await byProgram('redirect=/a&redirect=/b')).toEqual({ target: '/' })
})

test('an unknown address under /admin is 404, signed in or not', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  for (const path of [
    '/admin/niets',
    '/admin/users/abc',
    '/admin/pages/1/deutsch',
    '/admin/config/onbekend',
    '/user/1',
  ]) {
    expect([path, (await bente.get(path)).status, (await site.request(path)).status]).toEqual([path, 404, 404])
  }
  expect(await (await bente.get('/admin/niets')).text()).toContain('id="admin"')
  const found = ['/user', '/admin', '/admin/users', '/admin/users/', '/admin/users/12', '/admin/pages/1/fa']
  for (const path of [...found, ...configScreens.map((screen) => `/admin/config/${screen}`)]) {
    expect([path, (await bente.get(path)).status, (await site.request(path)).status]).toEqual([path, 200, 303])
  }
})

test('the sign-in page keeps the target of the redirect only when it is on this site', async () => {
  const site = await aTestApp()
  const at = async (query: string) => (await site.request(`/login${query}`)).text()
  expect(await at('?redirect=/admin/users')).toContain('name="redirect" value="/admin/users"')
  const html = await at('?redirect=//evil.example')
  expect(html).not.toContain('evil.example')
  expect(html).toContain('name="redirect" value="/user"')
})

test('other methods are refused, and no variant of the path reaches another endpoint', async () => {
  const site = await aTestApp()
  expect((await site.request('/login', { method: 'PUT' })).status).toBe(405)
  expect((await site.request('/fa/setup', { method: 'DELETE' })).status).toBe(405)
  for (const path of [
    '/login/',
    '/Login',
    '//login',
    '/login//',
    '/fa//login',
    '/login/oidc',
    '/login/oidc/callback',
  ]) {
    expect({ path, status: (await site.request(`http://localhost${path}`)).status }).toEqual({ path, status: 404 })
  }
})

describe('a session in use is extended after an hour', () => {
  /** Signed in yesterday. */
  const aDueSession = async (site: TestApp) => {
    const { id } = await as(site, 'beheerder')
    const cookie = await aSession(site, id, { endsInMs: (limits.sessionDays - 1) * 86_400_000 })
    const ends = async () => (await site.db.selectFrom('session').select('expires_at').orderBy('id').execute()).at(-1)
    return { ends, ...withCookie(site, cookie) }
  }

  test('by any response, which has the new cookie and is not cacheable', async () => {
    const site = await aTestApp()
    for (const path of ['/', '/favicon.svg', '/bestaat-niet', '/.well-known/security.txt', '/disclaimer/', '/api/me']) {
      const { get, ends } = await aDueSession(site)
      const before = await ends()
      const response = await get(path)
      expect(await ends(), path).not.toEqual(before)
      expect(
        response.headers.getSetCookie().filter((line) => line.includes(sessionCookieStart)),
        path,
      ).toHaveLength(1)
      expect(response.headers.get('cache-control'), path).toBe('private, no-store')
      expect((await get(path)).headers.getSetCookie(), `${path} within the hour`).toEqual([])
    }
  })

  test('but its cookie does not replace the one that the response itself sets', async () => {
    const site = await aTestApp()
    const { cookie } = await aDueSession(site)
    const login = json('POST', { identifier: staff.beheerder.email, password })
    const response = await site.request('/api/login', { ...login, headers: { ...login.headers, cookie } })
    expect(response.status).toBe(200)
    const set = response.headers.getSetCookie().filter((line) => line.includes(sessionCookieStart))
    expect((await withCookie(site, set.at(-1)?.split(';')[0] ?? '').get('/api/me')).status).toBe(200)
  })

  test('and works until its end when it cannot be extended, because the database is read-only', async () => {
    allowErrors(/"msg":"sign-in"/)
    const site = await aTestApp()
    const { get } = await aDueSession(site)
    await sql`create trigger full before update on session begin select raise(abort, 'disk full'); end`.execute(site.db)
    for (const path of ['/', '/api/me', '/admin']) expect([path, (await get(path)).status]).toEqual([path, 200])
    expect(site.lines.filter(({ msg }) => msg === 'a session was not extended').length).toBeGreaterThan(0)
  })
})

test('when the password queue is full, a sign-in gets 503 and is not counted as a failure', async () => {
  const site = await aTestApp()
  await aUser(site, staff.roya)
  // Loaded first, so that the next request goes straight to the queue.
  await site.request('/api/login', json('POST', { identifier: 'warm@example.nl', password }))
  // With cheap hashes alone the queue would be empty before the request reaches it: the two that are computed keep it full.
  const queue: Promise<string>[] = []
  await withRealPasswordCost(async () => {
    for (let count = 0; count < 2; count++) queue.push(hashPassword('x'))
  })
  for (let count = 0; count < 100; count++) queue.push(hashPassword('x'))
  const answer = await site.request('/api/login', json('POST', { identifier: staff.roya.email, password }))
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  await expect(hashPassword('x')).rejects.toMatchObject({ code: 'unavailable' })
  await Promise.all(queue)
  const failures = await site.db.selectFrom('sign_in_attempt').select('failures').execute()
  expect(failures.map((row) => row.failures).sort()).toEqual([0, 0, 1, 1, 1])
  expect((await site.request('/api/login', json('POST', { identifier: staff.roya.email, password }))).status).toBe(200)
})

/** The number of password hashes that Node makes during an action, counted by its async hooks. */
async function countHashes(work: () => Promise<unknown> | unknown): Promise<number> {
  let hashes = 0
  const hook = createHook({
    init(_id, type) {
      if (/ARGON2/i.test(type)) hashes++
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return hashes
}
