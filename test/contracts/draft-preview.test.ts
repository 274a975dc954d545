import { Parser } from 'htmlparser2'
import { describe, expect, test, vi } from 'vitest'
import { closeAfterTest } from '../support/close-after-test.ts'
import { databases } from '../support/databases.ts'
import { aBrowserTab } from '../support/draft-tabs.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { as, type SignedIn, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const previewOf = async (who: SignedIn, id: number): Promise<string> => {
  const { url } = await (await who.post(`/api/pages/${id}/nl/preview`)).json()
  return new URL(url).pathname
}
const shown = async (site: TestApp, path: string) => {
  const answer = await site.request(path)
  return [answer.status, /(Eerste|Tweede|Derde) versie/.exec(await answer.text())?.[0]]
}

describe.each(databases)('on %s', (database) => {
  test('a preview link shows the draft on the real site without signing in, for a day, and is not indexed', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at) })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste')] })
    const { text } = await getPageIn(bente, id)
    const body = [aParagraph('Nog geheim'), { type: 'cta', half: true }]
    await aBrowserTab(bente, id).save({ ...text, body })
    const { url, endsAt } = await (await bente.post(`/api/pages/${id}/nl/preview`)).json()
    expect(endsAt).toBe('2026-11-22T08:00:00.000Z')
    const path = new URL(url).pathname
    const shown = await site.request(path, { headers: { 'Accept-Language': 'fa' } })
    const html = await shown.text()
    expect([shown.status, shown.headers.get('cache-control'), shown.headers.get('x-robots-tag')]).toEqual([
      200,
      'private, no-store',
      'noindex',
    ])
    expect(html).toContain('Nog geheim')
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    expect(html).toMatch(/<p class="preview" role="note" lang="fa" dir="rtl">این یک پیش‌نمایش است/)
    expect(await (await site.request(path)).text()).toContain('Dit is een voorbeeld.')
    expect(await (await site.request('/werk')).text()).not.toContain('Nog geheim')

    const [token = '', ...parts] = path.split('/').at(-1)?.split('.').reverse() ?? []
    const [ends, who] = parts
    const second = await publishedPage(bente, { title: 'Ander werk' })
    const forged = [
      `${second}.nl.${who}.${ends}.${token}`,
      `${id}.nl.${rik.id}.${ends}.${token}`,
      `${id}.fa.${who}.${ends}.${token}`,
      `${id}.nl.${who}.${Number(ends) + 1}.${token}`,
      `${id}.nl.${who}.${ends}.${'A'.repeat(43)}`,
      `${id}.nl.${who}.${ends}`,
    ]
    for (const one of forged) expect((await site.request(`/voorbeeld/${one}`)).status).toBe(404)
    const ofRik = await (await rik.post(`/api/pages/${id}/nl/preview`)).json()
    expect(await (await site.request(new URL(ofRik.url).pathname)).text()).toContain('Eerste')
    at += 24 * 60 * 60_000
    expect((await site.request(path)).status).toBe(404)
  })

  test('a preview link shows the current draft, and the saved page when the draft is gone', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste versie')] })
    const { text } = await getPageIn(bente, id)
    const tab = aBrowserTab(bente, id)
    await tab.save({ ...text, body: [aParagraph('Tweede versie')] })
    const path = await previewOf(bente, id)
    expect(await shown(site, path)).toEqual([200, 'Tweede versie'])
    await tab.save({ ...text, body: [aParagraph('Derde versie')] })
    expect(await shown(site, path)).toEqual([200, 'Derde versie'])
    await bente.delete(`/api/pages/${id}/nl/draft`)
    expect(await shown(site, path)).toEqual([200, 'Eerste versie'])
    await savePageIn(bente, id, { body: [aParagraph('Tweede versie')] })
    expect(await shown(site, path)).toEqual([200, 'Tweede versie'])
    expect(await shown(site, '/werk')).toEqual([200, 'Eerste versie'])
  })

  test('a preview link ends with its page, and with the user who made it', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste versie')] })
    const own = await previewOf(bente, id)
    const ofRik = await previewOf(rik, id)
    expect(await shown(site, ofRik)).toEqual([200, 'Eerste versie'])

    const block = (blocked: boolean) =>
      bente.put(`/api/users/${rik.id}`, {
        email: staff.redacteur.email,
        name: staff.redacteur.name,
        user_role: { set: [3] },
        blocked,
      })
    expect((await block(true)).status).toBe(200)
    expect(await shown(site, ofRik)).toEqual([404, undefined])
    expect((await block(false)).status).toBe(200)
    expect(await shown(site, ofRik)).toEqual([200, 'Eerste versie'])
    expect((await bente.delete(`/api/users/${rik.id}`)).status).toBe(204)
    expect(await shown(site, ofRik)).toEqual([404, undefined])

    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect(await shown(site, own)).toEqual([404, undefined])
    expect((await bente.delete(`/api/pages/${id}`)).status).toBe(204)
    expect(await shown(site, own)).toEqual([404, undefined])
  })
})

