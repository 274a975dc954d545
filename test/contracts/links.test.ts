import { describe, expect, test } from 'vitest'
import type { DeadLinks, ExternalLinks, LinksToPage } from '../../src/contract/links.ts'
import { databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const linkTo = (url: string) => aParagraph(`<a href="${url}">verder</a>`)
const linksTo = async (who: SignedIn, id: number, query = ''): Promise<LinksToPage> => {
  const answer = await who.get(`/api/pages/${id}/links${query}`)
  expect(answer.status).toBe(200)
  return answer.json()
}
const deadLinks = async (who: SignedIn): Promise<DeadLinks> => {
  const answer = await who.get('/api/links/dead')
  expect(answer.status).toBe(200)
  return answer.json()
}
const titles = ({ holders }: LinksToPage) =>
  holders.map((one) => (one.type === 'page' ? `${one.title} (${one.text})` : one.name)).toSorted()

describe.each(databases)('on %s', (database) => {
  test('the list of links to a page has pages, sections, the footer, drafts and redirects, however the address is written', async () => {
    const site = await aTestApp({
      database,
      site: (config) => {
        config.branding.footer.bottom.nl.push({
          type: 'link',
          title: 'Werk',
          url: '/diensten/ons-werk',
          className: '',
        } as never)
      },
    })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, {
      title: 'Ons werk',
      slug: 'diensten/ons-werk',
      body: [linkTo('/diensten/ons-werk#boven')],
    })
    await publishedPage(bente, { title: 'Precies', body: [linkTo('/diensten/ons-werk')] })
    await publishedPage(bente, { title: 'Anker', body: [linkTo('/diensten/ons-werk?a=1&amp;b=2#prijs')] })
    await publishedPage(bente, { title: 'Voluit', body: [linkTo('[url]/diensten/ons-werk')] })
    await publishedPage(bente, {
      title: 'Knop',
      body: [{ type: 'link', title: 'Werk', url: '/%64iensten/ons-werk/', className: '' }],
    })
    await publishedPage(bente, { title: 'نمونه‌کارها', locale: 'fa', body: [linkTo('/diensten/ons-werk')] })
    // None of these leads there.
    for (const url of [
      '/diensten/ons-werk-2',
      'https://elders.example/diensten/ons-werk',
      '#diensten',
      'mailto:a@b.nl',
    ])
      await publishedPage(bente, { title: `Niet ${url}`, body: [linkTo(url)] })
    const changed = await publishedPage(bente, { title: 'Eerst wel', body: [linkTo('/diensten/ons-werk')] })
    await savePageIn(bente, changed, { body: [aParagraph('Zonder link')] })
    await bente.post('/api/sections', { name: 'Onderaan', nl: [linkTo('/diensten/ons-werk')] })
    expect((await bente.post('/api/redirects', { from: '/oud', to: '/diensten/ons-werk' })).status).toBe(201)
    await publishedPage(bente, { title: 'Oud adres', body: [linkTo('/oud')] })
    const draft = async (who: SignedIn, on: number) => {
      const { text, version } = await getPageIn(who, on)
      const body = { text: { ...text, title: 'Concept', body: [linkTo('/oud')] }, baseVersion: version, revision: 0 }
      expect((await who.put(`/api/pages/${on}/nl/draft`, body)).status).toBe(200)
    }
    await draft(bente, changed)
    await draft(rik, changed)

    const expected = [
      'Anker (live)',
      'Concept (draft)',
      'Eerst wel (live)',
      'Knop (live)',
      'Onderaan',
      'Oud adres (live)',
      'Precies (live)',
      'Voluit (live)',
      'footer.bottom',
      'نمونه‌کارها (live)',
    ]
    const found = await linksTo(bente, id)
    expect(titles(found)).toEqual(expected.toSorted())
    expect(found).toMatchObject({ total: expected.length, otherDrafts: 1 })

    // In the trash its addresses are still its own.
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect((await linksTo(bente, id)).total).toBe(expected.length)
    expect((await bente.get('/api/pages/999999/links')).status).toBe(404)
    expect((await bente.get(`/api/pages/${id}/links?locale=n_l`)).status).toBe(422)
    const reader = await signInWithRights(site, 'Postbus', ['messages.read'])
    expect((await reader.get(`/api/pages/${id}/links`)).status).toBe(403)
  })

  test('the links of more sections than are read at a time are all found, once', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk', slug: 'werk' })
    const at = '2026-11-01T00:00:00.000Z'
    for (let index = 0; index < 40; index++) {
      const section = `deel-${index}`
      // Several have the same name.
      const row = { id: section, name: `Deel ${index % 7}`, created_at: at, updated_at: at }
      await site.db
        .insertInto('section')
        .values({ ...row, updated_by_id: null, updated_by_name: '' })
        .execute()
      const text = { section_id: section, types: 'text', body: JSON.stringify([linkTo('/werk')]) }
      const texts = ['nl', 'fa'].map((locale) => ({ ...text, locale }))
      await site.db.insertInto('section_text').values(texts).execute()
    }
    expect((await linksTo(bente, id)).total).toBe(80)
  })

  test('a draft with invalid blocks does not break the list of links, and its valid blocks are in it', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Half af' })
    const target = await publishedPage(bente, { title: 'Doel' })
    const { text, version } = await getPageIn(bente, id)
    const body = [
      { type: 'nope' },
      { type: 'rich-text', content: 5 },
      { type: 'columns', columns: 'x' },
      linkTo('/doel'),
    ]
    const draft = { text: { ...text, body }, baseVersion: version, revision: 0 }
    expect((await bente.put(`/api/pages/${id}/nl/draft`, draft)).status).toBe(200)
    expect(await deadLinks(bente)).toMatchObject({ links: [] })
    expect(titles(await linksTo(bente, target))).toEqual(['Half af (draft)'])
    expect((await bente.post('/api/links/foreign/check', { after: '' })).status).toBe(200)
  })

  test('links that lead nowhere are listed by address with the texts that contain them', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    expect(await deadLinks(bente)).toMatchObject({ links: [], more: 0 })

    const target = await publishedPage(bente, { title: 'Doel' })
    await bente.post('/api/redirects', { from: '/oud', to: '/disclaimer' })
    await publishedPage(bente, {
      title: 'Goed',
      body: [
        '/',
        '/#contact',
        '/disclaimer',
        '/oud',
        '/zoeken',
        '/login',
        '/robots.txt',
        '/doel',
        '/fa/disclaimer',
      ].map(linkTo),
    })
    const bad = await publishedPage(bente, {
      title: 'Fout',
      body: [
        ...['/verdwenen', '/verdwenen#hier', '/%E0%A4%A', '/de/disclaimer'].map(linkTo),
        linkTo('/files/weg.pdf'),
        linkTo(`/${'a'.repeat(1_900)}`),
        linkTo('/fout'),
        linkTo('https://elders.example/niets'),
      ],
    })
    await publishedPage(bente, { title: 'Ook fout', body: [linkTo('/verdwenen')] })

    const found = await deadLinks(bente)
    expect(found.links.map(({ address, total }) => [address, total])).toEqual([
      ['/verdwenen', 2],
      ['/%E0%A4%A', 1],
      [`/${'a'.repeat(1_900)}`, 1],
      ['/de/disclaimer', 1],
      ['/files/weg.pdf', 1],
    ])
    expect(found.links[0]?.holders).toContainEqual({ type: 'page', id: bad, locale: 'nl', title: 'Fout', text: 'live' })

    // Unpublished, and a page in the trash is not searched.
    await bente.post(`/api/pages/${target}/bin`)
    expect((await deadLinks(bente)).links.map(({ address }) => address)).toContain('/doel')
    await bente.post(`/api/pages/${bad}/bin`)
    expect((await deadLinks(bente)).links.map(({ address }) => address)).toEqual(['/doel', '/verdwenen'])
  })

  test('links to other sites are requested only on demand, in batches, and never at a private address', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const check = async (after: unknown): Promise<ExternalLinks> => {
      const answer = await bente.post('/api/links/foreign/check', { after })
      expect(answer.status).toBe(200)
      return answer.json()
    }
    const addresses = Array.from({ length: 35 }, (_, index) => `http://127.0.0.1/${String(index).padStart(2, '0')}`)
    const id = await publishedPage(bente, { title: 'Elders', body: addresses.map((url) => linkTo(`${url}#kop`)) })
    await publishedPage(bente, { title: 'Nog eens', body: [linkTo('http://127.0.0.1/00')] })
    const first = await check('')
    // Other links to other sites come after these: the social profiles of the default site.
    expect(first.links.map(({ address }) => address)).toEqual(addresses.slice(0, 30))
    expect(first.links[0]).toMatchObject({ outcome: 'refused', total: 2 })
    expect(first.links[1]).toEqual({
      address: addresses[1],
      outcome: 'refused',
      holders: [{ type: 'page', id, locale: 'nl', title: 'Elders', text: 'live' }],
      total: 1,
    })
    expect(first).toMatchObject({ checked: 30, next: addresses[29] })
    expect(first.left).toBeGreaterThanOrEqual(5)
    expect(await check('zzz')).toEqual({ links: [], checked: 0, left: 0, next: null })
    expect((await bente.post('/api/links/foreign/check', { after: 'x', url: 'http://a.example' })).status).toBe(422)
  })

  test('each of thousands of links to other sites is checked, also those of the newest page', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const linksTo = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => `<a href="http://127.0.0.1/${first + index}">x</a>`).join(' ')
    const body = Array.from({ length: 21 }, (_, index) => aParagraph(linksTo(2_000 + index * 100, 100)))
    await publishedPage(bente, { title: 'Verzameling', body })
    await publishedPage(bente, { title: 'Nieuwste', body: [aParagraph(linksTo(1_000, 1))] })
    const answer = await bente.post('/api/links/foreign/check', { after: '' })
    const { links, left }: ExternalLinks = await answer.json()
    expect(links[0]?.address).toBe('http://127.0.0.1/1000')
    expect(left).toBeGreaterThanOrEqual(2_101 - 30)
  })

  test('an address that staff mark as gone for good answers 410, until a page is published there', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const status = async (path: string) => (await site.request(path)).status
    const made = await bente.post('/api/redirects', { from: '/voorbij', to: null })
    expect(await made.json()).toMatchObject({ from: '/voorbij', to: null, automatic: false })
    const answer = await site.request('/voorbij')
    expect(answer.status).toBe(410)
    expect(await answer.text()).toMatch(/Page Not Found[\s\S]*verwijderd en komt niet terug/)
    expect(await status('/fa/voorbij')).toBe(410)

    // A redirect to it is refused, and existing redirects to it end in 410 too.
    const refused = await bente.post('/api/redirects', { from: '/ander', to: '/voorbij' })
    expect(refused.status).toBe(422)
    await bente.post('/api/redirects', { from: '/eerder', to: '/later#kop' })
    await bente.post('/api/redirects', { from: '/later', to: null })
    expect(await status('/eerder')).toBe(410)
    const { data } = await (await bente.get('/api/redirects?sort=from')).json()
    expect(data.map(({ from, to }: { from: string; to: string | null }) => [from, to])).toEqual([
      ['/eerder', null],
      ['/later', null],
      ['/voorbij', null],
    ])
    const [eerder] = data
    const changed = { from: '/eerder', to: '/disclaimer', version: eerder.version }
    expect((await bente.put(`/api/redirects/${eerder.id}`, changed)).status).toBe(200)
    expect(await status('/eerder')).toBe(301)

    await publishedPage(bente, { title: 'Voorbij' })
    expect(await status('/voorbij')).toBe(200)
  })

  test('before an entry is deleted, everything that shows or refers to it is listed: chosen entries, fields of others, and the menu', async () => {
    const address = '/projecten/notariskantoor'
    const site = await aTestApp({
      database,
      site(config) {
        Object.assign(config, defaultSiteFile())
        config.menus.main.nl.push({ title: 'Notaris', url: address })
        const link = { id: 'meer', name: { nl: 'Lees ook' }, type: 'link', inList: false, inDetail: true }
        config.collections[1].fields.push(link)
        config.pages.find(({ slug }: { slug: string }) => slug === 'nieuws/zelf-bijwerken').content.nl.fields.meer =
          address
      },
    })
    const bente = await as(site, 'beheerder')
    const list = { type: 'entry-list', title: 'Gekozen', from: 'projecten', items: [{ url: address }] }
    await publishedPage(bente, { title: 'Uitgelicht', body: [list] })
    const { data } = await (await bente.get('/api/pages?search=vaste+tarieven')).json()
    const [{ id }] = data
    const holders = ['Uitgelicht (live)', 'Zelf uw website bijwerken, zonder iets stuk te maken (live)', 'menus']
    expect(titles(await linksTo(bente, id))).toEqual(holders.toSorted())

    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect((await bente.delete(`/api/pages/${id}?gone=true`)).status).toBe(204)
    await expect.poll(async () => (await site.request(address)).status).toBe(410)
    for (const path of ['/projecten', '/uitgelicht', '/nieuws/zelf-bijwerken']) {
      const answer = await site.request(path)
      expect(answer.status, path).toBe(200)
      const main = /<main.*<\/main>/s.exec(await answer.text())?.[0]
      expect(main, path).not.toContain(address)
    }
    const dead = (await deadLinks(bente)).links.find((one) => one.address === address)
    expect(dead?.total).toBe(holders.length)
  })

  test('deleting a page marks its addresses as gone for good, if that is chosen', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const status = async (path: string) => (await site.request(path)).status
    const [chosen, plain] = [
      await publishedPage(bente, { title: 'Actie' }),
      await publishedPage(bente, { title: 'Aanbod' }),
    ]
    // Its earlier address redirects to the present one.
    await savePageIn(bente, chosen, { slug: 'actie-2026' }, { publish: true })
    const { id: never } = await (await bente.post('/api/pages', { locale: 'nl', title: 'Nooit getoond' })).json()
    for (const id of [chosen, plain, never]) expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect(await status('/actie-2026')).toBe(404)
    for (const id of [chosen, never]) expect((await bente.delete(`/api/pages/${id}?gone=true`)).status).toBe(204)
    expect((await bente.delete(`/api/pages/${plain}`)).status).toBe(204)

    expect(await Promise.all(['/actie-2026', '/actie', '/aanbod', '/nooit-getoond'].map(status))).toEqual([
      410, 410, 404, 404,
    ])
    expect((await bente.delete(`/api/pages/${plain}?gone=misschien`)).status).toBe(422)
  })
})
