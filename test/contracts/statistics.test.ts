import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { Statistics } from '../../src/contract/statistics.ts'
import { purgeViews } from '../../src/domain/views/views.ts'
import { PageViewCounter } from '../../src/http/page-views.ts'
import { databases } from '../support/databases.ts'
import { sendMessage } from '../support/messages.ts'
import { publishedPage } from '../support/pages.ts'
import { aMessageOf } from '../support/people.ts'
import { aServedApp, type ServedApp } from '../support/served-app.ts'
import type { SiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const noon = () => new Date('2026-11-21T11:00:00Z')
const agents = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  tablet:
    'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  bot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
}

async function visit(site: ServedApp, path: string, referer?: string, device: keyof typeof agents = 'desktop') {
  const headers = { 'user-agent': agents[device], ...(referer !== undefined && { referer }) }
  expect((await site.fetchRaw(path, { headers })).status).toBe(200)
}

/** What the administrator sees after a clean stop, which stores what is in memory. */
async function statisticsAtTheEnd(site: TestApp, query = ''): Promise<Statistics> {
  await site.stop()
  return statisticsOf(await aTestApp({ beside: site, now: noon }), query)
}

async function statisticsOf(site: TestApp, query = ''): Promise<Statistics> {
  const response = await (await as(site, 'beheerder')).get(`/api/dashboard/statistics${query}`)
  expect(response.status).toBe(200)
  return response.json()
}

test('made-up sources and campaigns take a bounded amount of memory until they are stored', () => {
  const counter = new PageViewCounter()
  const page = { path: '/', locale: 'nl' as const, views: 0 }
  for (let index = 0; index < 5_000; index++) {
    const [referrer, url] = [`https://nep-${index}.example/`, `/?utm_source=${index}`]
    counter.count(page, { agent: agents.desktop, purpose: undefined, referrer, host: 'localhost', url })
  }
  const { visits, pages } = counter.takeCounts()
  expect(pages).toEqual([{ path: '/', locale: 'nl', views: 5_000 }])
  for (const kind of ['source', 'campaign', 'device']) {
    const ofKind = visits.filter((one) => one.kind === kind)
    expect(ofKind.length).toBeLessThanOrEqual(1_001)
    expect(ofKind.reduce((sum, { count }) => sum + count, 0)).toBe(5_000)
  }
  expect(counter.takeCounts()).toEqual({ pages: [], visits: [], bots: 0 })
})

test('behind a proxy that changes the host, pages of the public address are still pages of this site', async () => {
  const site = await aServedApp({ now: noon, settings: { baseUrl: 'https://maaslicht.example' } })
  await visit(site, '/', 'https://maaslicht.example/disclaimer')
  await visit(site, '/', 'https://maaslicht.example.nl/')
  expect((await statisticsAtTheEnd(site)).sources.rows).toEqual([{ name: 'maaslicht.example.nl', count: 1 }])
})

