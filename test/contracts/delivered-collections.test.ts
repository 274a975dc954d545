import { describe, expect, test } from 'vitest'
import { withoutIds } from '../../src/blocks/block-ids.ts'
import { deliveredCollections } from '../../src/contract/delivered-collections.ts'
import { limits } from '../../src/contract/limits.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { anEntry, changeCollections, fetchMainHtml } from '../support/collections.ts'
import { databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { defaultSiteFile, type SiteFile, siteFileWithoutCollections, siteLocales } from '../support/site-file.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const entriesOf = (config: SiteFile): SiteFile[] =>
  config.pages.filter(({ collection }: SiteFile) => collection !== undefined)
const listedOn = async (site: TestApp, path: string) =>
  [...(await fetchMainHtml(site, path)).matchAll(/<h[23]><a href="([^"]*)"/g)].map(([, href]) => href)
const exportOf = async (who: SignedIn): Promise<SiteFile> => (await who.get('/api/config/export')).json()
const countPageRevisions = async ({ db }: TestApp) =>
  (await db.selectFrom('page_revision').select('id').execute()).length
const countRevisions = async (site: TestApp) =>
  (await countPageRevisions(site)) + (await site.db.selectFrom('config_revision').select('id').execute()).length
async function importInto(who: SignedIn, file: SiteFile): Promise<Response> {
  const { version } = await (await who.get('/api/config')).json()
  return who.post('/api/config/import', { version, file: JSON.stringify(file) })
}

test('the default configuration file has the collections that the settings offer', () => {
  expect(defaultSiteFile().collections).toEqual(deliveredCollections)
})

describe.each(databases)('the default collections, on %s,', (database) => {
  test('have entries in each language, which the home page and the overviews show, and which lead to the default forms', async () => {
    const site = await aTestApp({ database })
    const entries = entriesOf(defaultSiteFile())
    for (const locale of siteLocales) {
      for (const { slug, content } of entries) {
        const path = localizedPath(`/${slug}`, locale, {})
        expect((await site.request(path)).status, path).toBe(200)
        expect(await fetchMainHtml(site, path)).toContain(`<h1>${content[locale].title}</h1>`)
      }
      const paths = (id: string) =>
        entries
          .filter(({ collection }) => collection === id)
          .map(({ slug }) => localizedPath(`/${slug}`, locale, {}))
          .reverse()
      for (const { id } of deliveredCollections) {
        expect(await listedOn(site, localizedPath(`/${id}`, locale, {}))).toEqual(paths(id))
      }
      expect(await listedOn(site, localizedPath('/', locale, {}))).toEqual(paths('projecten'))
    }
    for (const locale of siteLocales) {
      const [entry = '', quote = '', appointment = ''] = [
        '/projecten/notariskantoor',
        '/offerte-aanvragen',
        '/afspraak-voorstellen',
      ].map((path) => localizedPath(path, locale, {}))
      expect(await fetchMainHtml(site, entry)).toContain(`href="${quote}"`)
      expect(await fetchMainHtml(site, quote)).toMatch(
        new RegExp(`action="/api/forms/offerte".*href="${appointment}"`, 's'),
      )
      expect(await fetchMainHtml(site, appointment)).toMatch(
        new RegExp(`action="/api/forms/afspraak".*href="${quote}"`, 's'),
      )
      const answers = { soort: 'Hosting', toelichting: 'Voor één site.', naam: 'Roya', email: 'roya@karimi.example' }
      const sent = await site.request('/api/forms/offerte', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
        body: new URLSearchParams({ ...answers, pagina: '/offerte-aanvragen', taal: locale }).toString(),
      })
      expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringContaining(`${quote}?verzonden=`)])
    }
    const [, graph = ''] =
      /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(
        await (await site.request('/nieuws/zelf-bijwerken')).text(),
      ) ?? []
    const article = JSON.parse(graph)['@graph'].find((thing: SiteFile) => thing['@type'] === 'Article')
    expect(article).toMatchObject({ author: { '@type': 'Person', name: 'Jeroen Maas' }, datePublished: '2026-09-14' })
  })

  test('and the default forms are in English on a site that adds English', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { version } = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { locales: [...siteLocales, 'en'] } })).status).toBe(200)
    // A page without a translation is in Dutch, its days too.
    const untranslated = await fetchMainHtml(site, '/en/afspraak-voorstellen')
    expect(untranslated).toMatch(/<option value="\d{4}-[^"]*">(maan|dins|woens|donder|vrij)dag \d/)
    const pages = { offerte: 'Request a quote', afspraak: 'Propose an appointment' }
    for (const [form, title] of Object.entries(pages)) {
      await publishedPage(bente, { title, slug: form, locale: 'en', body: [{ type: 'form', form, title }] })
      const { name, button, fields } = defaultSiteFile().forms.find(({ id }: SiteFile) => id === form)
      expect(name.en).toBe(title)
      const page = (await fetchMainHtml(site, `/en/${form}`)).replace(/<script.*?<\/script>/gs, '')
      expect(page).toContain(button.en)
      for (const { label, help, options } of fields) {
        for (const text of [label.en, ...(options?.en ?? []), ...(help ? [help.en] : [])]) expect(page).toContain(text)
        for (const text of [label.nl, ...(options?.nl ?? [])]) {
          if (text !== label.en && !options?.en.includes(text)) expect(page).not.toContain(`>${text}<`)
        }
      }
    }
    const sent = await site.request('/api/forms/offerte', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': 'nl' },
      body: JSON.stringify({
        ...{ soort: 'A new website', toelichting: 'For a bakery.', naam: 'Emma Carter', email: 'emma@example.com' },
        ...{ pagina: '/en/offerte', taal: 'en' },
      }),
    })
    expect([sent.status, await sent.json()]).toEqual([
      201,
      expect.objectContaining({ title: 'Thank you for your request!' }),
    ])
  })

  test('are not added to a site that has saved settings of its own', async () => {
    const before = await aTestApp({ database, site: () => {} })
    const bente = await as(before, 'beheerder')
    const { version } = await (await bente.get('/api/config')).json()
    expect((await bente.put('/api/config', { version, config: { brand: 'Zonlicht' } })).status).toBe(200)
    await before.stop()
    const after = await aTestApp({ database, beside: before, settings: { siteConfig: 'site.config.json' } })
    for (const path of ['/projecten', '/nieuws', '/vacatures', '/projecten/notariskantoor']) {
      expect((await after.request(path)).status, path).toBe(404)
    }
    expect(await (await as(after, 'beheerder')).get('/api/config').then((answer) => answer.json())).not.toHaveProperty(
      'config.collections',
    )
  })

  test('are exported with the changes of staff, and imported into another site, also on the other database', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const team = { id: 'team', name: { nl: 'Wie', fa: 'گروه' }, slug: { nl: 'team' }, order: 'title', pageSize: 6 }
    const field = { id: 'over', name: { nl: 'Over' }, type: 'richText', inList: true, inDetail: true }
    expect((await changeCollections(bente, [...deliveredCollections, { ...team, fields: [field] }])).status).toBe(200)
    const news = await anEntry(bente, 'Nieuw pand', {
      datum: '2026-10-01',
      auteur: 'Sanne',
      foto: '/pictures/sanne.svg',
    })
    const inPersian = await bente.put(`/api/pages/${news}/fa`, {
      version: 0,
      publish: true,
      text: {
        ...(await getPageIn(bente, news)).text,
        title: 'خبر تازه',
        slug: 'nieuws/خبر',
        fields: { auteur: 'سانه' },
      },
    })
    expect(inPersian.status, await inPersian.clone().text()).toBe(200)
    await anEntry(bente, 'تنها فارسی', { datum: '2026-10-02' }, { locale: 'fa' })
    await anEntry(bente, 'Concept', { datum: '2026-10-03' }, { publish: false })
    const made = await bente.post('/api/pages', { title: 'Sanne', locale: 'nl', collection: 'team' })
    const { id } = await made.json()
    const { text, version } = await getPageIn(bente, id)
    const about = { ...text, fields: { over: '<p>Doet <strong>alles</strong></p>' }, body: [aParagraph('Hallo')] }
    expect((await bente.put(`/api/pages/${id}/nl`, { text: about, version, publish: true })).status).toBe(200)
    const gone = (await (await bente.get('/api/pages?search=Stage')).json()).data[0].id
    expect((await bente.post(`/api/pages/${gone}/bin`)).status).toBeLessThan(300)

    // Each of its revisions would hold all entries.
    const stored = await site.db.selectFrom('config_revision').select('config').execute()
    expect(stored.map(({ config }) => entriesOf(JSON.parse(config)).length)).toEqual([0, 0])

    const file = await exportOf(bente)
    const titles = entriesOf(file).map(({ content }) => (content.nl ?? content.fa).title)
    expect(titles).toEqual(
      expect.arrayContaining(['Nieuw pand', 'تنها فارسی', 'Sanne', 'Vaste tarieven, ook in het Perzisch']),
    )
    expect(titles).not.toEqual(expect.arrayContaining(['Concept']))
    expect(titles).not.toEqual(expect.arrayContaining(['Stage webontwerp']))

    const other = database === 'sqlite' ? 'postgres' : 'sqlite'
    const otherSite = await aTestApp({ database: other, site: () => {} })
    const roya = await as(otherSite, 'beheerder')
    const first = await importInto(roya, file)
    expect(first.status, await first.clone().text()).toBe(200)
    expect(withoutIds(await exportOf(roya))).toEqual(withoutIds(file))
    for (const path of ['/nieuws', '/fa/nieuws', '/projecten', '/team', '/team/sanne', '/fa/nieuws/خبر']) {
      const [here, there] = [await fetchMainHtml(site, path), await fetchMainHtml(otherSite, path)]
      expect(there, path).toBe(here)
    }
    expect(await listedOn(otherSite, '/nieuws')).toContain('/nieuws/nieuw-pand')

    const revisions = await countRevisions(otherSite)
    expect((await importInto(roya, file)).status).toBe(200)
    expect(await countRevisions(otherSite)).toBe(revisions)
    const report = await (await roya.post('/api/config/check', { file: JSON.stringify(file) })).json()
    expect(report.pages).toEqual([])
    // At home the texts stay as they are; the configuration gets the ids of blocks, once.
    const texts = await countPageRevisions(site)
    expect((await importInto(bente, file)).status).toBe(200)
    const before = await countRevisions(site)
    expect((await importInto(bente, file)).status).toBe(200)
    expect([await countPageRevisions(site), await countRevisions(site)]).toEqual([texts, before])
    // The command line does the same.
    await importConfiguration(otherSite.app.context(), { text: JSON.stringify(file), note: 'export.json' })
    expect(withoutIds(await exportOf(roya))).toEqual(withoutIds(file))
  })

  test('may be missing in a file: the import says which entries it hides, and a later file shows them again', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const whole = await exportOf(bente)
    const entries = entriesOf(whole)
    const counts = deliveredCollections
      .map(({ id }) => ({ id, entries: entries.filter(({ collection }) => collection === id).length }))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
    const file = siteFileWithoutCollections()
    const report = await (await bente.post('/api/config/check', { file: JSON.stringify(file) })).json()
    expect([report.hidden, report.hiddenLanguages]).toEqual([counts, []])
    const inDutch = await (
      await bente.post('/api/config/check', { file: JSON.stringify({ ...whole, locales: ['nl'] }) })
    ).json()
    const { data } = await (await bente.get('/api/pages/languages')).json()
    expect([inDutch.hidden, inDutch.hiddenLanguages]).toEqual([
      [],
      data.filter(({ locale }: { locale: string }) => locale === 'fa'),
    ])
    expect(inDutch.hiddenLanguages).toHaveLength(1)

    const statuses = async () => {
      const paths = ['/projecten', ...entries.flatMap(({ slug }) => [`/${slug}`, `/fa/${slug}`])]
      return [...new Set(await Promise.all(paths.map(async (path) => (await site.request(path)).status)))]
    }
    expect(await statuses()).toEqual([200])
    expect((await importInto(bente, file)).status).toBe(200)
    expect(await statuses()).toEqual([404])
    expect(entriesOf(await exportOf(bente))).toEqual([])

    expect((await importInto(bente, whole)).status).toBe(200)
    expect(await statuses()).toEqual([200])
    expect(withoutIds(entriesOf(await exportOf(bente)))).toEqual(withoutIds(entries))
    const { hidden } = await importConfiguration(site.app.context(), { text: JSON.stringify(file), note: 'file' })
    expect(hidden).toEqual(counts)
    await expect.poll(statuses).toEqual([404])
  })

  test('may be missing in another SITE_CONFIG: their entries are hidden from its start, and the log says so', async () => {
    const before = await aTestApp({ database })
    expect((await before.request('/nieuws/zelf-bijwerken')).status).toBe(200)
    await before.stop()
    const between = await aTestApp({ beside: before, site: () => {} })
    for (const path of ['/nieuws', '/nieuws/zelf-bijwerken', '/fa/nieuws/zelf-bijwerken']) {
      expect((await between.request(path)).status, path).toBe(404)
    }
    expect(await fetchMainHtml(between, '/sitemap.xml')).not.toContain('/nieuws/')
    expect(between.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', hidden: expect.arrayContaining([{ id: 'nieuws', entries: 3 }]) }),
    )
    await between.stop()
    const after = await aTestApp({ beside: before, settings: { siteConfig: 'site.config.json' } })
    expect((await after.request('/nieuws/zelf-bijwerken')).status).toBe(200)
    expect(await fetchMainHtml(after, '/nieuws')).toContain('href="/nieuws/zelf-bijwerken"')
  })
})

