import { describe, expect, test } from 'vitest'
import { aBrowser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { allowErrors } from '../support/logged.ts'
import { addKey, blankPage, call, keyIn, makeKey, served, touchKey, withAuthenticator } from '../support/passkeys.ts'
import { audited, lettersTo, timePasses } from '../support/profile.ts'
import { as, json, password, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { turnOnTwoFactor } from '../support/two-factor.ts'

const browser = aBrowser()
const { email } = staff.roya

describe.each(databases)('on %s', (database) => {
  /** Roya in a browser with an authenticator, signed in. */
  async function royaAtHome(authenticatorLike: 'telephone' | 'plain key' = 'telephone') {
    // The browser says of every answer above 399 that it failed to load.
    allowErrors(/Failed to load resource/)
    const site = await aTestApp({ database })
    const elsewhere = await as(site, 'roya')
    const page = await browser.visitor(await served(site))
    await blankPage(page)
    const authenticator = await withAuthenticator(page, authenticatorLike)
    const signIn = () => call(page, 'POST', '/api/login', { identifier: email, password })
    await signIn()
    return { site, page, authenticator, elsewhere, signIn }
  }

  test('a passkey is added, renamed, used to sign in, and removed', async () => {
    const { site, page, signIn } = await royaAtHome()

    const added = await addKey(page, 'Telefoon van Roya')
    expect(added).toEqual({
      status: 201,
      body: { id: expect.any(Number), name: 'Telefoon van Roya', createdAt: expect.any(String) },
    })
    const at = `/api/profile/passkeys/${added.body.id}`
    const renamed = await call(page, 'PATCH', at, { name: 'تلفن رویا' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'تلفن رویا' } })
    const { body: profile } = await call(page, 'GET', '/api/profile')
    expect(profile.passkeys).toEqual([renamed.body])
    expect(JSON.stringify(profile)).not.toMatch(/publicKey|credential|counter/i)

    await call(page, 'POST', '/api/logout')
    expect((await call(page, 'GET', '/api/me')).status).toBe(401)
    expect(await keyIn(page)).toEqual({ status: 200, body: { target: '/user' } })
    expect((await call(page, 'GET', '/api/me')).body).toMatchObject({ email })

    expect((await call(page, 'DELETE', at)).status).toBe(204)
    await call(page, 'POST', '/api/logout')
    expect(await keyIn(page)).toMatchObject({ status: 401, body: { code: 'wrong_login' } })
    await signIn()
    expect((await call(page, 'GET', '/api/profile')).body.passkeys).toEqual([])

    expect((await audited(site)).actions).toEqual([
      'profile.passkey_added',
      'profile.passkey_renamed',
      'profile.passkey_removed',
    ])
    expect((await lettersTo(site, email, 2)).map(({ subject }) => subject)).toEqual([
      'Er is een passkey toegevoegd | Maaslicht',
      'Er is een passkey verwijderd | Maaslicht',
    ])
  })

  test('a key that does not verify the person is not added', async () => {
    const { site, page } = await royaAtHome('plain key')

    const { body: options } = await call(page, 'POST', '/api/profile/passkeys/options')
    expect(options.authenticatorSelection).toMatchObject({ userVerification: 'required', residentKey: 'required' })
    const response = await makeKey(page, {
      ...options,
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    })

    expect(await call(page, 'POST', '/api/profile/passkeys', { name: 'Sleutel', response })).toMatchObject({
      status: 422,
      body: {
        errors: [{ path: 'response', message: 'Deze passkey is niet aangenomen. Probeer het opnieuw.' }],
      },
    })
    expect(await site.db.selectFrom('passkey').select('id').execute()).toEqual([])
    expect((await audited(site)).actions).toEqual([])
  })

  test('a stolen key, which did not verify the person, opens nothing', async () => {
    const { page, authenticator } = await royaAtHome()
    await addKey(page, 'Sleutel')
    await call(page, 'POST', '/api/logout')
    await authenticator.unverified()

    const stolen = await keyIn(page, (asked) => {
      expect(asked.userVerification).toBe('required')
      return { ...asked, userVerification: 'discouraged' }
    })

    expect(stolen).toMatchObject({ status: 401, body: { code: 'wrong_login' } })
    expect((await call(page, 'GET', '/api/me')).status).toBe(401)
  })

  test('what a browser answered once opens nothing again', async () => {
    const { page } = await royaAtHome()
    await addKey(page, 'Sleutel')
    await call(page, 'POST', '/api/logout')
    const { body: options } = await call(page, 'POST', '/api/login/passkey/options')
    const response = await touchKey(page, options)

    expect((await call(page, 'POST', '/api/login/passkey', { response })).status).toBe(200)
    await call(page, 'POST', '/api/logout')
    expect((await call(page, 'POST', '/api/login/passkey', { response })).status).toBe(401)
    await call(page, 'POST', '/api/login/passkey/options')
    expect((await call(page, 'POST', '/api/login/passkey', { response })).status).toBe(401)
  })

  test('a passkey is both factors: no code is asked for', async () => {
    const { page, elsewhere } = await royaAtHome()
    await addKey(page, 'Sleutel')
    await turnOnTwoFactor(elsewhere)

    expect((await call(page, 'GET', '/api/me')).status).toBe(401)
    expect((await keyIn(page)).status).toBe(200)
    expect((await call(page, 'GET', '/api/me')).body).toMatchObject({ email })
  })

  test('a blocked person does not come in with a passkey either', async () => {
    const { site, page } = await royaAtHome()
    await addKey(page, 'Sleutel')
    await call(page, 'POST', '/api/logout')
    await site.db.updateTable('user').set({ blocked: 1 }).execute()

    expect(await keyIn(page)).toMatchObject({ status: 401, body: { code: 'wrong_login' } })
    expect((await call(page, 'GET', '/api/me')).status).toBe(401)
  })

  test('passkeys of others look absent, and what is not an answer is refused', async () => {
    const { site, page } = await royaAtHome()
    const { body: mine } = await addKey(page, 'Sleutel')
    const bente = await as(site, 'beheerder')

    for (const path of [`/api/profile/passkeys/${mine.id}`, '/api/profile/passkeys/999999']) {
      expect((await bente.delete(path)).status).toBe(404)
      const patch = { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Van Bente"}' }
      expect((await bente.request(path, patch)).status).toBe(404)
    }
    expect((await call(page, 'GET', '/api/profile')).body.passkeys).toEqual([mine])

    // The answer of one person's browser, brought by another.
    const { body: options } = await call(page, 'POST', '/api/profile/passkeys/options')
    const response = await makeKey(page, { ...options, excludeCredentials: [] })
    expect((await bente.post('/api/profile/passkeys', { name: 'Van Bente', response })).status).toBe(422)
    for (const wrong of [undefined, {}, { id: 'x', rawId: 'x', type: 'public-key', response: {} }]) {
      expect((await bente.post('/api/profile/passkeys', { name: 'Niets', response: wrong })).status).toBe(422)
      expect((await bente.post('/api/login/passkey', { response: wrong })).status).toBe(422)
    }
    const empty = { id: 'AA', rawId: 'AA', type: 'public-key' }
    const nonsense = { ...empty, response: { clientDataJSON: 'AA', attestationObject: 'AA' } }
    await bente.post('/api/profile/passkeys/options')
    expect((await bente.post('/api/profile/passkeys', { name: 'Niets', response: nonsense })).status).toBe(422)
    const unsigned = { ...empty, response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' } }
    expect((await site.request('/api/login/passkey', json('POST', { response: unsigned }))).status).toBe(401)
    expect(await site.db.selectFrom('passkey').select('id').execute()).toHaveLength(1)
  })

  test('each change asks for the password when it was given longer than ten minutes ago', async () => {
    const { site, page } = await royaAtHome()
    const { body: mine } = await addKey(page, 'Sleutel')
    const { body: options } = await call(page, 'POST', '/api/profile/passkeys/options')
    const response = await makeKey(page, { ...options, excludeCredentials: [] })
    await timePasses(site)

    const answers = [
      await call(page, 'POST', '/api/profile/passkeys/options'),
      await call(page, 'POST', '/api/profile/passkeys', { name: 'Tweede', response }),
      await call(page, 'PATCH', `/api/profile/passkeys/${mine.id}`, { name: 'Anders' }),
      await call(page, 'DELETE', `/api/profile/passkeys/${mine.id}`),
    ]

    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 'password_needed' } })
    expect((await call(page, 'GET', '/api/profile')).body.passkeys).toEqual([mine])
  })
})
