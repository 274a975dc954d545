import { beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../../src/contract/messages.ts'
import { emailKinds, type OutboxEmail } from '../../src/contract/outbox.ts'
import { databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

describe.each(databases)('outgoing mail, on %s,', (database) => {
  // It stands still, so that no email is tried again by itself.
  const now = new Date()
  const aSite = async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({
      database,
      now: () => now,
      settings: { smtpUrl: mailbox.url },
      site: (config) => {
        config.contact.recipients = ['kantoor@maaslicht.example']
      },
    })
    const bente = await as(site, 'beheerder')
    const list = async (query = ''): Promise<OutboxEmail[]> =>
      (await (await bente.get(`/api/outbox${query}`)).json()).data
    return { site, mailbox, bente, list }
  }

  test('is listed by its state and reason of failure, without its content', async () => {
    const { site, mailbox, bente, list } = await aSite()
    const sent = await sendMessage(site, 'roya')
    await mailbox.received(1)
    await waitUntil(async () => (await list('?state=sent')).length === 1, 'email that is sent')
    mailbox.rejectWith({ code: 550, message: 'mailbox full' })
    const waiting = await sendMessage(site, 'parisa')
    await waitUntil(async () => (await list('?state=waiting'))[0]?.reason, 'reason')

    const [second, first] = await list()
    expect(first).toMatchObject({
      template: 'contactMessage',
      label: 'Contactbericht',
      recipient: 'kantoor@maaslicht.example',
      about: { type: 'message', id: sent },
      state: 'sent',
      sentAt: expect.any(String),
      nextAttemptAt: null,
      can: { retry: false },
    })
    expect(second).toMatchObject({
      about: { type: 'message', id: waiting },
      state: 'waiting',
      reason: expect.stringContaining('550 mailbox full'),
      nextAttemptAt: expect.any(String),
      sentAt: null,
    })
    expect(JSON.stringify([first, second])).not.toContain('پریسا')
    expect(await (await bente.get('/api/outbox/counts')).json()).toEqual({ waiting: 1, failed: 0, sent: 1, file: 0 })
    const persian = await bente.request('/api/outbox?state=sent', { headers: { 'Accept-Language': 'fa' } })
    expect((await persian.json()).data[0].label).toBe('پیام فرم تماس')
  })

  test('is found by its recipient', async () => {
    const { site, mailbox, bente, list } = await aSite()
    const id = await sendMessage(site, 'roya')
    await bente.post(`/api/messages/${id}/reply`, { text: 'Dag Roya' })
    await mailbox.received(2)
    expect(await list('?search=KANTOOR')).toMatchObject([{ recipient: 'kantoor@maaslicht.example' }])
    expect(await list('?search=karimi')).toMatchObject([{ recipient: 'roya@karimi.example', template: 'messageReply' }])
    expect(await list('?search=nergens')).toEqual([])
    expect(await list('?search=example&state=failed')).toEqual([])
    const { data, meta } = await (await bente.get('/api/outbox?pageSize=1&page=2&sort=createdAt')).json()
    expect([data[0].recipient, meta]).toEqual(['roya@karimi.example', { page: 2, pageSize: 1, total: 2 }])
  })

  test('that failed is retried, one email or all, and the audit log names the user who did it', async () => {
    const { site, mailbox, bente, list } = await aSite()
    mailbox.rejectWith({ code: 550, message: 'mailbox full' })
    for (const name of ['roya', 'daan', 'sanne'] as const) await sendMessage(site, name)
    await waitUntil(async () => (await list()).filter(({ reason }) => reason).length === 3, 'three that were refused')
    await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
    const failed = await list('?state=failed')
    expect(failed.map(({ can }) => can.retry)).toEqual([true, true, true])
    mailbox.rejectWith(undefined)

    const ids = [failed[0]?.id as number, 999_999]
    expect(await (await bente.post('/api/outbox/retry', { ids })).json()).toEqual({ retried: 1 })
    await mailbox.received(1)
    expect(await (await bente.post('/api/outbox/retry', {})).json()).toEqual({ retried: 2 })
    await mailbox.received(3)
    await waitUntil(async () => (await list('?state=sent')).length === 3, 'three that are sent')
    expect(await (await bente.post('/api/outbox/retry', {})).json()).toEqual({ retried: 0 })

    const logged = await site.db.selectFrom('audit').select(['action', 'subject_name', 'after']).orderBy('id').execute()
    expect(logged).toEqual([
      { action: 'letters.retried', subject_name: `#${ids[0]}`, after: '{"letters":1}' },
      { action: 'letters.retried', subject_name: '', after: '{"letters":2}' },
    ])
  })

  test('whose password or link was removed after it failed offers no retry', async () => {
    const { site, mailbox, bente, list } = await aSite()
    mailbox.rejectWith({ code: 550, message: 'mailbox full' })
    await sendMessage(site, 'roya')
    await waitUntil(async () => (await list())[0]?.reason, 'email that was refused')
    await site.db.updateTable('outbox').set({ state: 'failed', secret: '' }).execute()
    const [email] = await list('?state=failed')
    expect(email?.can).toEqual({ retry: false })
    expect(await (await bente.post('/api/outbox/retry', { ids: [email?.id] })).json()).toEqual({ retried: 0 })
    // With the secret in its data it can be sent; the secret is not in the response.
    await site.db.updateTable('outbox').set({ secret: '{"url":"https://geheim.example"}' }).execute()
    const [whole] = await list('?state=failed')
    expect(whole?.can).toEqual({ retry: true })
    expect(JSON.stringify(whole)).not.toContain('geheim')
  })

  test('that waits for its next try is sent at once on request, and one that may be on its way is left alone', async () => {
    const { site, mailbox, bente, list } = await aSite()
    mailbox.rejectWith({ code: 451, message: 'later' })
    await sendMessage(site, 'roya')
    const [email] = await waitUntil(async () => {
      const found = await list()
      return found[0]?.reason ? found : undefined
    }, 'email that waits')
    const ids = [email?.id as number]
    const waits = (ms: number) =>
      site.db
        .updateTable('outbox')
        .set({ next_attempt_at: new Date(now.getTime() + ms).toISOString() })
        .execute()
    await waits(30_000)
    expect(await (await bente.post('/api/outbox/retry', { ids })).json()).toEqual({ retried: 0 })
    await waits(3 * 3_600_000)
    expect((await list())[0]?.can.retry).toBe(true)
    mailbox.rejectWith(undefined)
    const twice = await Promise.all([1, 2].map(() => bente.post('/api/outbox/retry', { ids })))
    const retried = (await Promise.all(twice.map((one) => one.json()))).map((one) => one.retried)
    expect(retried.sort()).toEqual([0, 1])
    await mailbox.received(1)
    await waitUntil(async () => (await list())[0]?.state === 'sent', 'email that is sent')
    expect(mailbox.emails).toHaveLength(1)
  })

  test('without a mail server is reported as written to a file, not sent, and is sent once there is a server', async () => {
    const site = await aTestApp({ database, site: (config) => config.contact.recipients.splice(1) })
    const bente = await as(site, 'beheerder')
    const list = async (): Promise<OutboxEmail[]> => (await (await bente.get('/api/outbox?sort=createdAt')).json()).data
    const id = await sendMessage(site, 'roya')
    await bente.post(`/api/messages/${id}/reply`, { text: 'Dag Roya' })
    await waitUntil(async () => (await list()).every(({ state }) => state === 'file'), 'two emails in files')
    expect(await list()).toMatchObject([
      { template: 'contactMessage', can: { retry: false } },
      { template: 'messageReply', can: { retry: false } },
    ])
    expect(await (await bente.get('/api/outbox/counts')).json()).toEqual({ waiting: 0, failed: 0, sent: 0, file: 2 })
    const message = await (await bente.get(`/api/messages/${id}`)).json()
    expect(message).toMatchObject({ answeredAt: null, readAt: expect.any(String), replies: [{ state: 'file' }] })
    await site.stop()

    const mailbox = await aMailbox()
    const next = await aTestApp({ beside: site, settings: { smtpUrl: mailbox.url } })
    const again = await as(next, 'beheerder')
    const emails: OutboxEmail[] = (await (await again.get('/api/outbox')).json()).data
    expect(emails.map(({ can }) => can.retry)).toEqual([true, true])
    await again.post('/api/outbox/retry', { ids: emails.map((email) => email.id) })
    await mailbox.received(2)
    // Only now the message counts as answered.
    const { replies } = await waitUntil(async () => {
      const sent: Message = await (await again.get(`/api/messages/${id}`)).json()
      return sent.answeredAt ? sent : undefined
    }, 'a message that is answered')
    expect(replies).toMatchObject([{ state: 'sent' }])
    const { data } = await (await again.get(`/api/audit?subjectType=message&subjectId=${id}`)).json()
    expect(data.map(({ action }: { action: string }) => action)).toEqual(['message.answered', 'message.replied'])
  })

  test('wrong queries and bodies are refused', async () => {
    const { bente } = await aSite()
    for (const query of ['state=lost', 'sort=recipient', 'page=0', 'folder=spam']) {
      expect([query, (await bente.get(`/api/outbox?${query}`)).status]).toEqual([query, 422])
    }
    for (const body of [{ ids: [] }, { ids: ['1'] }, { ids: [4_000_000_000] }, { all: true }]) {
      expect((await bente.post('/api/outbox/retry', body)).status).toBe(422)
    }
  })
})

describe('each email template', () => {
  let site: TestApp
  let bente: SignedIn
  beforeAll(async () => {
    site = await aTestApp()
    bente = await as(site, 'beheerder')
  })

  test('has a name in both languages', async () => {
    for (const locale of ['nl', 'fa']) {
      const answer = await bente.request('/api/outbox/templates', { headers: { 'Accept-Language': locale } })
      const { data } = await answer.json()
      expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(emailKinds)
      expect(new Set(data.map(({ label }: { label: string }) => label)).size).toBe(emailKinds.length)
    }
    expect((await bente.get('/api/outbox/templates/nieuwsbrief')).status).toBe(404)
    expect((await bente.get('/api/outbox/templates/newUser?locale=de')).status).toBe(422)
  })

  test.each(emailKinds)('%s can be previewed in Dutch and in Persian, and nothing is sent or created', async (kind) => {
    const look = async (locale: string) => (await bente.get(`/api/outbox/templates/${kind}?locale=${locale}`)).json()
    const [dutch, persian] = [await look('nl'), await look('fa')]

    expect(dutch.html).toContain('<html dir="ltr" lang="nl"')
    expect(persian.html).toContain('<html dir="rtl" lang="fa"')
    expect(persian.text).toMatch(/[آ-ی]{3}/)
    for (const { subject, from, to, text, html } of [dutch, persian]) {
      expect(from).toEqual({ name: 'Maaslicht', address: site.app.context().site.sender.email })
      expect(to.length).toBeGreaterThan(0)
      expect(text.length).toBeGreaterThan(100)
      expect(html).not.toMatch(/<script|undefined|\{\{/)
      expect(`${subject}${text}`).not.toMatch(/undefined|\{\{|outbox\.|profile\./)
    }
    expect(dutch.text).not.toBe(persian.text)
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
    expect(await site.db.selectFrom('user_link').select('id').execute()).toEqual([])
  })
})
