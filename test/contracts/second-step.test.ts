import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { as, aUser, password, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { aSecondFactor, type SecondFactor } from '../support/two-factor.ts'
import { aVisitor, type Visitor } from '../support/visitor.ts'

const email = staff.roya.email

async function aSite(database: (typeof databases)[number]) {
  const site = await aTestApp({ database })
  const id = await aUser(site, staff.roya)
  const factor = await aSecondFactor(site, id)
  return { ...site, id, factor }
}

const begin = (visitor: Visitor) => visitor.post('/api/login', { identifier: email, password })
const isIn = async (visitor: Visitor) => (await visitor.get('/api/me')).status === 200
const persian = (digits: string) => digits.replace(/\d/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)))

describe.each(databases)('on %s', (database) => {
  test('a password alone does not sign in; a code of the app does, in any digits', async () => {
    const { factor, ...site } = await aSite(database)
    const visitor = aVisitor(site)
    expect(await (await begin(visitor)).json()).toEqual({ secondStep: true, target: '/login/code' })
    expect([...visitor.cookies.keys()]).toEqual(['etalage.two_factor'])
    expect(await isIn(visitor)).toBe(false)
    expect(await site.db.selectFrom('session').select('id').execute()).toEqual([])

    const code = factor.code()
    const [a, b] = [code.slice(0, 3), code.slice(3)]
    const answer = await visitor.post('/api/login/code', { code: ` ${persian(a)} ${persian(b)} ` })
    expect(await answer.json()).toEqual({ target: '/user' })
    expect(await isIn(visitor)).toBe(true)
  })

  test('the sign-in pages ask for the code too, and redirect to the target', async () => {
    const { factor, ...site } = await aSite(database)
    const visitor = aVisitor(site)
    const first = await visitor.submitForm('/fa/login', { identifier: email, password, redirect: '/disclaimer' })
    expect(first.headers.get('location')).toBe('/fa/login/code?redirect=%2Fdisclaimer')
    const page = await visitor.get('/fa/login/code?redirect=%2Fdisclaimer')
    expect(await page.text()).toContain('name="redirect" value="/disclaimer"')
    const wrong = await visitor.submitForm('/fa/login/code', { code: '000000', redirect: '/disclaimer' })
    expect(wrong.status).toBe(422)
    const done = await visitor.submitForm('/fa/login/code', { code: factor.code(), redirect: '/disclaimer' })
    expect(done.headers.get('location')).toBe('/disclaimer')
    expect(await isIn(visitor)).toBe(true)
    const elsewhere = aVisitor(site)
    await begin(elsewhere)
    const asked = await elsewhere.submitForm('/login/code', { code: factor.code(1), redirect: '//evil.example' })
    expect(asked.headers.get('location')).toBe('/user')
  })

  test('five wrong codes end the pending sign-in, and the page says to start again', async () => {
    const { factor, ...site } = await aSite(database)
    const visitor = aVisitor(site)
    await begin(visitor)
    for (let guess = 0; guess < 5; guess++) {
      expect((await visitor.post('/api/login/code', { code: `00000${guess}` })).status).toBe(422)
    }
    const late = await visitor.submitForm('/login/code', { code: factor.code() })
    expect(late.headers.get('location')).toBe('/login?melding=opnieuw')
    expect(await (await visitor.get('/login?melding=opnieuw')).text()).toContain('Log opnieuw in.')
    expect(await isIn(visitor)).toBe(false)
  })

  test('without a pending sign-in no code works', async () => {
    const { factor, ...site } = await aSite(database)
    const visitor = aVisitor(site)
    for (const code of [factor.code(), factor.recoveryCodes[0]]) {
      expect((await visitor.post('/api/login/code', { code })).status).toBe(401)
    }
    visitor.cookies.set('etalage.two_factor', 'verzonnen.handtekening')
    expect((await visitor.post('/api/login/code', { code: factor.code() })).status).toBe(401)
    expect(await isIn(visitor)).toBe(false)
  })

  test('a session of another user does not replace the second factor', async () => {
    const { factor, ...site } = await aSite(database)
    const rik = await as(site, 'redacteur')
    const rikFactor: SecondFactor = await aSecondFactor(site, rik.id)
    const mallory = aVisitor(site)
    await begin(mallory)
    for (const pair of rik.cookie.split('; ')) mallory.cookies.set(...(pair.split(/=(.*)/s) as [string, string]))
    // A code of Rik, in a session of Rik, with a pending sign-in of Roya.
    expect((await mallory.post('/api/login/code', { code: rikFactor.code() })).status).toBe(422)
    expect(await (await mallory.get('/api/me')).json()).toMatchObject({ email: staff.redacteur.email })
    expect((await mallory.post('/api/login/code', { code: factor.code() })).status).toBe(200)
    expect(await (await mallory.get('/api/me')).json()).toMatchObject({ email })
  })

  test('no extra field skips the second factor, and none is stored', async () => {
    const { factor, ...site } = await aSite(database)
    const extras = { trustDevice: true, disableSession: true, rememberMe: true, twoFactor: false, secondStep: false }
    const visitor = aVisitor(site)
    for (const [name, value] of Object.entries(extras)) {
      const answer = await visitor.post('/api/login', { identifier: email, password, [name]: value })
      expect({ name, status: answer.status }).toEqual({ name, status: 422 })
    }
    const form = Object.fromEntries(Object.entries(extras).map(([name, value]) => [name, String(value)]))
    const page = await visitor.submitForm('/login', { identifier: email, password, ...form })
    expect(page.headers.get('location')).toBe('/login/code')
    expect(await isIn(visitor)).toBe(false)

    for (const [name, value] of Object.entries(extras)) {
      const answer = await visitor.post('/api/login/code', { code: factor.code(), [name]: value })
      expect({ name, status: answer.status }).toEqual({ name, status: 422 })
    }
    await visitor.submitForm('/login/code', { code: factor.code(), trustDevice: 'true', disableSession: 'true' })
    expect(await isIn(visitor)).toBe(true)
    expect([...visitor.cookies.keys()].sort()).toEqual(['etalage.device', 'etalage.session_token'])
    await visitor.post('/api/logout')
    expect(await (await begin(visitor)).json()).toMatchObject({ secondStep: true })
  })

  test('a user who is blocked during the second step is refused', async () => {
    const { factor, ...site } = await aSite(database)
    const visitor = aVisitor(site)
    await begin(visitor)
    await site.db.updateTable('user').set({ blocked: 1 }).execute()
    expect((await visitor.post('/api/login/code', { code: factor.code() })).status).toBe(401)
    expect(await site.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test('an existing session ends after the password, before the second factor', async () => {
    const { factor, ...site } = await aSite(database)
    const rik = await as(site, 'redacteur')
    const visitor = aVisitor(site)
    for (const pair of rik.cookie.split('; ')) visitor.cookies.set(...(pair.split(/=(.*)/s) as [string, string]))
    await begin(visitor)
    expect((await rik.get('/api/me')).status).toBe(401)
    await visitor.post('/api/login/code', { code: factor.code() })
    expect(await (await visitor.get('/api/me')).json()).toMatchObject({ email })
  })
})
