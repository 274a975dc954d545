import { Hono, type MiddlewareHandler } from 'hono'
import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { publishScheduled } from '../../src/domain/pages/publish-scheduled.ts'
import type { Env } from '../../src/http/env.ts'
import { PageCache } from '../../src/http/page-cache.ts'
import { translator } from '../../src/i18n/translate.ts'
import { createSiteRoutes } from '../../src/site/routes.ts'
import { anEntry, news } from '../support/collections.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { sendMessage } from '../support/messages.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { aMessageOf } from '../support/people.ts'
import { changeEachText, defaultSiteFile, siteFileWithoutCollections } from '../support/site-file.ts'
import { as, password, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPdf, uploadFile } from '../support/uploads.ts'

const change = async (who: SignedIn, config: object) => {
  const { version }: Configuration = await (await who.get('/api/config')).json()
  return who.put('/api/config', { version, config })
}
const origin = defaultSiteFile().url
const html = async (site: TestApp, path: string) => (await site.request(path)).text()
const problems = async (answer: Response) => {
  expect(answer.status).toBe(422)
  return ((await answer.json()).errors as { path: string; message: string }[]).map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

const aSite = async (database?: DatabaseKind) => {
  const site = await aTestApp(database && { database })
  return { site, bente: await as(site, 'beheerder') }
}

describe.each(databases)('the languages of the site, on %s,', (database) => {
  test('German is added by the configuration alone: pages, hreflang, sitemap, cookie, drafts, search, form', async () => {
    const { site, bente } = await aSite(database)
    expect((await change(bente, { locales: ['nl', 'fa', 'de'] })).status).toBe(200)

    const home = await html(site, '/de')
    expect(home).toContain('<html lang="de" dir="ltr">')
    expect(home).toContain('<main id="inhoud" lang="nl" dir="ltr">')

    const page = await publishedPage(bente, { title: 'Onze winkel', body: [aParagraph('Open tot zes uur')] })
    const draft = await bente.put(`/api/pages/${page}/de/draft`, {
      text: { ...(await getPageIn(bente, page, 'de')).text, title: 'Unser La' },
      baseVersion: 0,
      revision: 0,
    })
    expect(draft.status).toBe(200)
    expect((await html(site, '/de/onze-winkel')).includes('Open tot zes uur')).toBe(true)
    await savePageIn(
      bente,
      page,
      {
        title: 'Unser Laden',
        slug: 'unser-laden',
        body: [aParagraph('Geöffnet bis sechs Uhr'), { type: 'contact-form', title: 'Schreiben Sie uns' }],
      },
      { locale: 'de', publish: true },
    )
    const shop = await html(site, '/de/unser-laden')
    expect(shop).toContain('<html lang="de" dir="ltr">')
    expect(shop).toContain('Geöffnet bis sechs Uhr')
    expect(shop).toContain(`<link rel="canonical" href="${origin}/de/unser-laden"/>`)
    for (const [tag, path] of [
      ['nl', '/onze-winkel'],
      ['de', '/de/unser-laden'],
      ['x-default', '/onze-winkel'],
    ]) {
      expect(shop).toContain(`<link rel="alternate" hrefLang="${tag}" href="${origin}${path}"/>`)
    }
    expect(shop).toContain('<meta property="og:locale" content="de_DE"/>')
    expect(await html(site, '/onze-winkel')).toContain('>Deutsch</a>')
    // The program has no texts in German, so the form has those of the language at the root.
    expect(shop).toContain('Verstuur bericht')
    expect(await html(site, '/sitemap.xml')).toContain(
      `<xhtml:link rel="alternate" hreflang="de" href="${origin}/de/unser-laden"/>`,
    )
    expect((await site.request('/de/onze-winkel')).headers.get('location')).toBe('/de/unser-laden')

    const chosen = await site.request('/?locale=de')
    expect(chosen.headers.get('set-cookie')).toContain('locale=de')
    expect(chosen.headers.get('location')).toBe('/de')
    const returning = await site.request('/', { headers: { Cookie: 'locale=de' } })
    expect([returning.status, returning.headers.get('location')]).toEqual([302, '/de'])

    const found = await html(site, '/de/zoeken?q=geoffnet')
    expect(found).toContain('href="/de/unser-laden"')
    expect(await html(site, '/zoeken?q=geoffnet')).not.toContain('unser-laden')
    expect((await site.request('/de/login')).status).toBe(200)

    const message = { naam: 'Jonas Weber', email: 'jonas@example.de', tel: '+49 30 1234567', bericht: 'Guten Tag' }
    const sent = await site.request('/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...message, taal: 'de' }),
    })
    expect([sent.status, sent.headers.get('content-language')]).toEqual([201, 'de'])
    const { id } = await sent.json()
    expect(await (await bente.get(`/api/messages/${id}`)).json()).toMatchObject({ locale: 'de' })
    expect((await site.request('/de/page-that-is-none')).status).toBe(404)
  })

  test('English at the root: every address changes, and the old ones redirect to the new', async () => {
    const { site, bente } = await aSite(database)
    await change(bente, { locales: ['nl', 'fa', 'en', 'de'] })
    const publish = async (id: number, locale: string, text: object) => {
      const answer = await savePageIn(bente, id, { body: [], ...text }, { locale, publish: true })
      expect(answer.status, await answer.clone().text()).toBe(200)
    }
    const shop = await publishedPage(bente, { title: 'Winkel', body: [aParagraph('Open tot zes uur')] })
    const text = '<p><a href="/winkel?x=1#uren">shop</a> <a href="/team">team</a> <a href="/en/shop">en</a></p>'
    await publish(shop, 'en', { title: 'Shop', slug: 'shop', body: [{ type: 'rich-text', content: text }] })
    const team = await publishedPage(bente, { title: 'Team', body: [{ type: 'rich-text', content: text }] })
    await publish(team, 'de', { title: 'Mannschaft', slug: 'mannschaft' })

    const refused = await change(bente, { rootLocale: 'en' })
    expect(await problems(refused)).toEqual([
      'rootLocale: De homepage is in deze taal nog niet gepubliceerd. Publiceer die eerst: zij komt op het hoofdadres van de site.',
    ])
    const home = (await (await bente.get('/api/pages?search=')).json()).data.find(
      ({ fixed, nl }: { fixed: boolean; nl: { slug: string } | null }) => fixed && nl?.slug === '',
    ).id
    await publish(home, 'en', {
      title: 'Welcome',
      slug: '',
      body: [aParagraph('Fast sites'), { type: 'contact-form', title: 'Write to us' }],
    })
    expect((await html(site, '/')).includes('<html lang="nl"')).toBe(true)
    const contact = (fields: object) =>
      site.request('/api/contact', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin },
        body: new URLSearchParams({ naam: 'Emma', tel: '030123456', bericht: 'Hello', ...fields }),
      })
    const fromShop = { email: 'emma@example.com', taal: 'nl', pagina: '/winkel' }
    expect((await contact(fromShop)).status).toBe(200)
    const menus = { main: { nl: [{ title: 'Naar de winkel', url: '/winkel', className: '', submenu: [] }] } }
    const saved = await change(bente, { rootLocale: 'en', menus })
    expect(saved.status, await saved.clone().text()).toBe(200)
    const { version: savedVersion, config } = await saved.json()
    expect(config).toMatchObject({ rootLocale: 'en', formerRootLocales: ['nl'] })
    // A save without a change makes no revision.
    for (const same of [{}, { rootLocale: 'en' }, config]) {
      expect((await (await change(bente, same)).json()).version).toBe(savedVersion)
    }

    // Cached pages are purged.
    const root = await html(site, '/')
    expect(root).toContain('<html lang="en" dir="ltr">')
    expect(root).toContain('Fast sites')
    expect(root).toContain(`<link rel="canonical" href="${origin}/"/>`)
    for (const [tag, path] of [
      ['nl', '/nl'],
      ['en', '/'],
      ['x-default', '/'],
    ]) {
      expect(root).toContain(`<link rel="alternate" hrefLang="${tag}" href="${origin}${path}"/>`)
    }
    expect(await html(site, '/nl')).toContain('<html lang="nl" dir="ltr">')

    // Links in texts stay as they were written, and lead where they should in each language.
    const english = await html(site, '/shop')
    expect(english).toContain('<a href="/shop?x=1#uren">shop</a> <a href="/nl/team">team</a> <a href="/shop">en</a>')
    expect(english).toMatch(/<a href="\/shop"[^>]*>Naar de winkel<\/a>/)
    const refusedForm = await contact({ email: 'emma', taal: 'en', pagina: '/' })
    expect(refusedForm.status).toBe(422)
    for (const page of [refusedForm, ...['/zoeken', '/login', '/nergens'].map((path) => site.request(path))]) {
      expect(await (await page).text()).toMatch(/<a href="\/shop"[^>]*>Naar de winkel<\/a>/)
    }
    const { pages } = await (await bente.get('/api/dashboard/statistics')).json()
    expect(pages.rows).toEqual([{ address: '/nl/winkel', locale: 'nl', title: 'Winkel', count: 1 }])
    const dutch = await html(site, '/nl/team')
    expect(dutch).toContain('<a href="/nl/winkel?x=1#uren">shop</a> <a href="/nl/team">team</a> <a href="/shop">en</a>')
    expect(dutch).toMatch(/<a href="\/nl\/winkel"[^>]*>Naar de winkel<\/a>/)
    const stored = (await getPageIn(bente, shop, 'en')).text.body[0] as unknown as { content: string }
    expect(stored.content).toBe(text)
    const leadsTo = async (path: string, headers = {}) => {
      const answer = await site.request(path, { headers })
      return `${answer.status} ${answer.headers.get('location')}`
    }
    expect(await leadsTo('/winkel?a=1')).toBe('301 /nl/winkel?a=1')
    expect(await leadsTo('/team')).toBe('301 /nl/team')
    expect(await leadsTo('/en')).toBe('301 /')
    expect(await leadsTo('/en/shop')).toBe('301 /shop')
    expect(await leadsTo('/en/login?redirect=%2Fuser')).toBe('302 /login?redirect=%2Fuser')
    expect((await site.request('/en/login')).headers.get('cache-control')).toBe('private, no-store')
    expect(await leadsTo('/de/winkel')).toBe('200 null')
    expect(await leadsTo('/de/team')).toBe('301 /de/mannschaft')
    expect(await leadsTo('/mannschaft')).toBe('404 null')
    expect(await leadsTo('/', { Cookie: 'locale=nl' })).toBe('302 /nl')
    expect(await leadsTo('/', { Cookie: 'locale=en' })).toBe('200 null')
    expect(await leadsTo('/nl', { Cookie: 'locale=en' })).toBe('200 null')
    expect(await leadsTo('/nl/team?locale=en')).toBe('303 /')
    expect(await leadsTo('/nl/winkel?locale=en')).toBe('303 /shop')

    // A page that moves afterwards, or has moved before, is found at all of its addresses.
    await publish(shop, 'nl', { title: 'Winkel', slug: 'zaak' })
    expect(await leadsTo('/winkel')).toBe('301 /nl/zaak')
    expect(await leadsTo('/nl/winkel')).toBe('301 /nl/zaak')
    await publish(team, 'en', { title: 'People', slug: 'people' })
    expect(await html(site, '/shop')).toContain('<a href="/people">team</a>')

    const map = await html(site, '/sitemap.xml')
    expect(map).toContain(`<loc>${origin}/nl/zaak</loc>`)
    expect(map).toContain(`<loc>${origin}/shop</loc>`)
    expect(map).not.toContain(`${origin}/en`)
    expect(await html(site, '/zoeken?q=shop')).toContain('href="/shop"')
    expect(await html(site, '/nl/zoeken?q=winkel')).toContain('href="/nl/zaak"')
    expect(JSON.parse(await html(site, '/site.webmanifest'))).toMatchObject({ lang: 'en', dir: 'ltr' })
    const sent = await contact({ email: 'emma@example.com', taal: 'en', bericht: 'Hello again' })
    expect([sent.status, sent.headers.get('location')?.split('?')[0]]).toEqual([303, '/'])
    const silent = { naam: 'Emma', email: 'emma', tel: '1', bericht: 'x' }
    const answer = await site.request('/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(silent),
    })
    expect(answer.headers.get('content-language')).toBe('en')

    // A redirect that leads back to the former address of the same page ends.
    expect((await bente.post('/api/redirects', { from: '/nl/lus', to: '/lus' })).status).toBe(201)
    expect(await leadsTo('/nl/lus')).toBe('404 null')
    expect(await leadsTo('/lus')).toBe('301 /nl/lus')
    // Behind a prefix there is no other site.
    expect(await leadsTo('/nl//elders.example')).toBe('404 null')

    // The home page in the language at the root cannot be taken off the site, and the language cannot be removed.
    const { version } = await getPageIn(bente, home, 'en')
    expect((await bente.post(`/api/pages/${home}/en/unpublish`, { version })).status).toBe(409)
    const rootStays =
      'rootLocale: Kies als taal zonder voorvoegsel een van de talen van de site. Zet eerst een andere taal op die plek als u deze wilt weghalen.'
    expect(await problems(await change(bente, { locales: ['nl', 'fa'] }))).toEqual([rootStays])
    expect(await problems(await change(bente, { rootLocale: 'fr' }))).toEqual([rootStays])
    expect(await problems(await change(bente, { rootLocale: 'EN' }))).toHaveLength(1)

    // And back: the addresses of English lead to their prefix again.
    expect((await change(bente, { rootLocale: 'nl' })).status).toBe(200)
    expect(await html(site, '/')).toContain('<html lang="nl" dir="ltr">')
    expect(await leadsTo('/shop')).toBe('301 /en/shop')
    expect(await leadsTo('/nl/zaak')).toBe('301 /zaak')
    expect(await leadsTo('/winkel')).toBe('301 /zaak')
    expect(await leadsTo('/en/shop')).toBe('200 null')
  })

  test('settings, menus and sections have texts in an added language; what is missing is shown in Dutch', async () => {
    const { site, bente } = await aSite(database)
    const { config }: Configuration = await (await bente.get('/api/config')).json()
    const section = await (
      await bente.post('/api/sections', {
        name: 'Openingstijden',
        nl: [aParagraph('Open tot zes uur')],
        texts: { de: [aParagraph('Bis sechs Uhr')] },
      })
    ).json()
    expect(section).toMatchObject({ locales: ['nl', 'de'], texts: { de: [{ type: 'rich-text' }] } })
    const page = await publishedPage(bente, { title: 'Winkel', body: [{ type: 'section', section: section.id }] })
    const menu = (title: string) => [{ title, url: '/winkel', className: '', submenu: [] }]
    const saved = await change(bente, {
      locales: ['nl', 'de'],
      seo: { ...config.seo, description: { ...config.seo.description, de: 'Webseiten aus Maastricht' } },
      menus: { main: { nl: menu('Winkelen'), de: menu('Einkaufen') } },
    })
    expect(saved.status, await saved.clone().text()).toBe(200)
    expect((await saved.json()).config.seo.description).toMatchObject({ de: 'Webseiten aus Maastricht' })
    await savePageIn(
      bente,
      page,
      {
        title: 'Laden',
        slug: 'laden',
        body: [{ type: 'section', section: section.id }],
      },
      { locale: 'de', publish: true },
    )
    const laden = await html(site, '/de/laden')
    expect(laden).toContain('Bis sechs Uhr')
    expect(laden).toContain('content="Webseiten aus Maastricht"')
    expect(laden).toContain(`<title>Laden | ${config.brand}</title>`)
    expect(await html(site, '/winkel')).toContain('Open tot zes uur')
  })

  test('a language is refused whose prefix begins the address of a page, and no page gets an address under the prefix of a language', async () => {
    const { bente } = await aSite(database)
    const page = await publishedPage(bente, { title: 'Duits', slug: 'de/les', body: [] })
    const inUse = 'Er is een pagina met dit adres. Geef die pagina eerst een ander adres.'
    expect(await problems(await change(bente, { locales: ['nl', 'fa', 'de'] }))).toEqual([`locales.2: ${inUse}`])
    await savePageIn(bente, page, { slug: 'duits' }, { locale: 'nl', publish: true })
    expect((await change(bente, { locales: ['nl', 'fa', 'de'] })).status).toBe(200)
    const added = await bente.post('/api/pages', { title: 'Les', locale: 'nl', slug: 'de/les' })
    expect(await problems(added)).toEqual(['slug: De website gebruikt dit adres zelf. Kies een ander.'])
    expect(await (await bente.get('/api/pages/slug?title=De&locale=nl')).json()).toEqual({ slug: 'de-2' })
  })

  test('the home page stays live in the language at the root, although its end was scheduled or an imported file lacks it', async () => {
    let at = Date.now()
    const site = await aTestApp({ database, now: () => new Date(at), startJobs: false })
    const bente = await as(site, 'beheerder')
    const { id } = (await (await bente.get('/api/pages')).json()).data.find(
      ({ fixed, fa }: { fixed: boolean; fa: { slug: string } | null }) => fixed && fa?.slug === '',
    )
    const { version } = await getPageIn(bente, id, 'fa')
    const unpublishAt = new Date(at + 3_600_000).toISOString()
    const planned = await bente.put(`/api/pages/${id}/fa/plan`, { version, publishAt: null, unpublishAt })
    expect(planned.status).toBe(200)
    expect((await change(bente, { rootLocale: 'fa' })).status).toBe(200)
    const languageAtRoot = async () => /<main id="inhoud"(?: lang="(..)")?/.exec(await html(site, '/'))?.[1] ?? 'fa'
    expect(await languageAtRoot()).toBe('fa')
    at += 3_700_000
    await publishScheduled(site.app.context())
    expect(await languageAtRoot()).toBe('fa')
    expect((await getPageIn(bente, id, 'fa')).unpublishAt).toBeNull()

    const { version: current } = await (await bente.get('/api/config')).json()
    const file = await (await bente.get('/api/config/export')).json()
    for (const page of file.pages) if (page.slug === '') delete page.content.fa
    const imported = await bente.post('/api/config/import', { version: current, file: JSON.stringify(file) })
    expect(imported.status, await imported.clone().text()).toBe(200)
    expect(await languageAtRoot()).toBe('fa')
  })

  test('a privacy export for a visitor whose language the program lacks is in the fallback language of the site', async () => {
    const site = await aTestApp({
      database,
      site: (config) => {
        const texts = changeEachText(config, ({ nl }) => ({ de: nl, ar: nl }))
        Object.assign(config, texts, { locales: ['de', 'ar'], fallbackLocales: ['en'] })
      },
    })
    const bente = await as(site, 'beheerder')
    await sendMessage(site, 'sanne', { email: 'sanne@example.nl', taal: 'ar' })
    const exportOf = async (email: string) =>
      (await bente.post('/api/privacy/export', { email, password, format: 'html' })).text()
    for (const email of ['sanne@example.nl', 'niemand@example.nl']) {
      const page = await exportOf(email)
      expect(page).toContain('<html lang="en" dir="ltr">')
      expect(page).toContain(`<h1>${translator('en')('privacyExport.title', { brand: 'Maaslicht' })}</h1>`)
    }
  })

  test('lists and the audit log name a page by its title in the main language, also when that is not the first in the alphabet', async () => {
    const site = await aTestApp({
      database,
      site: (config) => {
        const texts = changeEachText(config, ({ nl }) => ({ de: nl, en: nl }))
        Object.assign(config, texts, { locales: ['de', 'en'], rootLocale: 'en' })
      },
    })
    const bente = await as(site, 'beheerder')
    const file = await uploadFile(bente, 'prijslijst.pdf', aPdf())
    const body = [aParagraph(`<a href="${file.url}">x</a>`)]
    const id = await publishedPage(bente, { title: 'Shop', locale: 'en', slug: 'shop', body })
    await savePageIn(bente, id, { title: 'Laden', slug: 'laden', body: [] }, { locale: 'de', publish: true })
    expect((await (await bente.get(`/api/files/${file.id}`)).json()).places).toMatchObject([
      { type: 'page', name: 'Shop' },
    ])
    const { data } = await (await bente.get(`/api/audit?subjectType=page&subjectId=${id}`)).json()
    expect(data[0].subject.name).toBe('Shop')
  })

  test('an earlier revision without the home page of its language at the root is not restored', async () => {
    const site = await aTestApp({
      database,
      site: (config) => {
        const texts = changeEachText(config, ({ nl }) => ({ de: nl, en: nl }))
        Object.assign(config, texts, { locales: ['de', 'en'], rootLocale: 'de' })
      },
    })
    const bente = await as(site, 'beheerder')
    expect((await change(bente, { rootLocale: 'en' })).status).toBe(200)
    const { id } = (await (await bente.get('/api/pages')).json()).data.find(
      ({ fixed, texts }: { fixed: boolean; texts: { de: { slug: string } } }) => fixed && texts.de.slug === '',
    )
    const { version } = await getPageIn(bente, id, 'de')
    expect((await bente.post(`/api/pages/${id}/de/unpublish`, { version })).status).toBe(200)
    const restored = await bente.post('/api/config/revisions/1/restore', { version: 2 })
    expect(await problems(restored)).toEqual([expect.stringMatching(/^rootLocale: /)])
    expect((await site.request('/')).status).toBe(200)
  })

  test('a site in German alone starts from its file, and exports itself as one', async () => {
    const site = await aTestApp({
      database,
      site: (config) => {
        Object.assign(
          config,
          changeEachText(config, ({ nl }) => ({ de: nl })),
          { locales: ['de'] },
        )
      },
    })
    const bente = await as(site, 'beheerder')
    expect(await html(site, '/')).toContain('<html lang="de" dir="ltr">')
    const disclaimer = await html(site, '/disclaimer')
    expect(disclaimer).toContain('<main id="inhoud">')
    expect(disclaimer).not.toContain('lang="nl"')
    expect((await site.request('/nl')).status).toBe(404)
    const { config }: Configuration = await (await bente.get('/api/config')).json()
    expect(config).toMatchObject({ rootLocale: 'de', locales: ['de'] })
    expect(Object.keys(config.tagline)).toEqual(['de'])
    // What the main language lacks is refused there; another language is added as usual.
    expect(await problems(await change(bente, { tagline: { en: 'Fast sites' } }))).toEqual([
      'tagline.de: Dit is een verplicht veld!',
    ])
    expect((await change(bente, { locales: ['de', 'en'] })).status).toBe(200)
    expect(await html(site, '/en/disclaimer')).toContain('<main id="inhoud" lang="de" dir="ltr">')
    const home = (await (await bente.get('/api/pages')).json()).data.find(
      ({ fixed, texts }: { fixed: boolean; texts: { de: { slug: string } } }) => fixed && texts.de.slug === '',
    ).id
    const welcome = await savePageIn(bente, home, { title: 'Welcome', body: [] }, { locale: 'en', publish: true })
    expect(welcome.status, await welcome.clone().text()).toBe(200)
    const page = await publishedPage(bente, {
      title: 'Laden',
      locale: 'de',
      slug: 'laden',
      body: [aParagraph('Offen')],
    })
    expect(await html(site, '/en/laden')).toContain('<main id="inhoud" lang="de" dir="ltr">')
    await savePageIn(bente, page, { title: 'Shop', slug: 'shop', body: [] }, { locale: 'en', publish: true })
    expect((await site.request('/en/laden')).headers.get('location')).toBe('/en/shop')
    const file = await (await bente.get('/api/config/export')).json()
    expect(file.pages[0].content).toMatchObject({ de: { title: expect.any(String) } })
    expect((await bente.post('/api/config/import', { file: JSON.stringify(file), version: 2 })).status).not.toBe(500)
  })

  test('a file from the command line with another language at the root keeps the former addresses', async () => {
    const site = await aTestApp({ database })
    const imported = async (rootLocale: string) => {
      const file = changeEachText(siteFileWithoutCollections(), ({ nl, fa = nl }) => ({ de: nl, fa }))
      Object.assign(file, { locales: ['de', 'fa'], rootLocale })
      await importConfiguration(site.app.context(), { text: JSON.stringify(file), note: 'site.json' })
    }
    await imported('de')
    await imported('fa')
    const bente = await as(site, 'beheerder')
    const { config }: Configuration = await (await bente.get('/api/config')).json()
    expect(config).toMatchObject({ rootLocale: 'fa', formerRootLocales: ['de'] })
    await publishedPage(bente, { title: 'Laden', locale: 'de', slug: 'laden', body: [] })
    expect((await site.request('/laden')).headers.get('location')).toBe('/de/laden')
  })

  test('Dutch is removed and added again: its pages and texts stay stored and hidden, and old addresses redirect', async () => {
    const site = await aTestApp({
      database,
      site: (config) => {
        const collections = [{ ...news, fields: news.fields.map(({ options, ...field }) => ({ ...field, options })) }]
        Object.assign(config, { collections }, { locales: ['nl', 'en', 'fa'], rootLocale: 'en' })
        Object.assign(
          config,
          changeEachText(config, (text) => ({ ...text, en: text.nl })),
        )
        config.collections[0].slug.en = 'news'
      },
    })
    const bente = await as(site, 'beheerder')
    const shop = await publishedPage(bente, { title: 'Winkel', body: [aParagraph('Open tot zes uur')] })
    const english = { title: 'Shop', slug: 'shop', body: [aParagraph('Open until six')] }
    expect((await savePageIn(bente, shop, english, { locale: 'en', publish: true })).status).toBe(200)
    const dutchOnly = await publishedPage(bente, { title: 'Alleen Nederlands', body: [] })
    const entry = await anEntry(bente, 'Feestweek', { datum: '2026-02-01' })
    expect(await html(site, '/news')).toContain('Feestweek')

    const removed = await change(bente, { locales: ['en', 'fa'] })
    expect(removed.status, await removed.clone().text()).toBe(200)
    for (const path of ['/nl', '/nl/winkel', '/alleen-nederlands', '/fa/alleen-nederlands']) {
      expect((await site.request(path)).status, path).toBe(404)
    }
    expect(await html(site, '/sitemap.xml')).not.toContain('hreflang="nl"')
    expect(await html(site, '/')).not.toContain('hrefLang="nl"')
    // An address from before leads to the page in a language that is there.
    const former = await site.request('/winkel')
    expect([former.status, former.headers.get('location')]).toEqual([301, '/shop'])
    expect(await html(site, '/fa/shop')).toContain('<main id="inhoud" lang="en" dir="ltr">')
    // An entry without a text in the main language is listed nowhere, and comes back with Dutch.
    expect(await html(site, '/news')).not.toContain('Feestweek')
    expect((await bente.get(`/api/pages/${dutchOnly}/nl`)).status).toBe(200)
    expect((await (await bente.get(`/api/pages/${entry}`)).json()).texts.nl).toMatchObject({ title: 'Feestweek' })
    const { config }: Configuration = await (await bente.get('/api/config')).json()
    expect(Object.keys(config.tagline)).toEqual(['en', 'nl', 'fa'])
    expect((await bente.post('/api/pages', { title: 'Nieuw', locale: 'nl' })).status).toBe(422)

    expect((await change(bente, { locales: ['en', 'fa', 'nl'] })).status).toBe(200)
    for (const path of ['/nl/winkel', '/nl/alleen-nederlands', '/fa/alleen-nederlands']) {
      expect((await site.request(path)).status, path).toBe(200)
    }
    expect(await html(site, '/news')).toContain('Feestweek')
  })

  test('the pages of a removed language are hidden, and come back with the language', async () => {
    const { site, bente } = await aSite(database)
    await change(bente, { locales: ['nl', 'fa', 'de'] })
    const page = await publishedPage(bente, { title: 'Laden', locale: 'de', slug: 'laden', body: [] })
    expect((await site.request('/de/laden')).status).toBe(200)
    const inGerman = async () => (await (await bente.get('/api/pages?locale=de&status=published')).json()).data
    expect(await inGerman()).toMatchObject([{ id: page, nl: null, fa: null, texts: { de: { title: 'Laden' } } }])

    expect((await change(bente, { locales: ['nl', 'fa'] })).status).toBe(200)
    expect((await site.request('/de/laden')).status).toBe(404)
    expect(await html(site, '/sitemap.xml')).not.toContain('/de/')
    expect(await (await bente.get('/api/pages/languages')).json()).toMatchObject({
      data: expect.arrayContaining([{ locale: 'de', pages: 1 }]),
    })
    expect(await getPageIn(bente, page, 'de')).toMatchObject({ text: { title: 'Laden' }, hiddenBy: 'language' })
    expect(await (await bente.get(`/api/pages/${page}`)).json()).toMatchObject({
      texts: { de: { hiddenBy: 'language' } },
    })
    expect((await bente.get(`/api/pages/${page}/en`)).status).toBe(404)
    expect(await problems(await bente.post('/api/pages', { title: 'Neu', locale: 'de' }))).toEqual([
      'locale: De site heeft deze taal niet.',
    ])
    const duplicated = await bente.post(`/api/pages/${page}/duplicate`)
    expect(duplicated.status).toBe(201)

    await change(bente, { locales: ['nl', 'de'] })
    expect((await site.request('/de/laden')).status).toBe(200)
    expect((await getPageIn(bente, page, 'de')).hiddenBy).toBeNull()
    expect((await site.request('/fa')).status).toBe(404)
    for (const status of ['changed', 'unpublished', 'planned', 'draft', 'review']) {
      expect((await bente.get(`/api/pages?status=${status}`)).status, status).toBe(200)
    }
    const { meta } = await (await bente.get('/api/pages?locale=de&status=unpublished')).json()
    expect(meta.total).toBe(1)
  })
})

