import { DefaultQueryExecutor } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { ListOf } from '../../src/contract/list.ts'
import type { ListedPage, StalePage } from '../../src/contract/pages.ts'
import { publishScheduled } from '../../src/domain/pages/publish-scheduled.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { databases } from '../support/databases.ts'
import { addManyPages } from '../support/many-pages.ts'
import { aPage, aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as, type SignedIn, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, uploadFile } from '../support/uploads.ts'

const idsOf = async (answer: Response): Promise<number[]> =>
  ((await answer.json()).data as ListedPage[]).map(({ id }) => id)
const problemsOf = async (answer: Response) => [answer.status, (await answer.json()).errors]
const fixedId = async (site: TestApp, slug: string) =>
  (await site.db.selectFrom('page_seed').select('page_id').where('slug', '=', slug).executeTakeFirstOrThrow())
    .page_id as number

describe.each(databases)('on %s', (database) => {
  test('spec 3: Page has title, slug and body; a new page is created from its title, and visitors do not see it', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const answer = await bente.post('/api/pages', { title: 'Onze Cafés & bars', locale: 'nl' })
    expect(answer.status).toBe(201)
    const { id, nl, fa } = await answer.json()
    expect([nl.title, nl.slug, nl.state, nl.path, fa]).toEqual([
      'Onze Cafés & bars',
      'onze-cafes-bars',
      'unpublished',
      null,
      null,
    ])
    expect(answer.headers.get('location')).toBe(`/api/pages/${id}`)
    expect((await site.request('/onze-cafes-bars')).status).toBe(404)

    const saved = await savePageIn(bente, id, { title: 'Cafés', body: [aParagraph('Gezellig')] })
    expect(await saved.json()).toMatchObject({ version: 2, state: 'unpublished', text: { title: 'Cafés' } })
    const { text } = await getPageIn(bente, id)
    expect(text.body).toEqual([
      {
        type: 'rich-text',
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        showIf: 'always',
        anchor: '',
        content: '<p>Gezellig</p>',
      },
    ])
  })

  test('a page lists the titles of the links to it in the header and footer, in either language and at any depth', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Ons werk' })
    const linkTitles = async () => (await (await bente.get(`/api/pages/${id}`)).json()).linkTitles
    expect(await linkTitles()).toEqual([])

    const { version, config } = await (await bente.get('/api/config')).json()
    const menu = (title: string) => ({
      type: 'menu',
      menuType: 'desktop',
      items: [
        {
          title: 'Meer',
          submenu: [
            { title, url: '/ons-werk#klanten' },
            { title: 'Elders', url: '/ons-werken' },
          ],
        },
      ],
    })
    const { navbar, footer } = config.branding
    const branding = { navbar: { ...navbar, top: { nl: [menu('Klanten')], fa: [menu('مشتریان')] } }, footer }
    expect((await bente.put('/api/config', { version, config: { branding } })).status).toBe(200)
    await expect.poll(linkTitles).toEqual(['Klanten', 'مشتریان'])
  })

  test('home, privacy statement and disclaimer are edited like other pages, and keep their address', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { data } = await (await bente.get('/api/pages?sort=title')).json()
    const fixed = data.filter((page: ListedPage) => page.fixed)
    expect(fixed.map(({ nl, fa }: ListedPage) => [nl?.path, fa?.path, nl?.state])).toEqual([
      ['/disclaimer', '/fa/disclaimer', 'published'],
      ['/privacy-verklaring', '/fa/privacy-verklaring', 'published'],
      ['/', '/fa', 'published'],
    ])
    const id = await fixedId(site, 'disclaimer')
    expect(await problemsOf(await savePageIn(bente, id, { slug: 'anders' }))).toEqual([
      422,
      [{ path: 'text.slug', message: 'Het adres van deze pagina ligt vast.' }],
    ])
    const before = await getPageIn(bente, id)
    expect((await bente.post(`/api/pages/${id}/nl/unpublish`, { version: before.version })).status).toBe(409)
    expect((await (await bente.post(`/api/pages/${id}/bin`)).json()).code).toBe('fixed_page')
    const plan = { version: before.version, publishAt: null, unpublishAt: '2999-01-01T00:00:00.000Z' }
    expect((await problemsOf(await bente.put(`/api/pages/${id}/nl/plan`, plan)))[0]).toBe(422)
    expect((await savePageIn(bente, id, { title: 'Kleine lettertjes' }, { publish: true })).status).toBe(200)
    await expect.poll(async () => (await site.request('/disclaimer')).text()).toContain('Kleine lettertjes')
    expect((await bente.post(`/api/pages/${id}/fa/unpublish`, { version: 1 })).status).toBe(200)
  })

  test('a slug is suggested from the title, is unique per language, and a reserved slug is refused with the reason', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const suggested = async (title: string, locale = 'nl', more = '') =>
      (await (await bente.get(`/api/pages/slug?title=${encodeURIComponent(title)}&locale=${locale}${more}`)).json())
        .slug
    expect(await suggested('Über uns: 10 jaar – [brand]!')).toBe('uber-uns-10-jaar')
    expect(await suggested('وب‌سایت‌های آموزشی ۱۴۰۳', 'fa')).toBe('وب-سایت-های-آموزشی-1403')
    expect(await suggested('!!!')).toBe('pagina')
    expect(await suggested('Admin')).toBe('admin-2')
    const { id } = await (await bente.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
    expect(await suggested('Werk')).toBe('werk-2')
    expect(await suggested('Werk', 'nl', `&id=${id}`)).toBe('werk')
    expect(await suggested('Werk', 'fa')).toBe('werk')
    expect((await (await bente.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()).nl.slug).toBe('werk-2')
    const create = (slug: string) => bente.post('/api/pages', { title: 'Iets', locale: 'nl', slug })
    const at = (message: string) => [422, [{ path: 'slug', message }]]
    expect(await problemsOf(await create('werk'))).toEqual(at('Een andere pagina heeft dit adres al. Kies een ander.'))
    for (const slug of ['api', 'admin/pages', 'fa/werk', 'Login', 'voorbeeld/x', 'files']) {
      expect(await problemsOf(await create(slug))).toEqual(at('De website gebruikt dit adres zelf. Kies een ander.'))
    }
    for (const slug of ['a b', '../etc', 'a//b', '<script>', 'a.html']) {
      expect((await problemsOf(await create(slug)))[1][0].path).toBe('slug')
    }
    expect((await (await create('/met/schuine-streep/')).json()).nl.slug).toBe('met/schuine-streep')
    for (const slug of ['/', '///', ' / ']) {
      expect(await problemsOf(await create(slug))).toEqual(at('Dit is een verplicht veld!'))
      const refused = await problemsOf(await savePageIn(bente, id, { slug }))
      expect(refused).toEqual([422, [{ path: 'text.slug', message: 'Dit is een verplicht veld!' }]])
    }
    expect((await savePageIn(bente, id, { slug: '' })).status).toBe(422)
  })

  test('pages that are created and saved at the same moment each get an address, and nothing is lost', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const create = () => bente.post('/api/pages', { title: 'Werk', locale: 'nl' })
    const made: ListedPage[] = await Promise.all(Array.from({ length: 8 }, async () => (await create()).json()))
    expect(new Set(made.map(({ nl }) => nl?.slug)).size).toBe(8)

    const id = made[0]?.id ?? 0
    const before = await getPageIn(bente, id)
    const fields = ['seoTitle', 'description', 'title']
    const answers = await Promise.all(
      fields.map((field) =>
        bente.put(`/api/pages/${id}/nl`, { text: { ...before.text, [field]: `Nieuw ${field}` }, version: 1 }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const after = await getPageIn(bente, id)
    expect(after.version).toBe(4)
    for (const field of fields) expect(after.text[field as 'title']).toBe(`Nieuw ${field}`)
  })

  test('saving is not publishing: visitors see the live text until the page is published', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste')] })
    expect(await (await site.request('/werk')).text()).toContain('Eerste')
    expect(await (await savePageIn(bente, id, { body: [aParagraph('Tweede')] })).json()).toMatchObject({
      state: 'changed',
      path: '/werk',
    })
    const shown = async () => (await site.request(`/werk?${Math.random()}`)).text()
    expect(await shown()).toContain('Eerste')
    const { version } = await getPageIn(bente, id)
    expect((await bente.post(`/api/pages/${id}/nl/publish`, { version: version - 1 })).status).toBe(409)
    expect((await bente.post(`/api/pages/${id}/nl/publish`, { version })).status).toBe(200)
    await expect.poll(shown).toContain('Tweede')
    expect((await bente.post(`/api/pages/${id}/nl/unpublish`, { version })).status).toBe(200)
    await expect.poll(async () => (await site.request('/werk')).status).toBe(404)
    expect(await getPageIn(bente, id)).toMatchObject({ state: 'unpublished', path: null, version })
  })

  test('a save reads the page and its current text from the database only once', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    const { text, version } = await getPageIn(bente, id)
    const asked = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')
    closeAfterTest(() => void asked.mockRestore())
    const body = [aParagraph('Over ander werk')]
    const answer = await bente.put(`/api/pages/${id}/nl`, { text: { ...text, body }, version, publish: true })
    expect(answer.status).toBe(200)
    const reads = asked.mock.calls.map(([{ sql }]) => sql).filter((sql) => sql.startsWith('select'))
    for (const rows of ['from "page" where', 'from "page_text" where', 'from "page_revision" where'])
      expect(reads.filter((sql) => sql.includes(rows))).toHaveLength(1)
  })

  test('a user who may write and not publish can save, which changes nothing for visitors', async () => {
    const site = await aTestApp({ database })
    const sanne = await signInWithRights(site, 'Sanne', ['pages.write'])
    const bente = await as(site, 'beheerder')
    const { id } = await (await sanne.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
    expect((await savePageIn(sanne, id, { title: 'Werken' }, { publish: true })).status).toBe(403)
    expect((await getPageIn(bente, id)).version).toBe(1)
    expect((await savePageIn(sanne, id, { title: 'Werken' })).status).toBe(200)
    expect((await savePageIn(bente, id, {}, { publish: true })).status).toBe(200)
    expect((await sanne.post(`/api/pages/${id}/bin`)).status).toBe(403)
    expect((await getPageIn(sanne, id)).can).toEqual({
      change: true,
      publish: false,
      unpublish: false,
      delete: false,
      lock: false,
    })
  })

  test('spec 4: changes of two users to different blocks are merged and reported; changes to the same block are refused with both versions', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const { id } = await (await bente.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
    await savePageIn(bente, id, { body: [aParagraph('Een', { id: 'a' }), aParagraph('Twee', { id: 'b' })] })

    expect(
      (
        await savePageIn(rik, id, {
          title: 'Ons werk',
          body: [aParagraph('EEN', { id: 'a' }), aParagraph('Twee', { id: 'b' })],
        })
      ).status,
    ).toBe(200)
    const { text: now } = await getPageIn(bente, id)
    const mine = {
      ...now,
      title: 'Werk',
      body: [aParagraph('Een', { id: 'a' }), aParagraph('TWEE', { id: 'b' }), aParagraph('Drie')],
    }
    const joined = await (await bente.put(`/api/pages/${id}/nl`, { text: mine, version: 2 })).json()
    expect(joined.merged).toEqual({ by: staff.redacteur.name, at: expect.any(String) })
    expect(joined.text).toMatchObject({
      title: 'Ons werk',
      body: [{ content: '<p>EEN</p>' }, { content: '<p>TWEE</p>' }, { content: '<p>Drie</p>' }],
    })

    const other = {
      ...mine,
      title: 'Portfolio',
      body: [aParagraph('Iets anders', { id: 'a' }), aParagraph('Twee', { id: 'b' })],
    }
    const refused = await bente.put(`/api/pages/${id}/nl`, { text: other, version: 2 })
    expect(refused.status).toBe(409)
    const { code, current } = (await refused.json()) as { code: string; current: StalePage }
    expect(code).toBe('stale')
    expect(current.conflicts).toEqual(
      expect.arrayContaining([
        { field: 'title', block: null, base: 'Werk', mine: 'Portfolio', theirs: 'Ons werk' },
        { field: 'content', block: 'a', base: '<p>Een</p>', mine: '<p>Iets anders</p>', theirs: '<p>EEN</p>' },
      ]),
    )
    expect(current.merged.title).toBe('Portfolio')
    expect(current.page.version).toBe(4)
    expect((await getPageIn(bente, id)).text.title).toBe('Ons werk')
  })

  test('a page goes online and offline at the scheduled moments, once, also after the program was stopped', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const now = () => new Date(at)
    const site = await aTestApp({ database, now })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    await savePageIn(bente, id, { body: [aParagraph('Gepland')] })
    const plan = (values: object) =>
      bente.put(`/api/pages/${id}/nl/plan`, { version: 2, publishAt: null, unpublishAt: null, ...values })
    expect((await problemsOf(await plan({ publishAt: '2026-11-21T07:59:00Z' })))[1]).toEqual([
      { path: 'publishAt', message: 'Dit moment is al voorbij. Kies een later moment.' },
    ])
    const turned = { publishAt: '2026-11-22T08:00:00Z', unpublishAt: '2026-11-22T07:00:00Z' }
    expect((await problemsOf(await plan(turned)))[1][0].path).toBe('unpublishAt')
    const good = { publishAt: '2026-11-22T08:00:00.000Z', unpublishAt: '2026-11-23T08:00:00.000Z' }
    expect(await (await plan(good)).json()).toMatchObject({ ...good, plannedVersion: 2, state: 'unpublished' })
    expect(await idsOf(await bente.get('/api/pages?status=planned'))).toEqual([id])
    await savePageIn(bente, id, { body: [aParagraph('Later geschreven')] })

    at = new Date('2026-11-22T08:00:01Z').getTime()
    const other = await aTestApp({ database, beside: site, now })
    await expect.poll(async () => (await site.request('/actie')).status).toBe(200)
    expect(await (await site.request('/actie')).text()).toContain('Gepland')
    expect(await getPageIn(bente, id)).toMatchObject({ state: 'changed', publishAt: null, plannedVersion: null })
    await other.stop()
    await site.stop()

    at = new Date('2026-11-24T00:00:00Z').getTime()
    const next = await aTestApp({ database, beside: site, now })
    await expect.poll(async () => (await next.request('/actie')).status).toBe(404)
    const log = await next.db
      .selectFrom('audit')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', String(id))
      .orderBy('id')
      .execute()
    expect(log.filter(({ actor_id }) => actor_id === null).map(({ action }) => action)).toEqual([
      'page.published',
      'page.unpublished',
    ])
  })

  test('scheduled texts that cannot be published, however many, do not hold up the others', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at), startJobs: false })
    const unreadable = (await addManyPages(site.db, 60)).map(({ id }) => id)
    const longAgo = '2026-11-20T08:00:00.000Z'
    await site.db
      .updateTable('page_text')
      .set((eb) => ({ publish_at: longAgo, publish_id: eb.ref('saved_id') }))
      .where('page_id', 'in', unreadable)
      .execute()
    await site.db.updateTable('page_revision').set({ text: '{' }).where('page_id', 'in', unreadable).execute()
    const sound = await aPage(site, 'Actie')
    const plan = { version: 1, publishAt: '2026-11-22T08:00:00.000Z', unpublishAt: null }
    expect((await (await as(site, 'beheerder')).put(`/api/pages/${sound}/nl/plan`, plan)).status).toBe(200)

    at = new Date('2026-11-22T08:00:01Z').getTime()
    await expect(publishScheduled(site.app.context())).rejects.toThrow(/^pages \d+\/\w+, .* could not be published/)
    expect((await site.request('/actie')).status).toBe(200)
  })

  test('blocks that two users add to the same columns become a conflict, and are not stored, when together they exceed the limit', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const lines = (whose: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({ type: 'line', id: `${whose}${at}` }))
    const columns = (blocks: object[]) => [{ type: 'columns', id: 'k', columns: [{ blocks }, { blocks: [] }] }]
    const id = await publishedPage(bente, { title: 'Werk', body: columns(lines('a', 2)) })
    const { version } = await getPageIn(bente, id)
    const mine = columns([...lines('a', 2), ...lines('m', 15)])
    const theirs = columns([...lines('a', 2), ...lines('t', 15)])
    expect((await savePageIn(rik, id, { body: theirs }, { version })).status).toBe(200)
    const answer = await savePageIn(bente, id, { body: mine }, { version })
    expect(answer.status).toBe(409)
    const { code, current } = (await answer.json()) as { code: string; current: StalePage }
    expect(code).toBe('stale')
    expect(current.conflicts).toMatchObject([{ field: 'body', block: 'k', mine: mine[0], theirs: theirs[0] }])
    expect(current.merged.body).toMatchObject(mine)
    expect((await getPageIn(bente, id)).text.body).toMatchObject(theirs)

    const many = Array.from({ length: 160 }, (_, at) => at)
    const long = await publishedPage(bente, { title: 'Lang' })
    const { version: begun } = await getPageIn(bente, long)
    const body = (whose: string) => many.map((at) => ({ type: 'line', id: `${whose}${at}` }))
    expect((await savePageIn(rik, long, { body: body('t') }, { version: begun })).status).toBe(200)
    const both = await savePageIn(bente, long, { body: body('m') }, { version: begun })
    expect(both.status).toBe(409)
    const stale: StalePage = (await both.json()).current
    expect(stale.conflicts).toMatchObject([{ field: 'body', block: null, mine: body('m'), theirs: body('t') }])
    expect(stale.merged.body).toMatchObject(body('m'))
  })

  test('a copy has the texts of both languages under new addresses, and visitors do not see it', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await fixedId(site, '')
    const answer = await bente.post(`/api/pages/${id}/duplicate`)
    expect(answer.status).toBe(201)
    const copy = (await answer.json()) as ListedPage
    expect(copy).toMatchObject({ fixed: false, nl: { state: 'unpublished' }, fa: { state: 'unpublished' } })
    expect(copy.nl?.title).toMatch(/^Kopie van /)
    expect(copy.fa?.title).toMatch(/^رونوشت /)
    const [own, copied] = [await getPageIn(bente, id), await getPageIn(bente, copy.id)]
    expect(copied.text.body).toEqual(own.text.body)
    expect((await site.request(`/${copied.text.slug}`)).status).toBe(404)
  })

  test('the trash: visitors do not find the page, it is restored unchanged, and gets a number when its address was taken', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const sanne = await signInWithRights(site, 'Sanne', ['pages.write'])
    const id = await publishedPage(bente, { title: 'Werk' })
    expect((await site.request('/werk')).status).toBe(200)
    expect((await bente.delete(`/api/pages/${id}`)).status).toBe(409)
    expect((await (await bente.post(`/api/pages/${id}/bin`)).json()).deletedAt).toEqual(expect.any(String))
    await expect.poll(async () => (await site.request('/werk')).status).toBe(404)
    expect(await idsOf(await bente.get('/api/pages'))).not.toContain(id)
    expect(await idsOf(await bente.get('/api/pages?bin=true'))).toEqual([id])
    expect((await (await savePageIn(bente, id, { title: 'X' })).json()).code).toBe('page_in_bin')
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(409)

    expect(await (await bente.post(`/api/pages/${id}/restore`)).json()).toMatchObject({ renamed: [], deletedAt: null })
    await expect.poll(async () => (await site.request('/werk')).status).toBe(200)
    await bente.post(`/api/pages/${id}/bin`)
    const other = await publishedPage(bente, { title: 'Werk' })
    expect(await (await sanne.post(`/api/pages/${id}/restore`)).json()).toMatchObject({
      renamed: [{ locale: 'nl', from: 'werk', to: 'werk-2' }],
      nl: { slug: 'werk-2', state: 'unpublished' },
    })
    expect((await getPageIn(bente, id)).text.slug).toBe('werk-2')
    await bente.post(`/api/pages/${other}/bin`)
    expect((await bente.delete(`/api/pages/${other}`)).status).toBe(204)
    expect((await bente.get(`/api/pages/${other}`)).status).toBe(404)
    const actions = (await (await bente.get(`/api/audit?subjectType=page&subjectId=${other}`)).json()).data
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      'page.deleted',
      'page.binned',
      'page.published',
      'page.updated',
      'page.created',
    ])
  })

  test('a page that visitors saw before it was trashed is deleted only by a user who may publish, also after a restore', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const sanne = await signInWithRights(site, 'Sanne', ['pages.write'])
    const id = await publishedPage(bente, { title: 'Werk' })
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    const inBin = async () => (await (await sanne.get('/api/pages?bin=true')).json()).data
    expect(await inBin()).toMatchObject([{ id, can: { delete: false } }])
    expect((await sanne.delete(`/api/pages/${id}`)).status).toBe(403)
    for (const move of ['restore', 'bin']) expect((await sanne.post(`/api/pages/${id}/${move}`)).status).toBe(200)
    expect(await inBin()).toMatchObject([{ id, can: { delete: false } }])
    expect((await sanne.delete(`/api/pages/${id}`)).status).toBe(403)

    // After a user who may publish trashed it unpublished, it counts as a page that visitors never saw.
    expect((await sanne.post(`/api/pages/${id}/restore`)).status).toBe(200)
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect((await sanne.delete(`/api/pages/${id}`)).status).toBe(204)
  })

  test('a schedule that fails because its address is taken is removed, and no longer keeps files in use', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at), startJobs: false })
    const bente = await as(site, 'beheerder')
    const file = await uploadFile(bente, 'merk.svg', anSvg())
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    const other = await publishedPage(bente, { title: 'Ander werk' })
    await savePageIn(bente, id, { picture: file.url })
    const publishAt = '2026-11-22T08:00:00.000Z'
    expect((await bente.put(`/api/pages/${id}/nl/plan`, { version: 2, publishAt, unpublishAt: null })).status).toBe(200)
    await savePageIn(bente, id, { picture: '', slug: 'actie-2' })
    expect((await bente.delete(`/api/files/${file.id}`)).status).toBe(409)

    // Written to the database directly: the API refuses an address that is reserved for a schedule.
    await site.db.updateTable('page_text').set({ slug: 'actie' }).where('page_id', '=', other).execute()
    at = new Date('2026-11-22T08:00:01Z').getTime()
    await publishScheduled(site.app.context())
    expect((await getPageIn(bente, id)).publishAt).toBeNull()
    expect((await site.request('/actie')).status).toBe(404)
    expect((await bente.delete(`/api/files/${file.id}`)).status).toBe(204)
  })

  test('a scheduled page counts as live for the trash: a user who may only write cannot remove the schedule that way', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const sanne = await signInWithRights(site, 'Sanne', ['pages.write'])
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    expect((await getPageIn(sanne, id)).can.delete).toBe(true)
    const publishAt = '2999-01-01T00:00:00.000Z'
    await savePageIn(bente, id, { body: [aParagraph('Gepland')] })
    expect((await bente.put(`/api/pages/${id}/nl/plan`, { version: 2, publishAt, unpublishAt: null })).status).toBe(200)
    expect((await getPageIn(sanne, id)).can.delete).toBe(false)
    expect((await sanne.post(`/api/pages/${id}/bin`)).status).toBe(403)
    expect((await getPageIn(bente, id)).publishAt).toBe(publishAt)
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
  })

  test('a schedule is restored with its page from the trash while its time is still to come, else its loss is reported', async () => {
    let now = new Date()
    const site = await aTestApp({ database, now: () => now })
    const bente = await as(site, 'beheerder')
    const sanne = await signInWithRights(site, 'Sanne', ['pages.write'])
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    const publishAt = '2999-01-01T00:00:00.000Z'
    const unpublishAt = '2999-02-01T00:00:00.000Z'
    const plan = { publishAt, unpublishAt }
    const restored = async (who: SignedIn) => (await who.post(`/api/pages/${id}/restore`)).json()
    await bente.put(`/api/pages/${id}/nl/plan`, { version: 1, ...plan })

    await bente.post(`/api/pages/${id}/bin`)
    expect(await restored(bente)).toMatchObject({ unplanned: [], nl: { state: 'unpublished', ...plan } })
    expect(await getPageIn(bente, id)).toMatchObject(plan)

    await bente.post(`/api/pages/${id}/bin`)
    const { id: other } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    expect((await restored(bente)).renamed).toEqual([{ locale: 'nl', from: 'actie', to: 'actie-2' }])
    expect(await getPageIn(bente, id)).toMatchObject({ ...plan, plannedVersion: 2 })
    expect((await bente.put(`/api/pages/${other}/nl/plan`, { version: 1, ...plan })).status).toBe(200)

    await bente.post(`/api/pages/${id}/bin`)
    expect((await restored(sanne)).unplanned).toEqual(['nl'])
    expect(await getPageIn(bente, id)).toMatchObject({ publishAt: null, unpublishAt: null })

    const soon = new Date(now.getTime() + 60_000).toISOString()
    expect((await bente.put(`/api/pages/${id}/nl/plan`, { version: 2, publishAt: soon, unpublishAt })).status).toBe(200)
    await bente.post(`/api/pages/${id}/bin`)
    now = new Date(now.getTime() + 120_000)
    expect((await restored(bente)).unplanned).toEqual(['nl'])
    expect(await getPageIn(bente, id)).toMatchObject({ state: 'unpublished', publishAt: null, unpublishAt: null })
  })

  test('a page whose scheduled end has passed in the trash is not published again by another move there and back, and keeps no files in use', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at), startJobs: false })
    const bente = await as(site, 'beheerder')
    const sanne = await signInWithRights(site, 'Sanne', ['pages.write'])
    const move = async (who: SignedIn, id: number, to: 'bin' | 'restore') => {
      const answer = await who.post(`/api/pages/${id}/${to}`)
      expect(answer.status).toBe(200)
      return answer.json()
    }
    const unpublishAt = '2026-11-21T09:00:00.000Z'
    const file = await uploadFile(bente, 'merk.svg', anSvg())
    const offer = async (title: string) => {
      const id = await publishedPage(bente, { title, body: [aParagraph(`<a href="${file.url}">Folder</a>`)] })
      const { version } = await getPageIn(bente, id)
      const plan = { version, publishAt: null, unpublishAt }
      expect((await bente.put(`/api/pages/${id}/nl/plan`, plan)).status).toBe(200)
      await move(bente, id, 'bin')
      return id
    }
    const [passed, running] = [await offer('Voorbij'), await offer('Loopt nog')]
    await move(sanne, running, 'restore')
    await move(sanne, running, 'bin')
    expect(await move(bente, running, 'restore')).toMatchObject({
      unplanned: [],
      nl: { state: 'published', unpublishAt },
    })
    await savePageIn(bente, running, { body: [] }, { publish: true })

    at = new Date('2026-11-21T10:00:00Z').getTime()
    expect(await move(bente, passed, 'restore')).toMatchObject({ unplanned: ['nl'], nl: { state: 'unpublished' } })
    await move(sanne, passed, 'bin')
    expect(await move(bente, passed, 'restore')).toMatchObject({ nl: { state: 'unpublished' } })
    await savePageIn(bente, passed, { body: [] })
    expect((await bente.delete(`/api/files/${file.id}`)).status).toBe(204)
  })

  test('a page that comes back from the trash keeps its date', async () => {
    let at = new Date('2026-03-02T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at), startJobs: false })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Feest' })
    const dateOfPage = async () =>
      /\/feest<\/loc><lastmod>([\d-]+)</.exec(await (await site.request('/sitemap.xml')).text())?.[1]
    expect(await dateOfPage()).toBe('2026-03-02')

    at += 30 * 86_400_000
    const later = await as(site, 'beheerder')
    expect((await later.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect((await later.post(`/api/pages/${id}/restore`)).status).toBe(200)
    expect(await dateOfPage()).toBe('2026-03-02')
  })

  test('automatic redirects to a page are deleted with it, but not redirects to an address that another page has', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const redirects = async () =>
      (await (await bente.get('/api/redirects?sort=from')).json()).data.map(
        ({ from, to }: { from: string; to: string }) => [from, to],
      )
    const gone = async (id: number) => {
      expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
      expect((await bente.delete(`/api/pages/${id}`)).status).toBe(204)
    }
    const id = await publishedPage(bente, { title: 'Werk' })
    await savePageIn(bente, id, { slug: 'ons-werk' }, { publish: true })
    await savePageIn(bente, id, { slug: 'nog-niet-gezien' })
    expect(await redirects()).toEqual([['/werk', '/ons-werk']])
    await gone(id)
    expect(await redirects()).toEqual([])

    const first = await publishedPage(bente, { title: 'Team' })
    await savePageIn(bente, first, { slug: 'ons-team' }, { publish: true })
    expect((await bente.post(`/api/pages/${first}/bin`)).status).toBe(200)
    await publishedPage(bente, { title: 'Ons team' })
    expect((await bente.delete(`/api/pages/${first}`)).status).toBe(204)
    expect(await redirects()).toEqual([['/team', '/ons-team']])
  })

  test('an address and a title with a suffix stay within their limits, without splitting a character', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    for (const slug of ['x'.repeat(200), '𐤀'.repeat(100)]) {
      const title = `${'x'.repeat(181)}${'😀'.repeat(9)}`
      const { id } = await (await bente.post('/api/pages', { title, locale: 'nl', slug })).json()
      const copies: ListedPage[] = []
      for (let count = 0; count < 2; count++) copies.push(await (await bente.post(`/api/pages/${id}/duplicate`)).json())
      expect(copies.map(({ nl }) => nl?.slug)).toEqual(['-2', '-3'].map((end) => `${slug.slice(0, 198)}${end}`))
      for (const copy of copies) {
        expect(copy.nl?.title.isWellFormed()).toBe(true)
        expect(copy.nl?.title).toMatch(/^Kopie van x+(😀)*$/u)
        expect((await savePageIn(bente, copy.id, { description: 'Nieuw' })).status).toBe(200)
      }
    }
  })

  test('the history: saves of one user without a long pause are one entry, and any of them can be restored', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at) })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste', { id: 'a' })] })
    at += 10 * 60_000
    await savePageIn(bente, id, { title: 'Werken' })
    at += 60_000
    await savePageIn(rik, id, { title: 'Arbeid' })
    at += 31 * 60_000
    await savePageIn(rik, id, { title: 'Klussen', slug: 'klussen' })
    const { data, meta } = await (await bente.get(`/api/pages/${id}/nl/revisions?pageSize=2`)).json()
    expect(meta.total).toBe(4)
    expect(
      data.map(({ by, saves, live }: { by: { name: string }; saves: number; live: boolean }) => [by.name, saves, live]),
    ).toEqual([
      [staff.redacteur.name, 1, false],
      [staff.redacteur.name, 1, false],
    ])
    const [, , later, first] = (await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()).data
    // Publishing ends an entry: a mistake that was saved a minute later can be undone.
    expect(first).toMatchObject({
      saves: 2,
      live: true,
      published: true,
      before: null,
      by: { name: staff.beheerder.name },
    })
    expect(later).toMatchObject({ saves: 1, live: false, before: first.id })
    expect(data[1].before).toBe(later.id)
    const old = await (await bente.get(`/api/pages/${id}/nl/revisions/${later.id}`)).json()
    expect(old.text.title).toBe('Werken')

    // An entry expands into its saves, each with the version before it.
    const line = await (await bente.get(`/api/pages/${id}/nl/revisions?line=${first.id}&pageSize=1`)).json()
    expect(line).toMatchObject({
      data: [{ id: first.id, saves: 1, live: true, current: false, by: { name: staff.beheerder.name } }],
      meta: { total: 2 },
    })
    const made = await (await bente.get(`/api/pages/${id}/nl/revisions/${line.data[0].before}`)).json()
    expect(made).toMatchObject({
      before: null,
      saves: 1,
      live: false,
      current: false,
      text: { title: 'Werk', body: [] },
    })
    expect(data[0].current).toBe(true)
    const elsewhere = await publishedPage(bente, { title: 'Elders' })
    expect((await (await bente.get(`/api/pages/${elsewhere}/nl/revisions?line=${first.id}`)).json()).data).toEqual([])

    const restore = `/api/pages/${id}/nl/revisions/${later.id}/restore`
    expect((await bente.post(restore, { version: 1 })).status).toBe(409)
    expect(await (await bente.post(restore, { version: 5 })).json()).toMatchObject({
      version: 6,
      text: { title: 'Werken', slug: 'werk' },
      state: 'changed',
    })
    expect((await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()).data[0].restoredFrom).toBe(later.id)
    const another = await publishedPage(bente, { title: 'Anders' })
    expect((await bente.get(`/api/pages/${another}/nl/revisions/${first.id}`)).status).toBe(404)

    // Published at another address and restored, the page leads from that address to the earlier one.
    const moved = await (await savePageIn(bente, id, { slug: 'klussen' }, { publish: true })).json()
    expect((await site.request('/werk')).headers.get('location')).toBe('/klussen')
    expect((await bente.post(restore, { version: moved.version })).status).toBe(200)
    await savePageIn(bente, id, {}, { publish: true })
    expect((await site.request('/werk')).status).toBe(200)
    expect((await site.request('/klussen')).headers.get('location')).toBe('/werk')
  })

  test('publishing a page replaces its schedule, and both the response and the audit log say so', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const publishAt = new Date(Date.now() + 86_400_000).toISOString()
    for (const byHand of [
      (id: number) => savePageIn(bente, id, {}, { publish: true }),
      (id: number) => bente.post(`/api/pages/${id}/nl/publish`, { version: 1 }),
    ]) {
      const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
      const plan = { version: 1, publishAt, unpublishAt: null }
      expect((await bente.put(`/api/pages/${id}/nl/plan`, plan)).status).toBe(200)
      expect(await (await byHand(id)).json()).toMatchObject({
        state: 'published',
        publishAt: null,
        droppedPlan: publishAt,
      })
      const { data } = await (await bente.get(`/api/audit?subjectType=page&subjectId=${id}`)).json()
      expect(data[0]).toMatchObject({ action: 'page.published', before: { publishAt } })
      expect(await (await savePageIn(bente, id, { title: 'Nu' }, { publish: true })).json()).toMatchObject({
        droppedPlan: null,
      })
    }
  })

  test('the audit log names the page, the language and the fields, and links to the difference', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Oud', body: [aParagraph('Eerste', { id: 'a' })] })
    const log = async () => (await (await bente.get(`/api/audit?subjectType=page&subjectId=${id}`)).json()).data
    await savePageIn(bente, id, { title: 'Nieuw' })
    const [titled] = await log()
    expect(titled).toMatchObject({
      action: 'page.updated',
      subject: { name: 'Nieuw' },
      before: { title: 'Oud' },
      after: { title: 'Nieuw', language: 'nl' },
    })
    expect(titled.subject).not.toHaveProperty('now')
    expect(titled.after).not.toHaveProperty('body')
    await savePageIn(bente, id, { body: [aParagraph('Tweede', { id: 'a' })] })
    const [written, , published] = await log()
    expect(written.after).toEqual({ body: 'changed', language: 'nl', revision: expect.any(Number) })
    const { text, before } = await (await bente.get(`/api/pages/${id}/nl/revisions/${written.after.revision}`)).json()
    expect(text.body[0].content).toContain('Tweede')
    expect(before).toBe(titled.after.revision)
    // The title at that time, and the current one.
    expect(published).toMatchObject({ action: 'page.published', subject: { name: 'Oud', now: 'Nieuw' } })
  })

  test('the list shows which languages a page lacks, and which texts are older than the Dutch one', async () => {
    let at = Date.parse('2026-11-21T09:00:00Z')
    const site = await aTestApp({ database, now: () => new Date(at) })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Ons zeil' })
    const saveLater = (...to: [object, { locale: 'fa' }?]) => {
      at += 1000
      return savePageIn(bente, id, ...to)
    }
    const listed = async () => {
      const { data }: ListOf<ListedPage> = await (await bente.get('/api/pages?search=zeil')).json()
      return data.map(({ texts }) =>
        Object.fromEntries(Object.entries(texts).map(([tag, text]) => [tag, text.isOlder])),
      )
    }
    expect(await listed()).toEqual([{ nl: false }])
    await saveLater({ title: 'کارهای ما', slug: 'کارها' }, { locale: 'fa' })
    expect(await listed()).toEqual([{ nl: false, fa: false }])
    await saveLater({ title: 'Al ons zeil' })
    expect(await listed()).toEqual([{ nl: false, fa: true }])
    await saveLater({ title: 'همهٔ کارهای ما' }, { locale: 'fa' })
    expect(await listed()).toEqual([{ nl: false, fa: false }])
  })

  test('the list is searched in both languages and filtered by state and language', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const werk = await publishedPage(bente, { title: 'Ons zeil' })
    const { id: leeg } = await (await bente.post('/api/pages', { title: 'Over ons', locale: 'nl' })).json()
    await savePageIn(bente, werk, { title: 'کارهای ما', slug: 'کارها' }, { locale: 'fa' })
    await savePageIn(bente, leeg, { title: 'Over ons allen' })
    const found = async (query: string) => idsOf(await bente.get(`/api/pages?${query}`))
    expect(await found('search=zeil')).toEqual([werk])
    expect(await found(`search=${encodeURIComponent('كارهاي')}`)).toEqual([werk])
    expect(await found('search=ons')).toEqual([leeg, werk])
    expect(await found('search=ons&sort=title')).toEqual([werk, leeg])
    expect(await found('status=unpublished&locale=nl')).toEqual([leeg])
    expect(await found('status=unpublished&locale=fa')).toEqual([werk])
    const delivered = defaultSiteFile().pages.length
    expect((await found('status=published&locale=nl')).length).toBe(delivered + 1)
    await savePageIn(bente, werk, { title: 'Al ons zeil' })
    expect(await found('status=changed')).toEqual([werk])
    expect((await found('locale=fa')).length).toBe(delivered + 1)
  })
})