describe.each(databases)('on %s', (database) => {
  test('a visit is counted by its referring site, campaign and device, and pages within it are not visits', async () => {
    const site = await aServedApp({ database, now: noon })
    await visit(site, '/', 'https://www.google.com/')
    await visit(site, '/', 'https://www.google.com/search?q=hosting', 'phone')
    await visit(site, '/disclaimer', `${site.url}/`)
    await visit(site, '/disclaimer', `${site.url}/?utm_source=krant`)
    await visit(site, '/disclaimer', 'https://xn--mgbb9fbpob.example/', 'tablet')
    await visit(site, '/', 'android-app://com.google.android.gm/', 'phone')
    await visit(site, '/?utm_source=nieuwsbrief&utm_medium=e-mail&utm_campaign=voorjaar')
    // The same campaign on a cached page.
    await visit(site, '/?utm_campaign=voorjaar&utm_medium=e-mail&utm_source=nieuwsbrief&gclid=1')
    await visit(site, '/', 'https://www.google.com/', 'bot')
    await visit(site, '/', undefined, 'bot')

    const found = await statisticsAtTheEnd(site)
    expect(found).toMatchObject({
      visits: { count: 6, before: null },
      views: { count: 8, before: null },
      bots: 2,
      devices: { desktop: 3, phone: 2, tablet: 1 },
      sources: {
        rows: [
          { name: 'direct', count: 2 },
          { name: 'google.com', count: 2 },
          { name: 'com.google.android.gm', count: 1 },
          { name: 'موبايلي.example', count: 1 },
        ],
        other: 0,
      },
      campaigns: { rows: [{ source: 'nieuwsbrief', medium: 'e-mail', campaign: 'voorjaar', count: 2 }], other: 0 },
    })
    expect(found.days).toHaveLength(30)
    expect(found.days.at(-1)).toEqual({ day: '2026-11-21', count: 6 })
  })

  test('made-up referrers and tags are bounded, stored as plain text, and never as an address of a person', async () => {
    const site = await aServedApp({ database, now: noon })
    for (const referer of [
      'geen adres',
      'javascript:alert(1)',
      'https://192.168.1.20/',
      'https://[2001:db8::1]/',
      'http://intranet/',
      `https://${'a.'.repeat(120)}nl/`,
      `https://anna:geheim@forum.example/${'x'.repeat(8_000)}`,
      '%00%0d%0a',
    ])
      await visit(site, '/', referer)
    await visit(site, `/?utm_source=${encodeURIComponent('<script>alert(1)</script>')}&utm_medium=%00%0d%0a%E2%80%AEx`)
    await visit(site, '/?utm_campaign=anna%40example.nl')
    await visit(site, `/?utm_source=%ff%fe&utm_campaign=${'lang'.repeat(200)}`)
    await visit(site, '/?utm_source=&utm_medium=%20')
    // A header of a megabyte never reaches the counter.
    const long = `GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${agents.desktop}\r\nReferer: ${'x'.repeat(1_000_000)}\r\n\r\n`
    expect(await site.sendBytes(long)).not.toContain('200 OK')

    const found = await statisticsAtTheEnd(site)
    expect(found.sources).toEqual({
      rows: [
        { name: 'direct', count: 4 },
        { name: 'forum.example', count: 1 },
      ],
      other: 7,
    })
    expect(found.campaigns.rows).toHaveLength(2)
    expect(found.campaigns.rows).toEqual(
      expect.arrayContaining([
        { source: '<script>alert(1)</script>', medium: 'x', campaign: '', count: 1 },
        { source: '\ufffd\ufffd', medium: '', campaign: 'lang'.repeat(15), count: 1 },
      ]),
    )
  })

  test('of too many values on one day, the most frequent new ones are counted, and the rest together', async () => {
    const site = await aServedApp({ database, now: noon })
    await visit(site, '/', 'https://bekend.example/')
    await site.stop()
    const flooded = await aServedApp({ beside: site, now: noon })
    const headers = (referer: string) => ({ 'user-agent': agents.desktop, referer })
    const often = 'https://vaak.example/'
    const hosts = Array.from({ length: 150 }, (_, index) => `https://nep-${index}.example/`)
    for (const host of [...hosts.slice(0, 50), often, often, ...hosts.slice(50), 'https://bekend.example/']) {
      await flooded.fetchRaw('/', { headers: headers(host) })
    }
    const found = await statisticsAtTheEnd(flooded)
    expect(found.visits.count).toBe(154)
    const stored = await (await aTestApp({ beside: site })).db
      .selectFrom('visit_total')
      .select(['value', 'count'])
      .where('kind', '=', 'source')
      .execute()
    expect(stored).toHaveLength(limits.statisticsValues + 1)
    expect(stored.find(({ value }) => value === 'bekend.example')?.count).toBe(2)
    expect(stored.find(({ value }) => value === 'vaak.example')?.count).toBe(2)
    expect(found.sources.rows.reduce((sum, { count }) => sum + count, found.sources.other)).toBe(154)
  })

  test('a message is counted by the page it was sent from; spam is not counted, and a path that is no page counts as unknown', async () => {
    const site = await aTestApp({ database, now: noon })
    const post = (more: Partial<Record<string, string>>) => {
      const body = new URLSearchParams({
        ...aMessageOf('sanne'),
        bericht: JSON.stringify(more),
        ...(more as Record<string, string>),
      })
      return site.request('/api/contact', { method: 'POST', body, headers: { accept: 'application/json' } })
    }
    for (const more of [
      { pagina: '/', taal: 'nl' },
      { pagina: '/', taal: 'nl', tel: '2' },
      { pagina: '/disclaimer', taal: 'fa' },
      { pagina: '/bestaat-niet', taal: 'nl' },
      { pagina: 'javascript:alert(1)', taal: 'nl' },
      { pagina: '/', taal: 'nl', website: 'https://spam.example' },
    ])
      expect((await post(more)).status).toBe(201)
    await sendMessage(site, 'roya')

    const found = await statisticsOf(site)
    expect(found.messages).toEqual({ count: 6, before: null })
    expect(found.pages).toEqual({
      rows: [
        { address: '/', locale: 'nl', title: expect.stringMatching(/./), count: 2 },
        { address: '/fa/disclaimer', locale: 'fa', title: expect.stringMatching(/./), count: 1 },
      ],
      other: 3,
    })
    const editor = await (await as(site, 'redacteur')).get('/api/dashboard/statistics')
    expect(await editor.json()).toMatchObject({ messages: null, perThousand: null, pages: null })
  })

  test('a page in a language that was removed keeps the address that it had', async () => {
    const english = (config: SiteFile) => {
      config.locales = ['en', 'nl', 'pt-BR']
      config.rootLocale = 'en'
    }
    const site = await aTestApp({ database, now: noon, site: english })
    const bente = await as(site, 'beheerder')
    await publishedPage(bente, { title: 'Contato', locale: 'pt-BR' })
    const { version } = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { locales: ['en', 'nl'] } })).status).toBe(200)
    // `it` is a language too, but none that this site had.
    const counted = ['/pt-br/contato', '/pt-br', '/en/about', '/it', '/']
    const total = (value: string, index: number) =>
      ({ kind: 'message', day: '2026-11-21', value, count: 9 - index }) as const
    await site.db.insertInto('visit_total').values(counted.map(total)).execute()
    const { pages } = await statisticsOf(site)
    expect(pages?.rows.map(({ address, locale }) => [address, locale])).toEqual([
      ['/pt-br/contato', 'pt-BR'],
      ['/pt-br', 'pt-BR'],
      ['/about', 'en'],
      ['/nl/it', 'nl'],
      ['/nl', 'nl'],
    ])
  })

  test('the remainder of a table is not negative when visits are counted while the statistics are read', async () => {
    const site = await aTestApp({ database, now: noon })
    const total = (kind: 'device' | 'source', value: string, count: number) => ({
      ...{ kind, value, count },
      day: '2026-11-21',
    })
    await site.db
      .insertInto('visit_total')
      .values([total('device', 'phone', 1), total('source', 'zoekmachine.example', 2)])
      .execute()
    expect((await statisticsOf(site)).sources).toMatchObject({ rows: [{ count: 2 }], other: 0 })
  })

  test('a period is compared with as many days before it, once all of these were counted', async () => {
    const site = await aTestApp({ database, now: noon })
    const total = (kind: 'device' | 'message' | 'view', day: string, count: number) => ({
      kind,
      day,
      value: kind === 'device' ? 'phone' : '',
      count,
    })
    await site.db
      .insertInto('visit_total')
      .values([
        total('device', '2026-11-21', 500),
        total('device', '2026-11-15', 1_500),
        total('message', '2026-11-15', 5),
        total('device', '2026-11-14', 100),
        total('device', '2026-11-08', 900),
        total('message', '2026-11-08', 4),
        total('device', '2026-11-07', 7_000),
        total('view', '2026-11-10', 9),
      ])
      .execute()
    expect(await statisticsOf(site, '?days=7')).toMatchObject({
      visits: { count: 2_000, before: 1_000 },
      // Not since the beginning of the period before.
      views: { count: 0, before: null },
      messages: { count: 5, before: 4 },
      perThousand: { count: 2.5, before: 4 },
    })
    expect((await statisticsOf(site)).visits).toEqual({ count: 10_000, before: null })
    expect((await statisticsOf(site, '?days=365')).days).toHaveLength(365)
    const beheerder = await as(site, 'beheerder')
    for (const query of ['?days=8', '?days=7&x=1', '?days=7&days=30']) {
      expect((await beheerder.get(`/api/dashboard/statistics${query}`)).status).toBe(422)
    }
  })

  test('totals and page views are deleted after two years', async () => {
    const site = await aTestApp({ database, now: noon })
    const days = ['2024-11-19', '2024-11-20', '2024-11-21', '2026-11-20']
    await site.db
      .insertInto('visit_total')
      .values(
        days.flatMap((day) =>
          ['direct', 'a.example'].map((value) => ({ kind: 'source' as const, day, value, count: 1 })),
        ),
      )
      .execute()
    await site.db
      .insertInto('page_view')
      .values(days.map((day) => ({ day, path: '/', locale: 'nl', views: 1 })))
      .execute()
    expect(await purgeViews(site.app.context())).toBe(6)
    const left = await site.db.selectFrom('visit_total').select('day').distinct().orderBy('day').execute()
    expect(left.map(({ day }) => day)).toEqual(['2024-11-21', '2026-11-20'])
    const views = await site.db.selectFrom('page_view').select('day').orderBy('day').execute()
    expect(views.map(({ day }) => day)).toEqual(['2024-11-21', '2026-11-20'])
  })
})
