import { expect, test } from 'vitest'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { purgeMessages } from '../../src/domain/messages/change-messages.ts'
import { purge } from '../../src/jobs/purge.ts'
import { databases } from '../support/databases.ts'
import { quoteAnswers, quoteForm } from '../support/forms.ts'
import { countLockWaits } from '../support/lock-waits.ts'
import { sendMessage } from '../support/messages.ts'
import { as, json, signInWithPassword } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const days = 24 * 60 * 60_000

test.each(databases)(
  'an administrator sets how long data is kept, on %s: the privacy statement says it, and older data is deleted',
  async (database) => {
    let at = new Date()
    const site = await aTestApp({ database, startJobs: false, now: () => at, site: () => {} })
    const bente = await as(site, 'beheerder')
    const statement = async () => (await (await site.request('/privacy-verklaring')).text()).replaceAll('\u00a0', ' ')
    expect(await statement()).toContain('Het logboek van wijzigingen bewaart de website 3.650 dagen')
    expect(await statement()).toContain('In een back-up kan wat is verwijderd nog hoogstens 365 dagen voorkomen')

    const retention = { auditDays: 40, statisticsDays: 50, emailDays: 5, signInDays: 6, backupDays: 60 }
    const { version } = await (await bente.get('/api/config')).json()
    const wrong = { ...retention, auditDays: 29, emailDays: 0 }
    const refused = await bente.put('/api/config', { version, config: { retention: wrong } })
    const { errors } = await refused.json()
    expect(errors.map(({ path }: { path: string }) => path)).toEqual(['retention.auditDays', 'retention.emailDays'])
    // Deleting the log earlier needs the password.
    at = new Date(at.getTime() + 11 * 60_000)
    const late = await bente.put('/api/config', { version, config: { retention } })
    expect([late.status, (await late.json()).code]).toEqual([403, 'password_needed'])
    at = new Date(at.getTime() - 11 * 60_000)
    expect((await bente.put('/api/config', { version, config: { retention } })).status).toBe(200)
    expect(await statement()).toContain('Het logboek van wijzigingen bewaart de website 40 dagen')
    expect(await statement()).toContain('nog hoogstens 60 dagen voorkomen')
    const persian = await (await site.request('/fa/privacy-verklaring')).text()
    expect(persian).toContain('گزارش تغییرات را ۴۰ روز نگه می‌داریم')
    expect(persian).toContain('حداکثر تا ۶۰ روز دیگر در نسخه‌های پشتیبان بماند')
    expect(await statement()).toMatch(/alleen die aantallen, 50 dagen lang.*na het verzenden 5 dagen/s)

    await sendMessage(site, 'roya')
    await signInWithPassword(site, 'bente@example.nl')
    await site.db.updateTable('outbox').set({ state: 'sent', sent_at: at.toISOString() }).execute()
    await site.db
      .insertInto('page_view')
      .values({ day: at.toISOString().slice(0, 10), path: '/', locale: 'nl', views: 1 })
      .execute()
    const leftAfter = async (passed: number) => {
      at = new Date(at.getTime() + passed * days)
      await purge(site.app.context())
      const tables = ['outbox', 'known_browser', 'audit', 'page_view'] as const
      const counts = tables.map(async (table) => {
        const rows = await site.db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('count'))
          .execute()
        return Number(rows[0]?.count) > 0
      })
      return Promise.all(counts)
    }
    expect(await leftAfter(4)).toEqual([true, true, true, true])
    expect(await leftAfter(3)).toEqual([false, false, true, true])
    expect(await leftAfter(34)).toEqual([false, false, false, true])
    expect(await leftAfter(11)).toEqual([false, false, false, false])
  },
)

test('a shorter retention of messages needs the password, because older ones are deleted for good', async () => {
  // A form with recipients of its own could not be removed and added again without the password.
  const { recipients: _, ...form } = quoteForm
  let at = new Date()
  const site = await aTestApp({
    startJobs: false,
    now: () => at,
    site: (config) => Object.assign(config, { forms: [form] }),
  })
  const bente = await as(site, 'beheerder')
  const { config } = await (await bente.get('/api/config')).json()
  const change = async (part: object) => {
    const { version } = await (await bente.get('/api/config')).json()
    return bente.put('/api/config', { version, config: part })
  }
  at = new Date(at.getTime() + 11 * 60_000)
  for (const part of [
    { contact: { ...config.contact, retentionDays: config.contact.retentionDays - 1 } },
    { forms: [{ ...form, retentionDays: 1 }] },
    { spam: { ...defaultSpamSettings, retentionDays: 1 } },
  ]) {
    const refused = await change(part)
    expect([refused.status, (await refused.json()).code]).toEqual([403, 'password_needed'])
  }
  const longer = [{ ...form, retentionDays: form.retentionDays + 1 }]
  expect((await change({ forms: longer })).status).toBe(200)

  // Messages of a removed form stay as long as it said, also when another form gets its id.
  expect((await site.request('/api/forms/offerte', json('POST', quoteAnswers))).status).toBe(201)
  expect((await change({ forms: [] })).status).toBe(200)
  const again = await change({ forms: [{ ...form, retentionDays: 1 }] })
  expect([again.status, (await again.json()).code]).toEqual([403, 'password_needed'])
  expect((await change({ forms: longer })).status).toBe(200)
})

test('a SQLite database frees the space of deleted rows', async () => {
  const site = await aTestApp({ startJobs: false })
  const { db, dialect } = site.app.context()
  const entry = {
    at: '2001-01-01T00:00:00.000Z',
    actor_name: 'Bente',
    action: 'config.changed',
    subject_type: 'configuration',
    subject_name: '',
    after: 'x'.repeat(20_000),
  }
  for (let batch = 0; batch < 4; batch++)
    await db
      .insertInto('audit')
      .values(Array.from({ length: 250 }, () => entry))
      .execute()
  const full = await dialect.size(db)
  expect(full).toBeGreaterThan(20_000_000)
  expect(await purge(site.app.context())).toMatchObject({ audit: 1_000 })
  expect(await dialect.size(db)).toBeLessThan(full - 12_000_000)
  expect(await dialect.findDamage(db)).toEqual([])
})

// SQLite has one writer at a time.
test('a spam message that staff rescue while it is deleted stays, and all others are deleted', async () => {
  let at = new Date()
  const site = await aTestApp({ database: 'postgres', startJobs: false, now: () => at })
  const id = await sendMessage(site, 'roya', { website: 'x' })
  const spam = {
    ...{
      naam: 'X',
      email: 'x@example.nl',
      tel: '',
      bericht: 'x',
      locale: 'nl',
      privacy_version: 'x',
      address_key: 'x',
    },
    ...{ folder: 'spam' as const, spam_reason: 'honeypot', created_at: at.toISOString() },
  }
  const others = Array.from({ length: 250 }, (_, index) => ({ ...spam, fingerprint: String(index) }))
  await site.db.insertInto('message').values(others).execute()
  at = new Date(at.getTime() + 100 * days)
  let purged: Promise<number> | undefined
  await site.db.transaction().execute(async (tx) => {
    await tx.updateTable('message').set({ folder: 'inbox', spam_reason: null }).where('id', '=', id).execute()
    purged = purgeMessages(site.app.context())
    await waitUntil(async () => (await countLockWaits(site)) === 1, 'a deletion that waits')
  })
  expect(await purged).toBe(250)
  expect(await site.db.selectFrom('message').select(['id', 'folder']).execute()).toEqual([{ id, folder: 'inbox' }])
})
