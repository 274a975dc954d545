import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { PageInLocale } from '../../src/contract/pages.ts'
import { news } from '../support/collections.ts'
import { databases } from '../support/databases.ts'
import { aPage, aParagraph, getPageIn, publishedPage, savePageIn } from '../support/pages.ts'
import { aRole, signInWithRights } from '../support/roles.ts'
import { as, aUser, type SignedIn, staff, withSession } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPdf, uploadFile } from '../support/uploads.ts'
import { emailsTo } from '../support/written-emails.ts'

const wietske = { name: 'Wietske Schrijver', email: 'wietske@example.nl' }

/** Wietske may write pages and not publish them. */
const aWriter = async (site: TestApp): Promise<SignedIn> =>
  withSession(site, await aUser(site, { ...wietske, roleId: await aRole(site, 'Schrijver', ['pages.write']) }))

const review = async (who: SignedIn, id: number, act: string, body: object) => {
  const answer = await who.post(`/api/pages/${id}/nl/review${act}`, body)
  return { status: answer.status, body: await answer.json() }
}
const reviewOf = (page: PageInLocale) => page.review
const reviewsFor = async (who: SignedIn) => (await (await who.get('/api/dashboard')).json()).news.reviews
const wantsEmails = (who: SignedIn, { name, email }: { name: string; email: string }) =>
  who.put('/api/profile', { name, email, locale: 'nl', reviewEmails: true })

