import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { parseConfiguration } from '../../src/domain/configuration/configuration.ts'
import { messageTemplate } from '../../src/domain/messages/message-email.ts'
import { startMailWorker } from '../../src/jobs/send-mail.ts'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { claimEmails, countEmails, queueEmail } from '../../src/platform/mail/outbox.ts'
import { createTransport } from '../../src/platform/mail/transport.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, aDatabase, databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf } from '../support/people.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { patienceMs, waitUntil } from '../support/wait-until.ts'

const site = parseConfiguration(readFileSync('site.config.json', 'utf8'), 'site.config.json')
const [first, second] = site.contact.recipients as [string, string]
const start = new Date('2026-03-02T09:00:00.000Z')

/** A clock that moves only when the test moves it. */
function aClock() {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    pass(seconds: number) {
      at += seconds * 1_000
    },
  }
}

async function post({ db }: OpenDatabase, more: { template?: string; recipients?: string[]; now?: Date } = {}) {
  const data = { id: 41, message: aMessageOf('roya'), receivedAt: start.toISOString() }
  const email = { template: messageTemplate, locale: 'nl', data, recipients: site.contact.recipients, ...more }
  await db.transaction().execute((tx) => queueEmail(tx, email, more.now ?? start, 'maaslicht.example'))
}

type Parts = Parameters<typeof startMailWorker>[0]

/** The worker, sending to `url`. It polls when woken; its own interval is too long for any test. */
function aWorker(open: OpenDatabase, url: string, more: Partial<Parts> = {}) {
  const { log, lines } = aLog()
  const events: string[] = []
  const transport = createTransport({ smtpUrl: url, dataDir: 'unused' })
  const worker = startMailWorker({
    ...open,
    log,
    now: () => start,
    site: () => site,
    transport: () => transport,
    countEvent: (name) => events.push(name),
    ...more,
    timing: { idleIntervalMs: 60_000, busyIntervalMs: 60_000, ...more.timing },
  })
  const stop = async () => {
    await worker.stop()
    await transport.close()
  }
  closeAfterTest(stop)
  return { ...worker, stop, events, lines }
}

