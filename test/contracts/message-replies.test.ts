import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import type { OutboxEmail } from '../../src/contract/outbox.ts'
import { databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { getPageIn, publishedPage } from '../support/pages.ts'
import { as, aUser, signInWithPassword } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

describe.each(databases)('a reply to a message, on %s,', (database) => {
  const aSite = async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url } })
    return { site, mailbox, bente: await as(site, 'beheerder'), config: site.app.context().site }
  }

  test('goes to the visitor from the sender, in the same thread, and their answer goes to the company', async () => {
    const { site, mailbox, bente, config } = await aSite()
    const id = await sendMessage(site, 'sanne')
    const originals = (await mailbox.received(2)).map(({ parsed }) => parsed.messageId as string)

    const answer = await bente.post(`/api/messages/${id}/reply`, {
      text: 'Dag Sanne,\n\nDat kan voor € 1.800.',
      version: 1,
    })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({
      answeredAt: expect.any(String),
      readAt: expect.any(String),
      replies: [{ text: 'Dag Sanne,\n\nDat kan voor € 1.800.', by: 'Bente de Beheerder', state: 'waiting' }],
    })

    const email = (await mailbox.received(3)).at(-1)
    if (!email) throw new Error('no email')
    expect(email.to).toEqual(['sanne@bakkerij-hondt.example'])
    const { parsed } = email
    expect(parsed.from?.value).toEqual([{ name: 'Maaslicht', address: config.sender.email }])
    expect(parsed.to).toMatchObject({
      value: [{ name: "Sanne d'Hondt-Gübbels", address: 'sanne@bakkerij-hondt.example' }],
    })
    expect(parsed.replyTo?.value.map(({ address }) => address)).toEqual(config.contact.recipients)
    expect(parsed.subject).toBe('Re: Uw bericht aan Maaslicht')
    expect([...((parsed.references as string[]) ?? [])].sort()).toEqual(originals.sort())
    expect(originals).toContain(parsed.inReplyTo)
    expect(parsed.text).toContain('Dat kan voor € 1.800.')
    expect(parsed.text).toContain('Wat kost een webwinkel voor een bakkerij')
    expect(parsed.headers.has('auto-submitted'), 'a person wrote it').toBe(false)

    await waitUntil(async () => {
      const { replies } = await (await bente.get(`/api/messages/${id}`)).json()
      return replies[0].state === 'sent'
    }, 'note that it was sent')
  })

  test('begins in the fallback language of the site when the program lacks the language of the visitor', async () => {
    const { site, bente } = await aSite()
    const { version } = await (await bente.get('/api/config')).json()
    const languages = { locales: ['nl', 'de'], fallbackLocales: ['en'] }
    expect((await bente.put('/api/config', { version, config: languages })).status).toBe(200)
    const id = await sendMessage(site, 'sanne', { taal: 'de' })
    expect((await (await bente.get(`/api/messages/${id}`)).json()).replyStart).toMatch(/^Dear Sanne/)

    const page = await publishedPage(bente, { title: 'Laden', locale: 'de' })
    const copy = await (await bente.post(`/api/pages/${page}/duplicate`)).json()
    expect((await getPageIn(bente, copy.id, 'de')).text.title).toBe('Copy of Laden')
  })

  test('is in the language of the visitor, and a second reply refers to the first', async () => {
    const { site, mailbox, bente } = await aSite()
    const id = await sendMessage(site, 'parisa', { taal: 'fa' })
    await mailbox.received(2)
    await bente.post(`/api/messages/${id}/reply`, { text: 'سلام خانم احمدی' })
    const first = (await mailbox.received(3)).at(-1)?.parsed
    // The direction that the site gives the language.
    const { version } = await (await bente.get('/api/config')).json()
    await bente.put('/api/config', { version, config: { languages: { fa: { direction: 'ltr' } } } })
    await bente.post(`/api/messages/${id}/reply`, { text: 'یک نکتهٔ دیگر' })
    const second = (await mailbox.received(4)).at(-1)?.parsed

    expect(first?.subject).toBe('Re: پیام شما به Maaslicht')
    expect(first?.html).toContain('dir="rtl"')
    expect(second?.html).toContain('<html dir="ltr" lang="fa">')
    expect(second?.html).not.toContain('dir="rtl"')
    expect(second?.inReplyTo).toBe(first?.messageId)
    expect(second?.references).toEqual([first?.references, first?.messageId].flat())
    expect((await (await bente.get(`/api/messages/${id}`)).json()).replies).toHaveLength(2)
  })

  test('is sent once, even when the same request is repeated or concurrent', async () => {
    const { site, mailbox, bente } = await aSite()
    const id = await sendMessage(site, 'roya')
    await mailbox.received(2)
    const body = { text: 'Wij bellen u morgen.', version: 1 }
    const answers = await Promise.all([1, 2, 3].map(() => bente.post(`/api/messages/${id}/reply`, body)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    await mailbox.received(3)
    expect(await site.db.selectFrom('message_reply').select('id').execute()).toHaveLength(1)
    const about = `message:${id}`
    expect(await site.db.selectFrom('outbox').select('id').where('about', '=', about).execute()).toHaveLength(3)
  })

  test('is refused above the limit for one hour, also when several are sent at once', async () => {
    const { site, bente } = await aSite()
    const [first, ...others] = await Promise.all(
      ['roya', 'sanne', 'roya', 'sanne'].map((name) => sendMessage(site, name as 'roya')),
    )
    expect((await bente.post(`/api/messages/${first}/reply`, { text: 'Komt goed.' })).status).toBe(201)
    const { id: _, ...reply } = await site.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'message.replied')
      .executeTakeFirstOrThrow()
    await site.db
      .insertInto('audit')
      .values(Array.from({ length: limits.repliesPerSender - 2 }, () => reply))
      .execute()
    const answers = await Promise.all(
      others.map((id) => bente.post(`/api/messages/${id}/reply`, { text: 'Wij bellen.' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429])
  })

  test('is refused when a colleague replied meanwhile, and shows that reply', async () => {
    const { site, bente } = await aSite()
    await aUser(site, { name: 'Noor', email: 'noor@example.nl', roleId: 2 })
    const noor = await signInWithPassword(site, 'noor@example.nl')
    const id = await sendMessage(site, 'roya')

    const both = await Promise.all([
      bente.post(`/api/messages/${id}/reply`, { text: 'Van Bente', version: 1 }),
      noor.post(`/api/messages/${id}/reply`, { text: 'Van Noor', version: 1 }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const late = both.find(({ status }) => status === 409) as Response
    const { code, current } = await late.json()
    expect([code, current.replies.length]).toEqual(['stale', 1])
  })

  test('that the mail server rejects is shown as failed, and an empty reply is refused', async () => {
    const { site, mailbox, bente } = await aSite()
    const id = await sendMessage(site, 'daan')
    await mailbox.received(2)
    mailbox.rejectWith({ code: 550, message: 'no such user', recipients: ['daan@vandermeer.example'] })
    await bente.post(`/api/messages/${id}/reply`, { text: 'Dat kunnen wij.' })
    await site.db
      .updateTable('outbox')
      .set({ state: 'failed' })
      .where('recipient', '=', 'daan@vandermeer.example')
      .execute()
    expect((await (await bente.get(`/api/messages/${id}`)).json()).replies).toMatchObject([{ state: 'failed' }])

    for (const text of ['', '  \n ', '\u200b', 'x'.repeat(10_001), 'nul\0']) {
      const answer = await bente.post(`/api/messages/${id}/reply`, { text })
      expect(answer.status).toBe(422)
      expect((await answer.json()).errors).toMatchObject([{ path: 'text' }])
    }
    expect((await bente.post('/api/messages/99999/reply', { text: 'Dag' })).status).toBe(404)
  })

  test('that is delayed leaves the message unanswered when somebody marked it so meanwhile', async () => {
    let now = Date.now()
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, now: () => new Date(now), settings: { smtpUrl: mailbox.url } })
    const bente = await as(site, 'beheerder')
    const id = await sendMessage(site, 'daan')
    await mailbox.received(2)
    mailbox.rejectWith({ code: 451, message: 'later' })
    await bente.post(`/api/messages/${id}/reply`, { text: 'Dat kunnen wij.' })
    await waitUntil(() => site.lines.some(({ msg }) => msg === 'email not sent, will retry'), 'refused email')
    now += 1_000
    const { data } = await (await bente.post('/api/messages/answered', { ids: [id], answered: false })).json()
    expect(data).toMatchObject([{ id, answeredAt: null }])

    mailbox.rejectWith(undefined)
    now += 60_000
    await waitUntil(() => site.lines.filter(({ msg }) => msg === 'email sent').length === 3, 'reply that is sent')
    expect(await (await bente.get(`/api/messages/${id}`)).json()).toMatchObject({
      answeredAt: null,
      replies: [{ state: 'sent' }],
    })
  })

  test('is not stored as sent without the message being answered', async () => {
    const offline = await aTestApp({ database })
    const user = await as(offline, 'beheerder')
    const id = await sendMessage(offline, 'daan')
    await user.post(`/api/messages/${id}/reply`, { text: 'Dat kunnen wij.' })
    await waitUntil(async () => (await offline.writtenEmails()).length === 3, 'emails in files')
    await offline.stop()
    const mailbox = await aMailbox()
    const site = await aTestApp({ beside: offline, settings: { smtpUrl: mailbox.url } })
    const bente = await as(site, 'beheerder')
    const stored = async () => {
      const { answeredAt, replies } = await (await bente.get(`/api/messages/${id}`)).json()
      return { isAnswered: answeredAt !== null, reply: replies[0].state }
    }

    if (database === 'postgres')
      await sql`alter table message add constraint kept check (answered_at is null)`.execute(site.db)
    else
      await sql`create trigger kept before update of answered_at on message begin select raise(abort, 'kept'); end`.execute(
        site.db,
      )
    const { data }: { data: OutboxEmail[] } = await (await bente.get('/api/outbox')).json()
    const reply = data.find(({ template }) => template === 'messageReply')
    await bente.post('/api/outbox/retry', { ids: [reply?.id] })
    const notStored = 'email sent, but its state could not be stored yet'
    await waitUntil(() => site.lines.some(({ msg }) => msg === notStored), 'failure to mark the message')
    expect(await stored()).toEqual({ isAnswered: false, reply: 'waiting' })

    await (database === 'postgres' ? sql`alter table message drop constraint kept` : sql`drop trigger kept`).execute(
      site.db,
    )
    await waitUntil(async () => (await stored()).reply === 'sent', 'reply that is sent')
    expect(await stored()).toEqual({ isAnswered: true, reply: 'sent' })
    expect(mailbox.emails.map(({ to }) => to)).toEqual([['daan@vandermeer.example']])
  })

  test('is refused after a hundred of one user in an hour', async () => {
    const { site, bente } = await aSite()
    const id = await sendMessage(site, 'roya')
    const at = new Date().toISOString()
    await site.db
      .insertInto('audit')
      .values(
        Array.from({ length: 100 }, () => ({
          at,
          actor_id: bente.id,
          actor_name: 'Bente',
          action: 'message.replied',
          subject_type: 'message',
          subject_name: '#1',
        })),
      )
      .execute()
    const answer = await bente.post(`/api/messages/${id}/reply`, { text: 'Nog een' })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000)
  })
})
