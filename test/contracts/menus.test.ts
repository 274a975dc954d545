import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { Locale } from '../../src/contract/locales.ts'
import { databases } from '../support/databases.ts'
import { getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { changeEachText, type SiteFile } from '../support/site-file.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const now = async (who: SignedIn): Promise<Configuration> => (await who.get('/api/config')).json()
const change = async (who: SignedIn, config: object): Promise<Response> =>
  who.put('/api/config', { version: (await now(who)).version, config })
/** Each problem of a refused request, by its path. */
const problemsOf = async (answer: Response) => [
  answer.status,
  Object.fromEntries(
    (await answer.json()).errors.map((one: { path: string; message: string }) => [one.path, one.message]),
  ),
]

/** A header of which the blocks for computer and phone show the menu of the site. */
const showsMenu = (config: SiteFile) => {
  const block = (menuType: string) => ({ type: 'menu', menuType, menu: 'main' })
  config.branding.navbar.desktop = { nl: [block('desktop')], fa: [block('desktop')] }
  config.branding.navbar.mobile = { nl: [block('mobile')] }
}
/** The items of the menu for computers on a page. */
const menuOn = async (site: TestApp, path = '/') =>
  /<nav aria-label="Hoofdmenu"><div class="desktop"><ul class="menu menu-desktop[^>]*>(.*?)<\/ul><\/div><\/nav>/s.exec(
    await (await site.request(path)).text(),
  )?.[1]

const link = (href: string, title: string) => `<li><a href="${href}">${title}</a></li>`

