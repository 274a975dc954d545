import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { Locale } from '../../src/contract/locales.ts'
import { databases } from '../support/databases.ts'
import { getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import type { SiteFile } from '../support/site-file.ts'
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
/** The menu for computers on a page, without the attributes of its own. */
const menuOn = async (site: TestApp, path = '/') =>
  /<ul class="menu menu-desktop"[^>]*>(.*?)<\/ul><\/div><\/nav>|<ul class="menu menu-desktop"[^>]*>(.*?)<\/nav>/
    .exec(await (await site.request(path)).text())
    ?.slice(1)
    .join('')
    .replace(/<\/ul><\/div>$/, '')

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

  test('is shown by each block that names it, follows the title and slug of its pages, and hides those that visitors cannot see; at once on every copy', async () => {
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
    const people = `<li><div class="drop"><a href="/team" class="more">Mensen</a><ul>${contact}</ul></div></li>`
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
    await both(`<li><div class="drop"><button type="button" class="more">Mensen</button><ul>${contact}</ul></div></li>`)
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

  test('a file names pages by their slugs: a page that got another slug is found, and the next revision has its id', async () => {
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
    // A page that did not exist yet is bound when it is published.
    await publishedPage(bente, { title: 'Komt nog' })
    await expect.poll(() => menuOn(site)).toBe(link('/wij', 'Over ons') + link('/komt-nog', 'Later'))

    expect((await change(bente, { brand: 'Anders' })).status).toBe(200)
    expect((await now(bente)).config.menus?.main.nl.map(({ page }) => typeof page)).toEqual(['number', 'number'])
    expect((await (await bente.get('/api/config/revisions')).json()).data[0].parts).toEqual(['brand'])
  })

  test('an export names pages by their slugs, leaves out what is gone, and is imported without a difference', async () => {
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

    // On another site the page may not be there; the rest is imported, and the page is bound when it comes.
    const elsewhere = await aSite()
    const there = await elsewhere.bente.post('/api/config/import', { version: 0, file: text })
    expect([there.status, (await there.json()).config.menus.main.nl[0].page]).toEqual([200, 'over-ons'])
    await expect.poll(() => menuOn(elsewhere.site)).toBe(link('/#blijft', 'Blijft'))
    await publishedPage(elsewhere.bente, { title: 'Over ons' })
    await expect.poll(() => menuOn(elsewhere.site)).toBe(link('/over-ons', 'Over ons') + link('/#blijft', 'Blijft'))
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
})
