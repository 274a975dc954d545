import { describe, expect, test } from 'vitest'
import { onboardingSteps } from '../../src/contract/dashboard.ts'
import { databases } from '../support/databases.ts'
import { aBrowserTab } from '../support/draft-tabs.ts'
import { aMailbox } from '../support/mailbox.ts'
import { getPageIn } from '../support/pages.ts'
import { aMessageOf } from '../support/people.ts'
import { signInWithRights } from '../support/roles.ts'
import { as, aUser, json, signInWithPassword, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Sets the last visit of a user this long ago. */
const wereHere = (site: TestApp, id: number, hoursAgo: number) =>
  site.db
    .updateTable('user')
    .set({ last_signed_in_at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString() })
    .where('id', '=', id)
    .execute()

describe.each(databases)('on %s', (database) => {
  test('spec 2 /user and spec 8: a signed-in user sees their name and rights, and nothing that they may not see', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')

    const answer = await person.get('/api/dashboard')

    expect(await answer.json()).toEqual({
      name: staff.roya.name,
      rights: [],
      since: expect.any(String),
      firstVisit: true,
      start: null,
      news: { messages: null, users: null, mail: null, drafts: null, reviews: null, changes: null },
    })
    expect((await site.request('/api/dashboard')).status).toBe(401)
  })

  test('items since the previous visit are new', async () => {
    const site = await aTestApp({ database })
    const id = await aUser(site, staff.beheerder)
    await wereHere(site, id, 5)
    const user = site.db.selectFrom('user').select('last_signed_in_at').where('id', '=', id)
    const visit = new Date((await user.executeTakeFirstOrThrow()).last_signed_in_at ?? '')
    const before = new Date(visit.getTime() - 60_000).toISOString()
    await site.request('/api/contact', json('POST', aMessageOf('daan')))
    await site.db.updateTable('message').set({ created_at: before }).execute()
    await site.request('/api/contact', json('POST', aMessageOf('sanne')))
    await site.request('/api/contact', json('POST', aMessageOf('parisa')))
    await site.db.updateTable('user').set({ created_at: before }).execute()
    await aUser(site, staff.roya)
    await waitUntil(
      async () =>
        (await site.db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()).length === 0,
      'outbox that sent everything',
    )
    await site.db
      .updateTable('outbox')
      .set({ state: 'failed' })
      .where('id', '=', (eb) => eb.selectFrom('outbox').select((min) => min.fn.min('id').as('id')))
      .execute()

    const bente = await signInWithPassword(site, staff.beheerder.email)
    await bente.put('/api/profile', { name: 'Bente', email: staff.beheerder.email, locale: 'nl' })
    const { since, firstVisit, news } = await (await bente.get('/api/dashboard')).json()

    expect(firstVisit).toBe(false)
    expect(new Date(since)).toEqual(visit)
    expect(firstVisit).toBe(false)
    expect(news.messages).toEqual({ new: 2 })
    expect(news.users).toEqual({ new: 1 })
    expect(news.mail.failed).toBe(1)
    expect(news.changes[0]).toMatchObject({ action: 'profile.changed', label: 'Eigen profiel gewijzigd' })

    // Signing in again right away is the same visit.
    const again = await signInWithPassword(site, staff.beheerder.email)
    expect(await (await again.get('/api/dashboard')).json()).toMatchObject({ since, news: { messages: { new: 2 } } })
  })

  test('each user sees what their own rights allow', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    expect((await (await rik.get('/api/dashboard')).json()).news).toEqual({
      messages: null,
      users: null,
      drafts: { mine: [], mineCount: 0, count: 0 },
      reviews: { waiting: [], count: 0, returned: [], continued: [] },
      mail: null,
      changes: null,
    })

    await site.db.insertInto('role_right').values({ role_id: 3, right_name: 'mail.read' }).execute()
    expect((await (await rik.get('/api/dashboard')).json()).news).toEqual({
      messages: null,
      users: null,
      drafts: { mine: [], mineCount: 0, count: 0 },
      reviews: { waiting: [], count: 0, returned: [], continued: [] },
      mail: { waiting: 0, failed: 0 },
      changes: null,
    })
  })

  test('all own drafts are counted, also beyond the five that are shown', async () => {
    const site = await aTestApp({ database })
    const [rik, bente] = [await as(site, 'redacteur'), await as(site, 'beheerder')]
    const { data } = await (await bente.get('/api/pages')).json()
    for (const { id } of data.slice(0, 3)) {
      const { text } = await getPageIn(bente, id)
      const title = 'Verder'
      for (const locale of ['nl', 'fa']) await aBrowserTab(bente, id, locale).save({ ...text, title })
      await aBrowserTab(rik, id).save({ ...text, title })
    }
    const { drafts } = (await (await bente.get('/api/dashboard')).json()).news
    expect(drafts).toMatchObject({ mine: { length: 5 }, mineCount: 6, count: 9 })
  })

  test('the first steps are ticked by what is stored, are shown by right, and disappear when all are done or a user hides them', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const start = async (who = bente) => (await (await who.get('/api/dashboard')).json()).start
    const done = async () =>
      (await start()).flatMap(({ step, done }: { step: string; done: boolean }) => (done ? [step] : []))
    expect((await start()).map(({ step }: { step: string }) => step)).toEqual([...onboardingSteps])
    expect(await done()).toEqual([])

    const { version, config } = await (await bente.get('/api/config')).json()
    expect(
      (await bente.put('/api/config', { version, config: { brand: 'Bakkerij Zon', palette: config.palette } })).status,
    ).toBe(200)
    expect(await done()).toEqual(['name'])
    const change = async (own: object) => {
      const { version } = await (await bente.get('/api/config')).json()
      expect((await bente.put('/api/config', { version, config: own })).status).toBe(200)
    }
    await change({ contact: { ...config.contact, subject: 'Een vraag' } })
    expect(await done(), 'another subject does not choose who gets the messages').toEqual(['name'])
    const own = {
      legal: { ...config.legal, email: 'zon@example.nl' },
      contact: { ...config.contact, recipients: ['zon@example.nl'] },
    }
    await change(own)
    expect(await done(), 'the address and the recipients of the sample are replaced').toEqual([
      'name',
      'company',
      'recipients',
    ])
    const { id } = await (await bente.post('/api/pages', { title: 'Over ons', locale: 'nl' })).json()
    expect(await done()).toEqual(['name', 'company', 'recipients', 'page'])
    await bente.post(`/api/pages/${id}/bin`)
    expect(await done()).toEqual(['name', 'company', 'recipients'])
    await bente.post(`/api/pages/${id}/restore`)

    expect((await bente.put('/api/health/alarms', { people: [], reports: [], webhook: null })).status).toBe(200)
    expect(await done(), 'nobody is notified').toEqual(['name', 'company', 'recipients', 'page'])
    await bente.put('/api/health/alarms', { people: [bente.id], reports: [], webhook: null })
    const { version: first, hasSecret, ...plan } = (await (await bente.get('/api/backups')).json()).settings
    const on = { ...plan, scheduled: true, secretAccessKey: '', version: first }
    expect((await bente.put('/api/backups/settings', on)).status).toBe(200)
    expect(await done()).toEqual(['name', 'company', 'recipients', 'page', 'backups', 'alarms'])

    const rik = await as(site, 'redacteur')
    expect(await start(rik)).toEqual([
      { step: 'page', done: true },
      { step: 'twoFactor', done: false },
    ])
    await site.db.updateTable('user').set({ two_factor_enabled: 1 }).where('id', '=', rik.id).execute()
    expect(await start(rik)).toBeNull()

    expect((await bente.put('/api/dashboard/start', { hidden: true })).status).toBe(204)
    expect(await start()).toBeNull()
    await bente.put('/api/dashboard/start', { hidden: false })
    expect(await done()).toEqual(['name', 'company', 'recipients', 'page', 'backups', 'alarms'])
  })

  test('the first steps stay done after the email that ticked one of them is deleted', async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url } })
    const mira = await signInWithRights(site, 'Mira', ['mail.read'])
    const start = async () => (await (await mira.get('/api/dashboard')).json()).start
    await site.db.updateTable('user').set({ two_factor_enabled: 1 }).where('id', '=', mira.id).execute()
    expect(await start()).toEqual([
      { step: 'mail', done: false },
      { step: 'twoFactor', done: true },
    ])
    await site.request('/api/contact', json('POST', aMessageOf('daan')))
    await expect.poll(start).toBeNull()
    await site.db.deleteFrom('outbox').where('state', '=', 'sent').execute()
    expect(await start()).toBeNull()
  })

  test('a first configuration that is stored in another order does not count as changed', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { version, config: shown } = await (await bente.get('/api/config')).json()
    await bente.put('/api/config', { version, config: { brand: 'Bakkerij Zon', palette: shown.palette } })
    const { id, config } = await site.db
      .selectFrom('config_revision')
      .select(['id', 'config'])
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const { palette, ...rest } = JSON.parse(config)
    const turned = JSON.stringify({ ...rest, palette: Object.fromEntries(Object.entries(palette).toReversed()) })
    await site.db.updateTable('config_revision').set({ config: turned }).where('id', '=', id).execute()
    const { start } = await (await bente.get('/api/dashboard')).json()
    expect(start.filter(({ done }: { done: boolean }) => done)).toEqual([{ step: 'name', done: true }])
  })
})