test('a script in the title, slug and search engine fields stays text on the page and in the sitemap', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const id = await publishedPage(bente, { title: evil, slug: 'kwaad' })
  await savePageIn(
    bente,
    id,
    { seoTitle: evil, description: `${evil}'--`, body: [aParagraph(evil)] },
    { publish: true },
  )
  const html = await (await site.request('/kwaad')).text()
  expect(html).not.toContain('<script>alert(1)')
  expect(html).not.toContain('<img src=x')
  for (const picture of ['javascript:alert(1)', 'https://elders.example/x.png', '/files/x/" onload="x', '//elders/x']) {
    expect((await savePageIn(bente, id, { picture })).status).toBe(422)
  }
  expect((await savePageIn(bente, id, { slug: 'x"><script>' })).status).toBe(422)
  expect(await (await site.request('/sitemap.xml')).text()).not.toContain('<script')
})

test('a validation error names its block and field, in the language of the request', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const { id } = await (await bente.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
  const text = {
    ...(await getPageIn(bente, id)).text,
    title: ' ',
    body: [
      aParagraph('Goed'),
      { type: 'cta', title: 'x'.repeat(301), text: '', button: { title: 'x', url: 'javascript:alert(1)' } },
    ],
  }
  const refused = async (language: string) =>
    (
      await bente.request(`/api/pages/${id}/nl`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
        body: JSON.stringify({ text, version: 1 }),
      })
    ).json()
  const { errors } = await refused('nl')
  const paths = errors.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining(['text.title', 'text.body.1.title', 'text.body.1.button.url']))
  expect(paths.some((path: string) => path.startsWith('text.body.0'))).toBe(false)
  expect((await refused('fa')).errors[0].message).toMatch(/[\u0600-\u06ff]/)
  expect((await getPageIn(bente, id)).version).toBe(1)
})

// The database is not asked how long a text is.
test('a stored page can be saved again unchanged: text that sanitising makes too long is refused', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const id = await publishedPage(bente, { title: 'Werk' })
  const refused = async (body: unknown[]) => {
    const answer = await savePageIn(bente, id, { body })
    const { errors = [] } = await answer.json()
    return [answer.status, ...errors.map(({ path, message }: { path: string; message: string }) => [path, message])]
  }
  expect(await refused([aParagraph('<'.repeat(90_000))])).toEqual([
    422,
    ['text.body.0.content', 'Dit veld mag hoogstens 100.000 tekens lang zijn.'],
  ])
  const much = (blocks: number) => Array.from({ length: blocks }, () => aParagraph('&<'.repeat(10_000)))
  expect(await refused(much(12))).toEqual([
    422,
    ['text.body', 'De blokken van deze pagina bevatten samen te veel tekst. Verdeel de tekst over twee pagina’s.'],
  ])
  expect(await refused(much(10))).toEqual([200])
  expect((await savePageIn(bente, id, { title: 'Ons werk' })).status).toBe(200)
})
