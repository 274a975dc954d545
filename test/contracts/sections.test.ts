import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { RevisionGroup } from '../../src/contract/pages.ts'
import type { Section } from '../../src/contract/sections.ts'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { signInWithRights } from '../support/roles.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { anSvg, uploadFile } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const shared = (section: string, more: object = {}) => ({ type: 'section', section, ...more })
const problems = async (answer: Response) => {
  expect(answer.status).toBe(422)
  return ((await answer.json()).errors as { path: string; message: string }[]).map(
    ({ path, message }) => `${path}: ${message}`,
  )
}
const circle = 'Zo zou de sectie in zichzelf staan. Haal dit blok weg.'
const gone = 'Deze sectie bestaat hier niet (meer). Kies een andere of verwijder het blok.'

async function aSection(who: SignedIn, name: string, bodies: { nl?: unknown[]; fa?: unknown[] }): Promise<Section> {
  const answer = await who.post('/api/sections', { name, ...bodies })
  expect(answer.status, await answer.clone().text()).toBe(201)
  return answer.json()
}
const change = (who: SignedIn, { id, version, name }: Section, bodies: { nl?: unknown[]; fa?: unknown[] }) =>
  who.put(`/api/sections/${id}`, { name, version, ...bodies })
const html = async (site: TestApp, path: string) => (await site.request(path)).text()

async function aSite(database: DatabaseKind) {
  const site = await aTestApp({ database })
  return { site, bente: await as(site, 'beheerder') }
}

