import { expect, test } from 'vitest'
import { anEntry, changeCollections, news, withNews } from '../support/collections.ts'
import { savePageIn } from '../support/pages.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const picture = { id: 'foto', name: { nl: 'Foto' }, type: 'picture', inList: true, inDetail: true }
const asKind = (kind?: string) => [{ ...news, fields: [picture, ...news.fields], ...(kind && { kind }) }]
/** The structured data of a page, of one type. */
async function things(site: TestApp, path: string, type: string) {
  const page = await (await site.request(path)).text()
  const [, data = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  return (JSON.parse(data)['@graph'] as { '@type': string }[]).filter((thing) => thing['@type'] === type)
}

test('the structured data of an article names its author, if visitors see the name', async () => {
  const site = await aTestApp({ site: withNews })
  const bente = await as(site, 'beheerder')
  const withAuthor = (inDetail: boolean) =>
    asKind('news').map((one) => ({
      ...one,
      fields: [...one.fields, { id: 'wie', name: { nl: 'Wie' }, type: 'author', inList: false, inDetail }],
    }))
  expect((await changeCollections(bente, withAuthor(true))).status).toBe(200)
  await anEntry(bente, 'Een pand', { wie: 'Sanne </script> Lux', datum: '2026-02-01' })
  const author = { '@type': 'Person', name: 'Sanne </script> Lux' }
  await expect.poll(() => things(site, '/nieuws/een-pand', 'Article')).toMatchObject([{ author }])
  expect((await changeCollections(bente, withAuthor(false))).status).toBe(200)
  await expect.poll(async () => 'author' in ((await things(site, '/nieuws/een-pand', 'Article'))[0] ?? {})).toBe(false)
})

test('an entry has structured data for search engines, from the fields that it has', async () => {
  const site = await aTestApp({ site: withNews })
  const bente = await as(site, 'beheerder')
  const { origin } = site.app.context()
  expect((await changeCollections(bente, asKind('news'))).status).toBe(200)
  const uitleg = '<p>Wij zoeken <strong>u</strong> &amp; anderen</p>'
  const id = await anEntry(bente, 'Een "nieuw" <pand>', { datum: '2026-02-01', foto: '/opengraph.png', uitleg })
  await anEntry(bente, 'Kaal', {})
  const [path, bare] = ['/nieuws/een-nieuw-pand', '/nieuws/kaal']
  expect(await things(site, path, 'Article')).toEqual([
    {
      '@type': 'Article',
      headline: 'Een "nieuw" <pand>',
      url: origin + path,
      mainEntityOfPage: origin + path,
      inLanguage: 'nl',
      description: 'Wij zoeken u & anderen',
      image: `${origin}/opengraph.png`,
      datePublished: '2026-02-01',
      dateModified: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      publisher: { '@id': `${origin}/#bedrijf` },
    },
  ])
  const [plain] = await things(site, bare, 'Article')
  expect(plain).toMatchObject({ headline: 'Kaal', datePublished: expect.any(String) })
  expect(plain).not.toHaveProperty('image')
  expect(plain).not.toHaveProperty('description')

  expect((await changeCollections(bente, asKind('project'))).status).toBe(200)
  await expect
    .poll(() => things(site, path, 'CreativeWork'))
    .toMatchObject([
      { name: 'Een "nieuw" <pand>', creator: { '@id': `${origin}/#bedrijf` }, datePublished: '2026-02-01' },
    ])

  expect((await changeCollections(bente, asKind('vacancy'))).status).toBe(200)
  await expect
    .poll(() => things(site, path, 'JobPosting'))
    .toMatchObject([
      {
        title: 'Een "nieuw" <pand>',
        description: expect.stringContaining('<p>Wij zoeken <strong>u</strong> &amp; anderen</p><p>Over Een'),
        datePosted: '2026-02-01',
        hiringOrganization: { '@type': 'Organization', name: expect.any(String), sameAs: `${origin}/` },
        jobLocation: { address: { '@type': 'PostalAddress', addressCountry: 'NL' } },
      },
    ])
  // A vacancy without any text is none for search engines.
  expect((await savePageIn(bente, id, { body: [], fields: {} }, { publish: true })).status).toBe(200)
  await expect.poll(() => things(site, path, 'JobPosting')).toEqual([])

  expect((await changeCollections(bente, asKind())).status).toBe(200)
  await expect.poll(() => things(site, bare, 'Article')).toEqual([])
  expect((await changeCollections(bente, asKind('recept'))).status).toBe(422)
})
