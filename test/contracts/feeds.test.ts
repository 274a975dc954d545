import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { anEntry, changeCollections, fetchMainHtml, news, withNews } from '../support/collections.ts'
import { databases } from '../support/databases.ts'
import { addManyEntries } from '../support/many-entries.ts'
import { savePageIn } from '../support/pages.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

/** An Atom feed, parsed strictly as XML. */
async function atom(site: TestApp, path = '/nieuws/feed.xml') {
  const answer = await site.request(encodeURI(path))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  const { document } = new JSDOM(await answer.text(), { contentType: 'application/xml' }).window
  const all = (name: string) => [...document.querySelectorAll(name)]
  return {
    id: document.querySelector('feed > id')?.textContent,
    title: document.querySelector('feed > title')?.textContent,
    updated: document.querySelector('feed > updated')?.textContent,
    ids: all('entry > id').map(({ textContent }) => textContent),
    titles: all('entry > title').map(({ textContent }) => textContent),
    summaries: all('entry > summary').map(({ textContent }) => textContent),
    links: all('entry > link:not([rel])').map((link) => link.getAttribute('href')),
  }
}
const json = async (site: TestApp, path = '/nieuws/feed.json') => {
  const answer = await site.request(encodeURI(path))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/feed+json; charset=utf-8'])
  return answer.json()
}

describe.each(databases)('the feeds of a collection, on %s,', (database) => {
  test('have as many entries as possible, also when newer ones are hidden from search engines', async () => {
    const site = await aTestApp({ database, site: withNews })
    const bente = await as(site, 'beheerder')
    const newer = await addManyEntries(site.db, 'nieuws', limits.feedEntries)
    await site.db.updateTable('page_text').set({ live_noindex: 1 }).where('live_slug', 'in', newer).execute()
    await anEntry(bente, 'Oud', { datum: '2001-01-05' })
    expect((await atom(site)).titles).toEqual(['Oud'])
  })

  test('have the newest published entries, change at once on each instance, and are linked from the pages', async () => {
    const site = await aTestApp({ database, site: withNews })
    const other = await aTestApp({ beside: site, site: withNews })
    const bente = await as(site, 'beheerder')
    const { origin } = site.app.context()
    expect(await atom(site)).toMatchObject({ titles: [], title: expect.stringContaining('Nieuws') })
    await anEntry(bente, 'Oud', { datum: '2026-01-05', samenvatting: 'Lang geleden' })
    const id = await anEntry(bente, 'Nieuw', { datum: '2026-03-05' })
    await anEntry(bente, 'Concept', { datum: '2026-12-01' }, { publish: false })
    const hidden = await anEntry(bente, 'Verborgen', { datum: '2026-04-05' })
    expect((await savePageIn(bente, hidden, { noindex: true }, { publish: true })).status).toBe(200)
    for (const app of [site, other]) {
      await expect.poll(async () => (await atom(app)).titles).toEqual(['Nieuw', 'Oud'])
      expect(await atom(app)).toMatchObject({
        links: [`${origin}/nieuws/nieuw`, `${origin}/nieuws/oud`],
        summaries: ['Nieuw', 'Lang geleden'],
      })
    }
    expect(await json(site)).toMatchObject({
      home_page_url: `${origin}/nieuws`,
      feed_url: `${origin}/nieuws/feed.json`,
      items: [
        { title: 'Nieuw', url: `${origin}/nieuws/nieuw`, date_published: '2026-03-05T00:00:00.000Z' },
        { title: 'Oud', content_html: 'Lang geleden' },
      ],
    })
    const [first] = (await atom(site)).ids
    const moved = { title: 'Verhuisd', slug: 'nieuws/verhuisd' }
    expect((await savePageIn(bente, id, moved, { publish: true })).status).toBe(200)
    await expect.poll(async () => (await atom(site)).titles).toEqual(['Verhuisd', 'Oud'])
    expect((await atom(site)).ids[0]).toBe(first)

    for (const path of ['/nieuws', '/nieuws/oud']) {
      const page = await (await site.request(path)).text()
      expect(page).toContain(
        `<link rel="alternate" type="application/atom+xml" title="Nieuws" href="${origin}/nieuws/feed.xml"/>`,
      )
      expect(page).toContain(`href="${origin}/nieuws/feed.json"`)
    }
    expect(await fetchMainHtml(site, '/disclaimer')).not.toContain('application/atom+xml')

    // At another root the feeds of before move with their language, and stay the same feeds.
    const { id: feedId, ids } = await atom(site)
    expect(feedId).toBe(`tag:${new URL(origin).hostname},2026:nieuws:nl`)
    const { version } = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { rootLocale: 'fa' } })).status).toBe(200)
    for (const type of ['xml', 'json']) {
      const old = await site.request(`/nieuws/feed.${type}?a=1`)
      expect([old.status, old.headers.get('location')]).toEqual([301, `/nl/nieuws/feed.${type}?a=1`])
    }
    expect(await atom(site, '/nl/nieuws/feed.xml')).toMatchObject({ id: feedId, ids })
    expect((await site.request('/disclaimer/feed.xml')).status).toBe(404)
  })
})

