import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readAuditLog } from '../support/audit-log.ts'
import { aBrowser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import {
  addAuthenticator,
  addPasskey,
  callApi,
  createPasskey,
  openBlankPage,
  serveOnLocalhost,
  signInWithPasskey,
  signWithPasskey,
} from '../support/passkeys.ts'
import { as, expireConfirmations, json, password, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { turnOnTwoFactor } from '../support/two-factor.ts'
import { emailsTo } from '../support/written-emails.ts'

const browser = aBrowser()
const { email } = staff.roya

describe.each(databases)('on %s', (database) => {
  /** Roya, signed in, in a browser with an authenticator. */
  async function royaAtHome(authenticatorLike: 'telephone' | 'plain key' = 'telephone') {
    // The browser logs a failed load for each response above 399.
    allowErrors(/Failed to load resource/)
    const site = await aTestApp({ database })
    const elsewhere = await as(site, 'roya')
    const page = await browser.visitor(await serveOnLocalhost(site))
    await openBlankPage(page)
    const authenticator = await addAuthenticator(page, authenticatorLike)
    const signIn = () => callApi(page, 'POST', '/api/login', { identifier: email, password })
    await signIn()
    return { site, page, authenticator, elsewhere, signIn }
  }

  /**
   * From now on the disk is full for one kind of change of a passkey: a keyword of the statement, which cannot be a parameter.
   * @returns ends it
   */
  async function refuseWrites({ db }: TestApp, kind: 'insert' | 'update'): Promise<() => Promise<unknown>> {
    if (database === 'postgres') {
      await sql`create or replace function refuse() returns trigger language plpgsql
        as 'begin raise exception ''no room'' using errcode = ''disk_full''; end'`.execute(db)
      await sql`create trigger refused before ${sql.raw(kind)} on passkey execute function refuse()`.execute(db)
      return () => sql`drop trigger refused on passkey`.execute(db)
    }
    await sql`create table if not exists large (content)`.execute(db)
    await sql`create trigger refused before ${sql.raw(kind)} on passkey
      begin insert into large values (zeroblob(100000000)); end`.execute(db)
    await sql`pragma max_page_count = 10000`.execute(db)
    return () => sql`drop trigger refused`.execute(db)
  }

  test('a passkey is added, renamed, used to sign in, and removed', async () => {
    const { site, page, signIn } = await royaAtHome()

    const added = await addPasskey(page, 'Telefoon van Roya')
    expect(added).toEqual({
      status: 201,
      body: { id: expect.any(Number), name: 'Telefoon van Roya', createdAt: expect.any(String) },
    })
    const at = `/api/profile/passkeys/${added.body.id}`
    const renamed = await callApi(page, 'PATCH', at, { name: 'تلفن رویا' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'تلفن رویا' } })
    const { body: profile } = await callApi(page, 'GET', '/api/profile')
    expect(profile.passkeys).toEqual([renamed.body])
    expect(JSON.stringify(profile)).not.toMatch(/publicKey|credential|counter/i)

    await callApi(page, 'POST', '/api/logout')
    expect((await callApi(page, 'GET', '/api/me')).status).toBe(401)
    expect(await signInWithPasskey(page)).toEqual({ status: 200, body: { target: '/user' } })
    expect((await callApi(page, 'GET', '/api/me')).body).toMatchObject({ email })

    expect((await callApi(page, 'DELETE', at)).status).toBe(204)
    await callApi(page, 'POST', '/api/logout')
    expect(await signInWithPasskey(page)).toMatchObject({ status: 401, body: { code: 'wrong_login' } })
    await signIn()
    expect((await callApi(page, 'GET', '/api/profile')).body.passkeys).toEqual([])

    expect((await readAuditLog(site)).actions).toEqual([
      'profile.passkey_added',
      'profile.passkey_renamed',
      'profile.passkey_removed',
    ])
    expect((await emailsTo(site, email, 2)).map(({ subject }) => subject)).toEqual([
      'Er is een passkey toegevoegd | Maaslicht',
      'Er is een passkey verwijderd | Maaslicht',
    ])
  })

  test('a passkey without user verification is not added', async () => {
    const { site, page } = await royaAtHome('plain key')

    const { body: options } = await callApi(page, 'POST', '/api/profile/passkeys/options')
    expect(options.authenticatorSelection).toMatchObject({ userVerification: 'required', residentKey: 'required' })
    const response = await createPasskey(page, {
      ...options,
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    })

    expect(await callApi(page, 'POST', '/api/profile/passkeys', { name: 'Sleutel', response })).toMatchObject({
      status: 422,
      body: {
        errors: [{ path: 'response', message: 'Deze passkey is niet aangenomen. Probeer het opnieuw.' }],
      },
    })
    expect(await site.db.selectFrom('passkey').select('id').execute()).toEqual([])
    expect((await readAuditLog(site)).actions).toEqual([])
  })

  test('an authenticator response cannot be replayed, and one that did not verify the user is refused', async () => {
    const { page, authenticator } = await royaAtHome()
    await addPasskey(page, 'Sleutel')
    await callApi(page, 'POST', '/api/logout')
    const { body: options } = await callApi(page, 'POST', '/api/login/passkey/options')
    const response = await signWithPasskey(page, options)

    expect((await callApi(page, 'POST', '/api/login/passkey', { response })).status).toBe(200)
    await callApi(page, 'POST', '/api/logout')
    expect((await callApi(page, 'POST', '/api/login/passkey', { response })).status).toBe(401)
    await callApi(page, 'POST', '/api/login/passkey/options')
    expect((await callApi(page, 'POST', '/api/login/passkey', { response })).status).toBe(401)

    await authenticator.stopVerifyingUser()
    const stolen = await signInWithPasskey(page, (asked) => {
      expect(asked.userVerification).toBe('required')
      return { ...asked, userVerification: 'discouraged' }
    })
    expect(stolen).toMatchObject({ status: 401, body: { code: 'wrong_login' } })
    expect((await callApi(page, 'GET', '/api/me')).status).toBe(401)
  })

  test('a passkey counts as both factors: no code is asked for; and it does not sign in a blocked user', async () => {
    const { site, page, elsewhere } = await royaAtHome()
    await addPasskey(page, 'Sleutel')
    await turnOnTwoFactor(elsewhere)

    expect((await callApi(page, 'GET', '/api/me')).status).toBe(401)
    expect((await signInWithPasskey(page)).status).toBe(200)
    expect((await callApi(page, 'GET', '/api/me')).body).toMatchObject({ email })

    await callApi(page, 'POST', '/api/logout')
    await site.db.updateTable('user').set({ blocked: 1 }).execute()
    expect(await signInWithPasskey(page)).toMatchObject({ status: 401, body: { code: 'wrong_login' } })
    expect((await callApi(page, 'GET', '/api/me')).status).toBe(401)
  })

  test('a database failure during the verification of a passkey is not reported as a wrong passkey', async () => {
    allowErrors(/a request failed/)
    const { site, page } = await royaAtHome()
    const { body: mine } = await addPasskey(page, 'Telefoon')
    const unavailable = { status: 503, body: { code: 'unavailable' } }

    let repair = await refuseWrites(site, 'update')
    expect(await signInWithPasskey(page)).toMatchObject(unavailable)
    await repair()
    expect((await signInWithPasskey(page)).status).toBe(200)

    await callApi(page, 'DELETE', `/api/profile/passkeys/${mine.id}`)
    repair = await refuseWrites(site, 'insert')
    expect(await addPasskey(page, 'Telefoon')).toMatchObject(unavailable)
    await repair()
    expect((await addPasskey(page, 'Telefoon')).status).toBe(201)
  })

  test('passkeys of other users give 404, and a malformed authenticator response is refused', async () => {
    const { site, page } = await royaAtHome()
    const { body: mine } = await addPasskey(page, 'Sleutel')
    const bente = await as(site, 'beheerder')

    for (const path of [`/api/profile/passkeys/${mine.id}`, '/api/profile/passkeys/999999']) {
      expect((await bente.delete(path)).status).toBe(404)
      const patch = { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Van Bente"}' }
      expect((await bente.request(path, patch)).status).toBe(404)
    }
    expect((await callApi(page, 'GET', '/api/profile')).body.passkeys).toEqual([mine])

    // The response of the browser of one user, sent by another.
    const { body: options } = await callApi(page, 'POST', '/api/profile/passkeys/options')
    const response = await createPasskey(page, { ...options, excludeCredentials: [] })
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

  test('each change needs the password after a sign-in more than ten minutes ago', async () => {
    const { site, page } = await royaAtHome()
    const { body: mine } = await addPasskey(page, 'Sleutel')
    const { body: options } = await callApi(page, 'POST', '/api/profile/passkeys/options')
    const response = await createPasskey(page, { ...options, excludeCredentials: [] })
    await expireConfirmations(site)

    const answers = [
      await callApi(page, 'POST', '/api/profile/passkeys/options'),
      await callApi(page, 'POST', '/api/profile/passkeys', { name: 'Tweede', response }),
      await callApi(page, 'PATCH', `/api/profile/passkeys/${mine.id}`, { name: 'Anders' }),
      await callApi(page, 'DELETE', `/api/profile/passkeys/${mine.id}`),
    ]

    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 'password_needed' } })
    expect((await callApi(page, 'GET', '/api/profile')).body.passkeys).toEqual([mine])
  })
})