test('the notice of a preview has the local date, and is in the language of the reader, else of the site, else English', async () => {
  const site = await aTestApp({
    now: () => new Date('2026-07-01T22:30:00Z'),
    site: (config) => {
      Object.assign(config, { locales: ['nl', 'de'], rootLocale: 'de' })
    },
  })
  const bente = await as(site, 'beheerder')
  const path = await previewOf(bente, await publishedPage(bente, { title: 'Werk' }))
  for (const [asked, notice] of [
    ['de', 'en'],
    ['fr', 'en'],
    ['fa', 'fa'],
    ['nl', 'nl'],
  ] as const) {
    const html = await (await site.request(path, { headers: { 'Accept-Language': asked } })).text()
    expect(html).toContain(`<p class="preview" role="note" lang="${notice}"`)
    expect(html).toContain('<time dateTime="2026-07-02">')
  }
})

test('a preview link is a secret, and is in no log line, in any spelling', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const path = await previewOf(bente, await publishedPage(bente, { title: 'Werk' }))
  const token = path.split('/').at(-1) ?? ''
  const signature = token.split('.').at(-1) ?? ''
  const before = site.lines.length
  const ways = [
    path,
    `${path}?x=1`,
    `${path}/`,
    `${path}x`,
    `//voorbeeld/${token}`,
    `/voorbeeld%2F${token}`,
    `/voorbeeld/${token.replaceAll('.', '%2E')}`,
    `/elders/${token}`,
    `/voorbeeld/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
  ]
  for (const one of [...ways, ...ways.map((way) => way.replace('voorbeeld', '%76oorbeeld'))]) {
    await (await site.request(one)).text()
    await (await site.request(one, { method: 'POST' })).text()
  }
  const lines = site.lines.slice(before).map((line) => JSON.stringify(line))
  expect(lines.length).toBeGreaterThanOrEqual(ways.length * 4)
  expect(lines.filter((line) => line.includes(signature))).toEqual([])

  const others = [
    '/voorbeeld/12.pt-BR.3.1800000000.geheim',
    '/api/forms/appointments/482913377.geheim-van-22-tekens.ics',
  ]
  for (const one of others) {
    await (await site.request(one)).text()
    expect(JSON.stringify(site.lines.at(-1))).not.toContain('geheim')
  }

  // A path that is only similar is logged unchanged.
  for (const path of ['/blog/voorbeeld/2024-overzicht', '/blog/appointments/2024-overzicht']) {
    await (await site.request(path)).text()
    expect(JSON.stringify(site.lines.at(-1))).toContain(`"path":"${path}"`)
  }
})

test('html that is nested too deeply is refused before it is parsed, and is left out of a preview', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste versie')] })
  const { text, version } = await getPageIn(bente, id)
  for (const html of ['<b>'.repeat(101), '<b>'.repeat(16_500), '<ul><li>'.repeat(8_000)]) {
    const body = [aParagraph('Tweede versie'), { ...aParagraph(''), content: html }]
    const refused = await bente.put(`/api/pages/${id}/nl`, { text: { ...text, body }, version })
    expect([refused.status, (await refused.json()).errors[0].path]).toEqual([422, 'text.body.1.content'])
    const { draftRevision } = await getPageIn(bente, id)
    const tab = aBrowserTab(bente, id)
    tab.revision = draftRevision
    await tab.save({ ...text, body })
    expect(await shown(site, await previewOf(bente, id))).toEqual([200, 'Tweede versie'])
  }
  const deep = [{ ...aParagraph(''), content: `${'<b>'.repeat(100)}Derde versie${'</b>'.repeat(100)}` }]
  expect((await savePageIn(bente, id, { body: deep })).status).toBe(200)
})

test('the html of a draft is parsed for its first view only, until the draft changes', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste versie')] })
  const { text } = await getPageIn(bente, id)
  const tab = aBrowserTab(bente, id)
  const parse = vi.spyOn(Parser.prototype, 'write')
  closeAfterTest(() => void parse.mockRestore())
  for (const version of ['Tweede versie', 'Derde versie']) {
    await tab.save({ ...text, body: [aParagraph(version)] })
    const path = await previewOf(bente, id)
    parse.mockClear()
    expect(await shown(site, path)).toEqual([200, version])
    expect(parse).toHaveBeenCalled()
    parse.mockClear()
    expect(await shown(site, path)).toEqual([200, version])
    expect(await shown(site, await previewOf(bente, id))).toEqual([200, version])
    expect(parse).not.toHaveBeenCalled()
  }
})

test('a preview link is limited to sixty requests a minute, without affecting other links', async () => {
  let at = new Date('2026-11-21T08:00:00Z').getTime()
  const site = await aTestApp({ now: () => new Date(at) })
  const bente = await as(site, 'beheerder')
  const rik = await as(site, 'redacteur')
  const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste versie')] })
  const path = await previewOf(bente, id)
  const other = await previewOf(rik, id)
  for (let view = 0; view < 60; view++) expect((await site.request(path)).status).toBe(200)
  const refused = await site.request(path)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await site.request(other)).status).toBe(200)
  at += 60_000
  expect((await site.request(path)).status).toBe(200)
})