describe.each(databases)('a saved section, on %s,', (database) => {
  test('shows on each page with it, and its change shows at once on each, also on a second instance', async () => {
    const { site, bente } = await aSite(database)
    const other = await aTestApp({ beside: site })
    const section = await aSection(bente, 'Openingstijden', { nl: [aParagraph('Open tot zes uur')] })
    expect(section).toMatchObject({ version: 1, locales: ['nl'], types: ['rich-text'], usedBy: 0, fa: null })
    for (const title of ['Werk', 'Winkel']) {
      await publishedPage(bente, { title, body: [aParagraph(`Over ${title}`), shared(section.id)] })
    }
    for (const app of [site, other]) {
      for (const path of ['/werk', '/winkel']) expect(await html(app, path)).toContain('<p>Open tot zes uur</p>')
    }

    const answer = await change(bente, section, { nl: [aParagraph('Open tot <strong>zeven</strong> uur')] })
    expect(await answer.json()).toMatchObject({
      version: 2,
      usedBy: 2,
      usages: { pages: [{ title: 'Werk' }, { title: 'Winkel' }] },
    })
    for (const path of ['/werk', '/winkel']) {
      expect(await html(site, path)).toContain('<p>Open tot <strong>zeven</strong> uur</p>')
      await waitUntil(
        async () => (await html(other, path)).includes('<strong>zeven</strong>'),
        'change on the other instance',
      )
    }
    expect((await change(bente, section, { nl: [aParagraph('Dicht')] })).status, 'an older version').toBe(409)
  })

  test('that an API client sends back with changed Dutch blocks is saved with them, though `texts` still has the old ones', async () => {
    const { bente } = await aSite(database)
    const { id } = await aSection(bente, 'Tijden', { nl: [aParagraph('Open')], fa: [aParagraph('باز')] })
    const read: Section = await (await bente.get(`/api/sections/${id}`)).json()
    const { name, version, fa, texts } = read
    const sent = await bente.put(`/api/sections/${id}`, { name, version, nl: [aParagraph('Dicht')], fa, texts })
    expect(await sent.json()).toMatchObject({ version: 2, nl: [aParagraph('Dicht')], fa })
  })

  test('adds to its page what its blocks need: heading, questions, player and files', async () => {
    const { site, bente } = await aSite(database)
    const file = await uploadFile(bente, 'merk.svg', anSvg('<rect width="5" height="9"/>'))
    const inner = await aSection(bente, 'Vragen', {
      nl: [
        { type: 'faq', title: 'Vragen', items: [{ question: 'Wat kost het?', answer: '<p>Weinig.</p>' }] },
        { type: 'image', src: file.url, alt: 'Ons merk', className: '' },
      ],
    })
    const outer = await aSection(bente, 'Opening', {
      nl: [
        { type: 'content', selector: 'h1', content: 'Zelfgemaakte kop', className: '' },
        { type: 'video', title: 'Film', src: 'https://youtu.be/dQw4w9WgXcQ' },
        shared(inner.id),
      ],
    })
    await publishedPage(bente, { title: 'Werk', body: [shared(outer.id)] })
    const answer = await site.request('/werk')
    const shown = await answer.text()
    expect(shown.match(/<h1/g)).toHaveLength(1)
    expect(shown).toContain('<details')
    expect(shown).toContain('"@type":"FAQPage"')
    expect(shown).toMatch(/<span class="image[^>]*><img src="[^"]+" alt="Ons merk" width="/)
    expect(answer.headers.get('content-security-policy')).toContain('frame-src https://www.youtube-nocookie.com')

    const refused = await bente.delete(`/api/files/${file.id}`)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      current: { places: [{ type: 'section', name: 'Vragen', id: inner.id }] },
    })
    const missing = await change(bente, inner, {
      nl: [{ type: 'image', src: file.url.replace(/[0-9a-f]{32}/, '0'.repeat(32)), alt: '', className: '' }],
    })
    expect(await problems(missing)).toEqual(['nl.0.src: Dit bestand is er niet meer. Kies een ander.'])
  })

  test('never contains itself: not directly, not through two others, and not by two changes at the same moment', async () => {
    const { bente } = await aSite(database)
    const line = { type: 'line' }
    const one = await aSection(bente, 'Een', { nl: [line] })
    const two = await aSection(bente, 'Twee', { nl: [line, shared(one.id)] })
    const three = await aSection(bente, 'Drie', { nl: [shared(two.id)], fa: [line] })
    expect(await problems(await change(bente, one, { nl: [line, shared(one.id)] }))).toEqual([
      `nl.1.section: ${circle}`,
    ])
    expect(await problems(await change(bente, one, { nl: [line], fa: [shared(three.id)] }))).toEqual([
      `fa.0.section: ${circle}`,
    ])
    for (let turn = 0; turn < 3; turn++) {
      const [left, right] = [
        await aSection(bente, `L${turn}`, { nl: [line] }),
        await aSection(bente, `R${turn}`, { nl: [line] }),
      ]
      const answers = await Promise.all([
        change(bente, left, { nl: [shared(right.id)] }),
        change(bente, right, { nl: [shared(left.id)] }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    }
  })

  test('is shown once when the database says that it contains itself', async () => {
    const { site, bente } = await aSite(database)
    const one = await aSection(bente, 'Een', { nl: [aParagraph('Een keer')] })
    await publishedPage(bente, { title: 'Werk', body: [shared(one.id)] })
    await site.db.insertInto('section_part').values({ section_id: one.id, part_id: one.id }).execute()
    const body = JSON.stringify([aParagraph('Een keer'), shared(one.id, { showIf: 'always' })])
    await site.db.updateTable('section_text').set({ body }).execute()
    await site.app.context().transaction(async (tx) => {
      await tx.updateTable('section').set({ version: 2 }).execute()
    })
    const fresh = await aTestApp({ beside: site })
    expect((await html(fresh, '/werk')).match(/Een keer/g)).toHaveLength(1)
  })

  test('is not deleted while it is in use, also when the page is saved at the same moment, and the refusal says where', async () => {
    const { bente } = await aSite(database)
    const id = await publishedPage(bente, { title: 'Werk' })
    for (let turn = 0; turn < 4; turn++) {
      const section = await aSection(bente, `Sectie ${turn}`, { nl: [{ type: 'line' }] })
      const [saved, deleted] = await Promise.all([
        savePageIn(bente, id, { body: [shared(section.id)] }),
        bente.delete(`/api/sections/${section.id}`),
      ])
      expect([
        [200, 409],
        [422, 204],
      ]).toContainEqual([saved.status, deleted.status])
      if (saved.status === 422) expect(await problems(saved)).toEqual([`text.body.0.section: ${gone}`])
      else
        expect(await deleted.json()).toMatchObject({
          current: { usages: { pages: [{ id, title: 'Werk' }], sections: [] } },
        })
    }
  })

  test('a draft keeps the section that it refers to, and may refer to one that is gone', async () => {
    const { bente } = await aSite(database)
    const id = await publishedPage(bente, { title: 'Werk' })
    const { text } = await getPageIn(bente, id)
    const section = await aSection(bente, 'Sectie', { nl: [{ type: 'line' }] })
    const draft = (body: unknown[], revision: number) =>
      bente.put(`/api/pages/${id}/nl/draft`, { text: { ...text, body }, revision, baseVersion: 1 })
    expect(
      (
        await draft(
          [
            shared(section.id),
            shared('f'.repeat(32)),
            { type: 'section', section: { toString: 1 } },
            { type: 'section', section: '\u0000' },
          ],
          0,
        )
      ).status,
    ).toBe(200)
    expect((await bente.delete(`/api/sections/${section.id}`)).status).toBe(409)
    expect((await draft([], 1)).status).toBe(200)
    expect((await bente.delete(`/api/sections/${section.id}`)).status).toBe(204)
  })

  test('is limited in size with all that is in it, and in number on a page, with a message at its field', async () => {
    const { bente } = await aSite(database)
    const big = aParagraph('x'.repeat(60_000))
    const part = await aSection(bente, 'Deel', { nl: [{ type: 'line' }] })
    await aSection(bente, 'Geheel', { nl: [big, shared(part.id)] })
    const tooLarge = /^nl: Met alles wat erin staat/
    expect((await problems(await change(bente, part, { nl: [big] })))[0]).toMatch(tooLarge)
    const many = Array.from({ length: limits.sectionsInSection }, () => shared(part.id))
    expect(await problems(await bente.post('/api/sections', { name: 'Veel', nl: many }))).toEqual([
      'nl: Hier passen hoogstens 10 gedeelde secties.',
    ])
    const id = await publishedPage(bente, { title: 'Werk' })
    const on = (count: number) => savePageIn(bente, id, { body: Array.from({ length: count }, () => shared(part.id)) })
    expect((await on(limits.sectionsPerPage)).status).toBe(200)
    expect(await problems(await on(limits.sectionsPerPage + 1))).toEqual([
      'text.body.20.section: Hier passen hoogstens 20 gedeelde secties.',
    ])
  })

  test('is changed only by users who may publish while it is on a live page, also inside another section', async () => {
    const { site, bente } = await aSite(database)
    const writer = await signInWithRights(site, 'Wietske', ['pages.write'])
    const part = await aSection(writer, 'Deel', { nl: [aParagraph('Eerst')] })
    const whole = await aSection(writer, 'Geheel', { nl: [shared(part.id)] })
    expect((await change(writer, part, { nl: [aParagraph('Daarna')] })).status).toBe(200)
    await publishedPage(bente, { title: 'Werk', body: [shared(whole.id)] })
    const now: Section = await (await writer.get(`/api/sections/${part.id}`)).json()
    expect(now.can).toEqual({ change: false, delete: false })
    expect((await change(writer, now, { nl: [aParagraph('Stiekem')] })).status).toBe(403)
    expect((await change(bente, now, { nl: [aParagraph('Gekeurd')] })).status).toBe(200)
    expect(await html(site, '/werk')).toContain('Gekeurd')
  })

  test('keeps its revisions by language, in groups, and an earlier one shows again at once when it is restored', async () => {
    const { site, bente } = await aSite(database)
    const writer = await signInWithRights(site, 'Bram Schrijver', ['pages.write'])
    const first = await aSection(bente, 'Tijden', { nl: [aParagraph('Open tot zes uur')] })
    const { id } = first
    await publishedPage(bente, { title: 'Werk', body: [shared(id)] })
    const second = await (await change(bente, first, { nl: [aParagraph('Open tot zeven uur')] })).json()
    const both = { nl: [aParagraph('Open tot zeven uur')], fa: [aParagraph('تا ساعت هفت باز است')] }
    const third: Section = await (await change(bente, second, { ...both, nl: second.nl })).json()
    const path = `/api/sections/${id}`
    const list = async (locale: string, query = '') =>
      (await (await writer.get(`${path}/${locale}/revisions${query}`)).json()).data as RevisionGroup[]

    // The third save changed only the Persian blocks.
    const [group, ...others] = await list('nl')
    expect(others).toEqual([])
    expect(group).toMatchObject({ saves: 2, current: true, live: false, published: false, before: null })
    expect(await list('fa')).toMatchObject([{ saves: 1, by: { name: group?.by.name }, current: true }])
    const [last, before] = await list('nl', `?line=${group?.id}`)
    expect([last, before]).toMatchObject([{ current: true, before: before?.id }, { current: false }])
    const read = await (await writer.get(`${path}/nl/revisions/${before?.id}`)).json()
    expect(read.body).toMatchObject([{ type: 'rich-text', content: '<p>Open tot zes uur</p>' }])

    const restore = (who: SignedIn, version: number, locale = 'nl') =>
      who.post(`${path}/${locale}/revisions/${before?.id}/restore`, { version })
    expect((await restore(writer, third.version)).status, 'it is on a live page').toBe(403)
    expect((await restore(bente, second.version)).status, 'somebody saved meanwhile').toBe(409)
    expect((await restore(bente, third.version, 'fa')).status, 'of another language').toBe(404)
    expect(await html(site, '/werk')).toContain('Open tot zeven uur')
    const restored: Section = await (await restore(bente, third.version)).json()
    expect(restored).toMatchObject({ version: 4, name: 'Tijden', fa: third.fa, nl: first.nl })
    expect(await html(site, '/werk')).toContain('Open tot zes uur')
    expect((await list('nl', `?line=${group?.id}`))[0]).toMatchObject({ restoredFrom: before?.id, current: true })
    expect((await (await restore(bente, 4)).json()).version, 'the same text is not saved again').toBe(4)
    const audit = await (await bente.get('/api/audit?search=Tijden')).json()
    expect(audit.data[0]).toMatchObject({ action: 'section.restored', subject: { id } })

    // A language whose blocks were removed gets them back.
    const dutch: Section = await (await change(bente, restored, { nl: restored.nl as unknown[] })).json()
    expect(dutch.fa).toBeNull()
    const [removed] = await list('fa')
    const persian = removed?.saves === 2 ? (await list('fa', `?line=${removed.id}`))[1] : undefined
    const back = await bente.post(`${path}/fa/revisions/${persian?.id}/restore`, { version: dutch.version })
    expect(await back.json()).toMatchObject({ fa: third.fa, nl: first.nl })
    expect((await bente.get(`${path}/nl/revisions/${persian?.id}`)).status).toBe(404)
  })

  test('cannot be changed by a writer while it is in a text that waits for review', async () => {
    const { site } = await aSite(database)
    const writer = await signInWithRights(site, 'Wietske', ['pages.write'])
    const section = await aSection(writer, 'Sectie', { nl: [aParagraph('Gezien')] })
    const { id } = await (await writer.post('/api/pages', { title: 'Werk', locale: 'nl' })).json()
    expect((await savePageIn(writer, id, { body: [shared(section.id)] })).status).toBe(200)
    const { version } = await getPageIn(writer, id)
    const offered = await writer.post(`/api/pages/${id}/nl/review`, { version, note: '' })
    const { review } = await offered.json()
    expect((await change(writer, section, { nl: [aParagraph('Ongezien')] })).status).toBe(403)
    expect((await writer.post(`/api/pages/${id}/nl/review/withdraw`, { number: review.number })).status).toBe(200)
    expect((await change(writer, section, { nl: [aParagraph('Aangepast')] })).status).toBe(200)
  })

  test.each([
    ['live', null],
    ['scheduled', '2999-01-01T00:00:00.000Z'],
  ])(
    'cannot be changed or deleted by a writer while it is on a page in the trash that was %s before',
    async (_, publishAt) => {
      const { site, bente } = await aSite(database)
      const writer = await signInWithRights(site, 'Wietske', ['pages.write'])
      const section = await aSection(writer, 'Sectie', { nl: [aParagraph('Gezien')] })
      const id = await publishedPage(bente, { title: 'Werk', body: [shared(section.id)] })
      if (publishAt !== null) {
        const { version } = await getPageIn(bente, id)
        expect((await bente.post(`/api/pages/${id}/nl/unpublish`, { version })).status).toBe(200)
        const plan = { version, publishAt, unpublishAt: null }
        expect((await bente.put(`/api/pages/${id}/nl/plan`, plan)).status).toBe(200)
      }
      expect((await savePageIn(writer, id, { body: [] })).status).toBe(200)
      expect((await bente.post(`/api/pages/${id}/bin`)).status).toBe(200)
      expect((await change(writer, section, { nl: [aParagraph('Ongezien')] })).status).toBe(403)
      expect((await writer.delete(`/api/sections/${section.id}`)).status).toBe(409)
      expect((await bente.post(`/api/pages/${id}/restore`)).status).toBe(200)
      expect((await change(writer, section, { nl: [aParagraph('Ongezien')] })).status).toBe(403)
    },
  )
})

test('a Persian page shows a section without Persian blocks in Dutch, and marks it', async () => {
  const { site, bente } = await aSite('sqlite')
  const section = await aSection(bente, 'Tijden', { nl: [aParagraph('Open tot zes uur, [year]')] })
  await publishedPage(bente, { title: 'کار', locale: 'fa', slug: 'kar', body: [shared(section.id)] })
  expect(await html(site, '/fa/kar')).toMatch(/<div lang="nl" dir="ltr">.*Open tot zes uur, 20\d\d</s)
  expect((await change(bente, section, { nl: [aParagraph('Open')], fa: [aParagraph('تا ساعت شش')] })).status).toBe(200)
  const persian = await html(site, '/fa/kar')
  expect(persian).toContain('<p>تا ساعت شش</p>')
  expect(persian).not.toContain('<div lang="nl"')
})

test('a section is shown only to the visitors for whom its block on the page is meant', async () => {
  const { site, bente } = await aSite('sqlite')
  const section = await aSection(bente, 'Voor leden', { nl: [aParagraph('Alleen voor u')] })
  await publishedPage(bente, { title: 'Werk', body: [shared(section.id, { showIf: 'logged-in' })] })
  expect(await html(site, '/werk')).not.toContain('Alleen voor u')
  expect(await (await bente.get('/werk')).text()).toContain('Alleen voor u')
})

test('a configuration file has copies of the sections, and refuses references to them', async () => {
  const { bente } = await aSite('sqlite')
  const section = await aSection(bente, 'Tijden', { nl: [aParagraph('Open tot zes uur')] })
  const { data } = await (await bente.get('/api/pages?search=disclaimer')).json()
  const body = [aParagraph('Vooraf'), shared(section.id)]
  expect((await savePageIn(bente, data[0].id, { body }, { publish: true })).status).toBe(200)
  const file = await (await bente.get('/api/config/export')).text()
  expect(file).toContain('Open tot zes uur')
  expect(file).not.toContain(section.id)
  const check = await bente.post('/api/config/check', { file })
  expect(await check.json()).toMatchObject({ pages: [] })

  const wrong = JSON.parse(file)
  const index = wrong.pages.findIndex(({ slug }: { slug: string }) => slug === 'disclaimer')
  wrong.pages[index].content.nl.body = body
  wrong.branding.footer.left.nl.push(shared(section.id))
  expect(await problems(await bente.post('/api/config/check', { file: JSON.stringify(wrong) }))).toEqual(
    expect.arrayContaining([
      `pages.${index}.content.nl.body.1.type: Een configuratie kan geen gedeelde secties bevatten. Zet de blokken van de sectie zelf op deze plaats.`,
      expect.stringContaining('branding.footer.left.nl.'),
    ]),
  )
})

test('an export that the operator imports again leaves shared sections shared', async () => {
  const { site, bente } = await aSite('sqlite')
  const section = await aSection(bente, 'Tijden', { nl: [aParagraph('Open tot zes uur')] })
  const { data } = await (await bente.get('/api/pages?search=disclaimer')).json()
  const id = data[0].id
  expect((await savePageIn(bente, id, { body: [shared(section.id)] }, { publish: true })).status).toBe(200)
  const text = await (await bente.get('/api/config/export')).text()
  await importConfiguration(site.app.context(), { text, note: 'test' })
  expect((await getPageIn(bente, id)).text.body).toMatchObject([shared(section.id)])
})

test('an export with more blocks than a page may have is imported whole into another site, and must be shortened before it is saved', async () => {
  const { bente } = await aSite('sqlite')
  const list = Array.from({ length: 50 }, (_, index) => aParagraph(`Regel ${index}`))
  const section = await aSection(bente, 'Lijst', { nl: list })
  const { data } = await (await bente.get('/api/pages?search=disclaimer')).json()
  const body = Array.from({ length: 7 }, () => shared(section.id))
  expect((await savePageIn(bente, data[0].id, { body }, { publish: true })).status).toBe(200)
  const file = await (await bente.get('/api/config/export')).text()
  expect(await (await bente.post('/api/config/check', { file })).json()).toMatchObject({ pages: [] })

  const elsewhere = await aSite('sqlite')
  const answer = await elsewhere.bente.post('/api/config/import', { version: 0, file })
  expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
  await expect.poll(async () => (await html(elsewhere.site, '/disclaimer')).match(/Regel 49</g)?.length).toBe(7)

  const editor = elsewhere.bente
  const [{ id }] = (await (await editor.get('/api/pages?search=disclaimer')).json()).data
  const { text, version: baseVersion, draftRevision } = await getPageIn(editor, id)
  expect(text.body).toHaveLength(350)
  expect(await problems(await savePageIn(editor, id, { title: 'Lang' }))).toEqual([
    'text.body: Op een pagina passen hoogstens 300 blokken. Verwijder er een paar, of verdeel ze over twee pagina’s.',
  ])
  // Meanwhile it is kept as a draft, also while it is still too long.
  const kept = { ...text, body: text.body.slice(0, 320) }
  const draft = await editor.put(`/api/pages/${id}/nl/draft`, { text: kept, baseVersion, revision: draftRevision })
  expect([draft.status, draft.ok ? '' : await draft.text()]).toEqual([200, ''])
  expect((await savePageIn(editor, id, { title: 'Lang', body: text.body.slice(0, 300) })).status).toBe(200)
  expect((await getPageIn(editor, id)).text.body).toHaveLength(300)
})

test('a restored text with a section, and a copy of the page, show the section as the page did', async () => {
  const { site, bente } = await aSite('sqlite')
  const section = await aSection(bente, 'Tijden', { nl: [aParagraph('Open tot zes uur')] })
  const id = await publishedPage(bente, { title: 'Werk', body: [shared(section.id)] })
  const { version } = await getPageIn(bente, id)
  const revisions = await (await bente.get(`/api/pages/${id}/nl/revisions`)).json()
  expect((await savePageIn(bente, id, { body: [] }, { publish: true })).status).toBe(200)
  expect(await html(site, '/werk')).not.toContain('Open tot zes uur')
  const restored = await bente.post(`/api/pages/${id}/nl/revisions/${revisions.data[0].id}/restore`, {
    version: version + 1,
  })
  expect(restored.status).toBe(200)
  expect((await bente.delete(`/api/sections/${section.id}`)).status).toBe(409)
  const copy = await (await bente.post(`/api/pages/${id}/duplicate`)).json()
  expect((await getPageIn(bente, copy.id)).text.body).toMatchObject([shared(section.id)])
})

test('the preview of a draft and the editor show the sections in it', async () => {
  const { site, bente } = await aSite('sqlite')
  const part = await aSection(bente, 'Deel', { nl: [aParagraph('Het deel')] })
  const whole = await aSection(bente, 'Geheel', { nl: [shared(part.id)] })
  const id = await publishedPage(bente, { title: 'Werk' })
  expect((await savePageIn(bente, id, { body: [shared(whole.id)] })).status).toBe(200)
  const { url } = await (await bente.post(`/api/pages/${id}/nl/preview`)).json()
  expect(await html(site, new URL(url).pathname)).toContain('Het deel')
  const data = await (await bente.post('/api/scene', { pictures: [], sections: [whole.id], locale: 'fa' })).json()
  expect(data.sections).toMatchObject({
    [whole.id]: { name: 'Geheel', locale: 'nl' },
    [part.id]: { name: 'Deel', body: [{ type: 'rich-text' }] },
  })
})

test('the preview of a draft shows no more sections than a page may have', async () => {
  const { site, bente } = await aSite('sqlite')
  const section = await aSection(bente, 'Sectie', { nl: [aParagraph('Gedeeld')] })
  const id = await publishedPage(bente, { title: 'Werk' })
  const { text, version } = await getPageIn(bente, id)
  const body = [...Array.from({ length: limits.sectionsPerPage + 5 }, () => shared(section.id)), aParagraph('Einde')]
  const draft = { text: { ...text, body }, revision: 0, baseVersion: version }
  expect((await bente.put(`/api/pages/${id}/nl/draft`, draft)).status).toBe(200)
  const { url } = await (await bente.post(`/api/pages/${id}/nl/preview`)).json()
  const shown = await html(site, new URL(url).pathname)
  expect(shown.match(/Gedeeld/g)).toHaveLength(limits.sectionsPerPage)
  expect(shown).toContain('Einde')
})

test('wrong input is refused at its field', async () => {
  const { bente } = await aSite('sqlite')
  await aSection(bente, 'Tijden', { nl: [{ type: 'line' }] })
  const post = async (body: unknown) => problems(await bente.post('/api/sections', body))
  expect(await post({ name: 'Tijden', nl: [{ type: 'line' }] })).toEqual(['name: Deze waarde is al in gebruik.'])
  expect(await post({ name: ' ', nl: [] })).toHaveLength(2)
  expect(await post({ name: 'Leeg' })).toEqual(['nl: Dit is een verplicht veld!'])
  expect(await post({ name: 'X', nl: [shared('f'.repeat(32))] })).toEqual([`nl.0.section: ${gone}`])
  expect(
    await post({
      name: 'X',
      nl: [shared('5'), { type: 'columns', columns: [{ blocks: [shared('f'.repeat(32))] }, { blocks: [] }] }],
    }),
  ).toHaveLength(2)
  expect((await bente.get('/api/sections/5')).status).toBe(404)
})
