import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { rights } from '../../src/contract/rights.ts'
import { addAdministrator } from '../../src/domain/sign-in/administrators.ts'
import { databases } from '../support/databases.ts'
import { anIdentityProvider, signInAtProvider } from '../support/identity-provider.ts'
import { cookieHeaderOf } from '../support/session-cookies.ts'
import { as, aUser, json, password, staff, withCookie } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { emailsTo, linkInEmail } from '../support/written-emails.ts'

const { email } = staff.roya
const fresh = 'een-ander-geheim'
const signIn = (site: TestApp, secret = password) =>
  site.request('/api/login', json('POST', { identifier: email, password: secret }))

describe.each(databases)('on %s', (database) => {
  test.each(['by oneself', 'by a manager'])(
    'a concurrent sign-in does not survive a new password: changed %s',
    async (way) => {
      const site = await aTestApp({ database })
      const roya = await as(site, 'roya')
      const bente = await as(site, 'beheerder')
      const change = () =>
        way === 'by oneself'
          ? roya.put('/api/profile', {
              name: staff.roya.name,
              email,
              locale: 'nl',
              currentPassword: password,
              password: fresh,
            })
          : bente.put(`/api/users/${roya.id}`, { email, password: fresh })

      const under = Array.from({ length: 6 }, () => signIn(site))
      const [changed, ...answers] = await Promise.all([change(), ...under])

      expect(changed?.status).toBe(200)
      for (const answer of answers) {
        expect((await withCookie(site, cookieHeaderOf(answer)).get('/api/me')).status).toBe(401)
      }
      expect((await signIn(site, fresh)).status).toBe(200)
    },
  )

  test('an emailed link does not end a link that a manager shows; using one ends all', async () => {
    const site = await aTestApp({ database })
    const id = await aUser(site, staff.roya)
    const bente = await as(site, 'beheerder')
    const shown = (await (await bente.post(`/api/users/${id}/password-link`, { by: 'show' })).json()).url as string
    const path = new URL(shown).pathname + new URL(shown).search

    await site.request('/wachtwoord-vergeten', { method: 'POST', body: new URLSearchParams({ email }) })
    const mailed = linkInEmail((await emailsTo(site, email))[0])

    expect((await site.request(path)).status).toBe(200)
    const token = new URL(mailed, shown).searchParams.get('token') ?? ''
    const body = new URLSearchParams({ token, password: fresh, repeat: fresh })
    await site.request('/wachtwoord', { method: 'POST', body })
    expect((await signIn(site, fresh)).status).toBe(200)
    expect((await site.request(path)).status).toBe(404)
  })

  test('after too many wrong passwords, a new password by an emailed link signs in at once', async () => {
    const site = await aTestApp({ database })
    await aUser(site, staff.roya)
    for (let tries = 0; tries < limits.signInFailuresPerOrigin; tries++) await signIn(site, 'mistypt')
    expect((await signIn(site)).status).toBe(429)

    await site.request('/wachtwoord-vergeten', { method: 'POST', body: new URLSearchParams({ email }) })
    const link = new URL(linkInEmail((await emailsTo(site, email))[0]), 'http://site.invalid')
    const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '', password: fresh, repeat: fresh })
    await site.request('/wachtwoord', { method: 'POST', body })

    expect((await signIn(site, fresh)).status).toBe(200)
  })

  test('the last user with the right to manage roles keeps it, and an administrator of the command line has every right', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const without = (right: string) =>
      bente.put('/api/roles/2', { name: 'Beheerder', rights: rights.filter((one) => one !== right) })

    const refused = await without('roles.write')
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'last_manager'])
    expect((await without('audit.read')).status).toBe(200)

    const ctx = site.app.context()
    await addAdministrator(ctx, { email: 'nieuw@example.nl', name: 'Nieuw', hash: undefined })
    const { role_id } = await site.db
      .selectFrom('user')
      .select('role_id')
      .where('email', '=', 'nieuw@example.nl')
      .executeTakeFirstOrThrow()
    const held = await site.db
      .selectFrom('role_right')
      .select('right_name')
      .where('role_id', '=', role_id ?? 0)
      .execute()
    expect(held.map((one) => one.right_name).sort()).toEqual([...rights].sort())
  })

  test('a user who signed in through a wrong address is signed out when a manager corrects it', async () => {
    const origin = 'https://www.example.nl'
    const provider = await anIdentityProvider(origin)
    const site = await aTestApp({ database, settings: { baseUrl: origin, oidc: provider.oidc } })
    const id = await aUser(site, staff.roya)
    provider.people.vreemde = { email, email_verified: true, name: 'Vreemde' }
    await signInAtProvider(site, provider, 'vreemde', { origin })
    const bente = await as(site, 'beheerder')

    const corrected = await bente.put(`/api/users/${id}`, { email: 'roya.goed@example.nl', user_role: { set: [3] } })
    expect(corrected.status).toBe(200)
    const { visitor } = await signInAtProvider(site, provider, 'vreemde', { origin })

    const me = await (await visitor.get('/api/me')).json()
    expect(me.id).not.toBe(id)
    const row = await site.db
      .selectFrom('audit')
      .select('after')
      .where('action', '=', 'user.updated')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.after ?? '')).toMatchObject({ waysRemoved: 1 })
  })

  test('ids and bytes that a database cannot store are refused, with the field', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const large = 2_147_483_648
    for (const answer of [
      await bente.get(`/api/users?roleId=${large}`),
      await bente.get(`/api/users/export?roleId=${large}`),
      await bente.get(`/api/audit?actorId=${large}`),
      await bente.post('/api/users', { email: 'x@example.nl', user_role: { set: [large] } }),
      await bente.post('/api/users/block', { ids: [large] }),
      await bente.post('/api/users/role', { ids: [bente.id], roleId: large }),
      await bente.put(`/api/users/${bente.id}`, { email: staff.beheerder.email, user_role: { set: [large] } }),
    ]) {
      expect(answer.status).toBe(422)
      expect((await answer.json()).errors).not.toEqual([])
    }

    const options = await site.request('/api/login/passkey/options', { method: 'POST' })
    const passkey = {
      id: '\u0000',
      rawId: '\u0000',
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
      clientExtensionResults: {},
    }
    const answer = await site.request('/api/login/passkey', {
      method: 'POST',
      body: JSON.stringify(passkey),
      headers: { 'Content-Type': 'application/json', cookie: cookieHeaderOf(options) },
    })
    expect(answer.status).toBe(422)
  })
})

test('an anonymous body is read up to 128 KiB', async () => {
  const site = await aTestApp()
  const body = `{"identifier":"x","password":${'['.repeat(140_000)}`
  const headers = { 'Content-Type': 'application/json' }
  expect((await site.request('/api/login', { method: 'POST', body, headers })).status).toBe(413)
})
