import { describe, expect, test, vi } from 'vitest'
import { storePageViews } from '../../src/domain/views/views.ts'
import { startViewWriter } from '../../src/jobs/store-views.ts'
import { databases } from '../support/databases.ts'
import { aServedApp } from '../support/served-app.ts'
import { as, aUser, signInWithPassword, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const person = { 'user-agent': agent }
const noon = () => new Date('2026-11-21T11:00:00Z')

const stored = (site: TestApp) =>
  site.db.selectFrom('page_view').selectAll().orderBy('day').orderBy('path').orderBy('locale').execute()

/** The stored rows after a clean stop. */
async function storedAtTheEnd(site: TestApp) {
  await site.stop()
  return stored(await aTestApp({ beside: site }))
}

describe.each(databases)('on %s', (database) => {
  test('a page view is counted once, whether the page is rendered, cached, compressed, unchanged, or has a query', async () => {
    const site = await aServedApp({ database, now: noon })
    const first = await site.fetchRaw('/disclaimer', { headers: person })
    await site.fetchRaw('/disclaimer', { headers: { ...person, 'accept-encoding': 'gzip, br' } })
    const same = await site.fetchRaw('/disclaimer', {
      headers: { ...person, 'if-none-match': String(first.headers.etag) },
    })
    expect(same.status).toBe(304)
    await site.fetchRaw('/disclaimer?utm_source=krant', { headers: person })
    await site.fetchRaw('/fa/disclaimer', { headers: person })
    // A redirect is not a page.
    expect((await site.fetchRaw('/disclaimer/', { headers: person })).status).toBe(308)

    expect(await storedAtTheEnd(site)).toEqual([
      { day: '2026-11-21', path: '/disclaimer', locale: 'fa', views: 1 },
      { day: '2026-11-21', path: '/disclaimer', locale: 'nl', views: 4 },
    ])
  })

  test('the counts of two instances add up, are stored while they run, and use the day in Amsterdam', async () => {
    let at = new Date('2026-11-21T22:59:00Z')
    const now = () => at
    const site = await aServedApp({ database, now })
    const copy = await aServedApp({ beside: site, now })
    for (const one of [site, copy]) for (let time = 0; time < 3; time++) await one.fetchRaw('/', { headers: person })
    const views = async () => (await stored(site)).map(({ day, views }) => [day, views])
    await waitUntil(async () => (await views())[0]?.[1] === 6, 'views of both copies')

    at = new Date('2026-11-21T23:01:00Z')
    await waitUntil(async () => {
      await site.fetchRaw('/', { headers: person })
      return (await views()).length === 2
    }, 'views of the next day')
    expect((await views()).map(([day]) => day)).toEqual(['2026-11-21', '2026-11-22'])
  })

  test('an editor sees the days of the period and the ten most viewed pages, by their current names', async () => {
    const site = await aTestApp({ database, now: noon })
    const rows = Array.from({ length: 30 * 200 }, (_, index) => ({
      day: `2026-11-${String(1 + (index % 21)).padStart(2, '0')}`,
      path: `/oud-${Math.floor(index / 21)}`,
      locale: 'nl',
      views: 2,
    }))
    rows.push(
      { day: '2026-11-21', path: '/', locale: 'nl', views: 400 },
      { day: '2026-11-15', path: '/', locale: 'nl', views: 100 },
      { day: '2026-11-14', path: '/', locale: 'nl', views: 1_000 },
      { day: '2026-11-20', path: '/disclaimer', locale: 'fa', views: 300 },
      { day: '2026-08-23', path: '/disclaimer', locale: 'nl', views: 5_000 },
    )
    for (const [day, pages] of Map.groupBy(rows, (row) => row.day)) {
      await storePageViews(site.app.context(), { day, pages, visits: [], bots: 0 })
    }
    const rik = await as(site, 'redacteur')
    const asked = async (days: string) => (await rik.get(`/api/dashboard/views${days}`)).json()

    const week = await asked('?days=7')
    expect(week.days.map((one: { day: string }) => one.day)).toEqual([
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ])
    expect(week.pages).toHaveLength(10)
    expect(week.pages.slice(0, 2)).toEqual([
      { address: '/', locale: 'nl', title: expect.stringMatching(/./), views: 500 },
      { address: '/fa/disclaimer', locale: 'fa', title: expect.stringMatching(/./), views: 300 },
    ])
    expect(week.pages[2]).toMatchObject({ title: null, views: 14 })

    const month = await asked('')
    expect(month.days).toHaveLength(30)
    const sum = (of: { count: number }[]) => of.reduce((total, { count }) => total + count, 0)
    expect(sum(month.days)).toBe(13_800)
    expect(month.pages[0]).toMatchObject({ address: '/', views: 1_500 })
    const quarter = await asked('?days=90')
    expect(sum(quarter.days)).toBe(13_800)

    expect((await rik.get('/api/dashboard/views?days=8')).status).toBe(422)
    expect((await rik.get('/api/dashboard/views?days=90&x=1')).status).toBe(422)
    expect((await rik.get('/api/dashboard/messages')).status).toBe(403)
  })

  test('messages are counted on the day of arrival in Amsterdam, without spam', async () => {
    const site = await aTestApp({ database, now: noon })
    const bente = await as(site, 'beheerder')
    const send = async (naam: string, at: string, folder: 'inbox' | 'spam' = 'inbox') => {
      const body = JSON.stringify({ naam, email: 'roya@example.nl', tel: '1', bericht: naam })
      await site.request('/api/contact', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
      await site.db.updateTable('message').set({ created_at: at, folder }).where('naam', '=', naam).execute()
    }
    await send('middernacht', '2026-11-20T23:00:00.000Z')
    await send('net ervoor', '2026-11-20T22:59:59.999Z')
    await send('vanochtend', '2026-11-21T08:00:00.000Z')
    await send('spam', '2026-11-21T08:00:00.000Z', 'spam')
    await send('eerste dag', '2026-10-22T22:00:00.000Z')
    await send('te oud', '2026-10-22T21:59:59.999Z')

    const { days } = await (await bente.get('/api/dashboard/messages')).json()
    expect(days).toHaveLength(30)
    expect(days.filter((one: { count: number }) => one.count > 0)).toEqual([
      { day: '2026-10-23', count: 1 },
      { day: '2026-11-20', count: 1 },
      { day: '2026-11-21', count: 2 },
    ])
  })
})

// What counts is decided before the database is asked to store it.
describe('what does not count as a page view', () => {
  test('bots, prefetches, HEAD, signed-in staff and other resources are not counted, and an expired session does not count as staff', async () => {
    const site = await aServedApp({ now: noon })
    await aUser(site, staff.beheerder)
    const bente = await signInWithPassword(site, staff.beheerder.email)
    for (const path of ['/', '/disclaimer']) {
      const readers: Record<string, string>[] = [
        {},
        { 'user-agent': '' },
        { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
        { 'user-agent': 'curl/8.5.0' },
        { 'user-agent': `Mozilla/5.0 ${'x'.repeat(600)}` },
        { ...person, 'sec-purpose': 'prefetch;prerender' },
        { ...person, Purpose: 'prefetch' },
        { ...person, cookie: bente.cookie },
      ]
      for (const headers of readers) {
        // Twice: rendered, and from the cache.
        for (let time = 0; time < 2; time++) expect((await site.fetchRaw(path, { headers })).status).toBe(200)
      }
      await site.fetchRaw(path, { method: 'HEAD', headers: person })
    }
    for (const path of [
      '/robots.txt',
      '/sitemap.xml',
      '/nergens',
      '/login',
      '/api/me',
      '/.well-known/x',
      '/health',
      '/logo.svg',
    ]) {
      await site.fetchRaw(path, { headers: person })
    }
    await site.fetchRaw('/', { headers: { ...person, cookie: 'etalage.session_token=voorbij' } })
    expect(await storedAtTheEnd(site)).toEqual([{ day: '2026-11-21', path: '/', locale: 'nl', views: 1 }])
  })

  test('unknown addresses add no rows', async () => {
    const site = await aServedApp({ now: noon })
    for (let number = 0; number < 10; number++) {
      await site.fetchRaw(`/pagina-${number}`, { headers: person })
      await site.fetchRaw(`/disclaimer?${number}`, { headers: { 'user-agent': `${agent} ${number}` } })
      await site.fetchRaw(`/disclaimer%2f${number}`, { headers: person })
    }
    expect(await storedAtTheEnd(site)).toEqual([{ day: '2026-11-21', path: '/disclaimer', locale: 'nl', views: 10 }])
  })
})

test('views that could not be stored are counted later, on the day of the view', async () => {
  allowErrors(/storing page views failed/)
  const site = await aTestApp({ startJobs: false })
  let now = new Date('2026-11-21T22:59:59Z')
  const ctx = { ...site.app.context(), now: () => now }
  let isAway = true
  const transaction: typeof ctx.transaction = (work) =>
    isAway ? Promise.reject(new Error('away')) : ctx.transaction(work)
  const counts = { pages: [{ path: '/', locale: 'nl', views: 1 }], visits: [], bots: 0 } as const
  const views = { takeCounts: () => counts, restoreCounts: vi.fn() }
  const writer = startViewWriter({ context: () => ({ ...ctx, transaction }), log: aLog().log, views })
  now = new Date('2026-11-21T23:00:01Z')
  writer.wake()
  await waitUntil(() => views.restoreCounts.mock.calls.length > 0, 'a run that fails')
  isAway = false
  await writer.stop()
  expect(await stored(site)).toEqual([{ day: '2026-11-21', path: '/', locale: 'nl', views: 1 }])
})