test('an entry of a file that does not fit its collection is refused at its path', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const file = defaultSiteFile()
  const at = (slug: string) => file.pages.findIndex((page: SiteFile) => page.slug === slug)
  const [project, article, vacancy] = [
    'projecten/notariskantoor',
    'nieuws/zelf-bijwerken',
    'vacatures/webontwikkelaar',
  ].map(at)
  file.pages[project ?? 0].content.nl.fields = { jaar: 'twee', verzonnen: 'x' }
  file.pages[article ?? 0].slug = 'zelf-bijwerken'
  file.pages[vacancy ?? 0].collection = 'banen'
  file.pages[1].content.nl.fields = { jaar: 2026 }
  const refusedPaths = async () => {
    const answer = await importInto(bente, file)
    expect(answer.status).toBe(422)
    return (await answer.json()).errors.map(({ path }: { path: string }) => path)
  }
  expect(await refusedPaths()).toEqual(['pages.1.content.nl.fields'])
  delete file.pages[1].content.nl.fields
  expect((await refusedPaths()).sort()).toEqual(
    [
      `pages.${project}.content.nl.fields.jaar`,
      `pages.${project}.content.nl.fields.verzonnen`,
      `pages.${article}.slug`,
      `pages.${vacancy}.collection`,
    ].sort(),
  )
})

test('an export that would be too large leaves out the oldest entries, and says how many', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const before = await bente.get('/api/config/export')
  expect(before.headers.get('x-entries-left-out')).toBe('0')
  // Each letter takes two bytes: five such entries are fewer characters than a file may have, but more bytes.
  const body = Array.from({ length: 10 }, () => aParagraph('ک'.repeat(limits.exportedConfigBytes / 100)))
  for (let number = 1; number <= 5; number++) {
    const id = await anEntry(bente, `Lang ${number}`, { datum: '2026-01-01' })
    expect((await savePageIn(bente, id, { body }, { publish: true })).status).toBe(200)
  }
  const answer = await bente.get('/api/config/export')
  const left = Number(answer.headers.get('x-entries-left-out'))
  const file: SiteFile = await answer.json()
  const all = entriesOf(defaultSiteFile()).length + 5
  expect([left > 0, entriesOf(file).length]).toEqual([true, all - left])
  expect(entriesOf(file).at(-1).slug).toBe('nieuws/lang-5')
  expect((await importInto(bente, file)).status).toBe(200)
})
