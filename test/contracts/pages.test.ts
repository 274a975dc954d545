import { describe, expect, test } from 'vitest'
import type { ListedPage, StalePage } from '../../src/contract/pages.ts'
import { databases } from '../support/databases.ts'
import { aParagraph, pageIn, publishedPage, saved } from '../support/pages.ts'
import { someoneWith } from '../support/roles.ts'
import { as, type SignedIn, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const idsOf = async (answer: Response): Promise<number[]> =>
  ((await answer.json()).data as ListedPage[]).map(({ id }) => id)
const problemsOf = async (answer: Response) => [answer.status, (await answer.json()).errors]
const fixedId = async (site: TestApp, slug: string) =>
  (await site.db.selectFrom('page_seed').select('page_id').where('slug', '=', slug).executeTakeFirstOrThrow())
    .page_id as number

describe.each(databases)('on %s', (database) => {
  test('spec 3: Page has title, slug and body; a new one is made from its title, and visitors do not see it', async () => {
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

    const kept = await saved(bente, id, { title: 'Cafés', body: [aParagraph('Gezellig')] })
    expect(await kept.json()).toMatchObject({ version: 2, state: 'unpublished', text: { title: 'Cafés' } })
    const { text } = await pageIn(bente, id)
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

  test('home, privacy statement and disclaimer are pages like any other, edited here, with their address kept', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { data } = await (await bente.get('/api/pages?sort=title')).json()
    expect(data.map(({ fixed, nl, fa }: ListedPage) => [fixed, nl?.path, fa?.path, nl?.state])).toEqual([
      [true, '/disclaimer', '/fa/disclaimer', 'published'],
      [true, '/privacy-verklaring', '/fa/privacy-verklaring', 'published'],
      [true, '/', '/fa', 'published'],
    ])
    const id = await fixedId(site, 'disclaimer')
    expect(await problemsOf(await saved(bente, id, { slug: 'anders' }))).toEqual([
      422,
      [{ path: 'text.slug', message: 'Het adres van deze pagina ligt vast.' }],
    ])
    const before = await pageIn(bente, id)
    expect((await bente.post(`/api/pages/${id}/nl/unpublish`, { version: before.version })).status).toBe(409)
    expect((await (await bente.post(`/api/pages/${id}/bin`)).json()).code).toBe('fixed_page')
    const plan = { version: before.version, publishAt: null, unpublishAt: '2999-01-01T00:00:00.000Z' }
    expect((await problemsOf(await bente.put(`/api/pages/${id}/nl/plan`, plan)))[0]).toBe(422)
    expect((await saved(bente, id, { title: 'Kleine lettertjes' }, { publish: true })).status).toBe(200)
    await expect.poll(async () => (await site.request('/disclaimer')).text()).toContain('Kleine lettertjes')
    expect((await bente.post(`/api/pages/${id}/fa/unpublish`, { version: 1 })).status).toBe(200)
  })

  test('a slug is suggested from the title, is unique per language, and a reserved one is refused with the reason', async () => {
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
      const refused = await problemsOf(await saved(bente, id, { slug }))
      expect(refused).toEqual([422, [{ path: 'text.slug', message: 'Dit is een verplicht veld!' }]])
    }
    expect((await saved(bente, id, { slug: '' })).status).toBe(422)
  })

  test('pages that are made and saved at the same moment get an address each, and lose nothing', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const create = () => bente.post('/api/pages', { title: 'Werk', locale: 'nl' })
    const made: ListedPage[] = await Promise.all(Array.from({ length: 8 }, async () => (await create()).json()))
    expect(new Set(made.map(({ nl }) => nl?.slug)).size).toBe(8)

    const id = made[0]?.id ?? 0
    const before = await pageIn(bente, id)
    const fields = ['seoTitle', 'description', 'title']
    const answers = await Promise.all(
      fields.map((field) =>
        bente.put(`/api/pages/${id}/nl`, { text: { ...before.text, [field]: `Nieuw ${field}` }, version: 1 }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const after = await pageIn(bente, id)
    expect(after.version).toBe(4)
    for (const field of fields) expect(after.text[field as 'title']).toBe(`Nieuw ${field}`)
  })

  test('what a block refuses is said at its block and field, in the language of the caller', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
    const text = {
      ...(await pageIn(bente, id)).text,
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
    expect((await pageIn(bente, id)).version).toBe(1)
  })

  test('a page that is stored can be sent back: text that becomes too long by cleaning is refused', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk' })
    const refused = async (body: unknown[]) => {
      const answer = await saved(bente, id, { body })
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
    expect((await saved(bente, id, { title: 'Ons werk' })).status).toBe(200)
  })

  test('saving is not publishing: visitors see the live text until somebody publishes', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste')] })
    expect(await (await site.request('/werk')).text()).toContain('Eerste')
    expect(await (await saved(bente, id, { body: [aParagraph('Tweede')] })).json()).toMatchObject({
      state: 'changed',
      path: '/werk',
    })
    const shown = async () => (await site.request(`/werk?${Math.random()}`)).text()
    expect(await shown()).toContain('Eerste')
    const { version } = await pageIn(bente, id)
    expect((await bente.post(`/api/pages/${id}/nl/publish`, { version: version - 1 })).status).toBe(409)
    expect((await bente.post(`/api/pages/${id}/nl/publish`, { version })).status).toBe(200)
    await expect.poll(shown).toContain('Tweede')
    expect((await bente.post(`/api/pages/${id}/nl/unpublish`, { version })).status).toBe(200)
    await expect.poll(async () => (await site.request('/werk')).status).toBe(404)
    expect(await pageIn(bente, id)).toMatchObject({ state: 'unpublished', path: null, version })
  })

  test('who may write and not publish saves, and shows visitors nothing', async () => {
    const site = await aTestApp({ database })
    const sanne = await someoneWith(site, 'Sanne', ['pages.write'])
    const bente = await as(site, 'beheerder')
    const { id } = await (await sanne.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
    expect((await saved(sanne, id, { title: 'Werken' }, { publish: true })).status).toBe(403)
    expect((await pageIn(bente, id)).version).toBe(1)
    expect((await saved(sanne, id, { title: 'Werken' })).status).toBe(200)
    expect((await saved(bente, id, {}, { publish: true })).status).toBe(200)
    expect((await sanne.post(`/api/pages/${id}/bin`)).status).toBe(403)
    expect((await pageIn(sanne, id)).can).toEqual({ change: true, publish: false, delete: false })
  })

  test('spec 4: what two people changed in different blocks is joined and said; the same one differently is refused with both', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const { id } = await (await bente.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
    await saved(bente, id, { body: [aParagraph('Een', { id: 'a' }), aParagraph('Twee', { id: 'b' })] })

    expect(
      (
        await saved(rik, id, {
          title: 'Ons werk',
          body: [aParagraph('EEN', { id: 'a' }), aParagraph('Twee', { id: 'b' })],
        })
      ).status,
    ).toBe(200)
    const { text: now } = await pageIn(bente, id)
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
    expect((await pageIn(bente, id)).text.title).toBe('Ons werk')
  })

  test('a page is published and ends at the moments that were planned, once, also when the program was off', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const now = () => new Date(at)
    const site = await aTestApp({ database, now })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    await saved(bente, id, { body: [aParagraph('Gepland')] })
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
    await saved(bente, id, { body: [aParagraph('Later geschreven')] })

    at = new Date('2026-11-22T08:00:01Z').getTime()
    const other = await aTestApp({ database, beside: site, now })
    await expect.poll(async () => (await site.request('/actie')).status, { timeout: 15_000 }).toBe(200)
    expect(await (await site.request('/actie')).text()).toContain('Gepland')
    expect(await pageIn(bente, id)).toMatchObject({ state: 'changed', publishAt: null, plannedVersion: null })
    await other.stop()
    await site.stop()

    at = new Date('2026-11-24T00:00:00Z').getTime()
    const next = await aTestApp({ database, beside: site, now })
    await expect.poll(async () => (await next.request('/actie')).status, { timeout: 15_000 }).toBe(404)
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
  }, 60_000)

  test('what two people add to the same columns is asked, and not stored, when both together do not fit', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const lines = (whose: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({ type: 'line', id: `${whose}${at}` }))
    const columns = (blocks: object[]) => [{ type: 'columns', id: 'k', columns: [{ blocks }, { blocks: [] }] }]
    const id = await publishedPage(bente, { title: 'Werk', body: columns(lines('a', 2)) })
    const { version } = await pageIn(bente, id)
    const mine = columns([...lines('a', 2), ...lines('m', 15)])
    const theirs = columns([...lines('a', 2), ...lines('t', 15)])
    expect((await saved(rik, id, { body: theirs }, { version })).status).toBe(200)
    const answer = await saved(bente, id, { body: mine }, { version })
    expect(answer.status).toBe(409)
    const { code, current } = (await answer.json()) as { code: string; current: StalePage }
    expect(code).toBe('stale')
    expect(current.conflicts).toMatchObject([{ field: 'body', block: 'k', mine: mine[0], theirs: theirs[0] }])
    expect(current.merged.body).toMatchObject(mine)
    expect((await pageIn(bente, id)).text.body).toMatchObject(theirs)

    const many = Array.from({ length: 160 }, (_, at) => at)
    const long = await publishedPage(bente, { title: 'Lang' })
    const { version: begun } = await pageIn(bente, long)
    const body = (whose: string) => many.map((at) => ({ type: 'line', id: `${whose}${at}` }))
    expect((await saved(rik, long, { body: body('t') }, { version: begun })).status).toBe(200)
    const both = await saved(bente, long, { body: body('m') }, { version: begun })
    expect(both.status).toBe(409)
    const told: StalePage = (await both.json()).current
    expect(told.conflicts).toMatchObject([{ field: 'body', block: null, mine: body('m'), theirs: body('t') }])
    expect(told.merged.body).toMatchObject(body('m'))
  })

  test('a copy has the texts of both languages under addresses of its own, and visitors do not see it', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await fixedId(site, '')
    const answer = await bente.post(`/api/pages/${id}/duplicate`)
    expect(answer.status).toBe(201)
    const copy = (await answer.json()) as ListedPage
    expect(copy).toMatchObject({ fixed: false, nl: { state: 'unpublished' }, fa: { state: 'unpublished' } })
    expect(copy.nl?.title).toMatch(/^Kopie van /)
    expect(copy.fa?.title).toMatch(/^رونوشت /)
    const [own, copied] = [await pageIn(bente, id), await pageIn(bente, copy.id)]
    expect(copied.text.body).toEqual(own.text.body)
    expect((await site.request(`/${copied.text.slug}`)).status).toBe(404)
  })

  test('the bin: visitors do not find the page, it comes back as it was, under a number when its address was taken', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const sanne = await someoneWith(site, 'Sanne', ['pages.write'])
    const id = await publishedPage(bente, { title: 'Werk' })
    expect((await site.request('/werk')).status).toBe(200)
    expect((await bente.delete(`/api/pages/${id}`)).status).toBe(409)
    expect((await (await bente.post(`/api/pages/${id}/bin`)).json()).deletedAt).toEqual(expect.any(String))
    await expect.poll(async () => (await site.request('/werk')).status).toBe(404)
    expect(await idsOf(await bente.get('/api/pages'))).not.toContain(id)
    expect(await idsOf(await bente.get('/api/pages?bin=true'))).toEqual([id])
    expect((await (await saved(bente, id, { title: 'X' })).json()).code).toBe('page_in_bin')
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(409)

    expect(await (await bente.post(`/api/pages/${id}/restore`)).json()).toMatchObject({ renamed: [], deletedAt: null })
    await expect.poll(async () => (await site.request('/werk')).status).toBe(200)
    await bente.post(`/api/pages/${id}/bin`)
    const other = await publishedPage(bente, { title: 'Werk' })
    expect(await (await sanne.post(`/api/pages/${id}/restore`)).json()).toMatchObject({
      renamed: [{ locale: 'nl', from: 'werk', to: 'werk-2' }],
      nl: { slug: 'werk-2', state: 'unpublished' },
    })
    expect((await pageIn(bente, id)).text.slug).toBe('werk-2')
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

  test('what visitors saw until it came into the bin is deleted by who may publish, also when it was restored meanwhile', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const sanne = await someoneWith(site, 'Sanne', ['pages.write'])
    const id = await publishedPage(bente, { title: 'Werk' })
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    const inBin = async () => (await (await sanne.get('/api/pages?bin=true')).json()).data
    expect(await inBin()).toMatchObject([{ id, can: { delete: false } }])
    expect((await sanne.delete(`/api/pages/${id}`)).status).toBe(403)
    for (const move of ['restore', 'bin']) expect((await sanne.post(`/api/pages/${id}/${move}`)).status).toBe(200)
    expect(await inBin()).toMatchObject([{ id, can: { delete: false } }])
    expect((await sanne.delete(`/api/pages/${id}`)).status).toBe(403)

    // Once somebody who may publish put it there unpublished, it is as any other that nobody sees.
    expect((await sanne.post(`/api/pages/${id}/restore`)).status).toBe(200)
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
    expect((await sanne.delete(`/api/pages/${id}`)).status).toBe(204)
  })

  test('a page that is planned counts as live for the bin: who may only write cannot drop the plan that way', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const sanne = await someoneWith(site, 'Sanne', ['pages.write'])
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    expect((await pageIn(sanne, id)).can.delete).toBe(true)
    const publishAt = '2999-01-01T00:00:00.000Z'
    await saved(bente, id, { body: [aParagraph('Gepland')] })
    expect((await bente.put(`/api/pages/${id}/nl/plan`, { version: 2, publishAt, unpublishAt: null })).status).toBe(200)
    expect((await pageIn(sanne, id)).can.delete).toBe(false)
    expect((await sanne.post(`/api/pages/${id}/bin`)).status).toBe(403)
    expect((await pageIn(bente, id)).publishAt).toBe(publishAt)
    expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
  })

  test('a plan comes back with its page out of the bin while its time is still to come, else it is told that it is gone', async () => {
    let now = new Date()
    const site = await aTestApp({ database, now: () => now })
    const bente = await as(site, 'beheerder')
    const sanne = await someoneWith(site, 'Sanne', ['pages.write'])
    const { id } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    const publishAt = '2999-01-01T00:00:00.000Z'
    const unpublishAt = '2999-02-01T00:00:00.000Z'
    const plan = { publishAt, unpublishAt }
    const restored = async (who: SignedIn) => (await who.post(`/api/pages/${id}/restore`)).json()
    await bente.put(`/api/pages/${id}/nl/plan`, { version: 1, ...plan })

    await bente.post(`/api/pages/${id}/bin`)
    expect(await restored(bente)).toMatchObject({ unplanned: [], nl: { state: 'unpublished', ...plan } })
    expect(await pageIn(bente, id)).toMatchObject(plan)

    await bente.post(`/api/pages/${id}/bin`)
    const { id: other } = await (await bente.post('/api/pages', { title: 'Actie', locale: 'nl' })).json()
    expect((await restored(bente)).renamed).toEqual([{ locale: 'nl', from: 'actie', to: 'actie-2' }])
    expect(await pageIn(bente, id)).toMatchObject({ ...plan, plannedVersion: 2 })
    expect((await bente.put(`/api/pages/${other}/nl/plan`, { version: 1, ...plan })).status).toBe(200)

    await bente.post(`/api/pages/${id}/bin`)
    expect((await restored(sanne)).unplanned).toEqual(['nl'])
    expect(await pageIn(bente, id)).toMatchObject({ publishAt: null, unpublishAt: null })

    const soon = new Date(now.getTime() + 60_000).toISOString()
    expect((await bente.put(`/api/pages/${id}/nl/plan`, { version: 2, publishAt: soon, unpublishAt })).status).toBe(200)
    await bente.post(`/api/pages/${id}/bin`)
    now = new Date(now.getTime() + 120_000)
    expect((await restored(bente)).unplanned).toEqual(['nl'])
    expect(await pageIn(bente, id)).toMatchObject({ state: 'unpublished', publishAt: null, unpublishAt: null })
  })

  test('what led to a page by itself goes with it, but not what leads to an address that another page has', async () => {
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
    await saved(bente, id, { slug: 'ons-werk' }, { publish: true })
    await saved(bente, id, { slug: 'nog-niet-gezien' })
    expect(await redirects()).toEqual([['/werk', '/ons-werk']])
    await gone(id)
    expect(await redirects()).toEqual([])

    const first = await publishedPage(bente, { title: 'Team' })
    await saved(bente, first, { slug: 'ons-team' }, { publish: true })
    expect((await bente.post(`/api/pages/${first}/bin`)).status).toBe(200)
    await publishedPage(bente, { title: 'Ons team' })
    expect((await bente.delete(`/api/pages/${first}`)).status).toBe(204)
    expect(await redirects()).toEqual([['/team', '/ons-team']])
  })

  test('an address and a title that get something added stay as short as they must be, with whole letters', async () => {
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
        expect((await saved(bente, copy.id, { description: 'Nieuw' })).status).toBe(200)
      }
    }
  })

  test('the history: saves of one person without a long pause are one line, and any of them is brought back', async () => {
    let at = new Date('2026-11-21T08:00:00Z').getTime()
    const site = await aTestApp({ database, now: () => new Date(at) })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    const id = await publishedPage(bente, { title: 'Werk', body: [aParagraph('Eerste', { id: 'a' })] })
    at += 10 * 60_000
    await saved(bente, id, { title: 'Werken' })
    at += 60_000
    await saved(rik, id, { title: 'Arbeid' })
    at += 31 * 60_000
    await saved(rik, id, { title: 'Klussen', slug: 'klussen' })
    const { data, meta } = await (await bente.get(`/api/pages/${id}/nl/revisions?pageSize=2`)).json()
    expect(meta.total).toBe(4)
    expect(
      data.map(({ by, saves, live }: { by: { name: string }; saves: number; live: boolean }) => [by.name, saves, live]),
    ).toEqual([
      [staff.redacteur.name, 1, false],
      [staff.redacteur.name, 1, false],
    ])
    const [, , later, first] = (await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()).data
    // What visitors saw ends a line: the mistake that was saved a minute later can be undone.
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

    // A line is unfolded into its saves, each with what stood before it.
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
  })

  test('publishing a page takes the place of its plan, and that is said and written down', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const publishAt = new Date(Date.now() + 86_400_000).toISOString()
    for (const byHand of [
      (id: number) => saved(bente, id, {}, { publish: true }),
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
      expect(await (await saved(bente, id, { title: 'Nu' }, { publish: true })).json()).toMatchObject({
        droppedPlan: null,
      })
    }
  })

  test('the log tells which page, in which language, which fields, and where one sees the difference', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Oud', body: [aParagraph('Eerste', { id: 'a' })] })
    const log = async () => (await (await bente.get(`/api/audit?subjectType=page&subjectId=${id}`)).json()).data
    await saved(bente, id, { title: 'Nieuw' })
    const [titled] = await log()
    expect(titled).toMatchObject({
      action: 'page.updated',
      subject: { name: 'Nieuw' },
      before: { title: 'Oud' },
      after: { title: 'Nieuw', language: 'nl' },
    })
    expect(titled.subject).not.toHaveProperty('now')
    expect(titled.after).not.toHaveProperty('body')
    await saved(bente, id, { body: [aParagraph('Tweede', { id: 'a' })] })
    const [written, , published] = await log()
    expect(written.after).toEqual({ body: 'changed', language: 'nl', revision: expect.any(Number) })
    const { text, before } = await (await bente.get(`/api/pages/${id}/nl/revisions/${written.after.revision}`)).json()
    expect(text.body[0].content).toContain('Tweede')
    expect(before).toBe(titled.after.revision)
    // What it was called then, and now.
    expect(published).toMatchObject({ action: 'page.published', subject: { name: 'Oud', now: 'Nieuw' } })
  })

  test('the list is searched in both languages and filtered by state and language', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const werk = await publishedPage(bente, { title: 'Ons werk' })
    const { id: leeg } = await (await bente.post('/api/pages', { title: 'Over ons', locale: 'nl' })).json()
    await saved(bente, werk, { title: 'کارهای ما', slug: 'کارها' }, { locale: 'fa' })
    await saved(bente, leeg, { title: 'Over ons allen' })
    const found = async (query: string) => idsOf(await bente.get(`/api/pages?${query}`))
    expect(await found('search=werk')).toEqual([werk])
    expect(await found(`search=${encodeURIComponent('كارهاي')}`)).toEqual([werk])
    expect(await found('search=ons')).toEqual([leeg, werk])
    expect(await found('search=ons&sort=title')).toEqual([werk, leeg])
    expect(await found('status=unpublished&locale=nl')).toEqual([leeg])
    expect(await found('status=unpublished&locale=fa')).toEqual([werk])
    expect((await found('status=published&locale=nl')).length).toBe(4)
    await saved(bente, werk, { title: 'Al ons werk' })
    expect(await found('status=changed')).toEqual([werk])
    expect((await found('locale=fa')).length).toBe(4)
  })
})

test('stored script through title, slug and search engine fields stays text on the page and in the sitemap', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const id = await publishedPage(bente, { title: evil, slug: 'kwaad' })
  await saved(bente, id, { seoTitle: evil, description: `${evil}'--`, body: [aParagraph(evil)] }, { publish: true })
  const html = await (await site.request('/kwaad')).text()
  expect(html).not.toContain('<script>alert(1)')
  expect(html).not.toContain('<img src=x')
  for (const picture of ['javascript:alert(1)', 'https://elders.example/x.png', '/files/x/" onload="x', '//elders/x']) {
    expect((await saved(bente, id, { picture })).status).toBe(422)
  }
  expect((await saved(bente, id, { slug: 'x"><script>' })).status).toBe(422)
  expect(await (await site.request('/sitemap.xml')).text()).not.toContain('<script')
})
