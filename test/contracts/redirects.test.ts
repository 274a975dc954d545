import { describe, expect, test } from 'vitest'
import type { Redirect } from '../../src/contract/redirects.ts'
import { databases } from '../support/databases.ts'
import { getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPdf, uploadFile } from '../support/uploads.ts'

const leads = async (site: TestApp, path: string) => {
  const answer = await site.request(path)
  await answer.body?.cancel()
  return [answer.status, answer.headers.get('location')]
}
const all = async (who: SignedIn, query = '') =>
  ((await (await who.get(`/api/redirects?sort=from${query}`)).json()).data as Redirect[]).map(
    ({ from, to, automatic }) => [from, to, automatic],
  )
const renamed = (who: SignedIn, id: number, slug: string, locale: 'nl' | 'fa' = 'nl') =>
  savePageIn(who, id, { slug }, { publish: true, locale })

describe.each(databases)('on %s', (database) => {
  test('the target of a redirect may be as long as the form allows, in any script, and is folded and removed like other targets', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    // Different characters, so that the database cannot compress them.
    const letters = Array.from({ length: 1_900 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)))
    const to = `/${letters.join('')}`
    const made = await bente.post('/api/redirects', { from: '/oud', to })
    expect(made.status).toBe(201)
    const from = `/${letters.slice(0, 499).join('')}`
    expect((await bente.post('/api/redirects', { from: '/ouder', to: `${from}#deel` })).status).toBe(201)
    expect((await bente.post('/api/redirects', { from, to: '/nieuw' })).status).toBe(201)
    expect(await all(bente)).toEqual(
      expect.arrayContaining([
        ['/oud', to, false],
        ['/ouder', '/nieuw#deel', false],
        [from, '/nieuw', false],
      ]),
    )
  })

  test('a changed slug of a live page leaves a 301; chains are folded, and changing it back leaves no loop', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    await renamed(bente, id, 'ons-werk')
    await expect.poll(() => leads(site, '/werk')).toEqual([301, '/ons-werk'])
    expect(await leads(site, '/werk?bron=mail')).toEqual([301, '/ons-werk?bron=mail'])
    await renamed(bente, id, 'portfolio')
    expect(await all(bente)).toEqual([
      ['/ons-werk', '/portfolio', true],
      ['/werk', '/portfolio', true],
    ])
    await expect.poll(() => leads(site, '/werk')).toEqual([301, '/portfolio'])
    await renamed(bente, id, 'werk')
    expect(await all(bente)).toEqual([
      ['/ons-werk', '/werk', true],
      ['/portfolio', '/werk', true],
    ])
    await expect.poll(async () => (await leads(site, '/werk'))[0]).toBe(200)
    await publishedPage(bente, { title: 'Portfolio' })
    await expect.poll(async () => (await leads(site, '/portfolio'))[0]).toBe(200)
    expect(await all(bente)).toEqual([['/ons-werk', '/werk', true]])
  })

  test('a slug that is saved but not published changes no address', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    await savePageIn(bente, id, { slug: 'anders' })
    expect(await leads(site, '/werk')).toEqual([200, null])
    expect(await leads(site, '/anders')).toEqual([404, null])
    expect(await all(bente)).toEqual([])
    expect((await bente.post('/api/pages', { title: 'Anders', locale: 'nl', slug: 'anders' })).status).toBe(422)
  })

  test('a Persian address with the Dutch slug of a page redirects to its Persian page, whatever the current slugs are', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    expect(await leads(site, '/fa/werk')).toEqual([200, null])
    await savePageIn(bente, id, { title: 'کارها', slug: 'کارها' }, { locale: 'fa', publish: true })
    await expect.poll(() => leads(site, '/fa/werk')).toEqual([301, encodeURI('/fa/کارها')])
    await renamed(bente, id, 'ons-werk')
    await expect.poll(() => leads(site, '/fa/werk')).toEqual([301, encodeURI('/fa/کارها')])
    expect(await leads(site, '/fa/ons-werk')).toEqual([301, encodeURI('/fa/کارها')])
    await renamed(bente, id, 'نمونه‌ها', 'fa')
    await expect.poll(() => leads(site, encodeURI('/fa/کارها'))).toEqual([301, encodeURI('/fa/نمونه‌ها')])
    const chosen = await site.request('/ons-werk?locale=fa')
    expect(chosen.headers.get('location')).toBe(encodeURI('/fa/نمونه‌ها'))
    const back = await site.request(`${encodeURI('/fa/نمونه‌ها')}?locale=nl`)
    expect(back.headers.get('location')).toBe('/ons-werk')
  })

  test('staff add, change and remove redirects; an address of a page, a loop and an invalid address are refused at their field', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const add = (from: string, to: string) => bente.post('/api/redirects', { from, to })
    const refusal = async (from: string, to: string) => {
      const answer = await add(from, to)
      return [answer.status, (await answer.json()).errors]
    }
    const made = await (await add('/oude%20actie/', '/disclaimer#kop')).json()
    expect(made).toMatchObject({ from: '/oude actie', to: '/disclaimer#kop', automatic: false, version: 1 })
    expect(await leads(site, '/oude%20actie')).toEqual([301, '/disclaimer#kop'])
    expect((await add('/extern', 'https://elders.example/pad?x=1')).status).toBe(201)
    expect(await leads(site, '/extern')).toEqual([301, 'https://elders.example/pad?x=1'])

    expect(await refusal('/disclaimer', '/')).toEqual([
      422,
      [{ path: 'from', message: 'Op dit adres staat een pagina. Haal die eerst weg of geef haar een ander adres.' }],
    ])
    for (const [from, to, path] of [
      ['/extern', '/', 'from'],
      ['/api/users', '/', 'from'],
      ['geen-pad', '/', 'from'],
      ['//elders.example', '/', 'from'],
      ['/a?b', '/', 'from'],
      ['/a', '/a', 'to'],
      ['/a', 'javascript:alert(1)', 'to'],
      ['/a', '//elders.example', 'to'],
      ['/a', 'http://elders.example', 'to'],
      ['/a', 'https://elders.example/\\x', 'to'],
    ] as const) {
      const [status, errors] = await refusal(from, to)
      expect([from, to, status, errors[0].path]).toEqual([from, to, 422, path])
    }

    const first = await (await add('/een', '/twee')).json()
    expect((await refusal('/twee', '/een'))[1][0].path).toBe('to')
    await add('/twee', '/drie')
    expect(await all(bente, '&search=drie')).toEqual([
      ['/een', '/drie', false],
      ['/twee', '/drie', false],
    ])
    expect((await (await add('/nul', '/een')).json()).to).toBe('/drie')
    const change = (version: number) =>
      bente.put(`/api/redirects/${first.id}`, { from: '/een', to: '/disclaimer', version })
    expect((await change(1)).status).toBe(409)
    expect((await (await change(2)).json()).to).toBe('/disclaimer')
    expect((await bente.delete(`/api/redirects/${first.id}`)).status).toBe(204)
    expect(await leads(site, '/een')).toEqual([404, null])
    const { data } = await (await bente.get(`/api/audit?subjectType=redirect&subjectId=${first.id}`)).json()
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'redirect.deleted',
      'redirect.updated',
      'redirect.created',
    ])
  })

  test('a redirect that causes a loop is refused, whatever fragment or query its target has', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const add = (from: string, to: string) => bente.post('/api/redirects', { from, to })
    const refused = async (from: string, to: string) => {
      const answer = await add(from, to)
      return [answer.status, (await answer.json()).errors]
    }
    const loop = [422, [{ path: 'to', message: 'Dit adres zou naar zichzelf leiden.' }]]
    const { origin } = site.app.context()
    for (const to of ['/le#top', '/le?x=1', '/le/?x=1#top', `${origin}/le`, `${origin}/le#top`]) {
      expect([to, ...(await refused('/le', to))]).toEqual([to, ...loop])
    }
    expect((await add('/la', '/lb#x')).status).toBe(201)
    expect(await refused('/lb', '/la')).toEqual(loop)
    expect(await refused('/lb', '/la?x=1')).toEqual(loop)

    // The Dutch address of a page also works under /fa, and so do its redirects.
    expect((await add('/lc', '/fa/lc')).status).toBe(201)
    expect(await leads(site, '/fa/lc')).toEqual([404, null])
    expect((await add('/ld', '/fa/lf')).status).toBe(201)
    expect((await add('/lf', '/fa/ld')).status).toBe(201)
    for (const path of ['/ld', '/lf', '/fa/ld', '/fa/lf']) expect(await leads(site, path)).toEqual([404, null])
  })

  test('a fragment is kept when redirects are folded, and a full URL of this site is stored as its path', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const add = async (from: string, to: string) => (await bente.post('/api/redirects', { from, to })).json()
    const { origin } = site.app.context()
    await publishedPage(bente, { title: 'Ons werk', slug: 'ons-werk' })
    expect((await add('/eigen', `${origin}/%6fns-werk/?x=1#kop`)).to).toBe('/ons-werk?x=1#kop')
    expect((await add('/thuis', origin)).to).toBe('/')
    expect(await leads(site, '/eigen')).toEqual([301, '/ons-werk?x=1#kop'])

    await add('/een', '/twee#kop')
    await add('/een-b', '/tweede')
    expect((await add('/nul', '/een?x=1')).to).toBe('/twee#kop')
    await add('/twee', '/drie')
    expect(await all(bente, '&search=drie')).toEqual([
      ['/een', '/drie#kop', false],
      ['/nul', '/drie#kop', false],
      ['/twee', '/drie', false],
    ])
    expect((await add('/min', '/twee#voet')).to).toBe('/drie#voet')
    await add('/drie', '/vier#staart')
    expect(await all(bente, '&search=vier')).toEqual([
      ['/drie', '/vier#staart', false],
      ['/een', '/vier#staart', false],
      ['/min', '/vier#staart', false],
      ['/nul', '/vier#staart', false],
      ['/twee', '/vier#staart', false],
    ])
    expect((await all(bente, '&search=tweede'))[0]?.[1]).toBe('/tweede')
  })

  test('a redirect to a page is inactive while the page is offline, and active again when it is back', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    await renamed(bente, id, 'ons-werk')
    for (const [from, to] of [
      ['/actie', '/ons-werk?van=actie'],
      ['/nergens', '/was-er-nooit'],
      ['/inloggen', '/login'],
      ['/voorwaarden', '/robots.txt'],
    ]) {
      expect((await bente.post('/api/redirects', { from, to })).status).toBe(201)
    }
    const change = async (what: string) => {
      const { version } = await getPageIn(bente, id)
      return (await bente.post(`/api/pages/${id}/${what}`, { version })).status
    }
    const isOn = async () => {
      await expect.poll(() => leads(site, '/werk')).toEqual([301, '/ons-werk'])
      expect(await leads(site, '/actie')).toEqual([301, '/ons-werk?van=actie'])
    }
    const isOff = async () => {
      await expect.poll(() => leads(site, '/ons-werk')).toEqual([404, null])
      for (const path of ['/werk', '/fa/werk', '/actie', '/nergens'])
        expect(await leads(site, path)).toEqual([404, null])
    }
    await isOn()
    expect(await leads(site, '/inloggen')).toEqual([301, '/login'])
    expect(await leads(site, '/voorwaarden')).toEqual([301, '/robots.txt'])

    expect(await change('nl/unpublish')).toBe(200)
    await isOff()
    expect(await change('nl/publish')).toBe(200)
    await isOn()

    expect(await change('bin')).toBe(200)
    await isOff()
    expect(await change('restore')).toBe(200)
    await isOn()

    expect(await change('nl/unpublish')).toBe(200)
    expect(await change('bin')).toBe(200)
    await isOff()
    expect((await bente.delete(`/api/pages/${id}`)).status).toBe(204)
    await isOff()
    // Another page can take the address; the redirect then leads to that page.
    await publishedPage(bente, { title: 'Ons werk' })
    await expect.poll(() => leads(site, '/actie')).toEqual([301, '/ons-werk?van=actie'])
  })

  test('a redirect can lead to a path that is not a page, and is inactive when nothing is there', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { url } = await uploadFile(bente, 'brochure.pdf', aPdf())
    const targets: [to: string, isThere: boolean][] = [
      [url, true],
      ['/favicon.svg', true],
      ['/admin/pages', true],
      ['/user', true],
      ['/nl/werk', false],
      ['/metrics', false],
      ['/files/niets.pdf', false],
      [url.replace(/[0-9a-f]{32}/, '0'.repeat(32)), false],
      ['/brochure.pdf', false],
    ]
    for (const [index, [to, isThere]] of targets.entries()) {
      const from = `/naar-${index}`
      expect((await bente.post('/api/redirects', { from, to })).status).toBe(201)
      expect([to, ...(await leads(site, from))]).toEqual(isThere ? [to, 301, to] : [to, 404, null])
    }
  })

  test('a target with a query in any script is encoded once', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Contact' })
    await savePageIn(bente, id, { title: 'تماس', slug: 'تماس', body: [] }, { publish: true, locale: 'fa' })
    const to = '/fa/تماس?onderwerp=وب%20é#één'
    expect((await bente.post('/api/redirects', { from: '/oud', to })).status).toBe(201)
    const encoded = `${encodeURI('/fa/تماس?onderwerp=وب')}%20%C3%A9#%C3%A9%C3%A9n`
    expect(await leads(site, '/oud')).toEqual([301, encoded])
  })

  test('an address with a percent sign stays the same when it is saved again, and comes back after it was deleted', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    for (const [from, to] of [
      ['/100%25-wol', '/disclaimer'],
      ['/a%2525b', '/c%2525d?korting=10%25'],
    ] as const) {
      const made = await (await bente.post('/api/redirects', { from, to })).json()
      const saved = await bente.put(`/api/redirects/${made.id}`, {
        from: made.from,
        to: made.to,
        version: made.version,
      })
      expect([saved.status, await saved.json()]).toMatchObject([200, { from: made.from, to: made.to }])
      expect((await bente.delete(`/api/redirects/${made.id}`)).status).toBe(204)
      const again = await bente.post('/api/redirects', { from: made.from, to: made.to })
      expect([again.status, await again.json()]).toMatchObject([201, { from, to }])
    }
    expect(await leads(site, '/100%25-wol')).toEqual([301, '/disclaimer'])
    for (const search of ['/100%25-wol', '100%-wol'])
      expect(await all(bente, `&search=${encodeURIComponent(search)}`)).toEqual([['/100%25-wol', '/disclaimer', false]])
    const logged = await (await bente.get('/api/audit?action=redirect.created')).json()
    expect(logged.data.map(({ subject }: { subject: { name: string } }) => subject.name)).toContain('/100%25-wol')
  })
})

test('an address that the site itself serves cannot be redirected', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const own = ['/robots.txt', '/sitemap.xml', '/sitemap-2.xml', '/site.nl.css', '/site.webmanifest', '/favicon.svg']
  for (const from of [...own, '/opengraph.png', '/fa/opengraph.png', '/.well-known/x', '/.well-known', '/api/users']) {
    const answer = await bente.post('/api/redirects', { from, to: '/disclaimer' })
    expect([from, answer.status, (await answer.json()).errors]).toEqual([
      from,
      422,
      [
        {
          path: 'from',
          message:
            'Dit is geen geldig url! Vul een adres van deze website in dat begint met /, zonder ? of #. Adressen van bestanden en adressen die de website zelf gebruikt, kunnen niet.',
        },
      ],
    ])
  }
  const dotted = await bente.post('/api/redirects', { from: '/versie-2.0', to: '/disclaimer' })
  expect(dotted.status).toBe(201)
  expect(await leads(site, '/versie-2.0')).toEqual([301, '/disclaimer'])
})