describe.each(databases)('the menu of the site, on %s,', (database) => {
  const aSite = async (site = showsMenu) => {
    const one = await aTestApp({ database, site })
    return { site: one, bente: await as(one, 'beheerder') }
  }
  const setTree = async (who: SignedIn, nl: object[], fa?: object[]) => {
    const answer = await change(who, { menus: { main: { nl, ...(fa && { fa }) } } })
    expect(answer.status).toBe(200)
  }

  test('is shown by each menu block that refers to it, follows the title and slug of its pages, and hides those that visitors cannot see; at once on every instance', async () => {
    const { site, bente } = await aSite()
    const other = await aTestApp({ beside: site })
    const about = await publishedPage(bente, { title: 'Over ons' })
    const team = await publishedPage(bente, { title: 'Team' })
    await setTree(bente, [
      { title: '', page: about },
      { title: 'Mensen', page: team, submenu: [{ title: 'Contact', url: '/#contact' }] },
    ])
    const both = async (expected: string) => {
      for (const copy of [site, other]) await expect.poll(() => menuOn(copy)).toBe(expected)
    }
    const contact = link('/#contact', 'Contact')
    const people = `<li><div class="submenu"><a href="/team" class="more">Mensen</a><ul>${contact}</ul></div></li>`
    await both(link('/over-ons', 'Over ons') + people)
    expect(await (await site.request('/')).text()).toMatch(/<ul class="menu menu-mobile"><li><a href="\/over-ons">/)

    expect((await savePageIn(bente, about, { title: 'Wie wij zijn', slug: 'wie' })).status).toBe(200)
    await both(link('/over-ons', 'Over ons') + people)
    const { version } = await getPageIn(bente, about)
    expect((await bente.post(`/api/pages/${about}/nl/publish`, { version })).status).toBe(200)
    await both(link('/wie', 'Wie wij zijn') + people)
    expect((await other.request('/over-ons')).headers.get('location')).toBe('/wie')

    // What is hidden only opens its submenu; without one it is not shown.
    expect((await bente.post(`/api/pages/${team}/bin`)).status).toBe(200)
    expect((await bente.post(`/api/pages/${about}/nl/unpublish`, { version })).status).toBe(200)
    await both(
      `<li><div class="submenu"><button type="button" class="more">Mensen</button><ul>${contact}</ul></div></li>`,
    )
    expect((await bente.post(`/api/pages/${team}/restore`)).status).toBe(200)
    await both(people)
    expect((await bente.post(`/api/pages/${about}/nl/publish`, { version })).status).toBe(200)
    await both(link('/wie', 'Wie wij zijn') + people)
  })

  test('is one tree per language; a page without a translation and a missing tree are shown in Dutch', async () => {
    const { site, bente } = await aSite()
    const about = await publishedPage(bente, { title: 'Over ons' })
    await setTree(bente, [{ title: '', page: about }])
    const persian = async () => (await (await site.request('/fa')).text()).replaceAll('&amp;', '&')
    await expect
      .poll(persian)
      .toContain('<ul class="menu menu-desktop" lang="nl" dir="ltr"><li><a href="/fa/over-ons">Over ons</a></li></ul>')

    await setTree(
      bente,
      [{ title: '', page: about }],
      [
        { title: '', page: about },
        { title: 'خانه', url: '/' },
      ],
    )
    await expect
      .poll(persian)
      .toContain(
        `<ul class="menu menu-desktop"><li><a href="/fa/over-ons" lang="nl" dir="ltr">Over ons</a></li>${link('/fa', 'خانه')}</ul>`,
      )
    const text = { title: 'دربارهٔ ما', slug: 'درباره-ما' }
    expect((await savePageIn(bente, about, text, { locale: 'fa', publish: true })).status).toBe(200)
    await expect.poll(persian).toContain(link(`/fa/${encodeURI('درباره-ما')}`, 'دربارهٔ ما'))
    expect(await menuOn(site)).toBe(link('/over-ons', 'Over ons'))
  })

  test('a configuration file names pages by their slugs: a page whose slug changed is found, and the next revision has its id', async () => {
    const { site, bente } = await aSite((config) => {
      showsMenu(config)
      config.pages.push({
        slug: 'over-ons',
        updated: '2026-11-01',
        content: { nl: { title: 'Over ons', description: '', body: [] } },
      })
      config.menus = {
        main: {
          nl: [
            { title: '', page: 'over-ons' },
            { title: 'Later', page: 'komt-nog' },
          ],
        },
      }
    })
    expect(await menuOn(site)).toBe(link('/over-ons', 'Over ons'))
    const { data } = await (await bente.get('/api/pages?search=Over ons')).json()
    const { id } = data[0]
    expect((await savePageIn(bente, id, { slug: 'wij' }, { publish: true })).status).toBe(200)
    await expect.poll(() => menuOn(site)).toBe(link('/wij', 'Over ons'))
    expect(await menuOn(await aTestApp({ beside: site, settings: { siteConfig: site.settings.siteConfig } }))).toBe(
      link('/wij', 'Over ons'),
    )
    // An item gets the id of a page that did not exist yet when that is published.
    await publishedPage(bente, { title: 'Komt nog' })
    await expect.poll(() => menuOn(site)).toBe(link('/wij', 'Over ons') + link('/komt-nog', 'Later'))

    expect((await change(bente, { brand: 'Anders' })).status).toBe(200)
    expect((await now(bente)).config.menus?.main.nl?.map(({ page }) => typeof page)).toEqual(['number', 'number'])
    expect((await (await bente.get('/api/config/revisions')).json()).data[0].parts).toEqual(['brand'])
  })

  test('an export names pages by their slugs, leaves out pages in the trash, and is imported without a difference', async () => {
    const { bente } = await aSite()
    const about = await publishedPage(bente, { title: 'Over ons' })
    const gone = await publishedPage(bente, { title: 'Weg' })
    await setTree(bente, [
      { title: '', page: about },
      { title: '', page: gone, submenu: [{ title: 'Blijft', url: '/#blijft' }] },
    ])
    await bente.post(`/api/pages/${gone}/bin`)
    const file = JSON.parse(await (await bente.get('/api/config/export')).text())
    expect(file.menus.main.nl).toMatchObject([
      { title: '', page: 'over-ons' },
      { title: 'Blijft', url: '/#blijft' },
    ])
    expect(file.menus.main.nl).toHaveLength(2)

    const text = JSON.stringify(file)
    const report = await (await bente.post('/api/config/check', { file: text })).json()
    expect(report.config.menus.main.nl[0].page).toBe(about)
    const { version } = await now(bente)
    const imported = await (await bente.post('/api/config/import', { version, file: text })).json()
    expect(imported.config.menus.main.nl).toMatchObject([{ page: about }, { url: '/#blijft' }])
    const again = { version: imported.version, file: text }
    expect(await (await bente.post('/api/config/import', again)).json()).toMatchObject({ version: imported.version })

    // Another site may lack the page: the rest is imported, and the item gets its id when the page is added.
    const elsewhere = await aSite()
    const there = await elsewhere.bente.post('/api/config/import', { version: 0, file: text })
    expect([there.status, (await there.json()).config.menus.main.nl[0].page]).toEqual([200, 'over-ons'])
    await expect.poll(() => menuOn(elsewhere.site)).toBe(link('/#blijft', 'Blijft'))
    await publishedPage(elsewhere.bente, { title: 'Over ons' })
    await expect.poll(() => menuOn(elsewhere.site)).toBe(link('/over-ons', 'Over ons') + link('/#blijft', 'Blijft'))
  })

  test('an export keeps menu items of pages without a Dutch text, and of a page that has the former slug of another page', async () => {
    const { bente } = await aSite((config) => {
      showsMenu(config)
      const content = { nl: { title: 'Wie wij zijn', description: '', body: [] } }
      config.pages.push({ slug: 'over-ons', updated: '2026-11-01', content })
    })
    const { data } = await (await bente.get('/api/pages?search=Wie wij zijn')).json()
    expect((await savePageIn(bente, data[0].id, { slug: 'wij' }, { publish: true })).status).toBe(200)
    const about = await publishedPage(bente, { title: 'Over ons' })
    const persian = await publishedPage(bente, { title: 'کار', locale: 'fa', slug: 'over-ons' })
    const { version } = await now(bente)
    const main = { nl: [{ title: '', page: about }], fa: [{ title: '', page: persian }] }
    expect((await bente.put('/api/config', { version, config: { menus: { main } } })).status).toBe(200)

    const text = await (await bente.get('/api/config/export')).text()
    expect(JSON.parse(text).menus.main).toMatchObject({
      nl: [{ title: '', page: 'nl/over-ons' }],
      fa: [{ title: '', page: 'fa/over-ons' }],
    })
    const report = await (await bente.post('/api/config/check', { file: text })).json()
    expect(report.config.menus.main).toMatchObject({ nl: [{ page: about }], fa: [{ page: persian }] })

    // On another site each item gets the id of its page when that is added.
    const elsewhere = await aSite()
    expect((await elsewhere.bente.post('/api/config/import', { version: 0, file: text })).status).toBe(200)
    await publishedPage(elsewhere.bente, { title: 'کار', locale: 'fa', slug: 'over-ons' })
    const home = async () => (await elsewhere.site.request('/fa')).text()
    await expect.poll(home).toContain(link('/fa/over-ons', 'کار'))
  })

  test('header menus that are too large for the site menu are not taken over: each is refused at its path, and the site goes on', async () => {
    const nested = (levels: number): object => ({
      title: 'Dieper',
      submenu: levels > 1 ? [nested(levels - 1)] : [],
      url: '/x',
    })
    const { bente } = await aSite((config) => {
      const items = [{ title: '', icon: 'phone', url: 'tel:+31430000003' }, nested(11)]
      config.branding.navbar.desktop = { nl: [{ type: 'menu', menuType: 'desktop', items }] }
      config.branding.navbar.mobile = { nl: [] }
      delete config.menus
    })
    const about = await publishedPage(bente, { title: 'Over ons' })

    for (const [path, more] of [
      ['take-over', {}],
      ['items', { locale: 'nl', page: about }],
    ] as const) {
      const answer = await bente.post(`/api/config/menu/${path}`, { version: 0, ...more })
      const [status, problems] = await problemsOf(answer)
      expect([path, status]).toEqual([path, 422])
      expect(problems).toMatchObject({ 'menus.main.nl.0.title': expect.any(String) })
    }
    expect((await now(bente)).version).toBe(0)
  })

  test('a crafted menu is refused with the problem at its path, and nothing changes', async () => {
    const { bente } = await aSite()
    const about = await publishedPage(bente, { title: 'Over ons' })
    const refused = async (nl: unknown, locale: Locale = 'nl') =>
      problemsOf(await change(bente, { menus: { main: locale === 'nl' ? { nl } : { nl: [], fa: nl } } }))
    const nested = (levels: number): object =>
      levels === 1 ? { title: 'Diep', url: '/' } : { title: 'Hoog', submenu: [nested(levels - 1)] }
    const at = 'menus.main.nl.0'

    expect(await refused([{ title: 'x', page: 999_999 }])).toEqual([
      422,
      { [`${at}.page`]: 'Deze pagina bestaat niet op deze website. Kies een andere.' },
    ])
    expect(
      await refused([
        { title: 'x', page: 'Geen slug!' },
        { title: 'x', page: -1 },
      ]),
    ).toEqual([422, { [`${at}.page`]: expect.any(String), 'menus.main.nl.1.page': expect.any(String) }])
    expect(await refused([{ title: 'x', page: 'bestaat-niet' }])).toEqual([422, { [`${at}.page`]: expect.any(String) }])
    expect(await refused([{ title: 'x', page: about, url: '/' }])).toEqual([
      422,
      { [`${at}.url`]: 'Kies een pagina of een adres, niet allebei.' },
    ])
    expect(await refused([{ title: 'Leeg' }, { title: '', url: '/' }])).toEqual([
      422,
      {
        [`${at}.url`]: 'Dit item leidt nergens heen. Kies een pagina of een adres, of zet er items onder.',
        'menus.main.nl.1.title': 'Dit is een verplicht veld!',
      },
    ])
    expect(await refused([{ title: 'x', url: 'javascript:alert(1)' }])).toEqual([
      422,
      { [`${at}.url`]: 'Dit is geen geldig url!' },
    ])
    expect(await refused([nested(11)], 'fa')).toEqual([
      422,
      {
        [`menus.main.fa.0${'.submenu.0'.repeat(9)}`]: 'Dit submenu zit te diep: een menu heeft hoogstens 10 niveaus.',
      },
    ])
    expect(await refused(Array.from({ length: 201 }, () => ({ title: 'x', url: '/' })))).toEqual([
      422,
      { 'menus.main.nl': 'Kies er hoogstens 200.' },
    ])
    expect(await refused('geen lijst')).toEqual([422, { 'menus.main.nl': expect.any(String) }])
    const { branding } = (await now(bente)).config
    const unknown = { type: 'menu', menuType: 'desktop', menu: 'zijkant' }
    const top = { nl: [unknown] }
    expect(
      await problemsOf(await change(bente, { branding: { ...branding, navbar: { ...branding.navbar, top } } })),
    ).toEqual([422, { 'branding.navbar.top.nl.0.menu': expect.any(String) }])
    expect(await now(bente)).toMatchObject({ version: 0 })

    await setTree(bente, [nested(10)])
    // A page that was deleted since does not stand in the way of other changes.
    await setTree(bente, [{ title: 'Over', page: about }])
    await bente.post(`/api/pages/${about}/bin`)
    expect((await bente.delete(`/api/pages/${about}`)).status).toBe(204)
    await setTree(bente, [
      { title: 'Over', page: about },
      { title: 'Contact', url: '/#contact' },
    ])
    // `null` removes it.
    expect((await (await change(bente, { menus: null })).json()).config.menus).toBeUndefined()
  })

  /** A configuration of before there was a menu: items in each block of the header. */
  const ownMenus = (config: SiteFile) => {
    const menu = (menuType: string, ...items: object[]) => ({ type: 'menu', menuType, className: 'breed', items })
    const who = { title: 'Wie', url: '/over-ons' }
    const more = { title: 'Meer', submenu: [{ title: 'Privacy', url: '/privacy-verklaring' }] }
    config.branding.navbar.desktop = {
      nl: [menu('desktop', who, more)],
      fa: [menu('desktop', { title: 'ما', url: '/over-ons' })],
    }
    config.branding.navbar.mobile = {
      nl: [menu('mobile', who, more, { title: 'Bel ons', url: 'tel:+31430000003' }, { title: 'Half', url: '/100%' })],
    }
    delete config.menus
  }
  const bodyOf = async (site: TestApp, path = '/') =>
    /<body.*/s.exec(await (await site.request(path)).text())?.[0].replaceAll('\u00a0', ' ')

  test('takes the items of the header’s own menus over in one step: the pages look the same, addresses of pages become pages, and a restore undoes it', async () => {
    const { site, bente } = await aSite(ownMenus)
    const about = await publishedPage(bente, { title: 'Over ons' })
    await expect.poll(() => bodyOf(site)).toContain('<a href="/over-ons">Wie</a>')
    const before = { nl: await bodyOf(site), fa: await bodyOf(site, '/fa') }
    const answer = await bente.post('/api/config/menu/take-over', { version: 0 })
    expect(answer.status).toBe(200)
    const { version, config } = await answer.json()
    expect(config.menus.main).toMatchObject({
      nl: [
        { title: 'Wie', page: about },
        { title: 'Meer', submenu: [{ title: 'Privacy', page: expect.any(Number) }] },
        { title: 'Bel ons', url: 'tel:+31430000003' },
        { title: 'Half', url: '/100%' },
      ],
      fa: [{ title: 'ما', page: about }],
    })
    expect(config.branding.navbar.desktop.nl).toMatchObject([{ menuType: 'desktop', className: 'breed', menu: 'main' }])
    expect(config.branding.navbar.desktop.nl[0]).not.toHaveProperty('items')
    // The phone had two items more, which everybody sees now.
    const withPhone = (html = '') =>
      html.replace(
        /(<ul class="menu menu-desktop breed">.*?<\/ul><\/div><\/li>)/s,
        `$1${link('tel:+31430000003', 'Bel ons')}${link('/100%', 'Half')}`,
      )
    await expect.poll(() => bodyOf(site)).toBe(withPhone(before.nl))
    expect(await bodyOf(site, '/fa')).toContain('<ul class="menu menu-desktop breed"><li><a href="/fa/over-ons">ما</a>')

    expect((await bente.post('/api/config/menu/take-over', { version: 0 })).status).toBe(409)
    const { data } = await (await bente.get('/api/config/revisions')).json()
    const first = data.at(-1).id
    expect((await bente.post(`/api/config/revisions/${first}/restore`, { version })).status).toBe(200)
    await expect.poll(() => bodyOf(site)).toBe(before.nl)
    expect(await bodyOf(site, '/fa')).toBe(before.fa)
  })

  test('taking over a menu in one language keeps the items that this language showed from the main one', async () => {
    const item = (title: string) => ({ title, url: `/#${title}` })
    const { site, bente } = await aSite((config) => {
      showsMenu(config)
      const items = [item('ج')]
      config.branding.navbar.mobile = { nl: [], fa: [{ type: 'menu', menuType: 'mobile', items }] }
      config.menus = { main: { nl: [item('A'), item('B')] } }
    })
    const { version } = await now(bente)
    const answer = await bente.post('/api/config/menu/take-over', { version })
    expect(answer.status).toBe(200)
    const { main } = (await answer.json()).config.menus
    expect(main.nl).toMatchObject([{ title: 'A' }, { title: 'B' }])
    expect(main.fa).toMatchObject([{ title: 'A' }, { title: 'B' }, { title: 'ج' }])
    await expect.poll(() => bodyOf(site, '/fa')).toContain('>ج</a>')
  })

  test('on a site without Dutch an item with the address of a page in the main language becomes that page', async () => {
    const { bente } = await aSite((config) => {
      Object.assign(
        config,
        changeEachText(config, ({ nl }) => ({ en: nl })),
        { locales: ['en', 'de'], rootLocale: 'en' },
      )
      const menu = (title: string) => [{ type: 'menu', menuType: 'desktop', items: [{ title, url: '/about' }] }]
      config.branding.navbar.desktop = { en: menu('About'), de: menu('Über uns') }
      delete config.menus
    })
    const about = await publishedPage(bente, { title: 'About', locale: 'en' })
    const text = { title: 'Über uns', slug: 'uber-uns' }
    expect((await savePageIn(bente, about, text, { locale: 'de', publish: true })).status).toBe(200)
    const answer = await bente.post('/api/config/menu/take-over', { version: 0 })
    expect((await answer.json()).config.menus.main).toMatchObject({ en: [{ page: about }], de: [{ page: about }] })
  })

  test('where only the header in this language has its own menu, that is taken over before a page is added', async () => {
    const { bente } = await aSite((config) => {
      ownMenus(config)
      const { desktop } = config.branding.navbar
      config.branding.navbar.desktop = { ...desktop, nl: [{ type: 'menu', menuType: 'desktop', menu: 'main' }] }
      config.menus = { main: { nl: [{ title: 'Wie', url: '/over-ons' }] } }
    })
    const { id } = await (await bente.post('/api/pages', { title: 'تیم', locale: 'fa' })).json()
    const { version } = await now(bente)
    const added = await (await bente.post('/api/config/menu/items', { version, locale: 'fa', page: id })).json()
    expect(added.config.menus.main.fa).toMatchObject([{ title: 'ما' }, { page: id }])
    expect(added.config.branding.navbar.desktop.fa).toMatchObject([{ menu: 'main' }])
  })

  test('a page is added at the end of the menu or under an item, also where there is no menu yet, and is shown when it is published', async () => {
    const { site, bente } = await aSite(ownMenus)
    const { id } = await (await bente.post('/api/pages', { title: 'Team', locale: 'nl' })).json()
    const add = (more: object) => bente.post('/api/config/menu/items', { locale: 'nl', page: id, ...more })
    const added = await (await add({ version: 0 })).json()
    expect(added.config.menus.main.nl.map(({ title }: { title: string }) => title)).toEqual([
      'Wie',
      'Meer',
      'Bel ons',
      'Half',
      '',
    ])
    expect((await add({ version: 0 })).status).toBe(409)
    expect(await problemsOf(await add({ version: added.version, page: 999_999 }))).toEqual([
      422,
      { page: expect.any(String) },
    ])
    expect(await problemsOf(await add({ version: added.version, under: [7] }))).toEqual([
      422,
      { under: expect.any(String) },
    ])
    expect(await menuOn(site)).not.toContain('Team')

    const under = await (await add({ version: added.version, under: [1], locale: 'nl' })).json()
    expect(under.config.menus.main.nl[1].submenu).toMatchObject([{ title: 'Privacy' }, { page: id }])
    const { version } = await getPageIn(bente, id)
    expect((await bente.post(`/api/pages/${id}/nl/publish`, { version })).status).toBe(200)
    await expect.poll(() => bodyOf(site)).toContain(`Privacy</a></li>${link('/team', 'Team')}</ul>`)
    expect(
      (await (await bente.get('/api/audit?page=1')).json()).data.map(({ action }: { action: string }) => action),
    ).toContain('config.changed')
  })

  test('a page shows that it is in the menu, and unpublishing or deleting it also removes it from the menu; without the right to the settings nothing happens', async () => {
    const { site, bente } = await aSite()
    const about = await publishedPage(bente, { title: 'Over ons' })
    await savePageIn(bente, about, { title: 'ما', slug: 'ma' }, { locale: 'fa', publish: true })
    const { branding } = (await now(bente)).config
    const own = {
      type: 'menu',
      menuType: 'desktop',
      items: [{ title: 'Wij', submenu: [{ title: 'Nu', url: '/over-ons#nu' }] }],
    }
    expect(
      (await change(bente, { branding: { ...branding, navbar: { ...branding.navbar, top: { nl: [own] } } } })).status,
    ).toBe(200)
    const contact = { title: 'Contact', url: '/#contact' }
    await setTree(
      bente,
      [
        { title: 'Meer', submenu: [{ title: '', page: about }] },
        { title: '', page: about, submenu: [contact] },
      ],
      [{ title: 'ما', page: about }],
    )
    const found = async () => (await bente.get(`/api/pages/${about}`)).json()
    await expect.poll(found).toMatchObject({ linkTitles: ['Nu'], inMenus: ['nl', 'fa'] })

    const { version } = await getPageIn(bente, about, 'fa')
    const writer = await signInWithRights(site, 'schrijver', ['pages.write', 'pages.publish'])
    expect((await writer.post(`/api/pages/${about}/bin?fromMenu=true`)).status).toBe(403)
    expect((await found()).deletedAt).toBeNull()

    expect((await bente.post(`/api/pages/${about}/fa/unpublish?fromMenu=true`, { version })).status).toBe(200)
    expect((await now(bente)).config.menus?.main).toMatchObject({ nl: [{}, { page: about }], fa: [] })
    await expect.poll(found).toMatchObject({ inMenus: ['nl'], fa: { state: 'unpublished' } })

    expect((await bente.post(`/api/pages/${about}/bin?fromMenu=true`)).status).toBe(200)
    const { config } = await now(bente)
    expect(config.menus?.main.nl).toMatchObject([contact])
    expect(config.branding.navbar.top.nl).toMatchObject([{ items: [] }])
    await expect.poll(() => menuOn(site)).toBe(link('/#contact', 'Contact'))
    expect(await (await bente.get(`/api/config/menu/pages?ids=${about},999999`)).json()).toEqual({
      data: [
        {
          id: about,
          inTrash: true,
          isHidden: false,
          nl: { title: 'Over ons', slug: 'over-ons', isLive: false },
          fa: { title: 'ما', slug: 'ma', isLive: false },
          texts: {
            nl: { title: 'Over ons', slug: 'over-ons', isLive: false },
            fa: { title: 'ما', slug: 'ma', isLive: false },
          },
        },
      ],
    })

    // A page that was put into the trash with its item can also leave the menu when it is deleted.
    await setTree(bente, [{ title: 'Oud', page: about }, contact])
    expect((await bente.delete(`/api/pages/${about}?fromMenu=true`)).status).toBe(204)
    expect((await now(bente)).config.menus?.main.nl).toMatchObject([contact])
  })
})
