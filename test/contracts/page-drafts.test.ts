import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { databases } from '../support/databases.ts'
import { aBrowserTab, currentDraftIn, getStoredDraft } from '../support/draft-tabs.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { as, type SignedIn, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, uploadFile } from '../support/uploads.ts'

describe.each(databases)('on %s', (database) => {
  let site: TestApp
  beforeAll(async () => {
    site = await aTestApp({ database })
  })

  /** On a site that tests have in common, a page without drafts beside it. */
  const aPageToWrite = async () => {
    await site.db.deleteFrom('page_draft').execute()
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, {
      title: 'Werk',
      body: [aParagraph('Een', { id: 'a' }), aParagraph('Twee', { id: 'b' })],
    })
    const { text } = await getPageIn(bente, id)
    return { bente, id, text }
  }

  test('spec 3: Draft has a date, spec 4: it is offered with its date, may hold invalid text, and is in no history', async () => {
    const { bente, id, text } = await aPageToWrite()
    const history = async () => (await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()).data
    const before = await history()
    expect((await getPageIn(bente, id)).draft).toBeNull()
    const tab = aBrowserTab(bente, id)
    const { revision, savedAt } = await tab.save({ ...text, title: '', slug: '?', body: [{ type: 'cta', half: true }] })
    const page = await getPageIn(bente, id)
    expect([page.draft, page.draftRevision]).toEqual([{ savedAt, baseVersion: 2 }, revision])
    expect(await getStoredDraft(bente, id)).toMatchObject({ title: '', slug: '?', body: [{ type: 'cta', half: true }] })
    expect((await getPageIn(bente, id)).text.title).toBe('Werk')
    expect(await history()).toEqual(before)
    const { data } = await (await bente.get('/api/pages?status=draft')).json()
    expect(data.map((page: { id: number; drafts: string[] }) => [page.id, page.drafts])).toEqual([[id, ['nl']]])
    const { drafts } = (await (await bente.get('/api/dashboard')).json()).news
    expect(drafts).toEqual({ mine: [{ pageId: id, locale: 'nl', title: 'Werk', savedAt }], mineCount: 1, count: 1 })
    expect((await bente.delete(`/api/pages/${id}/nl/draft`)).status).toBe(204)
    expect((await bente.get(`/api/pages/${id}/nl/draft`)).status).toBe(404)
    expect((await (await bente.get('/api/dashboard')).json()).news.drafts).toEqual({ mine: [], mineCount: 0, count: 0 })
  })

  test('a draft belongs to its author: for other users, with any rights, it does not exist', async () => {
    const { bente, id, text } = await aPageToWrite()
    const rik = await as(site, 'redacteur')
    await aBrowserTab(bente, id).save({ ...text, title: 'Geheim' })
    expect((await rik.get(`/api/pages/${id}/nl/draft`)).status).toBe(404)
    expect((await getPageIn(rik, id)).draft).toBeNull()
    expect((await (await rik.get('/api/pages?status=draft')).json()).data).toEqual([])
    await aBrowserTab(rik, id).save({ ...text, title: 'Van Rik' })
    expect((await getStoredDraft(bente, id)).title).toBe('Geheim')
    expect((await site.request(`/api/pages/${id}/nl/draft`)).status).toBe(401)
  })

  test('a request of a window that shows another user than the signed-in one is refused, and stored for neither', async () => {
    const { bente, id, text } = await aPageToWrite()
    const rik = await as(site, 'redacteur')
    const send = (user: number, method: string, path: string, body?: unknown) =>
      rik.request(path, {
        method,
        headers: { 'Content-Type': 'application/json', 'X-User-Id': String(user) },
        body: body ? JSON.stringify(body) : null,
      })
    const page = `/api/pages/${id}/nl`
    const draft = { text: { ...text, title: 'Nieuw' }, revision: 0, baseVersion: 2 }
    const save = { text: { ...text, title: 'Nieuw' }, version: 2, publish: true }
    for (const [method, path, body] of [
      ['PUT', `${page}/draft`, draft],
      ['PUT', page, save],
      ['GET', '/api/me'],
    ] as const) {
      const refused = await send(bente.id, method, path, body)
      expect([refused.status, (await refused.json()).code], path).toEqual([401, 'signed_out'])
    }
    for (const one of [bente, rik]) expect((await one.get(`${page}/draft`)).status).toBe(404)
    expect((await getPageIn(bente, id)).text.title).toBe('Werk')
    expect((await send(rik.id, 'PUT', `${page}/draft`, draft)).status).toBe(200)
    expect((await send(rik.id, 'PUT', page, { ...save, publish: false })).status).toBe(200)
  })

  test('a late or repeated autosave is refused with the stored draft, and changes nothing', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aBrowserTab(bente, id)
    await tab.save({ ...text, title: 'Een' })
    const { revision, savedAt } = await tab.save({ ...text, title: 'Twee' })
    for (const late of [0, 1, 3, 2_147_483_646]) {
      const answer = await tab.send({ ...text, title: `Oud ${late}` }, { revision: late })
      expect(await currentDraftIn(answer)).toMatchObject({ text: { title: 'Twee' }, revision, savedAt, baseVersion: 2 })
    }
    expect((await getStoredDraft(bente, id)).title).toBe('Twee')
  })

  test('of concurrent autosaves with the same base revision one is stored, and the others get the stored one', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aBrowserTab(bente, id)
    for (const known of [0, 1]) {
      const titles = ['A', 'B', 'C', 'D'].map((letter) => `${letter}${known}`)
      const answers = await Promise.all(titles.map((title) => tab.send({ ...text, title }, { revision: known })))
      const stored = await getStoredDraft(bente, id)
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      expect(titles[answers.findIndex(({ status }) => status === 200)]).toBe(stored.title)
      for (const refused of answers.filter(({ status }) => status === 409)) {
        expect(await currentDraftIn(refused)).toMatchObject({ text: { title: stored.title }, revision: known + 1 })
      }
    }
  })

  test('a late autosave does not restore a draft that was saved or discarded', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aBrowserTab(bente, id)
    await tab.save({ ...text, title: 'Nieuw' })
    expect((await tab.savePage({ ...text, title: 'Nieuw' }, (await getPageIn(bente, id)).version)).status).toBe(200)
    expect(await currentDraftIn(await tab.send({ ...text, title: 'Nieu' }))).toMatchObject({ text: null, revision: 2 })
    const saved = await getPageIn(bente, id)
    expect([saved.draft, saved.draftRevision]).toEqual([null, 2])

    tab.revision = 2
    await tab.save({ ...text, title: 'Weer verder' })
    expect((await tab.discard()).status).toBe(204)
    expect(await currentDraftIn(await tab.send({ ...text, title: 'Te laat' }))).toMatchObject({
      text: null,
      revision: 4,
    })
    expect((await bente.get(`/api/pages/${id}/nl/draft`)).status).toBe(404)
  })

  test('a late first autosave does not create a draft of a page that was saved before it arrived', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aBrowserTab(bente, id)
    expect((await tab.savePage({ ...text, title: 'Meteen' }, 2)).status).toBe(200)
    expect((await tab.send({ ...text, title: 'Mete' })).status).toBe(409)
    const other = aBrowserTab(bente, id, 'fa')
    expect((await other.discard()).status).toBe(204)
    expect((await other.send({ ...text, title: 'دیر' })).status).toBe(409)
    expect((await (await bente.get('/api/pages?status=draft')).json()).data).toEqual([])
  })

  test('the draft that another tab saved stays when this tab discards its draft or saves the page', async () => {
    const { bente, id, text } = await aPageToWrite()
    const [one, other] = [aBrowserTab(bente, id), aBrowserTab(bente, id)]
    other.revision = (await one.save({ ...text, title: 'Van het ene' })).revision
    await other.save({ ...text, title: 'Van het andere' })
    expect(await currentDraftIn(await one.discard())).toMatchObject({ text: { title: 'Van het andere' }, revision: 2 })
    expect((await one.savePage({ ...text, title: 'Van het ene' }, 2)).status).toBe(200)
    expect((await getStoredDraft(bente, id)).title).toBe('Van het andere')
    expect((await getPageIn(bente, id)).draft).toMatchObject({ baseVersion: 2 })

    // A draft that equals the saved text is removed, whichever tab wrote it.
    const { version, text: now } = await getPageIn(bente, id)
    expect((await one.savePage({ ...now, title: 'Van het andere' }, version)).status).toBe(200)
    expect((await getPageIn(bente, id)).draft).toBeNull()
  })

  test('characters that a database cannot store are left out of a draft; an excessive size or sequence is refused', async () => {
    const { bente, id, text } = await aPageToWrite()
    const tab = aBrowserTab(bente, id)
    await tab.save({ ...text, title: 'a\0b', body: [aParagraph('c\0d', { id: 'a', '\0e': ['\0'] })] })
    expect(await getStoredDraft(bente, id)).toMatchObject({
      title: 'ab',
      body: [{ ...aParagraph('cd', { id: 'a' }), e: [''] }],
    })
    const refused = async (answer: Response) => [answer.status, (await answer.json()).errors?.[0]?.path]
    const nested = (levels: number) => [{ type: 'cta', deep: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) }]
    const large = (paragraphs: number) => Array.from({ length: paragraphs }, () => aParagraph('x'.repeat(95_000)))
    for (const body of [nested(limits.draftLevels), large(11)]) {
      expect(await refused(await tab.send({ ...text, body }))).toEqual([422, 'text.body'])
    }
    expect((await tab.send({ ...text, body: nested(2_500) })).status).toBe(400)
    // As large as a page may be.
    expect((await tab.send({ ...text, body: large(10) })).status).toBe(200)
    const most = 2_147_483_648
    const body = { text, baseVersion: 2, revision: 0 }
    const at = `/api/pages/${id}/nl`
    expect(await refused(await bente.put(`${at}/draft`, { ...body, baseVersion: most }))).toEqual([422, 'baseVersion'])
    for (const revision of [most, most - 1, -1, 1.5, null]) {
      expect(await refused(await bente.put(`${at}/draft`, { ...body, revision }))).toEqual([422, 'revision'])
    }
    expect(await refused(await bente.put(at, { text, version: most }))).toEqual([422, 'version'])
    expect(await refused(await bente.put(at, { text, version: 2, draftRevision: most }))).toEqual([
      422,
      'draftRevision',
    ])
    expect(await refused(await bente.delete(`${at}/draft?revision=${most}`))).toEqual([422, 'revision'])
    expect(await refused(await bente.post(`${at}/unpublish`, { version: most }))).toEqual([422, 'version'])
    expect((await savePageIn(bente, id, { body: large(10) }, { publish: true })).status).toBe(200)
  })

  test('a page of 500 blocks is refused in words, and neither the saved page nor the draft loses anything', async () => {
    const { bente, id, text } = await aPageToWrite()
    const body = Array.from({ length: 500 }, (_, index) => aParagraph(`Alinea ${index}.`, { id: `b${index}` }))
    await aBrowserTab(bente, id).save({ ...text, body })
    const refused = await savePageIn(bente, id, { body }, { publish: true })
    expect(refused.status).toBe(422)
    expect((await refused.json()).errors).toMatchObject([
      {
        path: 'text.body',
        message: `Op een pagina passen hoogstens ${limits.pageBlocks} blokken. Verwijder er een paar, of verdeel ze over twee pagina’s.`,
      },
    ])
    expect((await getStoredDraft(bente, id)).body).toHaveLength(500)
    expect((await getPageIn(bente, id)).text.body).toHaveLength(2)

    // What a page may have is shown whole.
    const most = body.slice(0, limits.pageBlocks)
    expect((await savePageIn(bente, id, { body: most }, { publish: true })).status).toBe(200)
    const html = await (await site.request(`/${text.slug}`)).text()
    expect(html.match(/Alinea \d+\./g)).toHaveLength(limits.pageBlocks)
  })

  test('two users in one page see each other, and not their own second tab', async () => {
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
    await savePageIn(rik, id, { title: 'Anders' })
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

  test('an upload that is only in a draft is in use until the draft is discarded', async () => {
    const { bente, id, text } = await aPageToWrite()
    const rik = await as(site, 'redacteur')
    const file = await uploadFile(rik, 'merk.svg', anSvg())
    await aBrowserTab(bente, id).save({ ...text, picture: file.url })
    const refused = await rik.delete(`/api/files/${file.id}`)
    expect([refused.status, (await refused.json()).current.places]).toEqual([409, [{ type: 'page', name: 'Werk', id }]])
    await bente.delete(`/api/pages/${id}/nl/draft`)
    expect((await rik.delete(`/api/files/${file.id}`)).status).toBe(204)
  })

  test('an erased user leaves no draft, and no name in the history of pages', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, { title: 'Werk' })
    await savePageIn(rik, id, { title: 'Van Rik' })
    await aBrowserTab(rik, id).save((await getPageIn(rik, id)).text)
    await rik.put(`/api/pages/${id}/nl/presence`, { editor: 'tabblad-1' })
    const erased = await bente.post('/api/privacy/erase', { email: staff.redacteur.email, password: 'geheim-123' })
    expect(erased.status).toBe(200)
    for (const table of ['page_draft', 'page_presence'] as const) {
      expect(await site.db.selectFrom(table).select('page_id').execute()).toEqual([])
    }
    const { data } = await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()
    expect(data[0].by).toEqual({ id: rik.id, name: `#${rik.id}` })
    expect((await getPageIn(bente, id)).savedBy?.name).toBe(`#${rik.id}`)
    expect((await getPageIn(bente, id)).text.title).toBe('Van Rik')
  })
})

test('a user who may only publish can read pages, and cannot write a draft', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const daan = await signInWithRights(site, 'Daan', ['pages.publish'])
  const id = await publishedPage(bente, { title: 'Werk' })
  const { text } = await getPageIn(daan, id)
  expect((await aBrowserTab(daan, id).send(text)).status).toBe(403)
  expect((await savePageIn(daan, id, { title: 'X' })).status).toBe(403)
})
