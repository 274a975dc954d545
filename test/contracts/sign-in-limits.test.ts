import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { defaultRetention } from '../../src/contract/retention.ts'
import { purge } from '../../src/jobs/purge.ts'
import { databases } from '../support/databases.ts'
import { aUser, password, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aVisitor, type Visitor } from '../support/visitor.ts'

const minutes = 60_000
const email = staff.roya.email
const home = '203.0.113.7'

/** A site behind one proxy, whose clock stands still until it is moved: waits of seconds must not end by themselves. */
async function aSite(database: (typeof databases)[number]) {
  let at = Date.now()
  const site = await aTestApp({
    database,
    settings: { trustProxy: 1 },
    now: () => new Date(at),
  })
  await aUser(site, staff.roya)
  return {
    ...site,
    pass(ms: number) {
      at += ms
    },
  }
}

const wrong = (visitor: Visitor, identifier: string = email) =>
  visitor.post('/api/login', { identifier, password: 'geraden' })
const right = (visitor: Visitor) => visitor.post('/api/login', { identifier: email, password })

/** Guesses from a new address each time, like a botnet. */
async function attack(site: TestApp, count: number, identifier: string = email): Promise<number[]> {
  const statuses: number[] = []
  for (let guess = 0; guess < count; guess++) {
    statuses.push((await wrong(aVisitor(site, `198.51.100.${guess}`), identifier)).status)
  }
  return statuses
}

