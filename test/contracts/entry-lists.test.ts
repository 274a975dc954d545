import { describe, expect, test } from 'vitest'
import { anEntry, changeCollections, fetchMainHtml, news, withNews } from '../support/collections.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const aSite = async (database: DatabaseKind = 'sqlite') => {
  const site = await aTestApp({ database, site: withNews })
  return { site, bente: await as(site, 'beheerder') }
}
const aList = (more: object = {}) => ({ type: 'entry-list', title: 'Het laatste', from: 'nieuws', count: '3', ...more })
const chosen = (...urls: string[]) => aList({ items: urls.map((url) => ({ url })) })
/** The addresses that the list of a page links to, in order. */
const listed = async (site: TestApp, path = '/welkom') => {
  const [list = ''] = /<ul class="works">.*?<\/ul>/s.exec(await fetchMainHtml(site, path)) ?? []
  return [...list.matchAll(/<h3><a href="([^"]*)"/g)].map(([, href]) => decodeURI(href ?? ''))
}
const shared = (section: string) => ({ type: 'section', section })
const withList = (who: SignedIn, ...body: object[]) => publishedPage(who, { title: 'Welkom', body })
const unpublish = async (who: SignedIn, id: number) => {
  const { version } = await getPageIn(who, id)
  expect((await who.post(`/api/pages/${id}/nl/unpublish`, { version })).status).toBe(200)
}

