import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { Locale } from '../../src/contract/locales.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import type { Suggestions } from '../../src/contract/site-search.ts'
import { publishScheduled } from '../../src/domain/pages/publish-scheduled.ts'
import { indexFingerprint } from '../../src/domain/pages/search-index.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { findHtmlErrors } from '../support/html-errors.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { parseHtml } from '../support/parse-html.ts'
import { scriptInjections } from '../support/script-injections.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const addressOf = (query: string, locale: Locale, more = '') =>
  `${localizedPath('/zoeken', locale, {})}?q=${encodeURIComponent(query)}${more}`

/** The page of a search. */
async function resultsOf(site: TestApp, query: string, locale: Locale = 'nl', more = '') {
  const response = await site.request(addressOf(query, locale, more))
  const html = await response.text()
  const results = /<ol class="results".*?<\/ol>/s.exec(html)?.[0] ?? ''
  const titles = [...results.matchAll(/<h2><a href="[^"]*">(.*?)<\/a><\/h2>/gs)].map(([, title = '']) => title)
  return {
    status: response.status,
    headers: response.headers,
    html,
    outcome: plain(/<p class="outcome"[^>]*>(.*?)<\/p>/s.exec(html)?.[1] ?? ''),
    titles: titles.map((title) => plain(title.replace(/<\/?mark>/g, ''))),
    urls: [...results.matchAll(/<h2><a href="([^"]*)"/g)].map(([, url]) => url),
    excerpts: [...results.matchAll(/<p class="excerpt">(.*?)<\/p>/gs)].map(([, text]) => text),
  }
}

const plain = (html: string) => html.replace(/[\u2068\u2069]/g, '').replaceAll('&#x27;', "'")
const titlesOf = async (...search: Parameters<typeof resultsOf>) => (await resultsOf(...search)).titles

/** Without the pages of the configuration. */
const aSite = async (database: DatabaseKind, different: { startJobs?: boolean } = {}) => {
  const site = await aTestApp({ database, ...different })
  await site.db.deleteFrom('page').execute()
  return { site, bente: await as(site, 'beheerder') }
}

test.each(databases)('words are found however they are typed, in Dutch and in Persian, on %s', async (database) => {
  const { site, bente } = await aSite(database)
  await publishedPage(bente, {
    title: 'Café De Brug',
    body: [
      aParagraph(
        'Foto’s per <strong>e-mail</strong>, web<strong>winkel</strong>onderhoud en ruimte voor 12 gasten &amp; meer',
      ),
    ],
  })
  await publishedPage(bente, {
    title: 'خدمات وب‌سایت',
    locale: 'fa',
    slug: 'خدمات',
    body: [aParagraph('كتاب‌های قدیمی در سال ۱۴۰۳ و مُدیریت می‌خواهیم')],
  })
  for (const [locale, query] of [
    ['nl', 'cafe'],
    ['nl', 'CAFÉ brug'],
    ['nl', 'cafe\u0301'],
    ['nl', "foto's"],
    ['nl', 'fotos'],
    ['nl', 'email'],
    ['nl', 'e-mail'],
    ['nl', 'e mail'],
    ['nl', 'winkel'],
    ['nl', 'webwinkel'],
    ['nl', '۱۲ gasten'],
    ['nl', 'gasten, (12)!'],
    ['fa', 'وبسایت'],
    ['fa', 'وب‌سایت'],
    ['fa', 'وب سایت'],
    ['fa', 'کتابهای'],
    ['fa', 'كتاب'],
    ['fa', 'کتاب ها'],
    ['fa', 'سال هایی'],
    ['fa', 'قديمي'],
    ['fa', '1403'],
    ['fa', '١٤٠٣'],
    ['fa', 'مدیریت'],
    ['fa', 'مـدیریت'],
    ['fa', 'میخواهیم'],
  ] as const) {
    const found = await resultsOf(site, query, locale)
    expect([query, found.titles]).toEqual([query, [locale === 'nl' ? 'Café De Brug' : 'خدمات وب‌سایت']])
    // With the same titles the pages are the same on each database, and nearly the same for each query.
    if (database === 'sqlite' && ['cafe', 'وبسایت'].includes(query))
      expect(await findHtmlErrors(found.html)).toEqual([])
  }
  // Words of the other language, of the tags, and of what is in no text.
  for (const query of ['وب', 'strong', 'brugge', 'cafe brugge']) expect(await titlesOf(site, query)).toEqual([])
  expect((await resultsOf(site, 'bruggetje')).outcome).toBe('Geen resultaten voor ‘bruggetje’')
  expect((await resultsOf(site, 'برگه‌ای‌دیگر', 'fa')).outcome).toContain('پیدا نشد')

  // Whole words are marked, as they are written.
  const [dutch] = (await resultsOf(site, 'winkel email')).excerpts
  expect(dutch).toBe(
    'Foto’s per <mark>e-mail</mark>, <mark>webwinkelonderhoud</mark> en ruimte voor 12 gasten &amp; meer',
  )
  const [persian] = (await resultsOf(site, 'خواهيم', 'fa')).excerpts
  expect(persian).toContain('<mark>می‌خواهیم</mark>')
  const [books] = (await resultsOf(site, 'کتاب ها', 'fa')).excerpts
  expect(books).toContain('<mark>كتاب‌های</mark> قدیمی')
})

test.each(databases)('a text without spaces, as in Thai, is found by words anywhere in it, on %s', async (database) => {
  const { site, bente } = await aSite(database)
  const more = (times: number) => 'ภาษาไทยไม่มีช่องว่าง'.repeat(times)
  const text = `${more(3)}เชียงใหม่${more(8)}ขอนแก่น`
  await publishedPage(bente, { title: 'ไทย', body: [aParagraph(text)] })
  for (const query of ['เชียงใหม่', 'ขอนแก่น', 'เชียง ขอนแก่น', text.slice(0, 190), text.slice(50, 240)])
    expect([query, await titlesOf(site, query)]).toEqual([query, ['ไทย']])
  expect(await titlesOf(site, 'ภูเก็ต')).toEqual([])
})

test.each(databases)(
  'words anywhere in a long text are found, also after thousands of characters without spaces, on %s',
  async (database) => {
    const { site, bente } = await aSite(database)
    // Nothing repeats, so that each part needs room in the index.
    let random = 1
    const thai = () => {
      random = (random * 48271) % 2147483647
      return String.fromCharCode(0xe01 + (random % 46))
    }
    const runs = Array.from({ length: 33 }, () => Array.from({ length: 200 }, thai).join(''))
    await publishedPage(bente, { title: 'Gids', body: [aParagraph(`${runs.join(' ')} Vuurtorenwachter`)] })
    for (const query of ['torenwacht', runs[16]?.slice(150, 158), runs[32]?.slice(80, 150), runs[32]?.slice(119, 127)])
      expect([query, await titlesOf(site, query ?? '')]).toEqual([query, ['Gids']])
  },
)

test('another main language, in which missing sections are shown, makes the index outdated', () => {
  const site = { ...defaultSiteFile(), locales: ['de', 'en'] }
  const [german, english] = ['de', 'en'].map((rootLocale) =>
    indexFingerprint({ site: { ...site, rootLocale }, now: () => new Date('2026-11-27') }),
  )
  expect(german).not.toBe(english)
})

test.each(databases)('a text without spaces has an excerpt with the match, on %s', async (database) => {
  const { site, bente } = await aSite(database)
  const paragraphs = ['标题', '我们为企业制作网站。'.repeat(40)].map((text) => aParagraph(text))
  await publishedPage(bente, { title: '公司', slug: 'gongsi', body: paragraphs })
  await publishedPage(bente, { title: 'Code', body: [aParagraph(`Bij ${'ab12/'.repeat(60)}`)] })
  expect((await resultsOf(site, '制作网')).excerpts).toEqual([
    expect.stringContaining('<mark>我们为企业制作网站</mark>'),
  ])
  expect((await resultsOf(site, 'ab12')).excerpts).toEqual([expect.stringContaining('<mark>ab12</mark>')])
  // Thai has no signs between words either. The page is found by its title.
  const thai = 'เราสร้างเว็บไซต์สำหรับธุรกิจ'.repeat(15)
  await publishedPage(bente, { title: 'ร้านอาหาร', body: [aParagraph(`${thai}ร้านอาหาร${thai}`)] })
  expect((await resultsOf(site, 'ร้านอาหาร')).excerpts).toEqual([expect.stringMatching(/<mark>.*ร้านอาหาร.*<\/mark>/)])
})

test.each(databases)(
  'a match in the title comes before one in the text, and a whole word before a part, on %s',
  async (database) => {
    const { site, bente } = await aSite(database)
    for (const [title, text] of [
      ['Over de brug', 'Niets'],
      ['Wandelen', 'Langs de brug en het water'],
      ['Vergadering', 'Over de ophaalbruggen'],
      ['Bruggenbouw', 'Een vak'],
      ['Fietsen', 'Bij bruggetjes'],
    ] as const) {
      await publishedPage(bente, { title, body: [aParagraph(text)] })
    }
    expect(await titlesOf(site, 'brug')).toEqual(['Over de brug', 'Bruggenbouw', 'Wandelen', 'Fietsen', 'Vergadering'])
  },
)

test.each(databases)(
  'a page that is not published is not found, from the moment of the change, on %s',
  async (database) => {
    let now = new Date('2026-11-23T10:00:00Z')
    const site = await aTestApp({ database, now: () => now, startJobs: false })
    const bente = await as(site, 'beheerder')
    const made = await bente.post('/api/pages', { title: 'Kersenbloesem', locale: 'nl' })
    const { id } = await made.json()
    const found = () => titlesOf(site, 'bloesem')
    const post = async (path: string, body?: object) => {
      const { version } = await getPageIn(bente, id)
      const response = await bente[body ? 'put' : 'post'](`/api/pages/${id}${path}`, { ...body, version })
      expect([path, response.status]).toEqual([path, 200])
    }
    expect(await found()).toEqual([])
    await post('/nl/plan', { publishAt: '2026-11-23T11:00:00.000Z', unpublishAt: '2026-11-23T12:00:00.000Z' })
    expect(await found()).toEqual([])
    now = new Date('2026-11-23T11:00:01Z')
    await publishScheduled(site.app.context())
    expect(await found()).toEqual(['Kersenbloesem'])
    now = new Date('2026-11-23T12:00:01Z')
    await publishScheduled(site.app.context())
    expect(await found()).toEqual([])

    await post('/nl/publish')
    expect(await found()).toEqual(['Kersenbloesem'])
    // A saved text is not the published one.
    await savePageIn(bente, id, { title: 'Appelboom', slug: 'appelboom' })
    expect(await found()).toEqual(['Kersenbloesem'])
    expect(await titlesOf(site, 'appelboom')).toEqual([])
    await post('/nl/publish')
    expect(await found()).toEqual([])
    expect((await resultsOf(site, 'appelboom')).urls).toEqual(['/appelboom'])

    await savePageIn(bente, id, { noindex: true }, { publish: true })
    expect(await titlesOf(site, 'appelboom')).toEqual([])
    await savePageIn(bente, id, { noindex: false }, { publish: true })
    expect(await titlesOf(site, 'appelboom')).toEqual(['Appelboom'])
    await post('/nl/unpublish')
    expect(await titlesOf(site, 'appelboom')).toEqual([])
    await post('/nl/publish')

    expect((await bente.post(`/api/pages/${id}/bin`, {})).status).toBe(200)
    expect(await titlesOf(site, 'appelboom')).toEqual([])
    expect((await bente.post(`/api/pages/${id}/restore`, {})).status).toBe(200)
    expect(await titlesOf(site, 'appelboom')).toEqual(['Appelboom'])
    // The pages of the configuration are found; the search itself and what is only for signed-in visitors is not.
    expect(await titlesOf(site, 'privacyverklaring')).toContain('Privacyverklaring')
    await savePageIn(
      bente,
      id,
      { body: [aParagraph('geheimtaal', { showIf: 'logged-in' }), aParagraph('gastvrij', { showIf: 'logged-out' })] },
      { publish: true },
    )
    expect(await titlesOf(site, 'geheimtaal')).toEqual([])
    expect(await titlesOf(site, 'gastvrij')).toEqual(['Appelboom'])
  },
)

test.each(databases)(
  'a changed section, another name of the company and the offer are found too, on %s',
  async (database) => {
    const { site, bente } = await aSite(database)
    const made = await bente.post('/api/sections', {
      name: 'Oproep',
      nl: [aParagraph('Bel de klokkenmaker van [brand]')],
    })
    expect(made.status).toBe(201)
    const section = await made.json()
    await publishedPage(bente, {
      title: 'Torens',
      body: [
        { type: 'section', section: section.id },
        { type: 'pricing', title: 'Prijzen' },
      ],
    })
    expect(await titlesOf(site, 'klokkenmaker')).toEqual(['Torens'])

    const changed = await bente.put(`/api/sections/${section.id}`, {
      name: 'Oproep',
      version: 1,
      nl: [aParagraph('Bel de beiaardier van [brand]')],
    })
    expect(changed.status).toBe(200)
    // At once nothing shows what was removed; a moment later the new text is found.
    expect((await resultsOf(site, 'klokkenmaker')).outcome).toBe('Geen resultaten voor ‘klokkenmaker’')
    await waitUntil(async () => (await titlesOf(site, 'beiaardier')).includes('Torens'), 'the new section')

    const { version, config } = await (await bente.get('/api/config')).json()
    const prices = structuredClone(config.offer)
    prices.prices[0].name.nl = 'Zonnewijzerpakket'
    expect((await bente.put('/api/config', { version, config: { brand: 'Molenaar', offer: prices } })).status).toBe(200)
    await waitUntil(async () => (await titlesOf(site, 'beiaardier molenaar')).includes('Torens'), 'the new name')
    expect(await titlesOf(site, 'zonnewijzerpakket torens')).toEqual(['Torens'])
  },
)

test.each(databases)(
  'search operators and strange strings are words or nothing, never an error, on %s',
  async (database) => {
    const { site, bente } = await aSite(database)
    await publishedPage(bente, { title: 'Honderd procent', body: [aParagraph('Near or not: and_dan')] })
    // Sent by a script: no field of the editor can contain it.
    const nul = { type: 'figures', title: 'Nul\0teken', items: [{ value: '1\0', label: 'a\0b' }] }
    await publishedPage(bente, { title: 'Nulmeridiaan', body: [nul] })
    expect(await titlesOf(site, 'nul teken')).toEqual(['Nulmeridiaan'])
    const strange = [
      '"',
      '*',
      '-',
      '()',
      ':',
      '""',
      '%',
      '_',
      '\\',
      "'",
      ';--',
      '^',
      '{}',
      '$t(site.search.title)',
      '{{query}}',
      '\u0000',
      '\u0000\u0001',
      '\u200c',
      '\u202e',
      '🙂',
      'ﷺ',
      'é'.normalize('NFD').repeat(90),
      'a'.repeat(limits.searchChars),
      'a b c d e f g h',
      `x${'\u0301'.repeat(150)}`,
      '-'.repeat(200),
      'a-'.repeat(100),
    ]
    for (const query of [...strange, ...strange.map((one) => `honderd ${one}`.slice(0, limits.searchChars))]) {
      const { status, html } = await resultsOf(site, query)
      expect([query, status]).toEqual([query, 200])
      // How the words of a search and its results are shown does not depend on the database.
      if (database === 'sqlite' && !strange.includes(query)) expect(await findHtmlErrors(html)).toEqual([])
      expect(html).not.toContain('Internal Server Error')
    }
    for (const query of [
      'honderd NEAR procent',
      '"honderd procent"',
      'honderd*',
      '(honderd OR not)',
      'title:honderd',
      '-honderd',
    ]) {
      const { titles, status } = await resultsOf(site, query)
      expect([query, status]).toEqual([query, 200])
      expect([query, titles]).toEqual([
        query,
        /title|OR/.test(query) && !query.includes('(') ? [] : ['Honderd procent'],
      ])
    }
    // Wildcards are no wildcards.
    for (const query of ['hond_rd', 'hon%rd', "' or 1=1 --", '") OR folded MATCH ("a'])
      expect(await titlesOf(site, query)).toEqual([])
    const { html } = await resultsOf(site, '<script>alert(1)</script>"><img src=x onerror=alert(1)>')
    expect(html).not.toMatch(/<script>alert|<img src=x/)

    expect((await resultsOf(site, '')).outcome).toBe('Typ eerst een woord om te zoeken.')
    expect((await resultsOf(site, 'a')).outcome).toBe('Typ ten minste twee letters of cijfers achter elkaar.')
    expect((await resultsOf(site, '?!')).outcome).toBe('Typ ten minste twee letters of cijfers achter elkaar.')
    expect((await resultsOf(site, 'a'.repeat(limits.searchChars + 1))).outcome).toContain('200 tekens of minder')
    expect((await resultsOf(site, 'a'.repeat(10_000))).status).toBeLessThan(500)
    expect((await site.request('/zoeken?q=%ff%fe%zz%ed%a0%80')).status).toBeLessThan(500)
    expect((await site.request('/zoeken?q=honderd&q=procent&pagina=-1&pagina[]=x')).status).toBe(200)
    for (const page of ['0', '-1', '99999', 'x', '1e9']) {
      expect(await titlesOf(site, 'honderd', 'nl', `&pagina=${page}`)).toEqual(['Honderd procent'])
    }
  },
)

test.each(databases)('results come in pages, and many of them are counted up to a limit, on %s', async (database) => {
  const { site, bente } = await aSite(database)
  for (let number = 1; number <= 12; number++) await publishedPage(bente, { title: `Molen ${number}` })
  const first = await resultsOf(site, 'molen')
  expect(first.outcome).toBe('12 resultaten voor ‘molen’')
  expect(first.titles).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `Molen ${number}`))
  expect(first.html).toContain('href="/zoeken?q=molen&amp;pagina=2"')
  expect(await titlesOf(site, 'molen', 'nl', '&pagina=2')).toEqual(['Molen 2', 'Molen 1'])
  const answer: Suggestions = await (await site.request('/zoeken.json?q=mol')).json()
  expect(answer.suggestions).toHaveLength(limits.siteSuggestions)
  expect(answer.suggestions[0]).toEqual({ title: 'Molen 12', url: '/molen-12' })
  expect(await (await site.request('/zoeken.json?q=')).json()).toEqual({ suggestions: [] })
})