test('a name and a direction of its own replace those of the language', async () => {
  const { site, bente } = await aSite()
  const saved = await change(bente, {
    locales: ['nl', 'pt-BR', 'ar'],
    languages: { 'pt-BR': { name: 'Português', direction: 'rtl' } },
  })
  expect(saved.status, await saved.clone().text()).toBe(200)
  expect(await html(site, '/pt-br')).toContain('<html lang="pt-BR" dir="rtl">')
  expect(await html(site, '/ar')).toContain('<html lang="ar" dir="rtl">')
  const page = await publishedPage(bente, { title: 'Winkel' })
  await savePageIn(bente, page, { title: 'Loja', slug: 'loja', body: [] }, { locale: 'pt-BR', publish: true })
  expect(await html(site, '/winkel')).toContain('>Português</a>')
  expect((await site.request('/pt-br/loja')).status).toBe(200)
  expect((await site.request('/pt-BR')).status).toBe(404)
})

test('a direction of its own holds for text inside a page in another language, previews and what a visitor sent', async () => {
  const { site, bente } = await aSite()
  const saved = await change(bente, {
    locales: ['nl', 'fa', 'de'],
    languages: { nl: { direction: 'rtl' }, fa: { direction: 'ltr' } },
  })
  expect(saved.status, await saved.clone().text()).toBe(200)
  expect(await html(site, '/de')).toContain('<main id="inhoud" lang="nl" dir="rtl">')
  const page = await publishedPage(bente, { title: 'Winkel' })
  const { url } = await (await bente.post(`/api/pages/${page}/nl/preview`)).json()
  const preview = await site.request(new URL(url).pathname, { headers: { 'Accept-Language': 'fa' } })
  expect(await preview.text()).toContain('<p class="preview" role="note" lang="fa" dir="ltr">')

  await sendMessage(site, 'parisa', { taal: 'fa' })
  const exported = await bente.post('/api/privacy/export', {
    email: aMessageOf('parisa').email,
    password,
    format: 'html',
  })
  expect(await exported.text()).toContain('<html lang="fa" dir="ltr">')
})

