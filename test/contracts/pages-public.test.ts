import { describe, expect, test } from 'vitest'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { withLivePages } from '../../src/domain/pages/live-configuration.ts'
import { sitemap, sitemapFile } from '../../src/site/feeds.ts'
import { anEntry, withNews } from '../support/collections.ts'
import { databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { aServedApp } from '../support/served-app.ts'
import { changeEachText, defaultSiteFile, type SiteFile, writeSiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPhoto, uploadFile, waitUntilProcessed } from '../support/uploads.ts'

const origin = defaultSiteFile().url
const html = async ({ request }: TestApp, path: string) => (await request(path)).text()
const seedId = async (site: TestApp, slug: string) =>
  (await site.db.selectFrom('page_seed').select('page_id').where('slug', '=', slug).executeTakeFirst())?.page_id ?? 0

describe.each(databases)('on %s', (database) => {
  test('a published change reaches the site and the sitemap of every instance that is served', async () => {
    const one = await aServedApp({ database })
    const other = await aServedApp({ beside: one })
    const bente = await as(one, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste')] })
    const read = async (copy: typeof one, path: string) => (await copy.fetchRaw(path)).body.toString()
    for (const copy of [one, other]) {
      await expect.poll(() => read(copy, '/werk')).toContain('Eerste')
      await expect.poll(() => read(copy, '/sitemap.xml')).toContain(`<loc>${origin}/werk</loc>`)
    }
    await savePageIn(bente, id, { body: [aParagraph('Tweede')], slug: 'ons-werk' }, { publish: true })
    for (const copy of [one, other]) {
      await expect.poll(() => read(copy, '/ons-werk')).toContain('Tweede')
      await expect.poll(async () => (await copy.fetchRaw('/werk')).status).toBe(301)
      await expect.poll(() => read(copy, '/sitemap.xml')).not.toContain(`${origin}/werk<`)
    }
  })

  test('an unpublished page is not found by id, by slug, in the sitemap or in the API', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/pages', { title: 'Geheim plan', locale: 'nl' })).json()
    await savePageIn(bente, id, { body: [aParagraph('Nog niet')] })
    const live = await publishedPage(bente, { title: 'Werk' })
    await savePageIn(bente, live, { title: 'Geheime titel', slug: 'geheim' })
    const roya = await as(site, 'roya')
    for (const path of ['/geheim-plan', '/fa/geheim-plan', `/${id}`, '/geheim', `/geheim-plan/`, `/pages/${id}`]) {
      expect([path, (await site.request(path)).status]).toEqual([path, 404])
    }
    expect(await html(site, '/sitemap.xml')).not.toContain('geheim')
    expect(await html(site, '/werk')).not.toContain('Geheim')
    for (const path of ['', '?search=geheim', `/${id}`, `/${id}/nl`, `/${id}/nl/revisions`, `/${id}/nl/preview`]) {
      const method = path.endsWith('preview') ? 'POST' : 'GET'
      expect((await site.request(`/api/pages${path}`, { method })).status).toBe(401)
      expect((await roya.request(`/api/pages${path}`, { method })).status).toBe(403)
    }
  })

  test('search engines: a page can have its own title, description and image, and noindex', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id: fileId } = await uploadFile(bente, 'gevel.jpg', await aPhoto(800, 400))
    const { url } = await waitUntilProcessed(bente, fileId)
    const id = await publishedPage(bente, { title: 'Werk' })
    const plain = await html(site, '/werk')
    expect(plain).toContain('<title>Werk | Maaslicht</title>')
    expect(plain).toMatch(/<meta name="description" content="Maaslicht in Maastricht bouwt/)
    expect(plain).toContain(`<meta property="og:image" content="${origin}/opengraph.png"/>`)

    const values = { seoTitle: 'Websites van [brand]', description: 'Wat wij maakten.', picture: url }
    await savePageIn(bente, id, values, { publish: true })
    await expect.poll(() => html(site, '/werk')).toContain('<title>Websites van Maaslicht</title>')
    const own = await html(site, '/werk')
    expect(own).toContain('<meta name="description" content="Wat wij maakten."/>')
    expect(own).toMatch(
      new RegExp(`<meta property="og:image" content="${origin}/files/[0-9a-f]{32}/800/gevel\\.jpg"/>`),
    )
    expect(own).toContain('<meta property="og:image:width" content="800"/>')
    expect(own).toContain(`<link rel="canonical" href="${origin}/werk"/>`)
    expect((await bente.delete(`/api/files/${fileId}`)).status).toBe(409)

    await savePageIn(bente, id, { noindex: true }, { publish: true })
    await expect.poll(() => html(site, '/werk')).toContain('<meta name="robots" content="noindex"/>')
    expect(await html(site, '/sitemap.xml')).not.toContain('/werk<')
  })

  test('each language of a page links to the other, and a page with only a Persian text is no Dutch page', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    await savePageIn(bente, id, { title: 'کارها', slug: 'کارها' }, { locale: 'fa', publish: true })
    const persian = encodeURI('/fa/کارها')
    for (const path of ['/werk', persian]) {
      const page = await html(site, path)
      expect(page).toContain(`<link rel="alternate" hrefLang="nl" href="${origin}/werk"/>`)
      expect(page).toContain(`<link rel="alternate" hrefLang="fa" href="${origin}${persian}"/>`)
      expect(page).toContain(`<link rel="canonical" href="${origin}${path}"/>`)
    }
    expect(await html(site, '/sitemap.xml')).toContain(
      `<url><loc>${origin}${persian}</loc><lastmod>${new Date().toISOString().slice(0, 4)}`,
    )
    const alone = await publishedPage(bente, { title: 'فقط فارسی', locale: 'fa' })
    expect((await getPageIn(bente, alone, 'fa')).path).toBe('/fa/فقط-فارسی')
    expect((await site.request(encodeURI('/fa/فقط-فارسی'))).status).toBe(200)
    expect((await site.request(encodeURI('/فقط-فارسی'))).status).toBe(404)
    expect((await site.request(`${encodeURI('/fa/فقط-فارسی')}?locale=nl`)).headers.get('location')).toBe('/')
  })

  test('the redirect of a Dutch address under /fa is not cached, because it can change', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    expect((await savePageIn(bente, id, { title: 'کار', slug: 'کار' }, { locale: 'fa', publish: true })).status).toBe(
      200,
    )
    const own = `/fa/${encodeURI('کار')}`
    for (const [from, status] of [
      ['/fa/werk', 301],
      [`${own}/`, 308],
    ] as const) {
      const redirect = await site.request(from)
      expect([redirect.status, redirect.headers.get('location')]).toEqual([status, own])
      expect(redirect.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    }
    const { version } = await getPageIn(bente, id, 'fa')
    expect((await bente.post(`/api/pages/${id}/fa/unpublish`, { version })).status).toBe(200)
    expect((await site.request('/fa/werk')).status).toBe(200)
  })

  test('a text of the configuration file replaces the page at the start until somebody changes the page', async () => {
    const one = await aTestApp({ database, site: () => {} })
    const bente = await as(one, 'beheerder')
    await savePageIn(bente, await seedId(one, 'disclaimer'), { title: 'Van Bente' }, { publish: true })
    await one.stop()
    const title = (config: SiteFile, slug: string, text: string) => {
      config.pages.find((page: { slug: string }) => page.slug === slug).content.nl.title = text
    }
    const siteConfig = writeSiteFile(one.settings.dataDir, (config) => {
      title(config, 'disclaimer', 'Uit het bestand')
      title(config, 'privacy-verklaring', 'Privacy uit het bestand')
      config.pages.push({ ...structuredClone(config.pages[1]), slug: 'nieuw' })
    })
    const next = await aTestApp({ database, beside: one, settings: { siteConfig } })
    expect(await html(next, '/disclaimer')).toContain('Van Bente')
    expect(await html(next, '/privacy-verklaring')).toContain('Privacy uit het bestand')
    expect((await next.request('/nieuw')).status).toBe(200)

    const again = await as(next, 'beheerder')
    const id = await seedId(next, 'nieuw')
    await again.post(`/api/pages/${id}/bin`)
    expect((await again.delete(`/api/pages/${id}`)).status).toBe(204)
    await next.stop()
    const last = await aTestApp({ database, beside: one, settings: { siteConfig } })
    expect((await last.request('/nieuw')).status).toBe(404)
  })

  test('importing a configuration replaces the texts that the file has, which stay in the history; an export has the live texts', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await seedId(site, 'disclaimer')
    await savePageIn(bente, id, { title: 'Van Bente', seoTitle: 'Zoek mij' }, { publish: true })
    const { site: exported } = await withLivePages(site.db, site.app.context().site)
    const disclaimer = exported.pages.find(({ slug }) => slug === 'disclaimer')
    expect(disclaimer?.content.nl).toMatchObject({ title: 'Van Bente', seoTitle: 'Zoek mij' })

    await importConfiguration(site.app.context(), { text: JSON.stringify(defaultSiteFile()), note: 'test' })
    await expect.poll(() => html(site, '/disclaimer')).not.toContain('Van Bente')
    const { data } = await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()
    expect(data[0].by).toEqual({ id: null, name: 'De website zelf' })
    expect((await (await bente.get(`/api/pages/${id}/nl/revisions/${data[1].id}`)).json()).text.title).toBe('Van Bente')

    await importConfiguration(site.app.context(), { text: JSON.stringify(exported), note: 'test' })
    await expect.poll(() => html(site, '/disclaimer')).toContain('Van Bente')
    expect(await withLivePages(site.db, site.app.context().site)).toEqual({ site: exported, omitted: 0 })
    expect(await html(site, '/disclaimer')).toContain('<title>Zoek mij</title>')
  })

  test('many addresses are divided over several sitemaps with an index', async () => {
    const site = await aTestApp({ database, site: () => {} })
    const ctx = site.app.context()
    const named = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url?.slice(origin.length))
    expect(named(await sitemap(ctx, 4))).toEqual(['/sitemap-1.xml', '/sitemap-2.xml'])
    const parts = [await sitemapFile(ctx, 1, 5), await sitemapFile(ctx, 2, 5)].map((part) => part ?? '')
    expect(parts.flatMap(named).length).toBe(6)
    expect(new Set(parts.flatMap(named))).toEqual(new Set(named(await sitemap(ctx))))
    expect(parts.join('').match(/hreflang="fa"/g)).toHaveLength(6)
    expect(await sitemapFile(ctx, 3, 5)).toBeUndefined()
    expect((await site.request('/sitemap-1.xml')).status).toBe(404)
  })

  test('a page in three languages names all of them in each sitemap', async () => {
    const site = await aTestApp({ database, site: () => {} })
    const bente = await as(site, 'beheerder')
    const { version } = await (await bente.get('/api/config')).json()
    await bente.put('/api/config', { version, config: { locales: ['nl', 'fa', 'de'] } })
    const id = await publishedPage(bente, { title: 'Winkel' })
    for (const [locale, slug] of [
      ['fa', 'forushgah'],
      ['de', 'laden'],
    ] as const) {
      await savePageIn(bente, id, { title: slug, slug }, { locale, publish: true })
    }
    const ctx = site.app.context()
    const urls = (xml = '') => xml.match(/<url>.*?<\/url>/gs) ?? []
    const whole = urls(await sitemap(ctx))
    expect(whole).toHaveLength(9)
    for (const most of [7, 8]) {
      const parts = [await sitemapFile(ctx, 1, most), await sitemapFile(ctx, 2, most)]
      expect(parts.flatMap(urls), `${most} in each`).toEqual(whole)
    }
  })

  test('the menu leads to the translated pages also on a page with hundreds of links, with another language at the root', async () => {
    const site = await aTestApp({
      database,
      site: (config) =>
        Object.assign(
          config,
          changeEachText(config, (text) => ({ ...text, en: text.nl })),
          { locales: ['nl', 'en'], rootLocale: 'en' },
        ),
    })
    const bente = await as(site, 'beheerder')
    const shop = await publishedPage(bente, { title: 'Winkel' })
    await savePageIn(bente, shop, { title: 'Shop', slug: 'shop' }, { locale: 'en', publish: true })
    const menus = { main: { nl: [{ title: 'Naar de winkel', url: '/winkel' }] } }
    const { version } = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { menus } })).status).toBe(200)
    const links = Array.from({ length: 501 }, (_, index) => `<a href="/x${index}">x</a>`).join(' ')
    await publishedPage(bente, { title: 'Links', locale: 'en', body: [aParagraph(links)] })
    expect(await html(site, '/links')).toMatch(/<a href="\/shop"[^>]*>Naar de winkel<\/a>/)
  })

  test('an entry that is unpublished during an export does not leave out the older ones', async () => {
    const site = await aTestApp({ database, site: withNews })
    const bente = await as(site, 'beheerder')
    await anEntry(bente, 'Oud', {})
    const id = await anEntry(bente, 'Nieuw', {})
    // As if this happened between the list of entries and the reading of this one.
    await site.db.updateTable('page_text').set({ live_slug: null }).where('page_id', '=', id).execute()
    const { site: exported, omitted } = await withLivePages(site.db, site.app.context().site)
    expect(omitted).toBe(0)
    expect(exported.pages.at(-1)).toMatchObject({ slug: 'nieuws/oud' })
  })
})