describe.each(databases)('on %s', (database) => {
  test('a writer offers a text for review, a publisher gets an email, sends it back, gets it again and publishes it', async () => {
    const site = await aTestApp({ database })
    const [writer, rik, bente] = [await aWriter(site), await as(site, 'redacteur'), await as(site, 'beheerder')]
    const id = await publishedPage(bente, { title: 'Ons werk', body: [aParagraph('Oud')] })
    expect((await review(writer, id, '', { version: 2, note: '' })).body.code).toBe('nothing_to_review')
    expect((await savePageIn(writer, id, { body: [aParagraph('Nieuw')] })).status).toBe(200)
    expect((await review(writer, id, '', { version: 2, note: '' })).body.code).toBe('stale')

    // Only who chose so gets emails.
    expect(await (await wantsEmails(rik, staff.redacteur)).json()).toMatchObject({ reviewEmails: true })
    await wantsEmails(writer, wietske)
    const offered = await review(writer, id, '', { version: 3, note: 'Let op de\ntweede alinea.' })
    expect(offered.status).toBe(200)
    expect(reviewOf(offered.body)).toMatchObject({
      number: 1,
      state: 'waiting',
      version: 3,
      offeredBy: { name: wietske.name },
    })
    const [mail] = await emailsTo(site, staff.redacteur.email)
    expect(mail?.subject).toContain('Ter controle: Ons werk')
    expect(mail?.text).toContain('\n    Let op de\n    tweede alinea.\n')
    expect(mail?.text).toContain(`/admin/pages/${id}/nl`)
    const recipients = await site.db
      .selectFrom('outbox')
      .select('recipient')
      .where('template', '=', 'pageReview')
      .execute()
    expect(recipients).toEqual([{ recipient: staff.redacteur.email }])
    expect(await reviewsFor(rik)).toMatchObject({
      waiting: [{ pageId: id, locale: 'nl', title: 'Ons werk', note: 'Let op de\ntweede alinea.' }],
      count: 1,
      returned: [],
    })
    expect(await reviewsFor(writer)).toEqual({ waiting: [], count: 0, returned: [], continued: [] })
    const listed = await (await rik.get('/api/pages?status=review')).json()
    expect(listed.data.map((page: { id: number; reviews: string[] }) => [page.id, page.reviews])).toEqual([
      [id, ['nl']],
    ])
    expect((await (await rik.get('/api/pages?status=review&locale=fa')).json()).data).toEqual([])

    const back = await review(rik, id, '/return', { number: 1, note: 'Noem de openingstijden.' })
    expect(reviewOf(back.body)).toMatchObject({ state: 'returned', answer: 'Noem de openingstijden.' })
    expect(await reviewsFor(writer)).toMatchObject({ returned: [{ pageId: id, note: 'Noem de openingstijden.' }] })
    expect((await reviewsFor(rik)).count).toBe(0)
    const [answer] = await emailsTo(site, wietske.email)
    expect(answer?.text).toContain('Noem de openingstijden.')
    // An earlier text is live.
    expect(answer?.text).toContain('Deze wijziging is nog niet gepubliceerd.')

    // A later save is not part of the offer.
    await savePageIn(writer, id, { body: [aParagraph('Nieuw, met openingstijden')] })
    await review(writer, id, '', { version: 4, note: '' })
    await savePageIn(writer, id, { body: [aParagraph('Nog niet gezien')] })
    const done = await review(bente, id, '/publish', { number: 2 })
    expect(done.body).toMatchObject({ state: 'changed', version: 5, review: { state: 'published', version: 4 } })
    const html = await (await site.request('/ons-werk')).text()
    expect(html).toContain('Nieuw, met openingstijden')
    expect(html).not.toContain('Nog niet gezien')
    expect(await reviewsFor(writer)).toEqual({ waiting: [], count: 0, returned: [], continued: [] })

    // Who comes second hears who decided.
    const second = await review(rik, id, '/return', { number: 2, note: 'Te laat' })
    expect([second.status, second.body.code]).toEqual([409, 'review_ended'])
    expect(second.body.current.review).toMatchObject({ state: 'published', endedBy: { name: staff.beheerder.name } })
  })

  test('an offer is withdrawn by its author alone; a publisher sends it back, and the author gets an email', async () => {
    const site = await aTestApp({ database })
    const [writer, bente] = [await aWriter(site), await as(site, 'beheerder')]
    const nadia = await aUser(site, {
      name: 'Nadia',
      email: 'nadia@example.nl',
      roleId: await aRole(site, 'Hulp', ['pages.write']),
    })
    const other = await withSession(site, nadia)
    const id = await publishedPage(bente, { title: 'Ons werk' })
    await savePageIn(writer, id, { body: [aParagraph('Nieuw')] })
    const offered = await review(writer, id, '', { version: 3, note: '' })
    expect(reviewOf(offered.body)).toMatchObject({ state: 'waiting', can: { withdraw: true } })
    expect(reviewOf(await getPageIn(other, id))).toMatchObject({ can: { withdraw: false } })
    for (const who of [other, bente]) {
      expect((await review(who, id, '/withdraw', { number: 1 })).body.code).toBe('not_allowed')
    }
    expect(reviewOf((await review(writer, id, '/withdraw', { number: 1 })).body)).toMatchObject({ state: 'withdrawn' })
  })

  test('a second writer sees the first one’s offer, adds to it or takes it over, and the first writer gets an email', async () => {
    const site = await aTestApp({ database })
    const [writer, rik] = [await aWriter(site), await as(site, 'redacteur')]
    const nadia = { name: 'Nadia', email: 'nadia@example.nl' }
    const role = await aRole(site, 'Hulp', ['pages.write'])
    const isTold = async (words: string) => {
      const count = async () => (await emailsTo(site, wietske.email)).filter(({ text }) => text?.includes(words)).length
      await expect.poll(count).toBe(1)
    }
    const other = await withSession(site, await aUser(site, { ...nadia, roleId: role }))
    for (const [who, person] of [[writer, wietske] as const, [other, nadia] as const]) await wantsEmails(who, person)
    const { id } = await (await writer.post('/api/pages', { title: 'Folder', locale: 'nl' })).json()
    const leaflet = await uploadFile(rik, 'folder.pdf', aPdf())
    await savePageIn(writer, id, { body: [aParagraph(`<a href="${leaflet.url}">Folder</a>`)] })
    await review(writer, id, '', { version: 2, note: 'Graag vandaag' })
    await savePageIn(other, id, { body: [aParagraph('Zonder folder')] })

    const refused = await review(other, id, '', { version: 3, note: 'Beter zo' })
    expect([refused.status, refused.body.code]).toEqual([409, 'review_waits'])
    expect(reviewOf(refused.body.current)).toMatchObject({
      number: 1,
      version: 2,
      note: 'Graag vandaag',
      offeredBy: { name: wietske.name },
    })
    expect(reviewOf(await getPageIn(writer, id))).toMatchObject({ number: 1, version: 2 })

    const continuing = (number: number, as: string, note = 'Beter zo') =>
      review(other, id, '', { version: 3, note, continues: { number, as } })
    const added = await continuing(1, 'addition')
    expect(reviewOf(added.body)).toMatchObject({
      number: 2,
      version: 3,
      note: 'Beter zo',
      offeredBy: { name: nadia.name },
      earlier: [{ number: 1, note: 'Graag vandaag', offeredBy: { name: wietske.name }, takenOver: false }],
    })
    expect((await reviewsFor(writer)).continued).toMatchObject([
      { pageId: id, title: 'Folder', by: { name: nadia.name }, note: 'Beter zo', takenOver: false },
    ])
    await isTold('Aangevuld: Folder')
    // What only the first one's text uses is not deleted while that text may wait again.
    expect((await rik.delete(`/api/files/${leaflet.id}`)).status).toBe(409)

    // Withdrawing ends the second offer only.
    const withdrawn = await review(other, id, '/withdraw', { number: 2 })
    expect(reviewOf(withdrawn.body)).toMatchObject({
      number: 3,
      state: 'waiting',
      version: 2,
      note: 'Graag vandaag',
      offeredBy: { name: wietske.name },
      earlier: [],
    })
    expect((await reviewsFor(writer)).continued).toEqual([])
    expect((await rik.delete(`/api/files/${leaflet.id}`)).status).toBe(409)
    expect((await continuing(2, 'takeover')).body.code).toBe('review_waits')

    // Both authors of a common offer hear that it was sent back.
    await continuing(3, 'addition')
    await review(rik, id, '/return', { number: 4, note: 'Noem de haven.' })
    for (const who of [writer, other]) {
      expect((await reviewsFor(who)).returned).toMatchObject([{ pageId: id, note: 'Noem de haven.' }])
    }
    await isTold('Noem de haven.')
    expect((await continuing(4, 'takeover')).body.code).toBe('review_ended')

    await review(writer, id, '', { version: 3, note: 'Met de haven' })
    expect(reviewOf((await continuing(5, 'takeover', 'Ik maak het af')).body)).toMatchObject({
      earlier: [{ number: 5, note: 'Met de haven', takenOver: true }],
    })
    await isTold('Overgenomen: Folder')
    expect((await reviewsFor(writer)).continued).toMatchObject([{ note: 'Ik maak het af', takenOver: true }])
    await review(rik, id, '/return', { number: 6, note: 'Nog korter' })
    expect((await reviewsFor(writer)).returned).toEqual([])
    expect((await reviewsFor(other)).returned).toMatchObject([{ note: 'Nog korter' }])
  })

  test('an offer that was taken over stays so when a third writer adds to it and withdraws the addition', async () => {
    const site = await aTestApp({ database })
    const writer = await aWriter(site)
    const roleId = await aRole(site, 'Hulp', ['pages.write'])
    const more = async (name: string) =>
      withSession(site, await aUser(site, { name, email: `${name.toLowerCase()}@example.nl`, roleId }))
    const [nadia, omid] = [await more('Nadia'), await more('Omid')]
    const { id } = await (await writer.post('/api/pages', { title: 'Folder', locale: 'nl' })).json()
    await review(writer, id, '', { version: 1, note: 'Een' })
    await review(nadia, id, '', { version: 1, note: 'Twee', continues: { number: 1, as: 'takeover' } })
    await review(omid, id, '', { version: 1, note: 'Drie', continues: { number: 2, as: 'addition' } })
    expect(reviewOf((await review(omid, id, '/withdraw', { number: 3 })).body)).toMatchObject({
      note: 'Twee',
      earlier: [{ note: 'Een', takenOver: true }],
    })
    expect(reviewOf((await review(nadia, id, '/withdraw', { number: 4 })).body)).toMatchObject({
      note: 'Een',
      earlier: [],
    })
    const { data } = await (await (await as(site, 'beheerder')).get('/api/audit?action=page.offered')).json()
    expect(data.map(({ after }: { after: object }) => after)).toMatchObject([
      { continued: true },
      { takenOver: true },
      {},
    ])
  })

  test('an offer ends when it is withdrawn, published in another way or deleted with its page; it waits in the trash, and loses the name of an erased author', async () => {
    const site = await aTestApp({ database })
    const [writer, bente] = [await aWriter(site), await as(site, 'beheerder')]
    const { id } = await (await writer.post('/api/pages', { title: 'Folder', locale: 'nl' })).json()
    await review(writer, id, '', { version: 1, note: '' })
    expect(reviewOf((await review(writer, id, '/withdraw', { number: 1 })).body)).toMatchObject({ state: 'withdrawn' })
    expect((await review(bente, id, '/publish', { number: 1 })).body.code).toBe('review_ended')
    expect((await site.request('/folder')).status).toBe(404)

    await review(writer, id, '', { version: 1, note: '' })
    await savePageIn(bente, id, { title: 'Folders' }, { publish: true })
    expect(reviewOf(await getPageIn(writer, id))).toMatchObject({ number: 2, state: 'published' })

    await savePageIn(writer, id, { title: 'Folders en boeken' })
    await review(writer, id, '', { version: 3, note: 'Graag vandaag' })
    await bente.post(`/api/pages/${id}/bin`)
    expect((await reviewsFor(bente)).count).toBe(0)
    expect((await review(bente, id, '/publish', { number: 3 })).body.code).toBe('page_in_bin')
    await bente.post(`/api/pages/${id}/restore`)
    expect((await reviewsFor(bente)).count).toBe(1)

    const erased = await bente.post('/api/privacy/erase', { email: wietske.email, password: 'geheim-123' })
    expect(erased.status).toBe(200)
    expect((await reviewsFor(bente)).waiting[0].by).toEqual({ id: writer.id, name: `#${writer.id}` })
    expect((await review(bente, id, '/return', { number: 3, note: 'Niemand leest dit' })).status).toBe(200)

    await bente.post(`/api/pages/${id}/bin`)
    expect((await bente.delete(`/api/pages/${id}`)).status).toBe(204)
    expect(await site.db.selectFrom('page_review').select('offer_number').execute()).toEqual([])
  })

  test('a file that only an offered text uses cannot be deleted until the review ends', async () => {
    const site = await aTestApp({ database })
    const [writer, bente] = [await aWriter(site), await as(site, 'beheerder')]
    const id = await publishedPage(bente, { title: 'Stad' })
    const offerLink = async (name: string) => {
      const file = await uploadFile(bente, `${name}.pdf`, aPdf(name))
      await savePageIn(writer, id, { body: [aParagraph(`<a href="${file.url}">${name}</a>`)] })
      const { version } = await getPageIn(writer, id)
      expect((await review(writer, id, '', { version, note: '' })).status).toBe(200)
      await savePageIn(writer, id, { body: [aParagraph('Zonder folder')] })
      return file
    }
    const remove = async (file: { id: number }) => (await bente.delete(`/api/files/${file.id}`)).status

    const gate = await offerLink('poort')
    expect(await remove(gate)).toBe(409)
    expect((await review(bente, id, '/publish', { number: 1 })).status).toBe(200)
    expect(await (await site.request('/stad')).text()).toContain(gate.url)
    expect(await remove(gate)).toBe(409)

    const bridge = await offerLink('brug')
    expect(await remove(bridge)).toBe(409)
    // A newer offer replaces it.
    const tower = await offerLink('toren')
    expect(await remove(bridge)).toBe(204)
    expect((await review(bente, id, '/return', { number: 3, note: 'Liever de brug' })).status).toBe(200)
    expect(await remove(tower)).toBe(204)

    const harbour = await offerLink('haven')
    expect((await review(writer, id, '/withdraw', { number: 4 })).status).toBe(200)
    expect(await remove(harbour)).toBe(204)
  })

  test('publishing an offered text reports the schedule that it removed, also when that was of a newer text', async () => {
    const site = await aTestApp({ database })
    const [writer, bente] = [await aWriter(site), await as(site, 'beheerder')]
    const { id } = await (await writer.post('/api/pages', { title: 'Folder', locale: 'nl' })).json()
    await review(writer, id, '', { version: 1, note: '' })
    await savePageIn(bente, id, { title: 'Folder voor de feestdagen' })
    const publishAt = new Date(Date.now() + 86_400_000).toISOString()
    const planned = await bente.put(`/api/pages/${id}/nl/plan`, { version: 2, publishAt, unpublishAt: null })
    expect(await planned.json()).toMatchObject({ publishAt })
    const done = await review(bente, id, '/publish', { number: 1 })
    expect(done.body).toMatchObject({ publishAt: null, droppedPlan: publishAt })

    await review(writer, id, '', { version: 2, note: '' })
    expect((await review(bente, id, '/publish', { number: 2 })).body).toMatchObject({ droppedPlan: null })
  })

  test('an offered text is not published at an address that the site has used for something else since', async () => {
    const site = await aTestApp({ database })
    const [writer, bente] = [await aWriter(site), await as(site, 'beheerder')]
    const configuration = async () => (await bente.get('/api/config')).json()
    const changeSite = async (config: object) => {
      const changed = await bente.put('/api/config', { version: (await configuration()).version, config })
      expect(changed.status, await changed.text()).toBe(200)
    }
    const offerAt = async (slug: string) => {
      const id = await aPage(site, slug)
      expect((await review(writer, id, '', { version: 1, note: '' })).status).toBe(200)
      // The saved text no longer has the slug; only the offer has.
      await savePageIn(writer, id, { slug: `${slug}-anders` })
      return id
    }
    const [asOverview, asPrefix] = [await offerAt('blog'), await offerAt('de')]
    await changeSite({ collections: [{ ...news, id: 'blog', slug: { nl: 'blog' } }] })
    await changeSite({ locales: [...(await configuration()).config.locales, 'de'] })
    for (const id of [asOverview, asPrefix]) {
      const answer = await review(bente, id, '/publish', { number: 1 })
      expect([answer.status, answer.body.errors]).toMatchObject([422, [{ path: 'text.slug' }]])
      expect((await getPageIn(bente, id)).review).toMatchObject({ state: 'waiting' })
    }
    expect(await (await site.request('/blog')).text()).toContain('Wat er speelt.')
  })

  test('undoing a publication reopens the offer that it ended, and no other', async () => {
    const site = await aTestApp({ database })
    const [writer, bente] = [await aWriter(site), await as(site, 'beheerder')]
    const id = await publishedPage(bente, { title: 'Stad' })
    const publishAndUndo = async (title: string) => {
      const { undo } = await (await savePageIn(bente, id, { title }, { publish: true })).json()
      expect(reviewOf(await getPageIn(bente, id))?.state).not.toBe('waiting')
      const undone = await bente.post(`/api/pages/${id}/nl/undo`, undo)
      expect(undone.status).toBe(200)
      return reviewOf(await undone.json())
    }
    const file = await uploadFile(bente, 'folder.pdf', aPdf())
    await savePageIn(writer, id, { body: [aParagraph(`<a href="${file.url}">Folder</a>`)] })
    await review(writer, id, '', { version: 3, note: 'Graag vandaag' })
    await savePageIn(writer, id, { body: [aParagraph('Zonder folder')] })
    expect(await publishAndUndo('Stad en land')).toMatchObject({
      number: 1,
      state: 'waiting',
      version: 3,
      note: 'Graag vandaag',
      endedAt: null,
      endedBy: null,
    })
    expect((await reviewsFor(bente)).count).toBe(1)
    expect((await bente.delete(`/api/files/${file.id}`)).status).toBe(409)

    // What was decided before the publication stays decided.
    expect((await review(bente, id, '/publish', { number: 1 })).status).toBe(200)
    expect(await publishAndUndo('Stad en zee')).toMatchObject({ state: 'published' })
    const { version } = await getPageIn(writer, id)
    await review(writer, id, '', { version, note: '' })
    await review(bente, id, '/return', { number: 2, note: 'Noem de haven.' })
    expect((await publishAndUndo('Stad en haven'))?.state).not.toBe('waiting')
  })

  test('undoing a publication reopens an offer together with the earlier offers that it continues', async () => {
    const site = await aTestApp({ database })
    const [writer, bente] = [await aWriter(site), await as(site, 'beheerder')]
    const roleId = await aRole(site, 'Hulp', ['pages.write'])
    const nadia = { name: 'Nadia', email: 'nadia@example.nl' }
    const other = await withSession(site, await aUser(site, { ...nadia, roleId }))
    const id = await publishedPage(bente, { title: 'Stad' })
    await savePageIn(writer, id, { title: 'Stad en land' })
    await review(writer, id, '', { version: 3, note: 'Een' })
    await savePageIn(other, id, { title: 'Stad, land en zee' })
    await review(other, id, '', { version: 4, note: 'Twee', continues: { number: 1, as: 'addition' } })

    const published = await (await savePageIn(bente, id, { title: 'Fout' }, { publish: true })).json()
    expect(published.review).toMatchObject({ state: 'published', earlier: [] })
    const undone = await (await bente.post(`/api/pages/${id}/nl/undo`, published.undo)).json()
    const earlier = [{ number: 1, note: 'Een', offeredBy: { name: wietske.name } }]
    expect(reviewOf(undone)).toMatchObject({ number: 2, state: 'waiting', earlier })
    expect((await reviewsFor(writer)).continued).toMatchObject([{ pageId: id, note: 'Twee' }])
    const withdrawn = await review(other, id, '/withdraw', { number: 2 })
    expect(reviewOf(withdrawn.body)).toMatchObject({ state: 'waiting', note: 'Een', earlier: [] })
  })

  test('the dashboard of a user who may only publish lists what waits for review', async () => {
    const site = await aTestApp({ database })
    const [writer, rosa] = [await aWriter(site), await signInWithRights(site, 'Rosa', ['pages.publish'])]
    const { id } = await (await writer.post('/api/pages', { title: 'Folder', locale: 'nl' })).json()
    await review(writer, id, '', { version: 1, note: '' })
    expect((await (await rosa.get('/api/dashboard')).json()).news).toMatchObject({
      messages: null,
      users: null,
      mail: null,
      drafts: null,
      reviews: { waiting: [{ pageId: id, title: 'Folder' }], count: 1 },
    })
  })

  test('a title and a name with an encoded header are shown as they were written', async () => {
    const site = await aTestApp({ database })
    const [writer, rik] = [await aWriter(site), await as(site, 'redacteur')]
    const hidden = '=?utf-8?Q?Folder=0D=0ABcc:_eve@evil.example?='
    await wantsEmails(rik, { ...staff.redacteur, name: hidden })
    const { id } = await (await writer.post('/api/pages', { title: hidden, locale: 'nl' })).json()
    expect((await review(writer, id, '', { version: 1, note: '' })).status).toBe(200)
    const [mail] = await emailsTo(site, staff.redacteur.email)
    const shown = hidden.replace('=?', '= ?')
    expect(mail?.subject).toBe(`Ter controle: ${shown} | Maaslicht`)
    expect([mail?.to].flat()[0]?.value).toEqual([{ name: shown, address: staff.redacteur.email }])
  })

  test('an author who may no longer write pages gets no email with the note', async () => {
    const site = await aTestApp({ database })
    const [writer, rik] = [await aWriter(site), await as(site, 'redacteur')]
    await wantsEmails(writer, wietske)
    const { id } = await (await writer.post('/api/pages', { title: 'Folder', locale: 'nl' })).json()
    expect((await review(writer, id, '', { version: 1, note: '' })).status).toBe(200)
    await site.db.updateTable('user').set({ role_id: null }).where('email', '=', wietske.email).execute()
    expect((await review(rik, id, '/return', { number: 1, note: 'Alleen voor ons' })).status).toBe(200)
    expect(await site.db.selectFrom('outbox').select('id').where('template', '=', 'pageReview').execute()).toEqual([])
  })

  test('an offered text is emailed once, and an author offers a limited number of texts in an hour', async () => {
    const site = await aTestApp({ database })
    const [writer, rik] = [await aWriter(site), await as(site, 'redacteur')]
    await wantsEmails(rik, staff.redacteur)
    const countEmails = async () =>
      (await site.db.selectFrom('outbox').select('id').where('template', '=', 'pageReview').execute()).length
    const { id } = await (await writer.post('/api/pages', { title: 'Folder', locale: 'nl' })).json()
    await review(writer, id, '', { version: 1, note: '' })
    const again = await review(writer, id, '', { version: 1, note: 'Graag vandaag' })
    expect(reviewOf(again.body)).toMatchObject({ number: 2, note: 'Graag vandaag' })
    expect(await countEmails()).toBe(1)
    await savePageIn(writer, id, { title: 'Folders' })
    await review(writer, id, '', { version: 2, note: '' })
    expect(await countEmails()).toBe(2)

    const offer = await site.db
      .selectFrom('audit')
      .select(['at', 'actor_id', 'actor_name', 'action', 'subject_type', 'subject_id', 'subject_name'])
      .where('action', '=', 'page.offered')
      .limit(1)
      .executeTakeFirstOrThrow()
    await site.db
      .insertInto('audit')
      .values(Array.from({ length: limits.reviewOffersPerAuthor - 3 }, () => offer))
      .execute()
    await savePageIn(writer, id, { title: 'Folders en boeken' })
    const refused = await review(writer, id, '', { version: 3, note: '' })
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many'])
    expect(await countEmails()).toBe(2)
  })
})