describe.each(databases)('on %s', (database) => {
  test('one address may guess ten times at one username, and then waits until the window ends', async () => {
    const site = await aSite(database)
    const mallory = aVisitor(site, '198.51.100.1')
    for (let guess = 0; guess < limits.signInFailuresPerOrigin; guess++) {
      expect((await wrong(mallory)).status).toBe(401)
    }
    const refused = await right(mallory)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(14 * 60)
    expect(seconds).toBeLessThanOrEqual(15 * 60)
    expect(await refused.json()).toMatchObject({ code: 'too_many' })

    site.pass(seconds * 1_000)
    expect((await right(mallory)).status).toBe(200)
  })

  test('guesses while the clock was ahead lock nobody out after it was set back', async () => {
    const site = await aSite(database)
    const mallory = aVisitor(site, '198.51.100.1')
    site.pass(2 * 24 * 60 * minutes)
    await attack(site, limits.signInFreeFailures + 1)
    for (let guess = 0; guess < limits.signInFailuresPerOrigin; guess++) await wrong(mallory, 'daan@example.nl')
    site.pass(-2 * 24 * 60 * minutes)
    expect((await right(aVisitor(site, home))).status).toBe(200)
    expect((await wrong(mallory, 'daan@example.nl')).status).toBe(401)
  })

  test('an unknown username is limited in the same way', async () => {
    const site = await aSite(database)
    const mallory = aVisitor(site, '198.51.100.1')
    const statuses = async (identifier: string) => {
      const found: number[] = []
      for (let guess = 0; guess <= limits.signInFailuresPerOrigin; guess++) {
        found.push((await wrong(mallory, identifier)).status)
      }
      return found
    }
    expect(await statuses('niemand@example.nl')).toEqual(await statuses(email))
    const spread = await attack(site, 22, 'ook-niemand@example.nl')
    expect(spread).toEqual([...Array(20).fill(401), 429, 429])
  })

  test('guesses are counted by the normalised username: no other spelling and no extra field gives more guesses', async () => {
    const site = await aSite(database)
    const mallory = aVisitor(site, '198.51.100.1')
    const writings = [email, email.toUpperCase(), `  ${email} `, `\u2068${email}\u2069`, `${email}\t`]
    for (let guess = 0; guess < limits.signInFailuresPerOrigin; guess++) {
      expect((await wrong(mallory, writings[guess % writings.length])).status).toBe(401)
    }
    for (const identifier of writings) expect((await wrong(mallory, identifier)).status).toBe(429)
    const extra = await mallory.post('/api/login', { identifier: email, password, email: 'x@example.nl', key: 'x' })
    expect(extra.status).toBe(422)
    const form = { identifier: email, password, email: 'ander@example.nl', username: 'ander' }
    expect((await mallory.submitForm('/login', form)).status).toBe(429)
    // Nor does an address in a header that the client sends.
    const refusal = await mallory.post(
      '/api/login',
      { identifier: email, password },
      { 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.2', 'x-etalage-address': '192.0.2.3' },
    )
    expect(refusal.status).toBe(429)
  })

  test('one address may fail a hundred times in all, for any username; an IPv6 network counts as one', async () => {
    const site = await aSite(database)
    for (let guess = 0; guess < limits.signInFailuresPerAddress; guess++) {
      const visitor = aVisitor(site, `2001:db8:1:2::${(guess + 1).toString(16)}`)
      expect((await visitor.post('/api/login/code', { code: '123456' })).status).toBe(401)
    }
    expect((await wrong(aVisitor(site, '2001:db8:1:2::ffff'), 'vers@example.nl')).status).toBe(429)
    expect((await wrong(aVisitor(site, '2001:db8:1:3::1'), 'vers@example.nl')).status).toBe(401)
  })

  test('guesses from many addresses wait longer and longer', async () => {
    const site = await aSite(database)
    expect(await attack(site, limits.signInFreeFailures)).toEqual(Array(limits.signInFreeFailures).fill(401))
    const waits: number[] = []
    for (let round = 0; round < 11; round++) {
      const refused = await wrong(aVisitor(site, `192.0.2.${round}`))
      expect(refused.status).toBe(429)
      const seconds = Number(refused.headers.get('retry-after'))
      waits.push(seconds)
      site.pass(seconds * 1_000)
      expect((await wrong(aVisitor(site, `192.0.2.${100 + round}`))).status).toBe(401)
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('the owner can still sign in from a known browser and from a known address', async () => {
    const site = await aSite(database)
    const laptop = aVisitor(site, home)
    expect((await right(laptop)).status).toBe(200)
    await laptop.post('/api/logout')

    await attack(site, limits.signInFreeFailures + 1)
    expect((await right(aVisitor(site, '192.0.2.200'))).status).toBe(429)

    // Another browser at the known address, and the known browser at another address.
    expect((await right(aVisitor(site, home))).status).toBe(200)
    const onTheRoad = aVisitor(site, '192.0.2.201')
    for (const [name, value] of laptop.cookies) onTheRoad.cookies.set(name, value)
    expect([...onTheRoad.cookies.keys()]).toEqual(['etalage.device'])
    expect((await right(onTheRoad)).status).toBe(200)
  })

  test('the owner can still sign in from a known browser after guesses from the same address', async () => {
    const site = await aSite(database)
    const laptop = aVisitor(site, home)
    await right(laptop)
    await laptop.post('/api/logout')
    for (let guess = 0; guess <= limits.signInFailuresPerOrigin; guess++) await wrong(aVisitor(site, home))
    expect((await right(aVisitor(site, home))).status).toBe(429)
    expect((await right(laptop)).status).toBe(200)
  })

  test('the known-browser cookie gives no access, does not help with another username, and has its own limit', async () => {
    const site = await aSite(database)
    const laptop = aVisitor(site, home)
    await right(laptop)
    const device = laptop.cookies.get('etalage.device') ?? ''
    const thief = aVisitor(site, '198.51.100.9')
    thief.cookies.set('etalage.device', device)
    expect((await thief.get('/api/me')).status).toBe(401)

    for (let guess = 0; guess < limits.signInFailuresPerOrigin; guess++) {
      expect((await wrong(thief)).status).toBe(401)
    }
    expect((await wrong(thief)).status).toBe(429)
    await aUser(site, { name: 'Sanne', email: 'sanne@example.nl' })
    await attack(site, 20, 'sanne@example.nl')
    const other = aVisitor(site, '198.51.100.10')
    other.cookies.set('etalage.device', device)
    expect((await wrong(other, 'sanne@example.nl')).status).toBe(429)
  })

  test('concurrent guesses are each counted', async () => {
    const site = await aSite(database)
    const answers = await Promise.all(Array.from({ length: 25 }, () => wrong(aVisitor(site, '198.51.100.1'))))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(limits.signInFailuresPerOrigin)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25 - limits.signInFailuresPerOrigin)
  })

  test('a successful sign-in is not counted', async () => {
    const site = await aSite(database)
    for (let time = 0; time < limits.signInFailuresPerOrigin + 2; time++) {
      expect((await right(aVisitor(site, home))).status).toBe(200)
    }
  })

  test('a stolen session cannot be used to guess the password', async () => {
    const site = await aSite(database)
    const thief = aVisitor(site, home)
    await right(thief)
    for (let guess = 0; guess < limits.signInFailuresPerOrigin; guess++) {
      expect((await thief.post('/api/confirm', { password: 'geraden' })).status).toBe(422)
    }
    expect((await thief.post('/api/confirm', { password })).status).toBe(429)
  })

  test('requests that start a sign-in and write a row are limited by address', async () => {
    const site = await aSite(database)
    const visitor = aVisitor(site, home)
    for (let time = 0; time < limits.signInFailuresPerAddress; time++) {
      expect((await visitor.post('/api/login/passkey/options')).status).toBe(200)
    }
    expect((await visitor.post('/api/login/passkey/options')).status).toBe(429)
    expect((await right(aVisitor(site, home))).status).toBe(200)
  })

  test('neither usernames nor addresses are stored', async () => {
    const site = await aSite(database)
    const laptop = aVisitor(site, home)
    await wrong(laptop)
    await right(laptop)
    const rows = JSON.stringify([
      await site.db.selectFrom('sign_in_attempt').selectAll().execute(),
      await site.db.selectFrom('known_browser').selectAll().execute(),
      await site.db.selectFrom('session').selectAll().execute(),
    ])
    expect(rows).not.toContain(home)
    expect(rows).not.toContain('roya')
    expect(await site.db.selectFrom('known_browser').select('key').execute()).toHaveLength(2)
  })

  test('expired counters, known browsers, links, sessions and codes are removed', async () => {
    const site = await aSite(database)
    await wrong(aVisitor(site, home))
    await right(aVisitor(site, home))
    await aVisitor(site, home).post('/api/login/passkey/options')
    await site.db.insertInto('used_code').values({ code: 'x', until: new Date().toISOString() }).execute()
    const at = new Date().toISOString()
    await site.db
      .insertInto('user_link')
      .values({ token_hash: 'x', purpose: 'password', user_id: null, expires_at: at, created_at: at })
      .execute()
    const tables = ['session', 'verification', 'user_link', 'used_code', 'known_browser', 'sign_in_attempt'] as const
    const counts = () =>
      Promise.all(
        tables.map(async (table) => {
          const { count } = await site.db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll().as('count'))
            .executeTakeFirstOrThrow()
          return Number(count)
        }),
      )
    for (const count of await counts()) expect(count).toBeGreaterThan(0)

    site.pass(10 * minutes)
    await purge(site.app.context())
    expect(await counts()).toEqual([1, 0, 0, 0, 2, expect.any(Number)])
    site.pass(defaultRetention.signInDays * 86_400_000)
    expect((await purge(site.app.context())).signIn).toBeGreaterThan(3)
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0])
  })
})

test('the page says how long to wait, in both languages', async () => {
  const site = await aSite('sqlite')
  const mallory = aVisitor(site, '198.51.100.1')
  for (let guess = 0; guess < limits.signInFailuresPerOrigin; guess++) await wrong(mallory)
  const dutch = await mallory.submitForm('/login', { identifier: email, password })
  expect(dutch.status).toBe(429)
  expect(Number(dutch.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await dutch.text()).toContain('U kunt het over 15 minuten opnieuw proberen.')
  const persian = await mallory.submitForm('/fa/login', { identifier: email, password })
  expect(await persian.text()).toContain('۱۵ دقیقه')
})
