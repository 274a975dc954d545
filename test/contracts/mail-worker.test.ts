import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/domain/configuration/configuration.ts'
import { messageTemplate } from '../../src/domain/messages/message-letter.ts'
import { startMailWorker } from '../../src/jobs/send-mail.ts'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { claimLetters, countLetters, postLetter } from '../../src/platform/mail/outbox.ts'
import { createTransport } from '../../src/platform/mail/transport.ts'
import { closeAtEnd } from '../support/closing.ts'
import { aDatabase, anEmptyDatabase, databases } from '../support/databases.ts'
import { aLog, allowErrors } from '../support/logged.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf } from '../support/people.ts'
import { until } from '../support/until.ts'

const site = readConfiguration(readFileSync('site.config.json', 'utf8'), 'site.config.json')
const [first, second] = site.contact.recipients as [string, string]
const start = new Date('2026-03-02T09:00:00.000Z')

/** A clock that stands still until it is moved. */
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
  const letter = { template: messageTemplate, locale: 'nl', data, recipients: site.contact.recipients, ...more }
  await db.transaction().execute((tx) => postLetter(tx, letter, more.now ?? start, 'maaslicht.example'))
}

type Parts = Parameters<typeof startMailWorker>[0]

/** The worker, sending to `url`. It looks when woken; by itself only so seldom that no test sees it. */
function aWorker(open: OpenDatabase, url: string, more: Partial<Parts> = {}) {
  const { log, lines } = aLog()
  const events: string[] = []
  const transport = createTransport({ smtpUrl: url, dataDir: 'unused' })
  const worker = startMailWorker({
    ...open,
    log,
    now: () => start,
    site: () => site,
    transport,
    event: (name) => events.push(name),
    ...more,
    timing: { longestWaitMs: 60_000, soonMs: 60_000, ...more.timing },
  })
  const stop = async () => {
    await worker.stop()
    await transport.close()
  }
  closeAtEnd(stop)
  return { ...worker, stop, events, lines }
}

/** A mail server that takes its time over each letter. */
async function aSlowMailbox(ms: number) {
  const letters: string[] = []
  let begun = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 50,
    onData(stream, session, done) {
      begun++
      stream.resume()
      stream.on('end', () =>
        setTimeout(() => {
          letters.push(...session.envelope.rcptTo.map((one) => one.address))
          done()
        }, ms),
      )
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, letters, begun: () => begun }
}

const settled = (open: OpenDatabase, wanted: Partial<Awaited<ReturnType<typeof countLetters>>>) =>
  until(
    async () => {
      const found = await countLetters(open.db)
      return Object.entries(wanted).every(([state, count]) => found[state as 'sent'] === count)
    },
    `outbox with ${JSON.stringify(wanted)}`,
  )

const reasons = ({ db }: OpenDatabase) =>
  db.selectFrom('outbox').select(['recipient', 'state', 'last_error']).orderBy('id').execute()

const retried = (worker: { events: string[] }, times: number) =>
  until(() => worker.events.filter((event) => event === 'letter_retried').length === times, `retry number ${times}`)

