import { describe, expect, test } from 'vitest'
import { type DatabaseKind, databases } from '../../../test/support/databases.ts'
import { aMessageOf } from '../../../test/support/people.ts'
import { aTestApp, type TestApp } from '../../../test/support/test-app.ts'
import { allowErrors } from '../../../test/support/test-log.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'

const start = Date.UTC(2026, 2, 2, 9)
const minutes = 60_000

/** @param more `startJobs` to send its emails, too */
async function anApp(
  database: DatabaseKind,
  more: { settings?: Partial<TestApp['settings']>; startJobs?: boolean } = {},
) {
  let at = start
  const { settings, startJobs = false } = more
  const now = () => new Date(at)
  const site = await aTestApp({ database, now, startJobs, settings: { trustProxy: 1, ...settings } })
  return {
    ...site,
    pass(ms: number) {
      at += ms
    },
    async send(message: object, from = '203.0.113.5') {
      const response = await site.request('/api/contact', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
        body: JSON.stringify(message),
      })
      const retryAfter = response.headers.get('retry-after')
      return {
        status: response.status,
        body: await response.json(),
        retryAfter: retryAfter === null ? null : Number(retryAfter),
      }
    },
    messages: () => site.db.selectFrom('message').selectAll().orderBy('id').execute(),
    recipients: () => site.db.selectFrom('outbox').select('recipient').orderBy('id').execute(),
  }
}

/** This many different messages of one visitor. */
const different = (count: number) =>
  Array.from({ length: count }, (_, at) => aMessageOf('daan', { bericht: `Vraag ${at}` }))

