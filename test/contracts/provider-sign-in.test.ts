import { describe, expect, test } from 'vitest'
import { anIdentityProvider, aSilentServer, signInAtProvider } from '../support/identity-provider.ts'
import { aUser, password, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { aSecondFactor } from '../support/two-factor.ts'
import { aVisitor, type Visitor } from '../support/visitor.ts'

const origin = 'https://www.example.nl'
const email = staff.roya.email

/** The sign-in page after a refused sign-in. */
const refused = 'Inloggen met dit account is niet gelukt.'

describe.each([
  ['sqlite', 'userinfo'],
  ['postgres', 'id token'],
] as const)('on %s, by the claims in the %s of the provider', (database, claimsIn) => {
  async function aSite() {
    const provider = await anIdentityProvider(origin, claimsIn)
    const site = await aTestApp({ database, settings: { baseUrl: origin, oidc: provider.oidc } })
    const signIn = (who: string, more: { visitor?: Visitor; from?: string; until?: (url: URL) => boolean } = {}) =>
      signInAtProvider(site, provider, who, { origin, ...more })
    const users = () => site.db.selectFrom('user').select(['email', 'name', 'role_id']).orderBy('id').execute()
    const links = () =>
      site.db.selectFrom('account').selectAll().where('provider_id', '=', 'oidc').orderBy('id').execute()
    return { ...site, provider, signIn, users, links }
  }
  const meOf = async (visitor: Visitor) => (await visitor.get('/api/me')).json()

  test('spec 1 external provider: an unknown, verified address becomes a user with the base role', async () => {
    const { provider, signIn, users, links, ...site } = await aSite()
    provider.people.nieuw = { email: 'Nieuw@Example.nl', email_verified: true, name: '  Nia \u202eNieuw ' }

    const { end, visitor } = await signIn('nieuw')

    expect(end.pathname).toBe('/user')
    expect(await users()).toEqual([{ email: 'nieuw@example.nl', name: 'Nia Nieuw', role_id: null }])
    expect(await meOf(visitor)).toMatchObject({ email: 'nieuw@example.nl', rights: [], role: { id: 1 } })
    const [link] = await links()
    expect(link).toMatchObject({ access_token: null, refresh_token: null, id_token: null })
    const audit = await site.db.selectFrom('audit').select(['action', 'actor_id', 'subject_name']).execute()
    const subject = { actor_id: null, subject_name: 'Nia Nieuw <nieuw@example.nl>' }
    expect(audit).toEqual([
      { action: 'user.created', ...subject },
      { action: 'user.provider_linked', ...subject },
    ])
    expect(provider.requestedPaths.find((url) => url.startsWith('/auth?'))).toMatch(/code_challenge_method=S256/)

    // The second sign-in finds the same user.
    await signIn('nieuw')
    expect(await users()).toHaveLength(1)
  })

  test('a verified address of an existing user is linked, and the user keeps name and role', async () => {
    const { provider, signIn, users, links, ...site } = await aSite()
    await aUser(site, staff.beheerder)
    provider.people.bente = { email: staff.beheerder.email, email_verified: true, name: 'Iemand Anders' }
    const { visitor } = await signIn('bente')
    expect(await meOf(visitor)).toMatchObject({ name: staff.beheerder.name, user_role: { id: 2 } })
    expect(await users()).toHaveLength(1)
    expect(await links()).toHaveLength(1)
    const { action } = await site.db
      .selectFrom('audit')
      .select('action')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(action).toBe('user.provider_linked')
    expect(
      (await site.db.selectFrom('user').select('last_signed_in_at').executeTakeFirst())?.last_signed_in_at,
    ).toMatch(/^\d{4}-/)
  })

  test('an unverified address is refused', async () => {
    const { provider, signIn, users, links, ...site } = await aSite()
    await aUser(site, staff.roya)
    for (const [which, address, verified] of [
      ['an unknown one', 'onbekend@example.nl', false],
      ['a known one', email, false],
      ['one that is called so in a text', email, 'false'],
      ['one without a claim about its verification', email, undefined],
    ] as const) {
      const who = which.replaceAll(' ', '-')
      provider.people[who] = {
        email: address,
        name: 'Mallory',
        ...(verified === undefined ? {} : { email_verified: verified }),
      }
      const { end, visitor } = await signIn(who)
      expect([which, end.pathname + end.search]).toEqual([which, '/login?melding=geweigerd'])
      expect(await (await visitor.get(end.pathname + end.search)).text()).toContain(refused)
      expect((await visitor.get('/api/me')).status).toBe(401)
    }
    expect(await users()).toHaveLength(1)
    expect(await links()).toEqual([])
  })

  test('a missing or invalid address is refused and changes nothing', async () => {
    const { provider, signIn, users } = await aSite()
    for (const [index, address] of [undefined, '', 'geen adres', 'a@b', `${'x'.repeat(300)}@example.nl`].entries()) {
      const who = `vreemd${index}`
      provider.people[who] = { ...(address === undefined ? {} : { email: address }), email_verified: true }
      const { end } = await signIn(who)
      expect([address, end.search]).toEqual([address, '?melding=geweigerd'])
    }
    expect(await users()).toEqual([])
  })

  test('a verified address that only looks like that of a user is refused', async () => {
    const { provider, signIn, links, ...site } = await aSite()
    await aUser(site, { ...staff.roya, email: 'roya1@example.nl' })
    for (const [index, address] of ['roya۱@example.nl', 'roya１@example.nl', '\u202aroya1@example.nl'].entries()) {
      const who = `mallory${index}`
      provider.people[who] = { email: address, email_verified: true }
      const { end, visitor } = await signIn(who)
      expect([address, end.search]).toEqual([address, '?melding=geweigerd'])
      expect((await visitor.get('/api/me')).status).toBe(401)
    }
    expect(await links()).toEqual([])
  })

  test('the same account number at another provider is another user', async () => {
    const { provider, signIn, ...site } = await aSite()
    await aUser(site, staff.beheerder)
    provider.people['1'] = { email: staff.beheerder.email, email_verified: true }
    await signIn('1')
    await site.stop()

    const next = await anIdentityProvider(origin, claimsIn)
    const moved = await aTestApp({ beside: site, settings: { baseUrl: origin, oidc: next.oidc } })
    next.people['1'] = { email: 'nieuw@example.nl', email_verified: true }
    const { visitor } = await signInAtProvider(moved, next, '1', { origin })
    expect(await meOf(visitor)).toMatchObject({ email: 'nieuw@example.nl', rights: [] })
    next.people['2'] = { email: staff.beheerder.email, email_verified: true }
    const bente = await signInAtProvider(moved, next, '2', { origin })
    expect(await meOf(bente.visitor)).toMatchObject({ name: staff.beheerder.name, user_role: { id: 2 } })
  })

  test('a blocked user cannot sign in, linked or not, and sees the same error as everyone', async () => {
    const { provider, signIn, links, ...site } = await aSite()
    await aUser(site, { ...staff.roya, blocked: true })
    provider.people.roya = { email, email_verified: true }
    expect((await signIn('roya')).end.search).toBe('?melding=geweigerd')
    expect(await links()).toEqual([])

    await site.db.updateTable('user').set({ blocked: 0 }).execute()
    expect((await signIn('roya')).end.pathname).toBe('/user')
    await site.db.updateTable('user').set({ blocked: 1 }).execute()
    const { end, visitor } = await signIn('roya')
    expect(end.search).toBe('?melding=geweigerd')
    expect((await visitor.get('/api/me')).status).toBe(401)
  })

  test('the second factor is asked for after the provider too, and then the target is opened', async () => {
    const { provider, signIn, ...site } = await aSite()
    const factor = await aSecondFactor(site, await aUser(site, staff.roya))
    provider.people.roya = { email, email_verified: true }
    const { end, visitor } = await signIn('roya', { from: '/login/oidc?redirect=/disclaimer' })
    expect(end.pathname + end.search).toBe('/login/code?redirect=%2Fdisclaimer')
    expect((await visitor.get('/api/me')).status).toBe(401)
    expect(await site.db.selectFrom('session').select('id').execute()).toEqual([])
    const done = await visitor.submitForm('/login/code', { code: factor.code(), redirect: '/disclaimer' })
    expect(done.headers.get('location')).toBe('/disclaimer')
    expect(await meOf(visitor)).toMatchObject({ email })
  })

  test('the target must be on this site, and an existing session is ended', async () => {
    const { provider, signIn, ...site } = await aSite()
    await aUser(site, staff.redacteur)
    const visitor = aVisitor(site)
    await visitor.post('/api/login', { identifier: staff.redacteur.email, password })
    const old = new Map(visitor.cookies)
    provider.people.nieuw = { email: 'nieuw@example.nl', email_verified: true }
    const { end } = await signIn('nieuw', { visitor, from: '/login/oidc?redirect=//evil.example' })
    expect(end.href).toBe(`${origin}/user`)
    expect(await meOf(visitor)).toMatchObject({ email: 'nieuw@example.nl' })
    const other = aVisitor(site)
    for (const [name, value] of old) other.cookies.set(name, value)
    expect((await other.get('/api/me')).status).toBe(401)
  })

  test('the provider must ask again who signs in while there is a session, and need not otherwise', async () => {
    const { provider, ...site } = await aSite()
    await aUser(site, staff.redacteur)
    const visitor = aVisitor(site)
    const prompt = async () => {
      const answer = await visitor.get('/login/oidc')
      const target = new URL(answer.headers.get('location') ?? '')
      expect(target.origin).toBe(provider.issuer)
      return target.searchParams.get('prompt')
    }
    expect(await prompt()).toBeNull()
    await visitor.post('/api/login', { identifier: staff.redacteur.email, password })
    expect(await prompt()).toBe('login')
  })

  test('a callback works once, and only in the browser that started it', async () => {
    const { provider, signIn, ...site } = await aSite()
    provider.people.nieuw = { email: 'nieuw@example.nl', email_verified: true }
    const { end, visitor } = await signIn('nieuw', { until: (url) => url.pathname === '/login/oidc/callback' })
    const callback = end.pathname + end.search

    const elsewhere = aVisitor(site)
    const stolen = await elsewhere.get(callback)
    expect(stolen.headers.get('location')).toBe('/login?melding=geweigerd')
    expect((await elsewhere.get('/api/me')).status).toBe(401)

    const cookies = new Map(visitor.cookies)
    const { end: end2, visitor: visitor2 } = await signIn('nieuw', {
      until: (url) => url.pathname === '/login/oidc/callback',
    })
    expect((await visitor2.get(end2.pathname + end2.search)).headers.get('location')).toBe('/user')
    const replay = aVisitor(site)
    for (const [name, value] of cookies) replay.cookies.set(name, value)
    expect((await replay.get(end2.pathname + end2.search)).headers.get('location')).toBe('/login?melding=geweigerd')
    const again = await visitor2.get(end2.pathname + end2.search)
    expect(again.headers.get('location')).toBe('/login?melding=geweigerd')
    expect(await site.db.selectFrom('session').select('id').execute()).toHaveLength(1)
  })

  test('the error text of a provider is not shown', async () => {
    const { signIn, provider, ...site } = await aSite()
    provider.people.nieuw = {}
    const visitor = aVisitor(site)
    const { end } = await signIn('nieuw', { visitor, until: (url) => url.origin !== origin })
    const state = end.searchParams.get('state') ?? ''
    const words = encodeURIComponent('<b>Bel 0900-1234</b>')
    const answer = await visitor.get(
      `/login/oidc/callback?error=access_denied&error_description=${words}&state=${state}`,
    )
    expect(answer.headers.get('location')).toBe('/login?melding=geweigerd')
    for (const query of ['', '?state=x', '?code=x', '?code=x&state=y', '?error=boom', '?iss=https://evil.example']) {
      const odd = await visitor.get(`/login/oidc/callback${query}`)
      expect(odd.headers.get('location')).toBe('/login?melding=geweigerd')
    }
    expect(await (await visitor.get(`/login?error=x&error_description=${words}`)).text()).not.toContain('0900-1234')
  })

  test('another site cannot start a sign-in', async () => {
    const { provider: _provider, ...site } = await aSite()
    const answer = await aVisitor(site).get('/login/oidc', { 'sec-fetch-site': 'cross-site' })
    expect(answer.headers.get('location')).toBe('/login')
    expect(await site.db.selectFrom('verification').select('id').execute()).toEqual([])
  })
})

test('password sign-in works while the provider is silent or down', async () => {
  const silent = await aSilentServer()
  const oidc = { issuer: silent, clientId: 'etalage', clientSecret: 'geheim', label: 'Inloggen met Stadskantoor' }
  const site = await aTestApp({ settings: { baseUrl: origin, oidc } })
  await aUser(site, staff.roya)
  expect(await (await site.request('/login')).text()).toContain('Inloggen met Stadskantoor')

  const waiting = aVisitor(site).get('/login/oidc')
  const roya = aVisitor(site)
  expect((await roya.post('/api/login', { identifier: email, password })).status).toBe(200)
  expect((await roya.get('/api/me')).status).toBe(200)
  const answer = await waiting
  expect(answer.headers.get('location')).toBe('/login?melding=stil')
  expect(await (await site.request('/login?melding=stil')).text()).toContain(
    'De inlogdienst reageert op dit moment niet.',
  )
})

test('a provider that was down works when it is back, and one with another issuer is refused', async () => {
  const provider = await anIdentityProvider(origin)
  const wrong = { ...provider.oidc, issuer: provider.issuer.replace('127.0.0.1', 'localhost') }
  const other = await aTestApp({ settings: { baseUrl: origin, oidc: wrong } })
  expect((await aVisitor(other).get('/login/oidc')).headers.get('location')).toBe('/login?melding=stil')

  const site = await aTestApp({ settings: { baseUrl: origin, oidc: provider.oidc } })
  await expect
    .poll(async () => (await aVisitor(site).get('/login/oidc')).headers.get('location'))
    .toMatch(new RegExp(`^${provider.issuer}/auth\\?`))
})

test('without a provider there is no button and no endpoint', async () => {
  const site = await aTestApp()
  expect(await (await site.request('/login')).text()).not.toContain('/login/oidc')
  for (const path of ['/login/oidc', '/login/oidc/callback?code=x&state=y']) {
    expect((await site.request(path)).status).toBe(404)
  }
})