test('the texts of the program are completed in German, and changed in Dutch, with their plural forms', async () => {
  const { site, bente } = await aSite()
  await change(bente, { locales: ['nl', 'de', 'ar'] })
  const needed = async (locale: string) => (await (await bente.get(`/api/config/texts/${locale}`)).json()).data
  const german: { path: string; text: string; delivered: boolean }[] = await needed('de')
  expect(german).toContainEqual({ path: 'contact.send', text: 'Verstuur bericht', delivered: false })
  expect(german.length).toBeGreaterThan(100)
  expect(await needed('en')).toContainEqual({ path: 'contact.send', text: 'Send message', delivered: true })
  expect(await needed('en-GB')).toContainEqual({ path: 'contact.send', text: 'Send message', delivered: true })
  const arabic: typeof german = await needed('ar')
  expect(arabic.filter(({ path }) => path.startsWith('site.search.found_')).map(({ path }) => path)).toEqual(
    ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => `site.search.found_${form}`),
  )

  const own = {
    'contact.send': 'Nachricht senden',
    'site.search.found_one': 'Ein Treffer für „{{query}}“',
    'errors.not_found.detail': 'Hier ist <b>nichts</b>. $t(contact.send)',
    'validation.required': 'Bitte ausfüllen!',
    'contact.successTitle': 'Vielen Dank!',
  }
  const saved = await change(bente, { texts: { de: own, nl: { 'contact.send': 'Stuur maar op' } } })
  expect(saved.status, await saved.clone().text()).toBe(200)
  const home = await html(site, '/')
  expect(home).toContain('Stuur maar op')
  await publishedPage(bente, { title: 'Laden', locale: 'de', body: [{ type: 'contact-form', title: 'Kontakt' }] })
  expect(await html(site, '/de/laden')).toContain('Nachricht senden')
  expect(await html(site, '/de/zoeken?q=laden')).toContain('Ein Treffer für „')
  expect(await html(site, '/de/fort')).toContain('Hier ist &lt;b&gt;nichts&lt;/b&gt;. $t(contact.send)')
  const post = (body: object) =>
    site.request('/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ taal: 'de', ...body }),
    })
  const refused = await (await post({ naam: 'Jonas', email: 'jonas@example.de', tel: '030' })).json()
  expect(refused.errors).toEqual([{ path: 'bericht', message: 'Bitte ausfüllen!' }])
  const sent = await post({ naam: 'Jonas', email: 'jonas@example.de', tel: '030 123456', bericht: 'Guten Tag' })
  // Texts without a translation are in Dutch.
  expect(await sent.json()).toMatchObject({ title: 'Vielen Dank!', text: 'We zullen z.s.m contact met u opnemen.' })

  const removed = await change(bente, { texts: null })
  expect(removed.status).toBe(200)
  expect(await html(site, '/de/laden')).toContain('Verstuur bericht')

  // The site chooses fallback languages for texts without a translation, with its own words in those.
  const inFrench = { fr: { 'contact.send': 'Envoyer' }, en: { 'contact.busy': 'One moment' } }
  expect((await change(bente, { texts: inFrench, fallbackLocales: ['fr', 'en'] })).status).toBe(200)
  const shop = await html(site, '/de/laden')
  for (const text of ['Envoyer', 'One moment', 'Your message has not been sent!']) expect(shop).toContain(text)
  const { data } = await (await bente.get('/api/config/texts/de')).json()
  expect(data).toContainEqual({ path: 'contact.send', text: 'Envoyer', delivered: false })
  expect(data).toContainEqual({ path: 'contact.busy', text: 'One moment', delivered: false })
  // The program has all texts in Persian, so the fallback languages are not used there.
  expect(await html(site, '/fa')).not.toMatch(/Envoyer|One moment/)
  for (const wrong of [['EN'], ['en', 'en'], ['x!'], 'en']) {
    expect((await change(bente, { fallbackLocales: wrong })).status, String(wrong)).toBe(422)
  }
})