describe.each(databases)('a contact message on %s', (kind) => {
  test('is stored as it was sent, with the version of the privacy statement and without the sender’s address, and emailed to each recipient in the visitor’s language', async () => {
    const site = await anApp(kind, { startJobs: true })
    const { status, body } = await site.send({ ...aMessageOf('parisa'), taal: 'fa' })
    expect(status).toBe(201)
    const [message] = await site.messages()
    expect(message).toMatchObject({
      ...aMessageOf('parisa', { tel: '0612345678' }),
      reference: body.id,
      locale: 'fa',
      folder: 'inbox',
      spam_reason: null,
      privacy_version: expect.stringMatching(/^\d{4}-\d\d-\d\d-[0-9a-f]{8}$/),
      created_at: '2026-03-02T09:00:00.000Z',
    })
    expect(JSON.stringify(message)).not.toContain('203.0.113')
    expect((await site.recipients()).map(({ recipient }) => recipient)).toEqual(
      site.app.context().site.contact.recipients,
    )
    const [email] = await waitUntil(async () => {
      const emails = await site.writtenEmails()
      return emails.length === 2 && emails
    }, 'email for each recipient')
    expect(email?.subject).toBe('Nieuw contactbericht via Maaslicht')
    expect(email?.text).toContain('پیام تازه از فرم تماس')
    expect(email?.replyTo?.value).toEqual([{ name: 'پریسا احمدی', address: 'parisa@ahmadi.example' }])
  })

  test('is stored once when it is repeated within ten minutes, and again after that', async () => {
    const site = await anApp(kind)
    const first = await site.send(aMessageOf('roya'))
    site.pass(10 * minutes - 1)
    expect(await site.send(aMessageOf('roya', { naam: ' Roya Karimi ' }), '198.51.100.7')).toEqual(first)
    expect(await site.messages()).toHaveLength(1)
    expect(await site.recipients()).toHaveLength(2)

    const other = await site.send(aMessageOf('roya', { tel: '043 000 0000' }))
    expect(other.body.id).not.toBe(first.body.id)
    site.pass(1)
    const anew = await site.send(aMessageOf('roya'))
    expect(anew.body.id).not.toBe(first.body.id)
    expect(await site.messages()).toHaveLength(3)
  })

  test('that is posted twenty times at once is stored and emailed once', async () => {
    const site = await anApp(kind)
    const answers = await Promise.all(Array.from({ length: 20 }, () => site.send(aMessageOf('sanne'))))
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map((answer) => answer.body.id))).toHaveLength(1)
    expect(await site.messages()).toHaveLength(1)
    expect(await site.recipients()).toHaveLength(2)
  })

  test('is refused after twenty from one address in ten minutes, until the first of them is ten minutes old', async () => {
    const site = await anApp(kind)
    for (const [at, message] of different(20).entries()) {
      if (at === 1) site.pass(3 * minutes)
      expect((await site.send(message)).status).toBe(201)
    }
    expect(await site.send(aMessageOf('roya'))).toMatchObject({
      status: 429,
      retryAfter: 7 * 60,
      body: { title: 'Even geduld' },
    })
    expect((await site.send(aMessageOf('roya'), '203.0.113.6')).status).toBe(201)
    expect(await site.messages()).toHaveLength(21)

    expect((await site.send(different(20)[4] as object)).status, 'the same message again').toBe(201)
    site.pass(7 * minutes)
    expect((await site.send(aMessageOf('sanne'))).status).toBe(201)
    expect(await site.send(aMessageOf('parisa'))).toMatchObject({ status: 429, retryAfter: 3 * 60 })
  })

  test('is neither refused nor taken for a repetition because of messages that came while the clock was ahead', async () => {
    const site = await anApp(kind)
    site.pass(2 * 24 * 60 * minutes)
    for (const message of different(20)) expect((await site.send(message)).status).toBe(201)
    site.pass(-2 * 24 * 60 * minutes)
    for (const message of different(2)) expect((await site.send(message)).status).toBe(201)
    expect(await site.messages()).toHaveLength(22)
  })

  test('shares its limit with addresses of the same IPv6 network, and IPv4-mapped IPv6 counts as IPv4', async () => {
    const site = await anApp(kind)
    for (const [at, message] of different(20).entries()) await site.send(message, `2001:db8:1:2::${at + 1}`)
    expect((await site.send(aMessageOf('roya'), '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await site.send(aMessageOf('roya'), '2001:db8:1:3::1')).status).toBe(201)

    for (const message of different(20)) await site.send({ ...message, naam: 'Daan' }, '203.0.113.9')
    expect((await site.send(aMessageOf('sanne'), '::ffff:203.0.113.9')).status).toBe(429)
  })

  test('does not exceed the limit when many arrive at once', async () => {
    const site = await anApp(kind)
    const answers = await Promise.all(different(30).map((message) => site.send(message)))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(20)
    expect(await site.messages()).toHaveLength(20)
  })

  test('is refused after a thousand from all senders together', async () => {
    const site = await anApp(kind)
    await site.send(aMessageOf('roya'))
    const [{ id: _, search_text: __, ...row }] = (await site.messages()) as [
      Awaited<ReturnType<typeof site.messages>>[number],
    ]
    const others = Array.from({ length: 998 }, (_, at) => ({ ...row, fingerprint: `f${at}`, address_key: `a${at}` }))
    await site.db.insertInto('message').values(others).execute()
    expect((await site.send(aMessageOf('daan'))).status).toBe(201)
    site.pass(60_000)
    expect(await site.send(aMessageOf('sanne'))).toMatchObject({ status: 429, retryAfter: 9 * 60 })
  })

  test('has no limits when CONTACT_RATE is off, but a repetition is still stored once', async () => {
    const site = await anApp(kind, { settings: { rateLimited: false } })
    // More than twenty messages, and more than a hundred posts.
    const posted = Array.from({ length: 5 }, () => different(21)).flat()
    const answers = await Promise.all(posted.map((message) => site.send(message)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]))
    expect(await site.messages()).toHaveLength(21)
  })

  test('that fills in the honeypot gets the same response, is stored as spam with the reason, and is not emailed', async () => {
    const site = await anApp(kind)
    const spam = await site.send({ ...aMessageOf('roya'), website: 'https://casino.example' })
    expect(spam).toMatchObject({ status: 201, body: { title: 'Dank voor uw bericht!' } })
    expect(await site.messages()).toMatchObject([{ reference: spam.body.id, folder: 'spam', spam_reason: 'honeypot' }])
    expect(await site.recipients()).toEqual([])

    const honest = await site.send(aMessageOf('roya'))
    expect(honest.body.id, 'the same words of a person are no copy of the spam').not.toBe(spam.body.id)
    expect(await site.recipients()).toHaveLength(2)
  })

  test('is not stored when its emails cannot be queued', async () => {
    allowErrors(/./)
    const site = await anApp(kind)
    await site.db.schema.dropTable('outbox').execute()
    expect(await site.send(aMessageOf('roya'))).toMatchObject({
      status: 500,
      body: {
        title: 'Uw bericht is niet verstuurd!',
        detail: 'Er is een fout opgetreden bij het verzenden van uw bericht.',
        code: 'contact_failed',
      },
    })
    expect(await site.messages()).toEqual([])
    expect(JSON.stringify(site.lines)).not.toMatch(/karimi|325 1234|203\.0\.113/)
  })
})