test.each(databases)(
  'the search is in every language of the site, is not indexed or cached, and no page can get its address, on %s',
  async (database) => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    for (const [locale, words] of [
      ['nl', 'Zoek op deze website'],
      ['fa', 'جست‌وجو در این وب‌سایت'],
    ] as const) {
      const { status, headers, html } = await resultsOf(site, 'website', locale)
      expect(status).toBe(200)
      expect(html).toContain(words)
      expect(html).toContain(`<html lang="${locale}"`)
      expect(html).toContain('<meta name="robots" content="noindex"')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
    expect(await (await site.request('/sitemap.xml')).text()).not.toContain('/zoeken')
    const other = await site.request('/zoeken?q=a%26b&locale=fa')
    expect([other.status, other.headers.get('location')]).toEqual([303, '/fa/zoeken?q=a%26b'])
    // A page of results is not cached, and compressed for each visitor.
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await site.request('/zoeken?q=zeppelin', { headers: { 'accept-encoding': encoding } })
      expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ])
      const html = unpack(await packed.arrayBuffer()).toString()
      expect(html).toContain('zeppelin')
      expect(html.trimEnd()).toMatch(/<\/html>$/)
    }
    expect((await site.request('/zoeken/?q=x')).headers.get('location')).toBe('/zoeken?q=x')
    for (const path of ['/zoeken', '/zoeken.json']) {
      expect((await site.request(path, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
      expect((await site.request(path, { method: 'HEAD' })).status).toBe(200)
    }
    expect((await site.request('/zoeken/meer')).status).toBe(404)
    const refused = await bente.post('/api/pages', { title: 'Zoeken', locale: 'nl', slug: 'zoeken' })
    expect(refused.status).toBe(422)
    const made = await (await bente.post('/api/pages', { title: 'Zoeken', locale: 'nl' })).json()
    expect((await getPageIn(bente, made.id)).text.slug).not.toBe('zoeken')

    const dutch = await aTestApp({ database, site: (config) => (config.locales = ['nl']) })
    expect((await dutch.request('/fa/zoeken?q=website')).status).toBe(404)
  },
)

test('an address that searches too often is refused for a minute, with a page that says so', async () => {
  let now = Date.parse('2026-11-23T10:00:00Z')
  const site = await aTestApp({ now: () => new Date(now) })
  for (let turn = 0; turn < limits.siteSearchesPerAddress; turn++) await site.request('/zoeken.json?q=')
  for (let turn = 0; turn < limits.siteSearchesPerAddress; turn++) await site.request('/zoeken.json?q=a')
  const refused = await resultsOf(site, 'website')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.outcome).toContain('Wacht een minuut')
  expect((await site.request('/zoeken.json?q=website')).status).toBe(429)
  expect((await site.request('/zoeken')).status).toBe(200)
  now += limits.siteSearchWindowMs + 1
  expect((await resultsOf(site, 'website')).status).toBe(200)
})