test('wrong tags are refused at their field', async () => {
  const { bente } = await aSite()
  const noTag = 'Dit is geen taalcode. Voorbeelden van taalcodes zijn de, en en pt-BR.'
  for (const tag of ['deutsch', 'EN', 'en_GB', '', 'x', '../fa', 'de-u-co-phonebk', '<b>', 'nl\u0000']) {
    expect(await problems(await change(bente, { locales: ['nl', tag] })), tag).toEqual([`locales.1: ${noTag}`])
  }
  // Two languages with one prefix: only one spelling of a tag is canonical, and each can be there once.
  expect(await problems(await change(bente, { locales: ['nl', 'pt-BR', 'pt-br'] }))).toEqual([`locales.2: ${noTag}`])
  expect(await problems(await change(bente, { locales: ['nl', 'de', 'de'] }))).toHaveLength(1)
  expect(await problems(await change(bente, { locales: ['nl', 'api'] }))).toEqual([
    'locales.1: Het programma gebruikt deze code zelf in adressen.',
  ])
  // The texts of the main language are required.
  expect(await problems(await change(bente, { locales: ['de'] }))).toContain('tagline.de: Dit is een verplicht veld!')
  const { config }: Configuration = await (await bente.get('/api/config')).json()
  expect(await problems(await change(bente, { tagline: { ...config.tagline, title: 'x' } }))).toHaveLength(1)
  expect((await bente.post('/api/pages', { title: 'Laden', locale: 'DE!' })).status).toBe(422)
})

