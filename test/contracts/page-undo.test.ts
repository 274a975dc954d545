import { describe, expect, test } from 'vitest'
import type { PageInLocale, SavedPage } from '../../src/contract/pages.ts'
import { databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const publish = { publish: true }
const inADay = () => new Date(Date.now() + 86_400_000).toISOString()

describe.each(databases)('undoing a save, on %s', (database) => {
  async function setUp() {
    let aheadMs = 0
    const site = await aTestApp({ database, now: () => new Date(Date.now() + aheadMs) })
    const bente = await as(site, 'beheerder')
    return {
      site,
      bente,
      waitHours(hours: number) {
        aheadMs += hours * 3_600_000
      },
      seen: async (path: string) => {
        const answer = await site.request(path)
        return answer.status === 200 ? /<p>(Tekst [\w ]+)<\/p>/.exec(await answer.text())?.[1] : answer.status
      },
      save: async (id: number, title: string, more: { publish?: boolean; slug?: string } = {}): Promise<SavedPage> => {
        const { publish: shown = false, slug } = more
        const body = [aParagraph(`Tekst ${title}`)]
        const answer = await savePageIn(bente, id, { title, body, ...(slug && { slug }) }, { publish: shown })
        expect(answer.status).toBe(200)
        return answer.json()
      },
      undo: ({ id, undo }: SavedPage, who: Pick<typeof bente, 'post'> = bente) =>
        who.post(`/api/pages/${id}/nl/undo`, undo),
    }
  }
  const now = async (answer: Response): Promise<PageInLocale> => {
    expect(answer.status, await answer.clone().text()).toBe(200)
    return answer.json()
  }

  test('of changes that were only saved saves the previous text again, and visitors see the same page throughout', async () => {
    const { bente, seen, save, undo } = await setUp()
    const id = await publishedPage(bente, { title: 'Goed', body: [aParagraph('Tekst goed')] })
    const wrong = await save(id, 'fout')
    expect(wrong.undo).toEqual({ version: wrong.version, revision: expect.any(Number) })
    expect(await now(await undo(wrong))).toMatchObject({ version: wrong.version + 1, text: { title: 'Goed' } })
    expect(await seen('/goed')).toBe('Tekst goed')
    // A save without changes leaves nothing to undo.
    expect(await (await savePageIn(bente, id, {})).json()).toMatchObject({ undo: null, version: wrong.version + 1 })
  })

  test('a restored version keeps the current address, if its own is now below the prefix of an added language', async () => {
    const { bente } = await setUp()
    const id = await publishedPage(bente, { title: 'Les', slug: 'de/les' })
    const { data } = await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()
    await savePageIn(bente, id, { slug: 'les' }, publish)
    const { version: configVersion } = await (await bente.get('/api/config')).json()
    const config = { locales: ['nl', 'fa', 'de'] }
    expect((await bente.put('/api/config', { version: configVersion, config })).status).toBe(200)

    const { version } = await getPageIn(bente, id)
    const restored = await bente.post(`/api/pages/${id}/nl/revisions/${data[0].id}/restore`, { version })
    expect((await now(restored)).text.slug).toBe('les')
  })

  test('a page comes back from the trash outside the prefix of a language that was added meanwhile, and below it in another language', async () => {
    const { site, bente } = await setUp()
    const ids = [
      await publishedPage(bente, { title: 'Les', slug: 'de/les' }),
      await publishedPage(bente, { title: 'درس', slug: 'de/les', locale: 'fa' }),
    ]
    for (const id of ids) expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    const { version } = await (await bente.get('/api/config')).json()
    const config = { locales: ['nl', 'fa', 'de'] }
    expect((await bente.put('/api/config', { version, config })).status).toBe(200)

    for (const id of ids) expect((await bente.post(`/api/pages/${id}/restore`)).status).toBe(200)
    for (const path of ['/de-les', '/fa/de/les']) expect([path, (await site.request(path)).status]).toEqual([path, 200])
  })

  test('a page comes back from the trash outside a path that the program now uses itself', async () => {
    const { site, bente } = await setUp()
    const id = await publishedPage(bente, { title: 'Les', slug: 'les' })
    const restoredWith = async (slug: string) => {
      await bente.post(`/api/pages/${id}/bin`)
      // Written to the database directly: the API refuses it.
      await site.db.updateTable('page_text').set({ slug }).where('page_id', '=', id).execute()
      expect((await bente.post(`/api/pages/${id}/restore`)).status).toBe(200)
      return (await getPageIn(bente, id)).text.slug
    }
    expect(await restoredWith('setup/les')).toBe('setup-les')
    // `wachtwoord-vergeten` is the program’s own too.
    expect(await restoredWith('wachtwoord/vergeten')).toBe('wachtwoord-vergeten-2')
  })

  test('of a publication shows visitors the previous version again, at its address and with its date', async () => {
    const { site, bente, seen, save, undo } = await setUp()
    const id = await publishedPage(bente, { title: 'Goed', slug: 'goed', body: [aParagraph('Tekst goed')] })
    await site.db.updateTable('page_text').set({ live_date: '2020-05-01' }).where('page_id', '=', id).execute()
    const wrong = await save(id, 'fout', { ...publish, slug: 'fout' })
    expect(await seen('/fout')).toBe('Tekst fout')
    expect(await now(await undo(wrong))).toMatchObject({ state: 'published', path: '/goed', text: { title: 'Goed' } })
    expect(await seen('/goed')).toBe('Tekst goed')
    expect((await site.request('/fout')).headers.get('location')).toBe('/goed')
    const { live_date } = await site.db
      .selectFrom('page_text')
      .select('live_date')
      .where('page_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(live_date).toBe('2020-05-01')
  })

  test('of a publication with earlier unpublished changes saves those again, and visitors see the previous version', async () => {
    const { bente, seen, save, undo } = await setUp()
    const id = await publishedPage(bente, { title: 'Goed', body: [aParagraph('Tekst goed')] })
    await save(id, 'halverwege')
    const wrong = await save(id, 'fout', publish)
    expect(await now(await undo(wrong))).toMatchObject({ state: 'changed', text: { title: 'halverwege' } })
    expect(await seen('/goed')).toBe('Tekst goed')

    // Also when the page was only published, without changes.
    const early = await (await savePageIn(bente, id, {}, publish)).json()
    expect(await seen('/goed')).toBe('Tekst halverwege')
    expect(await now(await undo(early))).toMatchObject({ state: 'changed', version: early.version })
    expect(await seen('/goed')).toBe('Tekst goed')
  })

  test('of a first publication hides the page from visitors again, and is logged', async () => {
    const { bente, seen, save, undo } = await setUp()
    const { id } = await (await bente.post('/api/pages', { title: 'Nieuw', locale: 'nl' })).json()
    const wrong = await save(id, 'fout', publish)
    expect(await seen('/nieuw')).toBe('Tekst fout')
    expect(await now(await undo(wrong))).toMatchObject({ state: 'unpublished', path: null, text: { title: 'Nieuw' } })
    expect(await seen('/nieuw')).toBe(404)
    const { data } = await (await bente.get(`/api/audit?subjectType=page&subjectId=${id}`)).json()
    expect(data.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'page.unpublished',
      'page.restored',
    ])
  })

  test('the schedule that publishing removed is restored with its text, unless its time has passed', async () => {
    const { bente, save, undo, waitHours } = await setUp()
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    const [publishAt, unpublishAt] = [inADay(), new Date(Date.now() + 172_800_000).toISOString()]
    await bente.put(`/api/pages/${id}/nl/plan`, { version: 1, publishAt, unpublishAt })
    await save(id, 'later')
    const wrong = await save(id, 'fout', publish)
    expect(wrong).toMatchObject({ publishAt: null, droppedPlan: publishAt })
    expect(await now(await undo(wrong))).toMatchObject({
      state: 'unpublished',
      publishAt,
      unpublishAt,
      plannedVersion: 1,
      text: { title: 'later' },
    })

    const again = await save(id, 'weer fout', publish)
    waitHours(25)
    expect(await now(await undo(again))).toMatchObject({ state: 'unpublished', publishAt: null })
  })

  test('undo is refused after somebody else saved, unpublished or scheduled the page', async () => {
    const { bente, seen, save, undo } = await setUp()
    const id = await publishedPage(bente, { title: 'Goed', body: [aParagraph('Tekst goed')] })
    const wrong = await save(id, 'fout', publish)
    await save(id, 'van een ander')
    const late = await undo(wrong)
    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({ code: 'stale', current: { page: { text: { title: 'van een ander' } } } })
    expect(await seen('/goed')).toBe('Tekst fout')

    const hasty = await save(id, 'weer fout', publish)
    await bente.post(`/api/pages/${id}/nl/unpublish`, { version: hasty.version })
    expect((await undo(hasty)).status).toBe(409)
    expect(await getPageIn(bente, id)).toMatchObject({ version: hasty.version, state: 'unpublished' })

    const third = await save(id, 'nog eens fout', publish)
    const plan = { version: third.version, publishAt: inADay(), unpublishAt: null }
    await bente.put(`/api/pages/${id}/nl/plan`, plan)
    expect((await undo(third)).status).toBe(409)
    expect(await getPageIn(bente, id)).toMatchObject({ version: third.version, publishAt: plan.publishAt })
  })

  test('undo changes everything or nothing: when another page took the previous address, the text stays too', async () => {
    const { bente, seen, save, undo } = await setUp()
    const id = await publishedPage(bente, { title: 'Goed', slug: 'goed', body: [aParagraph('Tekst goed')] })
    await save(id, 'halverwege', { slug: 'elders' })
    const wrong = await save(id, 'fout', publish)
    await publishedPage(bente, { title: 'Ander', slug: 'goed' })
    const refused = await undo(wrong)
    expect([refused.status, (await refused.json()).errors[0].path]).toEqual([422, 'text.slug'])
    expect(await getPageIn(bente, id)).toMatchObject({ version: wrong.version, state: 'published' })
    expect(await seen('/elders')).toBe('Tekst fout')
  })

  test('a user who may not publish undoes their save, without effect for visitors', async () => {
    const { site, bente, seen, save, undo } = await setUp()
    const writer = await signInWithRights(site, 'Schrijver', ['pages.write'])
    const id = await publishedPage(bente, { title: 'Goed', body: [aParagraph('Tekst goed')] })
    const wrong = await save(id, 'fout', publish)
    expect((await undo(wrong, writer)).status).toBe(403)
    expect(await seen('/goed')).toBe('Tekst fout')
    const own = await (await savePageIn(writer, id, { title: 'Eigen fout' })).json()
    expect(await now(await undo(own, writer))).toMatchObject({ text: { title: 'fout' } })
    expect(await seen('/goed')).toBe('Tekst fout')
  })

  test('undo cannot take a page offline that must be online, nor use a revision of another page', async () => {
    const { site, bente, save, undo } = await setUp()
    const { page_id } = await site.db
      .selectFrom('page_seed')
      .select('page_id')
      .where('slug', '=', 'disclaimer')
      .executeTakeFirstOrThrow()
    const wrong = await save(page_id as number, 'fout', publish)
    const visitors = { live: null, planned: null }
    const gone = await undo({ ...wrong, undo: { ...wrong.undo, visitors } } as SavedPage)
    expect([gone.status, (await gone.json()).code]).toEqual([409, 'fixed_page'])

    const id = await publishedPage(bente, { title: 'Elders' })
    const elsewhere = await save(id, 'fout', publish)
    const live = { revision: wrong.undo?.revision ?? 0, date: '2020-05-01' }
    const foreign = { ...elsewhere.undo, visitors: { live, planned: null } }
    expect((await undo({ ...elsewhere, undo: foreign } as SavedPage)).status).toBe(404)
    expect(await getPageIn(bente, id)).toMatchObject({ version: elsewhere.version, state: 'published' })
  })

  test('restoring from the history returns how to undo it', async () => {
    const { bente, save, undo } = await setUp()
    const id = await publishedPage(bente, { title: 'Eerst' })
    const first = (await getPageIn(bente, id)).version
    const { data } = await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()
    const { version } = await save(id, 'daarna')
    const back = await bente.post(`/api/pages/${id}/nl/revisions/${data[0].id}/restore`, { version })
    const restored = await back.json()
    expect(restored).toMatchObject({ text: { title: 'Eerst' }, version: first + 2 })
    expect(await now(await undo(restored))).toMatchObject({ text: { title: 'daarna' }, version: first + 3 })
  })
})
