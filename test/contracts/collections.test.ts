import { describe, expect, test } from 'vitest'
import { publishScheduled } from '../../src/domain/pages/publish-scheduled.ts'
import { anEntry, changeCollections, fetchMainHtml, news, withNews } from '../support/collections.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { aRole } from '../support/roles.ts'
import { as, aUser, withSession } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPdf, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const aSite = async (database: DatabaseKind) => {
  const site = await aTestApp({ database, site: withNews })
  return { site, bente: await as(site, 'beheerder') }
}
const status = async (site: TestApp, path: string) => (await site.request(encodeURI(path))).status
const problems = async (answer: Response) => {
  expect(answer.status, await answer.clone().text()).toBe(422)
  return ((await answer.json()).errors as { path: string }[]).map(({ path }) => path)
}

describe.each(databases)('a collection, on %s,', (database) => {
  test('lists its published entries in order, by page and by category, and links each to its neighbours', async () => {
    const { site, bente } = await aSite(database)
    expect(await fetchMainHtml(site, '/nieuws')).toContain('Hier staat nog niets.')
    await anEntry(bente, 'Oud', { datum: '2026-01-05', soort: 'tip', samenvatting: 'Lang geleden' })
    await anEntry(bente, 'Nieuw', { datum: '2026-03-05', soort: 'werk' })
    const middle = await anEntry(bente, 'Midden', {
      datum: '2026-02-05',
      soort: 'tip',
      prijs: 125_000,
      uitleg: '<p>Zo <strong>gaat</strong> dat<script>alert(1)</script></p>',
      meer: '/nieuws/oud',
    })
    await anEntry(bente, 'Concept', { datum: '2026-12-01' }, { publish: false })

    const first = await fetchMainHtml(site, '/nieuws')
    expect(first).toMatch(/Wat er speelt\..*href="\/nieuws\/nieuw".*href="\/nieuws\/midden"/s)
    expect(first).not.toMatch(/nieuws\/oud|Concept/)
    expect(first).toContain('href="/nieuws?pagina=2"')
    const second = await fetchMainHtml(site, '/nieuws?pagina=2')
    expect(second).toMatch(/href="\/nieuws\/oud".*Lang geleden.*5 januari 2026/s)
    expect(second).not.toContain('href="/nieuws/midden"')
    expect(second).toMatch(/rel="canonical" href="[^"]*\/nieuws\?pagina=2"/)
    const tips = await fetchMainHtml(site, '/nieuws?rubriek=tip')
    // The other language has other entries on its second page.
    for (const [page, isFirst] of [
      [first, true],
      [second, false],
      [tips, false],
    ] as const)
      expect(page.includes('hrefLang="fa"')).toBe(isFirst)
    expect(tips).toMatch(/href="\/nieuws\/midden".*href="\/nieuws\/oud"/s)
    expect(tips).not.toContain('href="/nieuws/nieuw"')
    for (const path of ['pagina=3', 'pagina=0', 'pagina=1e3', 'rubriek=%00', "rubriek='--", 'pagina=2&rubriek=tip']) {
      expect(await status(site, `/nieuws?${path}`), path).toBe(404)
    }

    const published = { oud: '2026-02-01', midden: '2026-02-03', nieuw: '2026-02-02' }
    for (const [slug, live_date] of Object.entries(published)) {
      await site.db.updateTable('page_text').set({ live_date }).where('live_slug', '=', `nieuws/${slug}`).execute()
    }
    // The overview changed when its newest text was published, whatever the dates of its entries.
    expect(await fetchMainHtml(site, '/sitemap.xml')).toContain('/nieuws</loc><lastmod>2026-02-03<')

    const page = await fetchMainHtml(site, '/nieuws/midden')
    expect(page).toMatch(/aria-label="Kruimelpad".*href="\/nieuws">Nieuws<.*aria-current="page">Midden</s)
    const inPersian = await fetchMainHtml(site, '/fa/nieuws/midden')
    expect(inPersian).toContain('<main id="inhoud" lang="nl" dir="ltr">')
    expect(inPersian).toMatch(/<nav class="breadcrumbs".*?<a href="[^"]*" lang="fa" dir="rtl">/s)
    expect(inPersian).toMatch(/rel="prev".*?<strong>/s)
    expect(page).toMatch(/€\s1\.250/)
    expect(page).toContain('<p>Zo <strong>gaat</strong> dat</p>')
    expect(page).toMatch(/<dd><a href="\/nieuws\/oud">Oud<\/a>/)
    expect(page).toMatch(/href="\/nieuws\/nieuw" rel="prev".*href="\/nieuws\/oud" rel="next"/s)
    expect(page).toMatch(/"position":2,"name":"Nieuws","item":"[^"]*\/nieuws"/)

    expect(await (await bente.get('/api/pages?collection=nieuws&pageSize=50')).json()).toMatchObject({
      meta: { total: 4 },
    })
    const others = await (await bente.get('/api/pages?collection=')).json()
    expect(others.data.map(({ collection }: { collection: unknown }) => collection)).toEqual(
      others.data.map(() => null),
    )
    expect((await getPageIn(bente, middle)).collection).toBe('nieuws')
  })

  test('shows changes at once on each instance, and in Persian the Dutch entries that have no translation', async () => {
    const { site, bente } = await aSite(database)
    const other = await aTestApp({ beside: site, site: withNews })
    const id = await anEntry(bente, 'Opening', { datum: '2026-02-01', soort: 'tip' })
    await anEntry(bente, 'Sluiting', { datum: '2026-03-01' })
    for (const app of [site, other]) expect(await fetchMainHtml(app, '/nieuws')).toContain('>Opening<')
    const persian = await fetchMainHtml(site, '/fa/خبرها')
    expect(persian).toMatch(/<li lang="nl" dir="ltr">.*href="\/fa\/nieuws\/opening"/s)
    expect(persian).toMatch(/hreflang="nl" href="[^"]*\/nieuws"/i)
    expect(await status(site, '/fa/nieuws/opening')).toBe(200)

    const text = { title: 'گشایش', slug: 'خبرها/گشایش', fields: { datum: '2026-02-01' } }
    expect((await savePageIn(bente, id, text, { locale: 'fa', publish: true })).status).toBe(200)
    expect(await fetchMainHtml(site, '/fa/خبرها')).toContain(`href="${encodeURI('/fa/خبرها/گشایش')}"`)

    expect(
      (await savePageIn(bente, id, { title: 'Heropening', slug: 'nieuws/heropening' }, { publish: true })).status,
    ).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws')).toContain('>Heropening<')
    expect(await fetchMainHtml(site, '/nieuws/sluiting')).toContain('>Heropening<')
    await waitUntil(
      async () => (await fetchMainHtml(other, '/nieuws')).includes('>Heropening<'),
      'change on the other instance',
    )
    const moved = await site.request('/nieuws/opening')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/nieuws/heropening'])

    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws')).not.toContain('Heropening')
    expect(await fetchMainHtml(site, '/nieuws/sluiting')).not.toContain('Heropening')
    expect((await bente.post(`/api/pages/${id}/restore`)).status).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws')).toContain('>Heropening<')
  })

  test('lists an entry that is published during a change of the configuration as the new configuration says', async () => {
    let at = Date.now()
    const site = await aTestApp({ database, site: withNews, now: () => new Date(at), startJobs: false })
    const bente = await as(site, 'beheerder')
    for (const title of ['Noot', 'Aap']) {
      const id = await anEntry(bente, title, {}, { publish: false })
      const { version } = await getPageIn(bente, id)
      const plan = { version, publishAt: new Date(at + 60_000).toISOString(), unpublishAt: null }
      expect((await bente.put(`/api/pages/${id}/nl/plan`, plan)).status).toBe(200)
    }
    at += 61_000
    // As a request has it that began before the change, or another instance for a moment.
    const before = site.app.context()
    const { version } = await (await bente.get('/api/config')).json()
    const config = { locales: ['nl', 'fa', 'de'], collections: [{ ...news, order: 'title' }] }
    expect((await bente.put('/api/config', { version, config })).status).toBe(200)
    await publishScheduled(before)
    for (const path of ['/nieuws', '/de/nieuws'])
      expect(await fetchMainHtml(site, path), path).toMatch(/>Aap<.*>Noot</s)
  })

  test('refuses invalid values, each at its field, and keeps stored values when the type of their field changes', async () => {
    const { site, bente } = await aSite(database)
    const id = await anEntry(bente, 'Aanbod', { soort: 'tip', prijs: 100, samenvatting: '<b>Let op</b>' })
    const wrong = {
      datum: '2026-13-40',
      prijs: 1.5,
      soort: 'onbekend',
      meer: 'javascript:alert(1)',
      samenvatting: 'a\u0000b',
      verzonnen: 'x',
    }
    expect((await problems(await savePageIn(bente, id, { fields: wrong }))).sort()).toEqual(
      Object.keys(wrong)
        .map((name) => `text.fields.${name}`)
        .sort(),
    )
    expect(await problems(await savePageIn(bente, id, { fields: { __proto__x: 'a', 'Geen Id': 'b' } }))).not.toEqual([])
    expect(await problems(await savePageIn(bente, id, { fields: { prijs: ['a'] } }))).toEqual(['text.fields.prijs'])
    const plain = await (await bente.post('/api/pages', { title: 'Gewoon', locale: 'nl' })).json()
    expect(await problems(await savePageIn(bente, plain.id, { fields: { prijs: 5 } }))).toEqual(['text.fields.prijs'])

    // A field of another type shows nothing that does not fit it, and its values stay.
    const retyped = news.fields.map((field) => {
      if (field.id === 'samenvatting') return { ...field, type: 'richText', inDetail: true }
      return field.id === 'prijs' ? { ...field, type: 'date' } : field
    })
    expect((await changeCollections(bente, [{ ...news, fields: retyped }])).status).toBe(200)
    const page = await fetchMainHtml(site, '/nieuws/aanbod')
    expect(page).not.toMatch(/<b>Let op<\/b>|Prijs/)
    expect((await savePageIn(bente, id, { title: 'Aanbod 2' }, { publish: true })).status).toBe(200)
    expect((await getPageIn(bente, id)).text.fields).toMatchObject({ prijs: 100 })
  })

  test('an entry is not saved without a value of a required field, and those from before are shown', async () => {
    const { site, bente } = await aSite(database)
    const id = await anEntry(bente, 'Vroeger', { soort: 'tip' })
    const required = new Set(['datum', 'uitleg'])
    const fields = news.fields.map((field) => (required.has(field.id) ? { ...field, required: true } : field))
    expect((await changeCollections(bente, [{ ...news, fields }])).status).toBe(200)
    await expect.poll(() => status(site, '/nieuws/vroeger')).toBe(200)
    const save = (values: object) => savePageIn(bente, id, { fields: values }, { publish: true })
    expect(await problems(await save({ soort: 'werk' }))).toEqual(['text.fields.datum', 'text.fields.uitleg'])
    expect(await problems(await save({ datum: '', uitleg: '<p></p>' }))).toEqual([
      'text.fields.datum',
      'text.fields.uitleg',
    ])
    expect(await problems(await save({ datum: 'morgen', uitleg: '<p>Ja</p>' }))).toEqual(['text.fields.datum'])
    expect((await save({ datum: '2026-05-05', uitleg: '<p>Ja</p>' })).status).toBe(200)
  })

  test('an entry whose chosen option was removed is saved only with another choice where one is required', async () => {
    const { bente } = await aSite(database)
    const id = await anEntry(bente, 'Gekozen', { soort: 'tip' })
    const change = (required: boolean) => {
      const fields = news.fields.map(({ options, ...field }) => ({
        ...field,
        ...(options && { options: options.filter((one) => one.id !== 'tip'), required }),
      }))
      return changeCollections(bente, [{ ...news, fields }])
    }
    const save = (title: string, soort: string) =>
      savePageIn(bente, id, { title, fields: { soort } }, { publish: true })
    expect((await change(false)).status).toBe(200)
    expect((await save('Vrij', 'tip')).status).toBe(200)
    expect((await change(true)).status).toBe(200)
    const refused = await save('Verplicht', 'tip')
    expect(refused.status).toBe(422)
    expect((await refused.json()).errors).toMatchObject([
      { path: 'text.fields.soort', message: 'Dit is een verplicht veld!' },
    ])
    expect((await save('Verplicht', 'werk')).status).toBe(200)
  })

  test('refuses addresses that collide, and keeps its own address while it has entries', async () => {
    const { site, bente } = await aSite(database)
    const slugOf = async (slug: string, more: object = {}) =>
      problems(await bente.post('/api/pages', { title: 'Botsing', locale: 'nl', slug, ...more }))
    expect(await slugOf('nieuws')).toEqual(['slug'])
    expect(await slugOf('elders/iets', { collection: 'nieuws' })).toEqual(['slug'])
    expect(await problems(await bente.post('/api/pages', { title: 'x', locale: 'nl', collection: 'weg' }))).toEqual([
      'collection',
    ])
    expect(await problems(await bente.post('/api/redirects', { from: '/nieuws', to: '/' }))).toEqual(['from'])
    await bente.post('/api/pages', { title: 'Werk', locale: 'nl' })
    expect((await bente.post('/api/redirects', { from: '/oud', to: '/disclaimer' })).status).toBe(201)
    for (const slug of ['werk', 'oud', 'admin', 'zoeken', 'nieuws', '']) {
      const more = { ...news, id: 'tweede', slug: { nl: slug } }
      expect((await problems(await changeCollections(bente, [news, more]))).join(), slug).toMatch(
        /^collections\.1\.slug/,
      )
    }
    const titled = await (await bente.post('/api/pages', { title: 'Nieuws', locale: 'nl' })).json()
    expect(titled.nl.slug).toBe('nieuws-2')

    const id = await anEntry(bente, 'Blijft', {})
    expect(await problems(await savePageIn(bente, id, { slug: 'elders' }))).toEqual(['text.slug'])
    expect(await problems(await changeCollections(bente, [{ ...news, slug: { nl: 'actueel' } }]))).toContain(
      'collections.0.slug.nl',
    )
    expect((await changeCollections(bente, [{ ...news, order: 'title', pageSize: 50 }])).status).toBe(200)
    await anEntry(bente, 'Aap', { datum: '2020-01-01' })
    expect(await fetchMainHtml(site, '/nieuws')).toMatch(/>Aap<.*>Blijft</s)
  })

  test('hides its entries when it is removed, and shows them again when it is added again', async () => {
    const { site, bente } = await aSite(database)
    const other = await aTestApp({ beside: site, site: withNews })
    const id = await anEntry(bente, 'Opening', { datum: '2026-02-01', samenvatting: 'Taart voor iedereen' })
    const inPersian = { title: 'گشایش', slug: 'خبرها/گشایش', fields: {} }
    expect((await savePageIn(bente, id, inPersian, { locale: 'fa', publish: true })).status).toBe(200)
    const draft = await anEntry(bente, 'Concept', {}, { publish: false })
    const chosen = { type: 'entry-list', title: 'Gekozen', from: '', count: '3', items: [{ url: '/nieuws/opening' }] }
    const link = aParagraph('<a href="/nieuws/opening">Lees meer</a>')
    await publishedPage(bente, { title: 'Welkom', body: [chosen, link] })
    const { version, config } = await (await bente.get('/api/config')).json()
    const menus = { main: { nl: [{ title: 'In het menu', page: id }] } }
    const block = (menuType: string) => ({ type: 'menu', menuType, menu: 'main' })
    const navbar = { ...config.branding.navbar, desktop: { nl: [block('desktop')], fa: [block('desktop')] } }
    const shows = { menus, branding: { ...config.branding, navbar } }
    expect((await bente.put('/api/config', { version, config: shows })).status).toBe(200)

    const paths = [
      '/nieuws',
      '/nieuws/opening',
      '/nieuws/feed.xml',
      '/nieuws/feed.json',
      '/fa/خبرها',
      '/fa/خبرها/گشایش',
    ]
    const seen = async (app: TestApp) => ({
      paths: await Promise.all([...paths, '/fa/nieuws/opening'].map((path) => status(app, path))),
      sitemap: (await fetchMainHtml(app, '/sitemap.xml')).includes('/nieuws/opening'),
      search: (await fetchMainHtml(app, '/zoeken?q=taart')).includes('href="/nieuws/opening"'),
      chosen: (await fetchMainHtml(app, '/welkom')).includes('>Opening<'),
      menu: (await (await app.request('/')).text()).includes('>In het menu<'),
      dead: (await (await bente.get('/api/links/dead')).json()).links.map(
        ({ address }: { address: string }) => address,
      ),
    })
    const shown = {
      paths: [200, 200, 200, 200, 200, 200, 301],
      sitemap: true,
      search: true,
      chosen: true,
      menu: true,
      dead: [],
    }
    const hidden = {
      paths: [404, 404, 404, 404, 404, 404, 404],
      sitemap: false,
      search: false,
      chosen: false,
      menu: false,
      dead: ['/nieuws/opening'],
    }
    const bothShow = async (expected: object) => {
      for (const app of [site, other]) await expect.poll(() => seen(app)).toEqual(expected)
    }
    await bothShow(shown)

    expect((await changeCollections(bente, [])).status).toBe(200)
    await bothShow(hidden)
    expect(await (await bente.get('/api/collections')).json()).toEqual({
      data: [],
      entries: [{ id: 'nieuws', entries: 2 }],
    })
    // The screens of pages and of menus say so.
    const hiddenBy = async () => (await (await bente.get(`/api/pages/${id}`)).json()).texts.nl.hiddenBy
    const named = async () => (await (await bente.get(`/api/config/menu/pages?ids=${id}`)).json()).data[0].isHidden
    expect([await hiddenBy(), (await getPageIn(bente, id, 'fa')).hiddenBy, await named()]).toEqual([
      'collection',
      'collection',
      true,
    ])
    // What is saved meanwhile comes back too; the address is fixed until then.
    expect((await getPageIn(bente, id)).text.fields).toMatchObject({ samenvatting: 'Taart voor iedereen' })
    const longer = { samenvatting: 'Taart en thee voor iedereen', datum: '2026-02-01' }
    expect((await savePageIn(bente, draft, { title: 'Toch niet' }, { publish: true })).status).toBe(200)
    expect(await problems(await savePageIn(bente, id, { slug: 'elders' }))).toEqual(['text.slug'])
    expect(await problems(await bente.post('/api/pages', { title: 'x', locale: 'nl', collection: 'nieuws' }))).toEqual([
      'collection',
    ])
    await bothShow(hidden)

    // A collection with the same id and another address would leave them at the former one.
    expect(await problems(await changeCollections(bente, [{ ...news, slug: { nl: 'actueel' } }]))).toContain(
      'collections.0.slug.nl',
    )
    expect((await changeCollections(bente, [news])).status).toBe(200)
    await bothShow(shown)
    expect([await hiddenBy(), (await getPageIn(bente, id, 'fa')).hiddenBy, await named()]).toEqual([null, null, false])
    expect(await fetchMainHtml(site, '/nieuws')).toMatch(/>Toch niet<.*>Opening</s)
    expect((await savePageIn(bente, id, { fields: longer }, { publish: true })).status).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws')).toContain('Taart en thee')
  })

  test('the links of an entry follow changed addresses, may lead to addresses that are no page, and are in the lists of links', async () => {
    const { site, bente } = await aSite(database)
    const target = await anEntry(bente, 'Doel', {})
    const id = await anEntry(bente, 'Bron', {
      meer: '/nieuws/doel',
      uitleg: '<p><a href="/bestaat-niet">x</a></p>',
    })
    const holders = async () => {
      const { holders: found } = await (await bente.get(`/api/pages/${target}/links`)).json()
      return found.map(({ text }: { text: string }) => text)
    }
    expect(await holders()).toEqual(['live'])
    expect(await fetchMainHtml(site, '/nieuws/bron')).toMatch(/<dd><a href="\/nieuws\/doel">Doel<\/a>/)
    const renamed = { title: 'Verhuisd', slug: 'nieuws/verhuisd' }
    expect((await savePageIn(bente, target, renamed, { publish: true })).status).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws/bron')).toMatch(/<dd><a href="\/nieuws\/doel">Verhuisd<\/a>/)
    expect(await holders()).toEqual(['live'])
    // The page at the end of a redirect gets another title, and then leaves the site.
    expect((await savePageIn(bente, target, { title: 'Hernoemd' }, { publish: true })).status).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws/bron')).toContain('>Hernoemd</a>')
    const dead = await (await bente.get('/api/links/dead')).json()
    expect(dead.links.map(({ address }: { address: string }) => address)).toEqual(['/bestaat-niet'])
    expect((await bente.post(`/api/pages/${target}/bin`)).status).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws/bron')).not.toContain('Lees ook')

    const { text, version } = await getPageIn(bente, id)
    const draft = { text: { ...text, fields: { meer: '/nieuws/verhuisd' } }, baseVersion: version, revision: 0 }
    expect((await bente.put(`/api/pages/${id}/nl/draft`, draft)).status).toBe(200)
    expect((await holders()).toSorted()).toEqual(['draft', 'live'])
    for (const meer of ['/zoeken', '/brochure.pdf', '/fa/nieuws/bron', '/fa']) {
      expect((await savePageIn(bente, id, { fields: { meer } }, { publish: true })).status, meer).toBe(200)
      expect(await fetchMainHtml(site, '/nieuws/bron'), meer).toContain(`<dd><a href="${meer}">`)
    }
  })

  test('drafts, previews, conflicts between two users and the history contain the fields of an entry', async () => {
    const { site, bente } = await aSite(database)
    const id = await anEntry(bente, 'Samen', { samenvatting: 'Eerst', prijs: 100 })
    const before = await getPageIn(bente, id)
    const draft = { ...before.text, fields: { ...before.text.fields, samenvatting: 'Half af', prijs: 'onzin' } }
    const drafted = await bente.put(`/api/pages/${id}/nl/draft`, {
      text: draft,
      baseVersion: before.version,
      revision: before.draftRevision,
    })
    expect(drafted.status, await drafted.clone().text()).toBe(200)
    const { url } = await (await bente.post(`/api/pages/${id}/nl/preview`)).json()
    const preview = await fetchMainHtml(site, new URL(url).pathname)
    expect(preview).toContain('aria-current="page">Samen<')
    expect(preview).not.toContain('onzin')

    expect((await savePageIn(bente, id, { fields: { samenvatting: 'Van een ander', prijs: 100 } })).status).toBe(200)
    const mine = { ...before.text, fields: { samenvatting: 'Eerst', prijs: 200 } }
    const merged = await bente.put(`/api/pages/${id}/nl`, { text: mine, version: before.version, publish: false })
    expect(merged.status).toBe(200)
    expect((await getPageIn(bente, id)).text.fields).toEqual({ samenvatting: 'Van een ander', prijs: 200 })
    const clash = { ...before.text, fields: { samenvatting: 'Van mij', prijs: 100 } }
    const stale = await bente.put(`/api/pages/${id}/nl`, { text: clash, version: before.version, publish: false })
    expect(stale.status).toBe(409)
    expect((await stale.json()).current.conflicts).toMatchObject([{ field: 'fields.samenvatting', mine: 'Van mij' }])

    const copy = await (await bente.post(`/api/pages/${id}/duplicate`)).json()
    expect(copy).toMatchObject({ collection: 'nieuws', nl: { slug: 'nieuws/samen-2' } })
    const found = await (await site.request('/zoeken?q=eerst')).text()
    expect(found).toContain('href="/nieuws/samen"')
  })

  test('an entry is scheduled and reviewed like any page, and a file in its fields cannot be deleted before it', async () => {
    let at = Date.UTC(2026, 10, 23, 9)
    const site = await aTestApp({ database, site: withNews, now: () => new Date(at), startJobs: false })
    const bente = await as(site, 'beheerder')
    const typed = [
      { id: 'aantal', name: { nl: 'Aantal' }, type: 'number', inList: false, inDetail: true },
      { id: 'folder', name: { nl: 'Folder' }, type: 'file', inList: false, inDetail: true },
      { id: 'foto', name: { nl: 'Foto' }, type: 'picture', inList: true, inDetail: true },
    ]
    expect((await changeCollections(bente, [{ ...news, fields: [...news.fields, ...typed] }])).status).toBe(200)
    const folder = await uploadFile(bente, 'folder.pdf', aPdf())
    const values = { aantal: 12_345, folder: folder.url, foto: '/pictures/sanne.svg', datum: '2026-11-20' }
    const id = await anEntry(bente, 'Binnenkort', values, { publish: false })
    const { version } = await getPageIn(bente, id)
    const plan = { version, publishAt: new Date(at + 3_600_000).toISOString(), unpublishAt: null }
    expect((await bente.put(`/api/pages/${id}/nl/plan`, plan)).status).toBe(200)
    expect(await status(site, '/nieuws/binnenkort')).toBe(404)
    at += 3_601_000
    await publishScheduled(site.app.context())
    const page = await fetchMainHtml(site, '/nieuws/binnenkort')
    expect(page).toContain('<bdi>12.345</bdi>')
    expect(page).toMatch(new RegExp(`<a href="${folder.url}" download[^>]*><bdi>folder.pdf</bdi>`))
    expect(await fetchMainHtml(site, '/nieuws')).toContain('href="/nieuws/binnenkort"')
    expect(await fetchMainHtml(site, '/nieuws')).toContain('/pictures/sanne.svg')
    expect((await bente.delete(`/api/files/${folder.id}`)).status).toBe(409)

    const role = await aRole(site, 'Schrijver', ['pages.write'])
    const writer = await withSession(site, await aUser(site, { name: 'Wietske', email: 'w@example.nl', roleId: role }))
    expect((await savePageIn(writer, id, { fields: { ...values, aantal: 7 } })).status).toBe(200)
    const offered = await getPageIn(writer, id)
    const offer = await writer.post(`/api/pages/${id}/nl/review`, { version: offered.version, note: '' })
    expect(offer.status, await offer.clone().text()).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws/binnenkort')).toContain('<bdi>12.345</bdi>')
    expect((await bente.post(`/api/pages/${id}/nl/review/publish`, { number: 1 })).status).toBe(200)
    expect(await fetchMainHtml(site, '/nieuws/binnenkort')).toContain('<bdi>7</bdi>')
  })

  test('a list of more entries than are sorted at once has all its pages, and a search finds one of them', async () => {
    const { site, bente } = await aSite(database)
    const at = '2026-01-01T00:00:00.000Z'
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      collection: 'nieuws',
      title: `Bericht ${index + 1}`,
      state_nl: 1,
      created_at: at,
      updated_at: at,
      updated_by_name: 'Bente',
    }))
    for (let start = 0; start < rows.length; start += 100) {
      await site.db
        .insertInto('page')
        .values(rows.slice(start, start + 100))
        .execute()
    }
    const list = async (query: string) => (await bente.get(`/api/pages?${query}`)).json()
    expect(await list('collection=nieuws&pageSize=50&page=24')).toMatchObject({ meta: { total: 1_200 } })
    expect((await list('collection=nieuws&pageSize=50&page=24')).data).toHaveLength(50)
    expect(await list('collection=nieuws&search=bericht 1199')).toMatchObject({ meta: { total: 1 } })
    expect((await list('collection=')).meta.total).toBeLessThan(20)
  })

  test('a search finds what visitors see of an entry, and no value of a hidden, removed or other field', async () => {
    const hidden = { id: 'intern', name: { nl: 'Intern' }, type: 'text', inList: false, inDetail: false }
    const site = await aTestApp({
      database,
      site: (config) => {
        config.collections = [{ ...news, fields: [...news.fields, hidden] }]
      },
    })
    const bente = await as(site, 'beheerder')
    await anEntry(bente, 'Gevonden', {
      samenvatting: 'Zonnebloem',
      uitleg: '<p>Korenwolf</p>',
      soort: 'werk',
      intern: 'Geheimzinnig',
    })
    const finds = async (word: string) =>
      (await fetchMainHtml(site, `/zoeken?q=${word}`)).includes('href="/nieuws/gevonden"')
    expect(await Promise.all(['zonnebloem', 'korenwolf', 'werk', 'geheimzinnig'].map(finds))).toEqual([
      true,
      true,
      true,
      false,
    ])
    const fields = news.fields.flatMap((field) => {
      if (field.id === 'uitleg') return []
      return [field.id === 'samenvatting' ? { ...field, inList: false } : field]
    })
    expect((await changeCollections(bente, [{ ...news, fields }])).status).toBe(200)
    expect(await Promise.all(['zonnebloem', 'korenwolf', 'werk'].map(finds))).toEqual([false, false, true])
  })

  test('keeps its address when a live or scheduled page with that address comes back from the trash', async () => {
    const { site, bente } = await aSite(database)
    const live = await publishedPage(bente, { title: 'Pers' })
    await savePageIn(bente, live, { title: 'Pers, later' })
    const planned = await (await bente.post('/api/pages', { title: 'Werken', locale: 'nl' })).json()
    const plan = { publishAt: '2999-01-01T00:00:00.000Z', unpublishAt: null }
    expect((await bente.put(`/api/pages/${planned.id}/nl/plan`, { version: 1, ...plan })).status).toBe(200)
    await savePageIn(bente, planned.id, { title: 'Werken, later' })
    for (const id of [live, planned.id]) expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    const collections = ['pers', 'werken'].map((id) => ({ ...news, id, slug: { nl: id } }))
    expect((await changeCollections(bente, [news, ...collections])).status).toBe(200)

    for (const [id, slug] of [
      [live, 'pers-2'],
      [planned.id, 'werken-2'],
    ]) {
      const restored = await bente.post(`/api/pages/${id}/restore`)
      expect(await restored.json()).toMatchObject({ nl: { slug, state: 'unpublished', publishAt: null } })
    }
    expect(await fetchMainHtml(site, '/pers')).toContain('Hier staat nog niets.')
  })

  test('is in the order of the Persian alphabet when it is sorted by title', async () => {
    const { site, bente } = await aSite(database)
    expect((await changeCollections(bente, [{ ...news, order: 'title', pageSize: 20 }])).status).toBe(200)
    const titles = ['بازار', 'پروژه', 'تازه', 'چای', 'ژاله', 'قلم', 'کتاب', 'گل', 'لاله', 'ورزش', 'هنر', 'یاس']
    for (const title of titles.toReversed()) await anEntry(bente, title, {}, { locale: 'fa' })
    const shown = (await fetchMainHtml(site, '/fa/خبرها')).match(new RegExp(titles.join('|'), 'g')) ?? []
    expect([...new Set(shown)]).toEqual(titles)
  })

  test('an overview has the pages and the categories of what is published in it, and no others', async () => {
    const { site, bente } = await aSite(database)
    const id = await anEntry(bente, 'Een', { soort: 'tip' })
    for (const title of ['Twee', 'Drie']) await anEntry(bente, title, {})
    const found = async () =>
      Promise.all(['?rubriek=tip', '?rubriek=werk', '?pagina=2'].map((query) => status(site, `/nieuws${query}`)))

    expect(await found()).toEqual([200, 404, 200])
    // Two entries have no category.
    for (const category of ['', '%00', 'a%00b', 'weg']) {
      expect((await site.request(`/nieuws?rubriek=${category}`)).status, category).toBe(404)
    }
    expect((await savePageIn(bente, id, { fields: { soort: 'werk' } }, { publish: true })).status).toBe(200)
    expect(await found()).toEqual([404, 200, 200])
    expect(await fetchMainHtml(site, '/nieuws')).toContain('rubriek=werk')
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect(await found()).toEqual([404, 404, 404])
    expect((await bente.post(`/api/pages/${id}/restore`)).status).toBe(200)
    expect(await found()).toEqual([404, 200, 200])
  })

  test('a request or a file that does not name the fields of an entry leaves them as they are', async () => {
    const { site, bente } = await aSite(database)
    const fields = { samenvatting: 'Blijft', prijs: 100 }
    const id = await anEntry(bente, 'Behouden', fields)
    const older = await getPageIn(bente, id)
    const { fields: _, ...unnamed } = older.text
    const put = (title: string, version: number) =>
      bente.put(`/api/pages/${id}/nl`, { text: { ...unnamed, title }, version, publish: true })
    expect((await put('Zonder velden', older.version)).status).toBe(200)
    expect((await getPageIn(bente, id)).text).toMatchObject({ title: 'Zonder velden', fields })
    // Also when somebody else saved meanwhile.
    const later = { title: 'Zonder velden', fields: { ...fields, prijs: 250 } }
    const before = await getPageIn(bente, id)
    expect((await savePageIn(bente, id, later)).status).toBe(200)
    expect((await put('Samengevoegd', before.version)).status).toBe(200)
    expect((await getPageIn(bente, id)).text).toMatchObject({ title: 'Samengevoegd', fields: later.fields })

    const file = JSON.parse(await (await bente.get('/api/config/export')).text())
    const sample = file.pages.find(({ slug }: { slug: string }) => slug === 'disclaimer')
    const others = file.pages.filter(({ slug }: { slug: string }) => slug !== 'nieuws/behouden')
    const pages = [...others, { ...sample, slug: 'nieuws/behouden', content: { nl: sample.content.nl } }]
    const { version } = await (await bente.get('/api/config')).json()
    const imported = await bente.post('/api/config/import', { version, file: JSON.stringify({ ...file, pages }) })
    expect(imported.status, await imported.clone().text()).toBe(200)
    expect((await getPageIn(bente, id)).text).toMatchObject({ title: sample.content.nl.title, fields: later.fields })
    expect(await fetchMainHtml(site, '/nieuws/behouden')).toMatch(/€\s2,50/)
  })

  test('the audit log names the fields of an entry that changed, without their values', async () => {
    const { bente } = await aSite(database)
    const id = await anEntry(bente, 'Gelogd', { samenvatting: 'Oud geheim', prijs: 100, soort: 'tip' })
    await savePageIn(bente, id, { fields: { samenvatting: 'Nieuw geheim', prijs: 100, soort: 'werk' } })
    const { data } = await (await bente.get('/api/audit')).json()
    expect(data[0]).toMatchObject({ action: 'page.updated', after: { fields: ['samenvatting', 'soort'] } })
    expect(data[0].before).not.toHaveProperty('fields')
    expect(JSON.stringify(data)).not.toContain('geheim')
  })

  test('a user for whom an entry is locked can change its texts and images, and no other value', async () => {
    const { site, bente } = await aSite(database)
    const role = await aRole(site, 'Schrijver', ['pages.write'])
    const user = await aUser(site, { name: 'Wietske', email: 'wietske@example.nl', roleId: role })
    const wietske = await withSession(site, user)
    const fields = { samenvatting: 'Kort', uitleg: '<p>Lang</p>', prijs: 100, soort: 'tip', meer: '/disclaimer' }
    const id = await anEntry(bente, 'Op slot', fields)
    expect((await bente.put(`/api/pages/${id}/locks`, { block: null, roles: [role] })).status).toBe(200)
    const typed = { ...fields, samenvatting: 'Anders', uitleg: '<p>Langer</p>' }
    expect((await savePageIn(wietske, id, { fields: typed })).status).toBe(200)
    for (const change of [{ prijs: 200 }, { soort: 'werk' }, { meer: '/' }, { datum: '2026-01-01' }, { prijs: '' }]) {
      const at = await problems(await savePageIn(wietske, id, { fields: { ...typed, ...change } }))
      expect(at).toEqual([`text.fields.${Object.keys(change)[0]}`])
    }
    const linked = { ...typed, uitleg: '<p><a href="https://elders.example/">Langer</a></p>' }
    expect(await problems(await savePageIn(wietske, id, { fields: linked }))).toEqual(['text.fields.uitleg'])
    expect((await getPageIn(bente, id)).text.fields).toEqual(typed)
    // A first text in another language may leave values out, but has no others.
    const { body } = (await getPageIn(bente, id)).text
    const persian = { title: 'قفل', slug: 'خبرها/قفل', body }
    const inPersian = (values: object) => savePageIn(wietske, id, { ...persian, fields: values }, { locale: 'fa' })
    expect(await problems(await inPersian({ prijs: 300 }))).toEqual(['text.fields.prijs'])
    expect((await inPersian({ samenvatting: 'کوتاه' })).status).toBe(200)
  })

  test('renaming fields and options rewrites no entry, and adding or removing a language only the entries in that language', async () => {
    const { site, bente } = await aSite(database)
    await anEntry(bente, 'Genoemd', { soort: 'tip' })
    const change = async (config: object) => {
      const { version } = await (await bente.get('/api/config')).json()
      const answer = await bente.put('/api/config', { version, config })
      expect(answer.status, await answer.clone().text()).toBe(200)
    }
    const listed = async () => {
      const rows = await site.db.selectFrom('page_entry').select(['locale', 'sort_key']).orderBy('locale').execute()
      return rows.map((row) => `${row.locale} ${row.sort_key === 'as it was'}`)
    }
    const mark = () => site.db.updateTable('page_entry').set({ sort_key: 'as it was' }).execute()
    await mark()
    const renamed = news.fields.map((field) => ({
      ...field,
      name: { nl: `Andere ${field.name.nl}` },
      ...(field.options && { options: field.options.map((option) => ({ ...option, name: { nl: 'Anders' } })) }),
    }))
    await change({ collections: [{ ...news, fields: renamed }] })
    expect(await listed()).toEqual(['fa true', 'nl true'])
    expect(await fetchMainHtml(site, '/nieuws?rubriek=tip')).toContain('Anders')
    await change({ locales: ['nl', 'fa', 'de'] })
    expect(await listed()).toEqual(['de false', 'fa true', 'nl true'])
    expect(await fetchMainHtml(site, '/de/nieuws')).toContain('>Genoemd<')
    await change({ locales: ['nl', 'de'] })
    expect(await listed()).toEqual(['de false', 'nl true'])
    await change({ collections: [{ ...news, fields: renamed, order: 'title' }] })
    expect(await listed()).toEqual(['de false', 'nl false'])
  })

  test('no collection has an address of a language, and no language that of a collection', async () => {
    const { bente } = await aSite(database)
    const change = async (config: object) => {
      const { version } = await (await bente.get('/api/config')).json()
      return bente.put('/api/config', { version, config })
    }
    expect((await change({ locales: ['nl', 'fa', 'en'] })).status).toBe(200)
    for (const slug of ['en', 'en/nieuws']) {
      const more = { ...news, id: 'tweede', slug: { nl: slug } }
      expect(await problems(await change({ collections: [news, more] })), slug).toEqual(['collections.1.slug.nl'])
    }
    const german = { ...news, id: 'tweede', slug: { nl: 'de/projecten' } }
    expect((await change({ collections: [news, german] })).status).toBe(200)
    expect(await problems(await change({ locales: ['nl', 'de'] }))).toEqual(['locales.1'])
    expect((await change({ locales: ['nl', 'pt-BR'] })).status).toBe(200)
  })
})