describe.each(databases)('the mail worker on %s', (kind) => {
  test('a letter that was posted arrives at both recipients as soon as the worker is woken', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    const worker = aWorker(open, mailbox.url)
    await post(open)
    worker.wake()
    const letters = await mailbox.received(2)
    expect(letters.flatMap((letter) => letter.to).sort()).toEqual([first, second].sort())
    expect(new Set(letters.map((letter) => letter.parsed.subject))).toEqual(
      new Set(['Nieuw contactbericht via Maaslicht']),
    )
    await settled(open, { sent: 2 })
    expect(worker.events).toEqual(['letter_sent', 'letter_sent'])
  })

  test('a letter that waited from before the start is sent at the start', async () => {
    const open = await aDatabase(kind)
    await post(open)
    const mailbox = await aMailbox()
    aWorker(open, mailbox.url)
    await mailbox.received(2)
  })

  test('a letter that another copy of the program posted is found without being woken', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    aWorker(open, mailbox.url, { timing: { longestWaitMs: 30, soonMs: 30 } })
    await settled(open, { waiting: 0 })
    await post(open)
    await mailbox.received(2)
  })

  test('with the server down nothing is lost: it arrives when the server is back', async () => {
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

  test('a server that says "later" is asked again, with the same Message-ID', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aMailbox()
    mailbox.refuse({ code: 451, message: 'greylisted, try later' })
    await post(open, { recipients: [first] })
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await retried(worker, 1)
    const [{ messageId }] = (await open.db.selectFrom('outbox').select('message_id as messageId').execute()) as [
      { messageId: string },
    ]

    mailbox.refuse(undefined)
    clock.pass(5)
    worker.wake()
    const [letter] = await mailbox.received(1)
    expect(letter?.parsed.messageId).toBe(messageId)
  })

  test('a recipient that is refused does not keep the letter from the other, nor sends it twice', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aMailbox()
    mailbox.refuse({ code: 550, message: 'no such user', recipients: [second] })
    await post(open)
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await retried(worker, 1)
    await settled(open, { sent: 1, waiting: 1 })
    for (const [times, pause] of [5, 15, 45].entries()) {
      clock.pass(pause)
      worker.wake()
      await retried(worker, times + 2)
    }
    expect(mailbox.letters.map((letter) => letter.to)).toEqual([[first]])
    expect(await reasons(open)).toMatchObject([
      { recipient: first, state: 'sent', last_error: null },
      { recipient: second, state: 'waiting', last_error: expect.stringContaining('550 no such user') },
    ])
  })

  test('after three days a letter is given up, with the reason', async () => {
    allowErrors(/given up/)
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    mailbox.refuse({ code: 550, message: 'no such user', recipients: [second] })
    await post(open, { recipients: [second], now: new Date(start.getTime() - 72 * 3_600_000) })
    const worker = aWorker(open, mailbox.url)
    await settled(open, { failed: 1 })
    await until(() => worker.events.includes('letter_failed'), 'event')
    expect(await reasons(open)).toMatchObject([
      { state: 'failed', last_error: expect.stringContaining('550 no such user') },
    ])
  })

  test('a letter that cannot be put in words keeps its reason, and blocks no other', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    for (const template of ['unheardOf', 'constructor', '__proto__', 'toString', 'unheardOf']) {
      await post(open, { template, recipients: [first] })
    }
    await post(open)
    aWorker(open, mailbox.url)
    await mailbox.received(2)
    await settled(open, { sent: 2, waiting: 5 })
    expect((await reasons(open))[0]).toMatchObject({ last_error: 'There is no letter called unheardOf' })
  })

  test('what a killed worker had claimed is sent when its lease ends', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aMailbox()
    await post(open)
    const [claim] = await claimLetters(open.db, open.dialect, start, 1, 15_000)
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await settled(open, { sent: 1, waiting: 1 })

    clock.pass(15)
    worker.wake()
    const letters = await mailbox.received(2)
    expect(letters[1]?.parsed.messageId).toBe(claim?.messageId)
  })

  test('workers of two copies send each letter once', async () => {
    const settings = await anEmptyDatabase(kind)
    const [one, other] = [await openDatabase(settings), await openDatabase(settings)]
    closeAtEnd(() => Promise.all([one.db.destroy(), other.db.destroy()]).then(() => {}))
    const mailbox = await aMailbox()
    for (let count = 0; count < 15; count++) await post(one)
    for (const open of [one, other]) aWorker(open, mailbox.url)
    await settled(one, { sent: 30 })
    expect(new Set(mailbox.letters.map((letter) => letter.parsed.messageId))).toHaveLength(30)
    expect(mailbox.letters).toHaveLength(30)
  })

  test('a letter that takes longer than its lease stays with the worker that sends it', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aSlowMailbox(1_500)
    await post(open, { recipients: [first] })
    const timing = { leaseMs: 600, longestWaitMs: 50, soonMs: 50 }
    for (let copies = 0; copies < 2; copies++) aWorker(open, mailbox.url, { now: () => new Date(), timing })
    await settled(open, { sent: 1 })
    expect(mailbox.begun()).toBe(1)
  })

  test('a clock that jumps while a letter is on its way sends it no second time', async () => {
    const open = await aDatabase(kind)
    const clock = aClock()
    const mailbox = await aSlowMailbox(200)
    await post(open, { recipients: [first] })
    const worker = aWorker(open, mailbox.url, { now: clock.now })
    await until(() => mailbox.begun() === 1, 'letter on its way')
    clock.pass(60)
    worker.wake()
    await worker.stop()
    expect(mailbox.begun()).toBe(1)
    expect(await countLetters(open.db)).toEqual({ sent: 1, waiting: 0, failed: 0 })
  })

  test('stopping lets the letters on their way arrive, and claims no more', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aSlowMailbox(200)
    for (let count = 0; count < 5; count++) await post(open)
    const worker = aWorker(open, mailbox.url)
    await until(() => mailbox.begun() === 4, 'four letters on their way')
    await worker.stop()
    expect(mailbox.letters).toHaveLength(4)
    expect(await countLetters(open.db)).toEqual({ sent: 4, waiting: 6, failed: 0 })
    expect(await claimLetters(open.db, open.dialect, start, 10, 1_000)).toHaveLength(6)
  })

  test('stopping does not wait for ever: what has not arrived is given back, due at once', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aSlowMailbox(60_000)
    await post(open)
    const worker = aWorker(open, mailbox.url, { timing: { stopWithinMs: 100 } })
    await until(() => mailbox.begun() === 2, 'two letters on their way')
    await worker.stop()
    expect(await claimLetters(open.db, open.dialect, start, 10, 1_000)).toMatchObject([{ attempt: 2 }, { attempt: 2 }])
  })

  test('the log tells letters by number, and nothing of who wrote or reads them', async () => {
    const open = await aDatabase(kind)
    const mailbox = await aMailbox()
    mailbox.refuse({ code: 550, message: `no ${second} here`, recipients: [second] })
    await post(open)
    const worker = aWorker(open, mailbox.url)
    await retried(worker, 1)
    await settled(open, { sent: 1 })
    await until(() => worker.lines.length >= 2, 'two lines')
    const text = JSON.stringify(worker.lines)
    expect(text).toContain('"responseCode":550')
    expect(text).not.toMatch(/@|Roya|325/)
  })
})