test.each(databases)(
  'of too many simultaneous searches those over the limit are refused, and later ones are answered again, on %s',
  async (database) => {
    const site = await aTestApp({ database, startJobs: false })
    const crowd = limits.siteSearchesAtOnce + limits.siteSearchesWaiting + 20
    const answers = await Promise.all(Array.from({ length: crowd }, () => site.request('/zoeken?q=website')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(answers.filter(({ status }) => status === 200).length).toBe(crowd - refused.length)
    expect((await resultsOf(site, 'website')).status).toBe(200)
  },
)

// How results are shown does not depend on the database.
test('scripts in titles, texts and searches are text', async () => {
  const { site, bente } = await aSite('sqlite')
  const written = scriptInjections.map((text) => text.replaceAll('\u0000', ''))
  for (const [index, script] of written.entries()) {
    const text = script.replaceAll('<', '&lt;')
    const body = [{ type: 'figures', title: script, items: [{ value: '1', label: script }] }, aParagraph(text)]
    await publishedPage(bente, { title: `Alarm ${script}`, slug: `alarm-${index}`, body })
  }
  for (const query of ['alarm', 'alert', ...scriptInjections]) {
    for (const page of query === 'alarm' ? ['1', '2', '3'] : ['1']) {
      const document = parseHtml((await resultsOf(site, query, 'nl', `&pagina=${page}`)).html)
      const main = document.querySelector('main')
      const names = new Set([...(main?.querySelectorAll('*') ?? [])].map(({ localName }) => localName))
      for (const name of ['script', 'img', 'iframe', 'math', 'style', 'details', 'body'])
        expect(names).not.toContain(name)
      for (const element of main?.querySelectorAll('*') ?? []) {
        for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^autofocus/)
      }
      for (const link of main?.querySelectorAll('a') ?? []) expect(link.getAttribute('href')).toMatch(/^\/[a-z]/)
    }
  }
  const { suggestions }: Suggestions = await (await site.request('/zoeken.json?q=alarm')).json()
  expect(suggestions[0]?.title).toBe(`Alarm ${written.at(-1)}`)
})

test.each(databases)(
  'pages that were published before there was a search are found after a start, on %s',
  async (database) => {
    const { site, bente } = await aSite(database, { startJobs: false })
    await publishedPage(bente, { title: 'Vuurtoren' })
    // What the migration leaves.
    await site.db.deleteFrom('page_search').execute()
    expect(await titlesOf(site, 'vuurtoren')).toEqual([])
    const other = await aTestApp({ database, beside: site })
    await waitUntil(async () => (await titlesOf(other, 'vuurtoren')).includes('Vuurtoren'), 'index')
  },
)

test.each(databases)(
  'pages that an older version of the program published are found after a start, and those it unpublished are not, on %s',
  async (database) => {
    const { site, bente } = await aSite(database, { startJobs: false })
    const changed = await publishedPage(bente, { title: 'Vuurtoren' })
    await publishedPage(bente, { title: 'Havenhoofd' })
    const { db } = site
    const { id, ...before } = await db
      .selectFrom('page_search')
      .selectAll()
      .where('page_id', '=', changed)
      .executeTakeFirstOrThrow()
    await savePageIn(bente, changed, { title: 'Lichtschip' }, { publish: true })
    // The older version does not know the rows.
    await db.updateTable('page_search').set(before).where('id', '=', id).execute()
    await db
      .updateTable('page_text')
      .set({ live_id: null, live_slug: null, live_date: null })
      .where('page_id', '!=', changed)
      .execute()
    const other = await aTestApp({ database, beside: site })
    await waitUntil(async () => (await titlesOf(other, 'lichtschip')).includes('Lichtschip'), 'index')
    await waitUntil(async () => (await db.selectFrom('page_search').select('id').execute()).length === 1, 'removal')
  },
)

test.each(databases)(
  'texts that an older version stored are found before they are in the index of words, and by that index afterwards, on %s',
  async (database) => {
    const { site, bente } = await aSite(database, { startJobs: false })
    const { db } = site
    await publishedPage(bente, { title: 'Vuurtoren' })
    await publishedPage(bente, { title: 'Haven', body: [aParagraph('Bij de watertorens')] })
    const found = ['Vuurtoren', 'Haven']
    await db.updateTable('page_search').set({ words_indexed: 0, filled_with: 'older' }).execute()
    for (const query of ['toren', 'to']) expect(await titlesOf(site, query)).toEqual(query === 'to' ? [] : found)
    expect(await titlesOf(site, 'watert')).toEqual(['Haven'])

    const other = await aTestApp({ database, beside: site })
    const waiting = () => db.selectFrom('page_search').select('id').where('words_indexed', '=', 0).execute()
    await waitUntil(async () => (await waiting()).length === 0, 'the index of words')
    expect(await titlesOf(other, 'toren')).toEqual(found)
    for (const query of ['watert', 'ater', 'orens', 'ns', 'wa']) {
      expect([query, await titlesOf(other, query)]).toEqual([query, query === 'ns' ? [] : ['Haven']])
    }
    expect(await titlesOf(other, 'de torens')).toEqual(['Haven'])
    expect(await titlesOf(other, 'toren zeppelin')).toEqual([])
  },
)

test.each(databases)(
  'a text that cannot be read does not keep the others from being found, on %s',
  async (database) => {
    allowErrors(/refreshing the search index/)
    const { site, bente } = await aSite(database, { startJobs: false })
    const broken = await publishedPage(bente, { title: 'Wrak' })
    await publishedPage(bente, { title: 'Vuurtoren' })
    await site.db.deleteFrom('page_search').execute()
    await site.db.updateTable('page_revision').set({ text: '{' }).where('page_id', '=', broken).execute()
    const other = await aTestApp({ database, beside: site })
    await waitUntil(async () => (await titlesOf(other, 'vuurtoren')).includes('Vuurtoren'), 'index')
    const failed = () => other.lines.filter(({ msg }) => msg === 'refreshing the search index failed')
    await waitUntil(async () => failed().length === 1, 'the failure in the log')
    expect(JSON.stringify(failed())).toContain(`for the search: ${broken}`)
  },
)

test.each(databases)('a search sends only the SQL statements that it needs, on %s', async (database) => {
  const { site, bente } = await aSite(database, { startJobs: false })
  await publishedPage(bente, { title: 'Brug', body: [aParagraph('Langs de waterkant')] })
  const asked = vi.spyOn(site.db.getExecutor(), 'executeQuery')
  const statementsFor = async (query: string) => {
    asked.mockClear()
    expect(await titlesOf(site, query)).toEqual(['Brug'])
    // Without those that look for changed content now and then.
    return asked.mock.calls.filter(([{ sql }]) => /page_search|page_text|redirect/.test(sql)).length
  }
  expect(await statementsFor('waterkant')).toBe(database === 'sqlite' ? 8 : 10)
  // Two characters match starts of words only.
  expect(await statementsFor('wa')).toBe(database === 'sqlite' ? 8 : 9)
})

test('a page and a redirect that already had the address of the search keep it', async () => {
  const { site, bente } = await aSite('sqlite')
  const id = await publishedPage(bente, { title: 'Zoekgeraakt', slug: 'zoekgeraakt' })
  const { db } = site
  const revision = await db
    .selectFrom('page_revision')
    .select(['id', 'text'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const text = JSON.stringify({ ...JSON.parse(revision.text), slug: 'zoeken' })
  await db.updateTable('page_revision').set({ text }).where('id', '=', revision.id).execute()
  await db.updateTable('page_text').set({ slug: 'zoeken', live_slug: 'zoeken' }).where('page_id', '=', id).execute()
  const saved = await savePageIn(bente, id, { title: 'Gevonden voorwerpen' }, { publish: true })
  expect(saved.status).toBe(200)
  expect(await (await site.request('/zoeken')).text()).toContain('Gevonden voorwerpen')
  expect((await bente.post(`/api/pages/${id}/bin`, {})).status).toBe(200)
  expect((await resultsOf(site, 'voorwerpen')).status).toBe(200)
  expect((await bente.post(`/api/pages/${id}/restore`, {})).status).toBe(200)
  expect(await (await site.request('/zoeken')).text()).toContain('Gevonden voorwerpen')

  await savePageIn(bente, id, { slug: 'voorwerpen' }, { publish: true })
  // Its old address redirects to it, as every old address does.
  const redirected = await site.request('/zoeken')
  expect([redirected.status, redirected.headers.get('location')]).toEqual([301, '/voorwerpen'])
  expect((await savePageIn(bente, id, { slug: 'zoeken' })).status).toBe(422)
})