describe.each(databases)('a list of entries on a page, on %s,', (database) => {
  test('shows the newest ones, of all or of a category, and each change at once on every instance', async () => {
    const { site, bente } = await aSite(database)
    const other = await aTestApp({ beside: site, site: withNews })
    await withList(bente, aParagraph('Welkom'), aList({ overview: 'Alle berichten' }))
    await publishedPage(bente, { title: 'Tips', body: [aList({ from: 'nieuws/tip' })] })
    for (const app of [site, other]) expect(await fetchMainHtml(app, '/welkom')).not.toContain('Het laatste')

    await anEntry(bente, 'Ouder', { datum: '2025-01-05' })
    await anEntry(bente, 'Oud', { datum: '2026-01-05', soort: 'tip', samenvatting: 'Lang geleden' })
    const middle = await anEntry(bente, 'Midden', { datum: '2026-02-05', soort: 'tip' })
    await anEntry(bente, 'Nieuw', { datum: '2026-03-05', soort: 'werk' })
    await anEntry(bente, 'Concept', { datum: '2026-12-01' }, { publish: false })
    for (const app of [site, other]) {
      await expect.poll(() => listed(app)).toEqual(['/nieuws/nieuw', '/nieuws/midden', '/nieuws/oud'])
      await expect.poll(() => listed(app, '/tips')).toEqual(['/nieuws/midden', '/nieuws/oud'])
    }
    const page = await fetchMainHtml(site, '/welkom')
    expect(page).toMatch(/<h2>Het laatste<\/h2>.*5 maart 2026.*<a href="\/nieuws">Alle berichten<\/a>/s)
    expect(await fetchMainHtml(site, '/tips')).toContain('<bdi>Lang geleden</bdi>')

    await unpublish(bente, middle)
    for (const app of [site, other])
      await expect.poll(() => listed(app)).toEqual(['/nieuws/nieuw', '/nieuws/oud', '/nieuws/ouder'])
    expect((await changeCollections(bente, [{ ...news, order: 'title' }])).status).toBe(200)
    await expect.poll(() => listed(site)).toEqual(['/nieuws/nieuw', '/nieuws/oud', '/nieuws/ouder'])
  })

  test('shows chosen entries in their order, also after their address changed, and without those that are no longer published', async () => {
    const { site, bente } = await aSite(database)
    const one = await anEntry(bente, 'Een', { datum: '2026-01-05' })
    const two = await anEntry(bente, 'Twee', { datum: '2026-02-05' })
    await anEntry(bente, 'Drie', { datum: '2026-03-05' })
    await withList(bente, chosen('/nieuws/een', '/nieuws/drie', '/nieuws/een', '/bestaat-niet', 'https://elders.nl/x'))
    await publishedPage(bente, { title: 'Alleen twee', body: [chosen('/nieuws/twee')] })
    expect(await listed(site)).toEqual(['/nieuws/een', '/nieuws/drie'])
    expect(await listed(site, '/alleen-twee')).toEqual(['/nieuws/twee'])
    const { holders } = await (await bente.get(`/api/pages/${one}/links`)).json()
    expect(holders).toMatchObject([{ type: 'page', text: 'live' }])

    const moved = { title: 'Een, bijgewerkt', slug: 'nieuws/verhuisd' }
    expect((await savePageIn(bente, one, moved, { publish: true })).status).toBe(200)
    await expect.poll(() => listed(site)).toEqual(['/nieuws/verhuisd', '/nieuws/drie'])
    await unpublish(bente, one)
    await expect.poll(() => listed(site)).toEqual(['/nieuws/drie'])
    expect((await bente.post(`/api/pages/${two}/bin`)).status).toBe(200)
    expect((await bente.delete(`/api/pages/${two}`)).status).toBe(204)
    const empty = await site.request('/alleen-twee')
    expect([empty.status, (await empty.text()).includes('Het laatste')]).toEqual([200, false])
  })

  test('follows a redirect that staff make, change and delete, at once on each instance', async () => {
    const { site, bente } = await aSite(database)
    const other = await aTestApp({ beside: site, site: withNews })
    await anEntry(bente, 'Een', { meer: '/oud-adres' })
    await anEntry(bente, 'Twee', {})
    await withList(bente, chosen('/oud-adres'))
    const shows = async (paths: string[], linked: string | undefined) => {
      for (const app of [site, other]) {
        await expect.poll(() => listed(app)).toEqual(paths)
        await expect
          .poll(async () => /<dd><a href="\/oud-adres">([^<]*)/.exec(await fetchMainHtml(app, '/nieuws/een'))?.[1])
          .toBe(linked)
      }
    }
    await shows([], undefined)
    const made = await bente.post('/api/redirects', { from: '/oud-adres', to: '/nieuws/twee' })
    expect(made.status, await made.clone().text()).toBe(201)
    const redirect = await made.json()
    await shows(['/nieuws/twee'], 'Twee')
    const changed = { from: '/oud-adres', to: '/nieuws/een', version: redirect.version }
    expect((await bente.put(`/api/redirects/${redirect.id}`, changed)).status).toBe(200)
    await shows(['/nieuws/een'], 'Een')
    expect((await bente.delete(`/api/redirects/${redirect.id}`)).status).toBe(204)
    await shows([], undefined)
  })

  test('links chosen entries to the address of the text that is shown, with Persian at the root and in German', async () => {
    const site = await aTestApp({
      database,
      site: (config) => {
        withNews(config)
        Object.assign(config, { locales: ['nl', 'fa', 'de'], rootLocale: 'fa' })
      },
    })
    const bente = await as(site, 'beheerder')
    const publish = async (id: number, locale: string, text: object) => {
      const saved = await savePageIn(bente, id, text, { locale, publish: true })
      expect(saved.status, await saved.clone().text()).toBe(200)
    }
    await anEntry(bente, 'Een', { datum: '2026-01-05' })
    const two = await anEntry(bente, 'Twee', { datum: '2026-02-05' })
    await publish(two, 'fa', { title: 'دو', slug: 'خبرها/دو' })
    const three = await anEntry(bente, 'Drie', {}, { publish: false })
    await publish(three, 'de', { title: 'Drei', slug: 'nieuws/drei' })
    const body = [chosen('/nieuws/een', '/nieuws/twee', '/de/nieuws/drei')]
    const page = await withList(bente, ...body)
    await publish(page, 'fa', { title: 'خوش آمدید', slug: 'salam', body })
    expect(await listed(site, '/salam')).toEqual(['/nl/nieuws/een', '/خبرها/دو', '/de/nieuws/drei'])
    expect(await listed(site, '/nl/welkom')).toEqual(['/nl/nieuws/een', '/nl/nieuws/twee', '/de/nieuws/drei'])
    expect(await listed(site, '/de/welkom')).toEqual(['/de/nieuws/een', '/de/nieuws/twee', '/de/nieuws/drei'])
    for (const path of await listed(site, '/salam')) expect((await site.request(encodeURI(path))).status).toBe(200)

    // Dutch links lead to the Persian page or overview, also in a section, in a value of a listed entry and in the menu.
    const more = { ...news.fields[4], inList: true }
    const menus = { main: { nl: [{ title: 'Al het nieuws', url: '/nieuws', className: '', submenu: [] }] } }
    const { version } = await (await bente.get('/api/config')).json()
    const config = { menus, collections: [{ ...news, fields: [more] }] }
    expect((await bente.put('/api/config', { version, config })).status).toBe(200)
    await publish(two, 'fa', { fields: { meer: '/welkom' } })
    await anEntry(bente, 'Vier', { meer: '/nieuws' })
    const links = [{ type: 'rich-text', content: '<p><a href="/welkom">w</a> <a href="/nieuws#a">n</a></p>' }]
    const section = await (await bente.post('/api/sections', { name: 'Gedeeld', nl: links })).json()
    await publish(page, 'fa', { body: [shared(section.id), chosen('/nieuws/twee', '/nieuws/vier')] })
    const home = encodeURI('/خبرها')
    const shown = await (await site.request('/salam')).text()
    expect(shown).toContain(`<a href="/salam">w</a> <a href="${home}#a">n</a>`)
    expect(shown).toMatch(new RegExp(`<a href="${home}"[^>]*>Al het nieuws</a>`))
    for (const path of ['/salam', home]) {
      const around = await (await site.request(path)).text()
      expect(around, path).toContain('<a href="/salam">خوش آمدید</a>')
      expect(around, path).toContain(`<a href="${home}">خبرها</a>`)
    }

    // The editor links as the site does.
    const data = await (await bente.post('/api/scene', { pictures: [], locale: 'fa' })).json()
    expect(data.site).toMatchObject({ locales: ['nl', 'fa', 'de'], rootLocale: 'fa' })
  })

  test('does not break its page when the collection or its category is removed or renamed', async () => {
    const { site, bente } = await aSite(database)
    await withList(bente, aList({ overview: 'Alles' }))
    await publishedPage(bente, { title: 'Tips', body: [aList({ from: 'nieuws/tip' }), aList({ from: 'weg/was' })] })
    const id = await anEntry(bente, 'Een', { soort: 'tip' })
    expect(await listed(site, '/tips')).toEqual(['/nieuws/een'])
    const withoutTips = news.fields.filter(({ id: field }) => field !== 'soort')
    const renamed = { ...news, name: { nl: 'Berichten' }, fields: withoutTips }
    expect((await changeCollections(bente, [renamed])).status).toBe(200)
    await expect.poll(() => listed(site, '/tips')).toEqual([])
    expect(await listed(site)).toEqual(['/nieuws/een'])

    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect((await bente.delete(`/api/pages/${id}`)).status).toBe(204)
    expect((await changeCollections(bente, [])).status).toBe(200)
    for (const path of ['/welkom', '/tips']) {
      const page = await site.request(path)
      expect([page.status, (await page.text()).includes('Het laatste')]).toEqual([200, false])
    }
  })
})

