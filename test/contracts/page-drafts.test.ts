import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { aParagraph, pageIn, publishedPage, saved } from '../support/pages.ts'
import { someoneWith } from '../support/roles.ts'
import { as, type SignedIn, staff } from '../support/staff.ts'
import { aTab, storedDraft } from '../support/tabs.ts'
import { aTestApp } from '../support/test-app.ts'
import { aDrawing, uploaded } from '../support/uploads.ts'

describe.each(databases)('on %s', (database) => {
  const aPageToWrite = async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, {
      title: 'Werk',
      body: [aParagraph('Een', { id: 'a' }), aParagraph('Twee', { id: 'b' })],
    })
    const { text } = await pageIn(bente, id)
    return { site, bente, id, text }
  }

  test('spec 3: Draft has a date, spec 4: it is offered with it, and may hold what is not good yet', async () => {
    const { bente, id, text } = await aPageToWrite()
    expect((await pageIn(bente, id)).draft).toBeNull()
    const tab = aTab(bente, id, 'tabblad-1')
    const { number, savedAt } = await tab.told({ ...text, title: '', slug: '?', body: [{ type: 'cta', half: true }] })
    expect((await pageIn(bente, id)).draft).toEqual({ number, savedAt, baseVersion: 2 })
    expect(await storedDraft(bente, id)).toMatchObject({ title: '', slug: '?', body: [{ type: 'cta', half: true }] })
    expect((await pageIn(bente, id)).text.title).toBe('Werk')
    const { data } = await (await bente.get('/api/pages?status=draft')).json()
    expect(data.map((page: { id: number; drafts: string[] }) => [page.id, page.drafts])).toEqual([[id, ['nl']]])
    const { drafts } = (await (await bente.get('/api/dashboard')).json()).news
    expect(drafts).toEqual({ mine: [{ pageId: id, locale: 'nl', title: 'Werk', savedAt }], count: 1 })
    expect((await bente.delete(`/api/pages/${id}/nl/draft`)).status).toBe(204)
    expect((await bente.get(`/api/pages/${id}/nl/draft`)).status).toBe(404)
    expect((await (await bente.get('/api/dashboard')).json()).news.drafts).toEqual({ mine: [], count: 0 })
  })

  test('a draft belongs to who writes it: others with every right are told that there is none', async () => {
    const { site, bente, id, text } = await aPageToWrite()
    const rik = await as(site, 'redacteur')
    await aTab(bente, id, 'tabblad-1').told({ ...text, title: 'Geheim' })
    expect((await rik.get(`/api/pages/${id}/nl/draft`)).status).toBe(404)
    expect((await pageIn(rik, id)).draft).toBeNull()
    expect((await (await rik.get('/api/pages?status=draft')).json()).data).toEqual([])
    await aTab(rik, id, 'tabblad-2').told({ ...text, title: 'Van Rik' })
    expect((await storedDraft(bente, id)).title).toBe('Geheim')
    expect((await site.request(`/api/pages/${id}/nl/draft`)).status).toBe(401)
  })

  test('saves that come late or out of order change nothing that was typed since', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aTab(bente, id, 'tabblad-1')
    await tab.save({ ...text, title: 'Drie' }, { as: 3 })
    for (const as of [1, 2, 3]) {
      expect((await tab.save({ ...text, title: `Oud ${as}` }, { as })).status).toBe(200)
      expect((await storedDraft(bente, id)).title).toBe('Drie')
    }
    // Its answers never came, so it knows of none: what it typed since is what counts.
    await tab.save({ ...text, title: 'Vier' }, { as: 4 })
    expect((await storedDraft(bente, id)).title).toBe('Vier')
    await tab.save({ ...text, title: 'Werk' }, { as: 5 })
    expect((await storedDraft(bente, id)).title).toBe('Werk')
  })

  test('a draft that was saved or thrown away is not brought back by an autosave that comes late', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aTab(bente, id, 'tabblad-1')
    await tab.told({ ...text, title: 'Nieuw' })
    const { version } = await pageIn(bente, id)
    const end = { editor: 'tabblad-1', number: 2 }
    const answer = await bente.put(`/api/pages/${id}/nl`, { text: { ...text, title: 'Nieuw' }, version, tab: end })
    expect(answer.status).toBe(200)
    await tab.save({ ...text, title: 'Nieu' }, { as: 2 })
    expect((await bente.get(`/api/pages/${id}/nl/draft`)).status).toBe(404)
    await tab.save({ ...text, title: 'Weer verder' }, { as: 3 })
    expect((await storedDraft(bente, id)).title).toBe('Weer verder')
    expect((await bente.delete(`/api/pages/${id}/nl/draft?editor=tabblad-1&number=4`)).status).toBe(204)
    await tab.save({ ...text, title: 'Te laat' }, { as: 4 })
    expect((await bente.get(`/api/pages/${id}/nl/draft`)).status).toBe(404)
  })

  test('two tabs of one person: what each typed is kept, also what one took back', async () => {
    const { bente, id, text } = await aPageToWrite()
    const [one, other] = [aTab(bente, id, 'tabblad-1'), aTab(bente, id, 'tabblad-2')]
    const body = (a: string, b: string) => [aParagraph(a, { id: 'a' }), aParagraph(b, { id: 'b' })]
    const first = await one.told({ ...text, title: 'Titel', body: body('EEN', 'Twee') })
    other.known = first.number
    const joined = await other.told({ ...text, title: 'Titel', body: body('EEN', 'TWEE') })
    expect(joined.merged).toBeUndefined()
    const back = await one.told({ ...text, title: 'Werk', body: body('EEN!', 'Twee') })
    expect(back.merged).toMatchObject({ title: 'Werk', body: body('EEN!', 'TWEE') })
    const last = await other.told({ ...text, title: 'Titel', seoTitle: 'Zoek', body: body('EEN', 'TWEE!') })
    expect(last.merged).toMatchObject({ title: 'Werk', seoTitle: 'Zoek', body: body('EEN!', 'TWEE!') })
    expect(await storedDraft(bente, id)).toEqual(last.merged)
  })

  test('what no database holds is left out of a draft; what nobody writes, or counts so far, is refused', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aTab(bente, id, 'tabblad-1')
    await tab.told({ ...text, title: 'a\0b', body: [aParagraph('c\0d', { id: 'a', '\0e': ['\0'] })] })
    expect(await storedDraft(bente, id)).toMatchObject({
      title: 'ab',
      body: [{ ...aParagraph('cd', { id: 'a' }), e: [''] }],
    })
    const refused = async (answer: Response) => [answer.status, (await answer.json()).errors?.[0]?.path]
    const deep = JSON.parse(`${'['.repeat(2_500)}${']'.repeat(2_500)}`)
    const large = Array.from({ length: 10 }, () => aParagraph('x'.repeat(95_000)))
    for (const body of [[{ type: 'cta', deep }], large]) {
      expect(await refused(await tab.save({ ...text, body }))).toEqual([422, 'text.body'])
    }
    const most = 2_147_483_648
    const body = { text, editor: 'tabblad-1', number: 9, baseVersion: 2, knownNumber: 0 }
    const at = `/api/pages/${id}/nl`
    for (const name of ['number', 'baseVersion', 'knownNumber']) {
      expect(await refused(await bente.put(`${at}/draft`, { ...body, [name]: most }))).toEqual([422, name])
    }
    const end = { editor: 'tabblad-1', number: most }
    expect(await refused(await bente.put(at, { text, version: most }))).toEqual([422, 'version'])
    expect(await refused(await bente.put(at, { text, version: 2, tab: end }))).toEqual([422, 'tab.number'])
    expect(await refused(await bente.delete(`${at}/draft?editor=tabblad-1&number=${most}`))).toEqual([422, 'number'])
    expect(await refused(await bente.post(`${at}/unpublish`, { version: most }))).toEqual([422, 'version'])
  })

  test('what two tabs write together grows no further than a draft may, and the newest tabs are remembered', async () => {
    const { site, bente, id, text } = await aPageToWrite()
    const blocks = (whose: string) => Array.from({ length: 350 }, (_, at) => ({ type: 'line', id: `${whose}${at}` }))
    const large = (whose: string) =>
      Array.from({ length: 5 }, (_, at) => aParagraph('x'.repeat(95_000), { id: `${whose}${at}` }))
    for (const [at, body] of [blocks, large].entries()) {
      await bente.delete(`/api/pages/${id}/nl/draft`)
      await aTab(bente, id, `tabblad-a-${at}`).told({ ...text, body: body('a') })
      expect((await aTab(bente, id, `tabblad-b-${at}`).told({ ...text, body: body('b') })).merged).toBeUndefined()
      expect((await storedDraft(bente, id)).body).toEqual(body('b'))
    }
    for (let at = 0; at < 12; at++) await aTab(bente, id, `tabblad-${at}`).told(text)
    const tabs = await site.db.selectFrom('page_draft_tab').select('editor').execute()
    expect(tabs.map(({ editor }) => editor).sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `tabblad-${at + 2}`).sort(),
    )
  })

  test('two people in one page see each other, and not themselves in their second tab', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at) })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, { title: 'Werk' })
    const here = async (who: SignedIn, editor: string, locale = 'nl') =>
      (await who.put(`/api/pages/${id}/${locale}/presence`, { editor })).json()
    expect(await here(bente, 'tabblad-1')).toMatchObject({ others: [], version: 2 })
    expect((await here(bente, 'tabblad-2')).others).toEqual([])
    expect((await here(rik, 'tabblad-3')).others).toEqual([
      { id: bente.id, name: staff.beheerder.name, since: '2026-11-21T08:00:00.000Z' },
    ])
    expect((await here(rik, 'tabblad-3', 'fa')).others).toEqual([])
    await saved(rik, id, { title: 'Anders' })
    expect(await here(bente, 'tabblad-1')).toMatchObject({
      others: [{ id: rik.id }],
      version: 3,
      savedBy: { id: rik.id, name: staff.redacteur.name },
    })
    await rik.delete(`/api/pages/${id}/nl/presence?editor=tabblad-3`)
    expect((await here(bente, 'tabblad-1')).others).toEqual([])
    at += 60_000
    expect((await here(rik, 'tabblad-3')).others).toEqual([])
  })

  test('an upload that stands in somebody’s draft alone is in use, until the draft is thrown away', async () => {
    const { site, bente, id, text } = await aPageToWrite()
    const rik = await as(site, 'redacteur')
    const file = await uploaded(rik, 'merk.svg', aDrawing())
    await aTab(bente, id, 'tabblad-1').told({ ...text, picture: file.url })
    const refused = await rik.delete(`/api/files/${file.id}`)
    expect([refused.status, (await refused.json()).current.places]).toEqual([409, [{ type: 'page', name: 'Werk', id }]])
    await bente.delete(`/api/pages/${id}/nl/draft`)
    expect((await rik.delete(`/api/files/${file.id}`)).status).toBe(204)
  })

  test('who is erased leaves no draft, and no name in the history of pages', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, { title: 'Werk' })
    await saved(rik, id, { title: 'Van Rik' })
    await aTab(rik, id, 'tabblad-1').told((await pageIn(rik, id)).text)
    await rik.put(`/api/pages/${id}/nl/presence`, { editor: 'tabblad-1' })
    const erased = await bente.post('/api/privacy/erase', { email: staff.redacteur.email, password: 'geheim-123' })
    expect(erased.status).toBe(200)
    for (const table of ['page_draft', 'page_draft_step', 'page_draft_tab', 'page_presence'] as const) {
      expect(await site.db.selectFrom(table).select('page_id').execute()).toEqual([])
    }
    const { data } = await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()
    expect(data[0].by).toEqual({ id: rik.id, name: `#${rik.id}` })
    expect((await pageIn(bente, id)).savedBy?.name).toBe(`#${rik.id}`)
    expect((await pageIn(bente, id)).text.title).toBe('Van Rik')
  })
})

test('who may only publish reads pages, and writes no draft', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const daan = await someoneWith(site, 'Daan', ['pages.publish'])
  const id = await publishedPage(bente, { title: 'Werk' })
  const { text } = await pageIn(daan, id)
  expect((await aTab(daan, id, 'tabblad-1').save(text)).status).toBe(403)
  expect((await saved(daan, id, { title: 'X' })).status).toBe(403)
})