/** A mail server that accepts an email after a time, or when a promise is kept. */
async function aSlowMailbox(until: number | Promise<void>) {
  const emails: string[] = []
  let begun = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 50,
    onData(stream, session, done) {
      begun++
      stream.resume()
      stream.on('end', async () => {
        await (typeof until === 'number' ? pause(until) : until)
        emails.push(...session.envelope.rcptTo.map((one) => one.address))
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAfterTest(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, emails, begun: () => begun }
}

const settled = (open: OpenDatabase, wanted: Partial<Awaited<ReturnType<typeof countEmails>>>) =>
  waitUntil(
    async () => {
      const found = await countEmails(open.db)
      return Object.entries(wanted).every(([state, count]) => found[state as 'sent'] === count)
    },
    `outbox with ${JSON.stringify(wanted)}`,
  )

const reasons = ({ db }: OpenDatabase) =>
  db.selectFrom('outbox').select(['recipient', 'state', 'last_error']).orderBy('id').execute()

const retried = (worker: { events: string[] }, times: number) =>
  waitUntil(() => worker.events.filter((event) => event === 'email_retried').length === times, `retry number ${times}`)

describe.each(databases)('the mail worker on %s', (kind) => {
  test('a queued email arrives at both recipients as soon as the worker is woken', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    const worker = aWorker(open, mailbox.url)
    await post(open)
    worker.wake()
    const emails = await mailbox.received(2)
    expect(emails.flatMap((email) => email.to).sort()).toEqual([first, second].sort())
    expect(new Set(emails.map((email) => email.parsed.subject))).toEqual(
      new Set(['Nieuw contactbericht via Maaslicht']),
    )
    await settled(open, { sent: 2 })
    // Each is counted after its row says that it is sent.
    await expect.poll(() => worker.events).toEqual(['email_sent', 'email_sent'])
  })

  test('an email that another instance queued is found by polling', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    aWorker(open, mailbox.url, { timing: { idleIntervalMs: 30, busyIntervalMs: 30 } })
    await settled(open, { waiting: 0 })
    await post(open)
    await mailbox.received(2)
  })

  test('with the server down no email is lost: it arrives when the server is back', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aMailbox()
    await mailbox.stop()
    await post(open)
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await retried(worker, 2)
    expect(await reasons(open)).toMatchObject([
      { state: 'waiting', last_error: expect.stringContaining('ECONNREFUSED') },
      {},
    ])

    clock.pass(5)
    worker.wake()
    await retried(worker, 4)
    await mailbox.start()
    clock.pass(14)
    worker.wake()
    clock.pass(1)
    worker.wake()
    await mailbox.received(2)
    await settled(open, { sent: 2 })
  })

  test('a temporary failure is retried with the same Message-ID', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aMailbox()
    mailbox.rejectWith({ code: 451, message: 'greylisted, try later' })
    await post(open, { recipients: [first] })
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await retried(worker, 1)
    const [{ messageId }] = (await open.db.selectFrom('outbox').select('message_id as messageId').execute()) as [
      { messageId: string },
    ]

    mailbox.rejectWith(undefined)
    clock.pass(5)
    worker.wake()
    const [email] = await mailbox.received(1)
    expect(email?.parsed.messageId).toBe(messageId)
  })

  test('a rejected recipient neither blocks the other recipient nor causes a duplicate', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aMailbox()
    mailbox.rejectWith({ code: 550, message: 'no such user', recipients: [second] })
    await post(open)
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await retried(worker, 1)
    await settled(open, { sent: 1, waiting: 1 })
    for (const [times, pause] of [5, 15, 45].entries()) {
      clock.pass(pause)
      worker.wake()
      await retried(worker, times + 2)
    }
    expect(mailbox.emails.map((email) => email.to)).toEqual([[first]])
    expect(await reasons(open)).toMatchObject([
      { recipient: first, state: 'sent', last_error: null },
      { recipient: second, state: 'waiting', last_error: expect.stringContaining('550 no such user') },
    ])
  })

  test('after three days an email fails, with the reason', async () => {
    allowErrors(/email failed/)
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    mailbox.rejectWith({ code: 550, message: 'no such user', recipients: [second] })
    await post(open, { recipients: [second], now: new Date(start.getTime() - 72 * 3_600_000) })
    await open.db.updateTable('outbox').set({ attempts: 30 }).execute()
    const worker = aWorker(open, mailbox.url)
    await settled(open, { failed: 1 })
    await waitUntil(() => worker.events.includes('email_failed'), 'event')
    expect(await reasons(open)).toMatchObject([
      { state: 'failed', last_error: expect.stringContaining('550 no such user') },
    ])
  })

  test('an email that cannot be rendered keeps its reason, and blocks no other that was queued before the start', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    for (const template of ['unheardOf', 'constructor', '__proto__', 'toString', 'unheardOf']) {
      await post(open, { template, recipients: [first] })
    }
    await post(open)
    aWorker(open, mailbox.url)
    await mailbox.received(2)
    await settled(open, { sent: 2, waiting: 5 })
    await expect
      .poll(async () => (await reasons(open))[0]?.last_error)
      .toBe('There is no email template called unheardOf')
  })

  test('an email that a killed worker had claimed is sent when its lease ends', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aMailbox()
    await post(open)
    const [claim] = await claimEmails(open.db, open.dialect, start, 1, 15_000)
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await settled(open, { sent: 1, waiting: 1 })

    clock.pass(15)
    worker.wake()
    const emails = await mailbox.received(2)
    expect(emails[1]?.parsed.messageId).toBe(claim?.messageId)
  })

  test('an email that a killed worker had claimed while the clock was ahead is sent after the clock was set back', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const twoDays = 2 * 24 * 60 * 60
    await post(open)
    clock.pass(twoDays)
    expect(await claimEmails(open.db, open.dialect, clock.now(), 10, 15_000)).toHaveLength(2)
    clock.pass(-twoDays)
    const mailbox = await aMailbox()
    aWorker(open, mailbox.url, { now: clock.now })
    await mailbox.received(2)
  })

  test('workers of two instances send each email once', async () => {
    const settings = { ...(await aCopyOfTemplate('migrated', kind)), databaseTimeoutMs: patienceMs }
    const [one, other] = [await openDatabase(settings), await openDatabase(settings)]
    closeAfterTest(() => Promise.all([one.db.destroy(), other.db.destroy()]).then(() => {}))
    const mailbox = await aMailbox()
    for (let count = 0; count < 15; count++) await post(one)
    for (const open of [one, other]) aWorker(open, mailbox.url)
    await settled(one, { sent: 30 })
    expect(new Set(mailbox.emails.map((email) => email.parsed.messageId))).toHaveLength(30)
    expect(mailbox.emails).toHaveLength(30)
  })

  test('an email that takes longer than its lease stays with its worker', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const accepted = Promise.withResolvers<void>()
    const mailbox = await aSlowMailbox(accepted.promise)
    await post(open, { recipients: [first] })
    const timing = { leaseMs: 600, idleIntervalMs: 50, busyIntervalMs: 50 }
    for (let copies = 0; copies < 2; copies++) aWorker(open, mailbox.url, { now: clock.now, timing })
    closeAfterTest(accepted.resolve)
    await waitUntil(() => mailbox.begun() === 1, 'email on its way')
    const email = open.db.selectFrom('outbox').select('next_attempt_at')
    for (let renewals = 0; renewals < 3; renewals++) {
      clock.pass(0.4)
      const end = clock.now().getTime() + timing.leaseMs
      const isRenewed = async () => Date.parse((await email.executeTakeFirstOrThrow()).next_attempt_at) === end
      await waitUntil(isRenewed, 'lease that is renewed')
    }
    accepted.resolve()
    await settled(open, { sent: 1 })
    expect(mailbox.begun()).toBe(1)
  })

  test('a clock change while an email is being sent causes no duplicate', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aSlowMailbox(200)
    await post(open, { recipients: [first] })
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await waitUntil(() => mailbox.begun() === 1, 'email on its way')
    clock.pass(60)
    worker.wake()
    await worker.stop()
    expect(mailbox.begun()).toBe(1)
    expect(await countEmails(open.db)).toEqual({ sent: 1, waiting: 0, failed: 0, file: 0 })
  })

  test('an email that was sent while the database fails is not sent again', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aSlowMailbox(0)
    let failures = 0
    const failing = open.db.withPlugin({
      transformQuery({ node }) {
        if (node.kind !== 'UpdateQueryNode' || !JSON.stringify(node).includes('sent_at') || failures === 2) return node
        failures++
        throw new Error('the database is away')
      },
      transformResult: async ({ result }) => result,
    })
    await post(open, { recipients: [first] })
    const worker = aWorker({ ...open, db: failing }, mailbox.url, { timing: { storeRetryMs: 10 } })
    await settled(open, { sent: 1 })
    expect([failures, mailbox.begun()]).toEqual([2, 1])
    await expect.poll(() => worker.events).toEqual(['email_sent'])
  })

  test('an email is stored as sent although the message that it answers cannot be changed', async () => {
    allowErrors(/what it answers was not updated/)
    const open = await aDatabase(kind)
    const mailbox = await aSlowMailbox(0)
    await post(open, { recipients: [first] })
    const onSent = () => Promise.reject(new Error('the message is damaged'))
    const worker = aWorker(open, mailbox.url, { timing: { storeRetryMs: 1 }, onSent })
    await settled(open, { sent: 1 })
    expect(mailbox.begun()).toBe(1)
    await expect.poll(() => worker.lines.at(-1)).toMatchObject({ msg: 'email sent' })
    expect(worker.lines.map(({ msg }) => msg)).toContain('email stored as sent, but what it answers was not updated')
  })

  test('stopping completes the emails that are being sent, and claims no more', async () => {
    const open = await aDatabase(kind)
    const accepted = Promise.withResolvers<void>()
    const mailbox = await aSlowMailbox(accepted.promise)
    for (let count = 0; count < 5; count++) await post(open)
    const worker = aWorker(open, mailbox.url, { timing: { stopTimeoutMs: patienceMs } })
    closeAfterTest(accepted.resolve)
    await waitUntil(() => mailbox.begun() === 4, 'four emails on their way')
    const stopped = worker.stop()
    accepted.resolve()
    await stopped
    expect(mailbox.emails).toHaveLength(4)
    expect(await countEmails(open.db)).toEqual({ sent: 4, waiting: 6, failed: 0, file: 0 })
    expect(await claimEmails(open.db, open.dialect, start, 10, 1_000)).toHaveLength(6)
  })

  test('stopping has a time limit: an unfinished email is released, due at once', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aSlowMailbox(60_000)
    await post(open)
    const worker = aWorker(open, mailbox.url, { timing: { stopTimeoutMs: 100 } })
    await waitUntil(() => mailbox.begun() === 2, 'two emails on their way')
    await worker.stop()
    expect(await claimEmails(open.db, open.dialect, start, 10, 1_000)).toMatchObject([{ attempt: 2 }, { attempt: 2 }])
  })

  test('the log names emails by id, without sender or recipient', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    mailbox.rejectWith({ code: 550, message: `no ${second} here`, recipients: [second] })
    await post(open)
    const worker = aWorker(open, mailbox.url)
    await retried(worker, 1)
    await settled(open, { sent: 1 })
    await waitUntil(() => worker.lines.length >= 2, 'two lines')
    // A time may have the digits of the telephone number.
    const text = JSON.stringify(worker.lines.map(({ time: _, ...line }) => line))
    expect(text).toContain('"responseCode":550')
    expect(text).not.toMatch(/@|Roya|325/)
  })
})