test('a list shows images unless it is set not to, and in Persian the Persian text or else the Dutch one', async () => {
  const { site, bente } = await aSite()
  const picture = { id: 'foto', name: { nl: 'Foto' }, type: 'picture', inList: true, inDetail: true }
  expect((await changeCollections(bente, [{ ...news, fields: [...news.fields, picture] }])).status).toBe(200)
  const id = await anEntry(bente, 'Een', { foto: '/opengraph.png', datum: '2026-01-05' })
  await anEntry(bente, 'Twee', { datum: '2026-02-05' })
  const text = { title: 'یک', slug: 'خبرها/یک', fields: { datum: '2026-01-05' } }
  expect((await savePageIn(bente, id, text, { locale: 'fa', publish: true })).status).toBe(200)
  await withList(bente, aList())
  await publishedPage(bente, { title: 'Kaal', body: [aList({ pictures: false })] })
  expect(await fetchMainHtml(site, '/welkom')).toContain('src="/opengraph.png"')
  expect(await fetchMainHtml(site, '/kaal')).not.toContain('src="/opengraph.png"')
  const persian = await fetchMainHtml(site, '/fa/welkom')
  expect(persian).toContain('<h3><a href="/fa/nieuws/twee">')
  expect(persian).toMatch(/<li lang="fa" dir="rtl">.*۱۵ دی ۱۴۰۴/s)
})

