import { describe, expect, test } from 'vitest'
import { turnOffTwoFactorByEmail } from '../../src/domain/profile/turn-off-user-two-factor.ts'
import { readAuditLog } from '../support/audit-log.ts'
import { databases } from '../support/databases.ts'
import { cookieHeaderOf } from '../support/session-cookies.ts'
import { as, expireConfirmations, json, password, signInWithPassword, staff, withCookie } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anAuthenticatorApp, turnOnTwoFactor } from '../support/two-factor.ts'
import { emailsTo } from '../support/written-emails.ts'

const { email } = staff.roya

/** Signs in with the password alone. */
const halfIn = async (site: TestApp) => {
  const answer = await site.request('/api/login', json('POST', { identifier: email, password }))
  return { answer, browser: await signInWithPassword(site, email) }
}
const off = (body: unknown = { password }) => json('DELETE', body)

describe.each(databases)('on %s', (database) => {
  test('an app is set up, its code turns the second factor on, and recovery codes are shown once', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const phone = await as(site, 'roya')

    const started = await (await laptop.post('/api/profile/two-factor')).json()
    expect(new URL(started.uri)).toMatchObject({ protocol: 'otpauth:', host: 'totp' })
    expect(decodeURIComponent(new URL(started.uri).pathname)).toBe(`/Maaslicht:${email}`)
    expect(new URL(started.uri).searchParams.get('secret')).toBe(started.secret)
    expect(started.qr).toMatch(/^<svg /)
    expect(await (await laptop.get('/api/profile')).json()).toMatchObject({ twoFactor: false })
    // Until the first code is confirmed, sign-in asks for no code.
    await signInWithPassword(site, email)

    const app = anAuthenticatorApp(started.secret)
    const wrong = await laptop.post('/api/profile/two-factor/verify', {
      code: app.code() === '000000' ? '000001' : '000000',
    })
    expect((await wrong.json()).errors).toEqual([{ path: 'code', message: 'Deze code is niet juist.' }])
    // As people type it: in groups, and in their own digits.
    const typed = app.code().replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '')
    const on = await laptop.post('/api/profile/two-factor/verify', { code: `${typed.slice(0, 3)} ${typed.slice(3)}` })

    expect(on.status).toBe(200)
    const { recoveryCodes } = await on.json()
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(recoveryCodes[0]).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    expect(await (await laptop.get('/api/profile')).json()).toMatchObject({ twoFactor: true })
    expect((await phone.get('/api/me')).status).toBe(401)
    expect((await emailsTo(site, email))[0]?.subject).toBe('Inloggen in twee stappen staat aan | Maaslicht')
    const { actions, whole } = await readAuditLog(site)
    expect(actions).toEqual(['profile.two_factor_on'])
    const kept = JSON.stringify(await site.db.selectFrom('two_factor').selectAll().execute())
    for (const text of [whole, kept, JSON.stringify(site.lines)]) {
      expect(text).not.toContain(started.secret)
      expect(text).not.toContain(recoveryCodes[0])
    }
  })

  test('a code works once', async () => {
    const site = await aTestApp({ database })
    const { app, used } = await turnOnTwoFactor(await as(site, 'roya'))
    const fresh = app.code(1)

    const first = (await halfIn(site)).browser
    expect((await first.post('/api/login/code', { code: used })).status).toBe(422)
    const answer = await first.post('/api/login/code', { code: fresh })
    expect(answer.status).toBe(200)
    expect((await withCookie(site, cookieHeaderOf(answer)).get('/api/me')).status).toBe(200)

    const second = (await halfIn(site)).browser
    expect((await second.post('/api/login/code', { code: fresh })).status).toBe(422)
  })

  test('a recovery code works once, also when it is sent eight times at once', async () => {
    const site = await aTestApp({ database })
    const { recoveryCodes } = await turnOnTwoFactor(await as(site, 'roya'))
    const code = recoveryCodes[0]
    const { browser } = await halfIn(site)

    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.post('/api/login/code', { code })))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const again = (await halfIn(site)).browser
    const refused = await again.post('/api/login/code', { code })
    expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'code' }] }])
    const done = await again.post('/api/login/code', { code: recoveryCodes[1] })
    expect(done.status).toBe(200)
    expect((await withCookie(site, cookieHeaderOf(done)).get('/api/me')).status).toBe(200)
  })

  test('new recovery codes replace the old ones', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const { recoveryCodes: old } = await turnOnTwoFactor(laptop)

    const answer = await laptop.post('/api/profile/two-factor/recovery-codes')
    expect(answer.status).toBe(200)
    const { recoveryCodes } = await answer.json()

    const { browser } = await halfIn(site)
    expect((await browser.post('/api/login/code', { code: old[3] })).status).toBe(422)
    expect((await browser.post('/api/login/code', { code: recoveryCodes[3].toUpperCase() })).status).toBe(200)
    expect((await readAuditLog(site)).actions.at(-1)).toBe('profile.recovery_codes_renewed')
  })

  test('the second factor is turned off with the password, and then the password is sufficient', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    await turnOnTwoFactor(laptop)
    const path = '/api/profile/two-factor'

    expect((await (await laptop.request(path, off({}))).json()).errors).toEqual([
      { path: 'password', message: 'Dit is een verplicht veld!' },
    ])
    expect((await (await laptop.request(path, off({ password: 'geheim-124' }))).json()).errors).toEqual([
      { path: 'password', message: 'Dit wachtwoord is niet juist.' },
    ])
    expect((await laptop.request(path, off())).status).toBe(204)

    const again = await signInWithPassword(site, email)
    expect((await again.get('/api/me')).status).toBe(200)
    expect(await site.db.selectFrom('two_factor').select('id').execute()).toEqual([])
    expect((await readAuditLog(site)).actions).toEqual(['profile.two_factor_on', 'profile.two_factor_off'])
    expect((await emailsTo(site, email, 2)).map(({ subject }) => subject)).toContain(
      'Inloggen in twee stappen staat uit | Maaslicht',
    )
    expect(await (await laptop.request(path, off())).json()).toMatchObject({ status: 409 })
  })

  test('each change of the second factor needs the password after a sign-in more than ten minutes ago', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    await expireConfirmations(site)

    const answers = [
      await laptop.post('/api/profile/two-factor'),
      await laptop.post('/api/profile/two-factor/verify', { code: '123456' }),
      await laptop.post('/api/profile/two-factor/recovery-codes'),
      await laptop.request('/api/profile/two-factor', off()),
    ]

    for (const answer of answers) expect(await answer.json()).toMatchObject({ status: 403, code: 'password_needed' })
    expect(await site.db.selectFrom('two_factor').select('id').execute()).toEqual([])
  })

  test('the second factor cannot be set up again while it is on, nor turned on before it was set up', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    expect((await laptop.post('/api/profile/two-factor/verify', { code: '123456' })).status).toBe(409)
    expect((await laptop.post('/api/profile/two-factor/recovery-codes')).status).toBe(409)

    const { app } = await turnOnTwoFactor(laptop)

    expect((await laptop.post('/api/profile/two-factor')).status).toBe(409)
    expect((await laptop.post('/api/profile/two-factor/verify', { code: app.code(1) })).status).toBe(409)
    const { browser } = await halfIn(site)
    expect((await browser.post('/api/login/code', { code: app.code(1) })).status).toBe(200)
  })

  test('when two requests turn the second factor on at once, one of them gets recovery codes, and those work', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const { secret } = await (await laptop.post('/api/profile/two-factor')).json()
    const { code } = anAuthenticatorApp(secret)

    const answers = await Promise.all(
      [code(), code(1), code()].map((one) => laptop.post('/api/profile/two-factor/verify', { code: one })),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { browser } = await halfIn(site)
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    const { recoveryCodes } = bodies.find((one) => 'recoveryCodes' in one)
    expect((await browser.post('/api/login/code', { code: recoveryCodes[0] })).status).toBe(200)
  })

  test('a sign-in cannot turn on an app whose set-up was not finished', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const { secret } = await (await laptop.post('/api/profile/two-factor')).json()

    const answer = await laptop.post('/api/login/code', { code: anAuthenticatorApp(secret).code() })

    expect(answer.status).toBe(401)
    expect(await (await laptop.get('/api/profile')).json()).toMatchObject({ twoFactor: false })
  })

  test('an administrator turns off the second factor of a user who lost app and codes; this is logged, needs the password, and not for oneself', async () => {
    const site = await aTestApp({ database })
    const roya = await as(site, 'roya')
    await turnOnTwoFactor(roya)
    const bente = await as(site, 'beheerder')
    const remove = (id: number) => bente.request(`/api/users/${id}/two-factor`, { method: 'DELETE' })

    await expireConfirmations(site)
    expect((await (await remove(roya.id)).json()).code).toBe('password_needed')
    await bente.post('/api/confirm', { password })
    expect((await remove(roya.id)).status).toBe(204)
    expect((await (await remove(roya.id)).json()).code).toBe('stale')

    const { browser } = await halfIn(site)
    expect(await (await browser.get('/api/me')).json()).toMatchObject({ email })
    const emails = await emailsTo(site, email, 2)
    expect(emails.map(({ subject }) => subject)).toContain('Inloggen in twee stappen staat uit | Maaslicht')
    expect((await readAuditLog(site)).actions.at(-1)).toBe('user.two_factor_off')

    await turnOnTwoFactor(bente)
    expect((await (await remove(bente.id)).json()).code).toBe('own_account')
    const rik = await as(site, 'redacteur')
    expect((await rik.request(`/api/users/${roya.id}/two-factor`, { method: 'DELETE' })).status).toBe(403)
  })

  test('the operator turns the second factor off without an email, and it is logged', async () => {
    const site = await aTestApp({ database })
    await turnOnTwoFactor(await as(site, 'roya'))

    expect(await turnOffTwoFactorByEmail(site.app.context(), email)).toBe(true)
    expect(await turnOffTwoFactorByEmail(site.app.context(), email)).toBe(false)
    expect(await turnOffTwoFactorByEmail(site.app.context(), 'niemand@example.nl')).toBe(false)

    expect((await halfIn(site)).answer.status).toBe(200)
    const row = await site.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    expect(row).toMatchObject({ action: 'user.two_factor_off', actor_id: null, after: '{"twoFactor":false}' })
  })

  test('a user without a password turns the second factor on and off right after a sign-in', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    await site.db.deleteFrom('account').execute()

    await turnOnTwoFactor(laptop)

    expect((await laptop.request('/api/profile/two-factor', off({}))).status).toBe(204)
  })
})