test.each(databases)(
  'feeds escape what they show, without characters that XML does not allow, on %s',
  async (database) => {
    const site = await aTestApp({ database, site: withNews })
    const bente = await as(site, 'beheerder')
    const richSummary = { ...news, fields: [{ ...news.fields[3], inList: true }] }
    expect((await changeCollections(bente, [richSummary])).status).toBe(200)
    const title = 'Bed & <b>brood</b> ]]> "nu"'
    await anEntry(bente, title, { uitleg: '<p>Regel\u0001 een\u000b &amp; \ud800 twee</p>' })
    const { titles, summaries } = await atom(site)
    // A title is HTML in Atom: parsed once more it is the text again.
    const read = new JSDOM(titles[0] ?? '').window.document.body.textContent
    expect(read).toBe(title)
    expect(summaries[0]).toMatch(/^Regel een &amp; .? ?twee$/)
    const { items } = await json(site)
    expect(items[0]).toMatchObject({ title, content_html: expect.stringMatching(/^Regel een &amp; .? ?twee$/) })
  },
)

test('feeds name the author that the page of an entry shows, and no other', async () => {
  const site = await aTestApp({ site: withNews })
  const bente = await as(site, 'beheerder')
  const author = { id: 'auteur', name: { nl: 'Auteur' }, type: 'author', inList: false, inDetail: true }
  expect((await changeCollections(bente, [{ ...news, fields: [...news.fields, author] }])).status).toBe(200)
  await anEntry(bente, 'Zonder', { datum: '2026-01-05' })
  await anEntry(bente, 'Met', { datum: '2026-02-05', auteur: 'Roya & <b>Zn</b>' })
  const authors = (text: string) =>
    [...new JSDOM(text, { contentType: 'application/xml' }).window.document.querySelectorAll('entry')].map(
      (entry) => entry.querySelector('author > name')?.textContent,
    )
  const xml = async () => authors(await (await site.request('/nieuws/feed.xml')).text())
  expect(await xml()).toEqual(['Roya & <b>Zn</b>', undefined])
  const { items } = await json(site)
  expect(items.map((item: { author?: object }) => item.author)).toEqual([{ name: 'Roya & <b>Zn</b>' }, undefined])

  const hidden = { ...author, inDetail: false }
  expect((await changeCollections(bente, [{ ...news, fields: [...news.fields, hidden] }])).status).toBe(200)
  expect(await xml()).toEqual([undefined, undefined])
})

test.each(databases)(
  'feeds exist in each language, are cached with an ETag, and do not exist for a page, on %s',
  async (database) => {
    const site = await aTestApp({ database, site: withNews })
    const bente = await as(site, 'beheerder')
    const id = await anEntry(bente, 'Opening', { datum: '2026-02-01' })
    await anEntry(bente, 'Sluiting', { datum: '2026-03-01' })
    const text = { title: 'گشایش', slug: 'خبرها/گشایش', fields: { datum: '2026-02-01' } }
    expect((await savePageIn(bente, id, text, { locale: 'fa', publish: true })).status).toBe(200)
    const { origin } = site.app.context()
    expect(await atom(site, '/fa/خبرها/feed.xml')).toMatchObject({
      titles: ['Sluiting', 'گشایش'],
      links: [`${origin}/fa/nieuws/sluiting`, origin + encodeURI('/fa/خبرها/گشایش')],
    })
    const first = await site.request('/nieuws/feed.xml')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    expect((await site.request('/nieuws/feed.xml', { headers: { 'If-None-Match': etag } })).status).toBe(304)
    expect((await site.request('/nieuws/feed.xml', { method: 'POST' })).status).not.toBe(200)
    for (const path of [
      '/feed.xml',
      '/disclaimer/feed.xml',
      '/nieuws/feed.rss',
      '/nieuws/opening/feed.xml',
      '/de/nieuws/feed.xml',
    ]) {
      expect((await site.request(path)).status, path).toBe(404)
    }
    const other = await site.request('/%6eieuws/feed.xml', { redirect: 'manual' })
    expect([other.status, other.headers.get('location')]).toEqual([308, '/nieuws/feed.xml'])
  },
)