test('lists in sections, previews and the editor show their entries, and exports contain the lists without entries', async () => {
  const { site, bente } = await aSite()
  await anEntry(bente, 'Een', { datum: '2026-01-05' })
  const section = await (await bente.post('/api/sections', { name: 'Nieuws', nl: [aList()] })).json()
  const id = await withList(bente, shared(section.id))
  expect(await listed(site)).toEqual(['/nieuws/een'])
  await anEntry(bente, 'Twee', { datum: '2026-02-05' })
  await expect.poll(() => listed(site)).toEqual(['/nieuws/twee', '/nieuws/een'])

  expect((await savePageIn(bente, id, { body: [aList({ count: '4' })] })).status).toBe(200)
  const { url } = await (await bente.post(`/api/pages/${id}/nl/preview`)).json()
  expect(await listed(site, new URL(url).pathname)).toEqual(['/nieuws/twee', '/nieuws/een'])
  const many = await (
    await bente.post('/api/sections', { name: 'Veel', nl: Array.from({ length: 30 }, () => aList()) })
  ).json()
  expect((await savePageIn(bente, id, { body: [shared(many.id), shared(many.id)] })).status).toBe(200)
  const draft = await (await bente.post(`/api/pages/${id}/nl/preview`)).json()
  expect((await fetchMainHtml(site, new URL(draft.url).pathname)).split('<ul class="works">').length - 1).toBe(50)
  const request = { from: 'nieuws', urls: [], count: 1 }
  const data = await (
    await bente.post('/api/scene', { pictures: [], sections: [section.id], entryLists: [request], locale: 'nl' })
  ).json()
  expect(data.site.collections).toMatchObject([{ id: 'nieuws' }])
  expect(
    Object.values(data.entryLists).map((entries) => (entries as { title: string }[]).map((one) => one.title)),
  ).toEqual([['Twee'], ['Twee', 'Een']])

  const { data: found } = await (await bente.get('/api/pages?search=disclaimer')).json()
  expect((await savePageIn(bente, found[0].id, { body: [aList()] }, { publish: true })).status).toBe(200)
  const exported = await (await bente.get('/api/config/export')).text()
  expect(exported).toContain('"entry-list"')
  expect(exported).not.toContain('/nieuws/twee')
  const elsewhere = await aSite()
  expect((await elsewhere.bente.post('/api/config/import', { version: 0, file: exported })).status).toBe(200)
})

test('a list with wrong values is refused at its field', async () => {
  const { bente } = await aSite()
  const id = await withList(bente, aList())
  const wrong: [object, RegExp][] = [
    [{ from: '../etc' }, /from$/],
    [{ from: 'a/b/c' }, /from$/],
    [{ count: '5' }, /count$/],
    [{ count: 3 }, /count$/],
    [{ items: [{ url: 'javascript:alert(1)' }] }, /items\.0\.url$/],
    [{ items: Array.from({ length: 25 }, () => ({ url: '/' })) }, /items$/],
    [{ entries: [] }, /entries$/],
  ]
  for (const [values, path] of wrong) {
    const answer = await savePageIn(bente, id, { body: [aList(values)] })
    expect(answer.status, JSON.stringify(values)).toBe(422)
    expect((await answer.json()).errors[0].path, JSON.stringify(values)).toMatch(path)
  }
  const request = { pictures: [], entryLists: [{ from: 'x'.repeat(100), urls: [], count: 1 }] }
  expect((await bente.post('/api/scene', request)).status).toBe(422)
})