test('a signed-in user who may write pages gets a link from each page to its editor; other visitors get the same page as before', async () => {
  const site = await aTestApp()
  const anonymous = await html(site, '/disclaimer')
  const id = await seedId(site, 'disclaimer')
  const rik = await as(site, 'redacteur')
  const link = (text: string) => /<a href="(\/admin\/pages\/[^"]+)">([^<]+)<\/a>/.exec(text)?.slice(1)

  const own = await rik.get('/disclaimer')
  expect(own.headers.get('cache-control')).toBe('private, no-store')
  expect(link(await own.text())).toEqual([`/admin/pages/${id}/nl`, 'Bewerk deze pagina'])
  expect(link(await (await rik.get('/fa/disclaimer')).text())?.[1]).toBe('ویرایش این صفحه')

  // A text that is shown because its translation is missing is edited in its own language.
  const bente = await as(site, 'beheerder')
  const werk = await publishedPage(bente, { title: 'Werk' })
  expect(link(await (await rik.get('/fa/werk')).text())?.[0]).toBe(`/admin/pages/${werk}/nl`)

  const roya = await as(site, 'roya')
  expect(link(await (await roya.get('/disclaimer')).text())).toBeUndefined()
  expect(await html(site, '/disclaimer')).toBe(anonymous)
  expect(link(anonymous)).toBeUndefined()
})