test('the program has its own texts in English: site, search, errors, contact and emails', async () => {
  const { site, bente } = await aSite()
  await change(bente, { locales: ['nl', 'en'] })
  const page = await html(site, '/en/nothing')
  expect(page).toContain('There is nothing at this address.')
  expect(page).toContain('<a class="skip" href="#inhoud">Skip to content</a>')
  expect(await html(site, '/en/zoeken?q=xyzzy')).toContain('No results for')
  expect(await html(site, '/en/login')).toContain('Forgotten your password?')
  const sent = await site.request('/api/contact', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ taal: 'en', naam: 'Emma Carter', email: 'emma', tel: '1', bericht: 'Hello' }),
  })
  expect((await sent.json()).errors).toContainEqual({
    path: 'email',
    message: 'This email address is not valid!',
  })
  const english = await site.request('/api/me', { headers: { 'Accept-Language': 'en-GB,en;q=0.9' } })
  expect((await english.json()).title).toBe('You are not signed in')
})

test('texts that the program does not have, or with other placeholders, are refused at their path', async () => {
  const { bente } = await aSite()
  const refusedAt = async (texts: object) => {
    const answer = await change(bente, { texts })
    expect(answer.status).toBe(422)
    return (await answer.json()).errors.map(({ path }: { path: string }) => path)
  }
  expect(await refusedAt({ nl: { 'audit.program': 'Wij' } })).toEqual(['texts.nl.audit.program'])
  expect(await refusedAt({ nl: { 'contact.unheard': 'Wij' } })).toEqual(['texts.nl.contact.unheard'])
  expect(await refusedAt({ nl: { 'contact.reference': 'Zonder nummer' } })).toEqual(['texts.nl.contact.reference'])
  expect(await refusedAt({ nl: { 'contact.send': '{{brand}}' } })).toEqual(['texts.nl.contact.send'])
  for (const texts of [
    { 'x!': { 'contact.send': 'x' } },
    { nl: { constructor: 'x' } },
    { nl: { 'contact.send': 'x'.repeat(2_001) } },
    { nl: { 'contact.send': 'a\u0000b' } },
    { nl: 'x' },
    [],
  ]) {
    expect((await change(bente, { texts })).status, JSON.stringify(texts)).toBe(422)
  }
})

test('a visit during a change of the language at the root gets the page of the new language', async () => {
  const { app } = await aTestApp()
  const before = app.context()
  const { menuPages, origin } = before
  const changed = { site: { ...before.site, rootLocale: 'fa' }, menuPages, origin }
  const none = { has: () => false, find: () => undefined } as never
  const parts = { pageCache: new PageCache(), files: none, images: none, searches: undefined }
  const asBefore: MiddlewareHandler<Env> = async (c, next) => {
    c.set('ctx', { ...before, actor: undefined })
    await next()
  }
  const site = createSiteRoutes({ ...parts, currentConfiguration: () => changed })
  const routes = new Hono<Env>().use(asBefore).route('/', site)
  for (const cached of [false, true]) {
    expect(await (await routes.request('/')).text(), String(cached)).toContain('<html lang="fa" dir="rtl"')
  }
})
