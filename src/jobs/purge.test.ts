import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { databases } from '../../test/support/databases.ts'
import { aMessageOf, people } from '../../test/support/people.ts'
import { aTestApp } from '../../test/support/test-app.ts'
import { until } from '../../test/support/until.ts'
import { createTransport } from '../platform/mail/transport.ts'
import { purge } from './purge.ts'

const days = 24 * 60 * 60_000

describe.each(databases)('what is old goes, on %s:', (database) => {
  const anApp = async (retentionDays: number) => {
    let at = Date.UTC(2026, 0, 1)
    const site = await aTestApp({
      database,
      now: () => new Date(at),
      settings: { contactLimited: false },
      site: (config) => {
        config.contact.retentionDays = retentionDays
      },
    })
    return {
      ...site,
      transport: createTransport({ dataDir: site.settings.dataDir }),
      pass(ms: number) {
        at += ms
      },
      send: (bericht: string, more: object = {}) =>
        site.request('/api/contact', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...aMessageOf('roya', { bericht }), ...more }),
        }),
      texts: async () =>
        (await site.db.selectFrom('message').select('bericht').orderBy('id').execute()).map((row) => row.bericht),
      promised: async () =>
        (await site.db.selectFrom('outbox').select('data').orderBy('id').execute()).map((row) => row.data),
      sent: (count: number) =>
        until(async () => {
          const rows = await site.db.selectFrom('outbox').select('id').where('state', '=', 'sent').execute()
          return rows.length === count
        }, `${count} sent letters`),
    }
  }

  test('and who asks for something meanwhile does not wait until all of it is gone', async () => {
    const site = await anApp(20)
    await site.db
      .insertInto('message')
      .values(Array.from({ length: 900 }, () => ({ ...oldMessage, bericht: 'oud' })))
      .execute()
    let over = false
    const purging = purge(site.app.context(), site.transport).finally(() => {
      over = true
    })
    // A turn of the loop, as a visitor's request needs one.
    await new Promise((resolve) => setImmediate(resolve))
    expect([over, (await site.texts()).length > 0]).toEqual([false, true])
    expect(await purging).toMatchObject({ messages: 900 })
  })

  test('a message after the days of the configuration, and every letter about it with it', async () => {
    const site = await anApp(20)
    await site.send('oud')
    await site.sent(2)
    site.pass(10 * days)
    await site.send('jong')
    await site.sent(4)

    site.pass(10 * days)
    expect(await purge(site.app.context(), site.transport)).toMatchObject({ messages: 0, letters: 0 })
    site.pass(1)
    expect(await purge(site.app.context(), site.transport)).toMatchObject({ messages: 1, letters: 0 })
    expect(await site.texts()).toEqual(['jong'])
    expect(await site.promised()).toHaveLength(2)
    expect((await site.promised()).join()).not.toContain('oud')
  })

  test('a letter thirty days after it was sent, while its message stays', async () => {
    const site = await anApp(365)
    await site.send('blijft')
    await site.sent(2)
    site.pass(30 * days)
    expect(await purge(site.app.context(), site.transport)).toMatchObject({ messages: 0, letters: 0 })
    site.pass(1)
    expect(await purge(site.app.context(), site.transport)).toMatchObject({ messages: 0, letters: 2 })
    expect(await site.texts()).toEqual(['blijft'])
  })

  test('a letter that was written as a file, with the message that it is about', async () => {
    const site = await anApp(20)
    await site.send('oud')
    await site.sent(2)
    site.pass(10 * days)
    await site.send('jong')
    await site.sent(4)
    site.pass(10 * days + 1)

    expect(await purge(site.app.context(), site.transport)).toMatchObject({ messages: 1, files: 2 })

    const kept = await site.letters()
    expect(kept.map((letter) => letter.text)).toEqual([
      expect.stringContaining('jong'),
      expect.stringContaining('jong'),
    ])
  })

  test('a letter that was written as a file, also when a mail server has been set since', async () => {
    const site = await anApp(20)
    await site.send('oud')
    await site.sent(2)
    site.pass(20 * days + 1)
    const { dataDir } = site.settings
    const transport = createTransport({ dataDir, smtpUrl: 'smtp://127.0.0.1:9' })
    expect(await purge(site.app.context(), transport)).toMatchObject({ messages: 1, files: 2 })
    expect(await site.letters()).toEqual([])
  })

  test('a letter that still waits, or was given up, with the message that it is about', async () => {
    const site = await anApp(2)
    await site.send('oud')
    await site.sent(2)
    await site.db
      .updateTable('outbox')
      .set({ state: 'waiting', next_attempt_at: '2027-01-01T00:00:00.000Z', sent_at: null })
      .where('recipient', 'like', 'info%')
      .execute()
    await site.db
      .updateTable('outbox')
      .set({ state: 'failed', sent_at: null })
      .where('recipient', 'like', 'projecten%')
      .execute()
    site.pass(2 * days + 1)
    expect(await purge(site.app.context(), site.transport)).toMatchObject({ messages: 1, letters: 0 })
    expect(await site.promised()).toEqual([])
  })

  test('a letter that was given up thirty days ago, for nobody will try it any more', async () => {
    const site = await anApp(365)
    await site.send('oud')
    await site.sent(2)
    await site.db.updateTable('outbox').set({ state: 'failed', sent_at: null }).execute()
    site.pass(29 * days)
    expect(await purge(site.app.context(), site.transport)).toMatchObject({ letters: 0 })
    site.pass(2 * days)
    expect(await purge(site.app.context(), site.transport)).toMatchObject({ messages: 0, letters: 2 })
  })

  test('spam as well', async () => {
    const site = await anApp(2)
    await site.send('casino', { website: 'https://casino.example' })
    site.pass(2 * days + 1)
    expect((await purge(site.app.context(), site.transport)).messages).toBe(1)
    expect(await site.texts()).toEqual([])
  })

  test('more than fits in one batch', async () => {
    const site = await anApp(1)
    await site.send('0')
    const { id: _, search_text: __, ...row } = await site.db.selectFrom('message').selectAll().executeTakeFirstOrThrow()
    const more = Array.from({ length: 450 }, () => row)
    await site.db.insertInto('message').values(more).execute()
    site.pass(2 * days)
    await site.send('nieuw')
    expect((await purge(site.app.context(), site.transport)).messages).toBe(451)
    expect(await site.texts()).toEqual(['nieuw'])
  })
})

test('what was removed stands in no file of SQLite any more', async () => {
  const { app, db, settings } = await aTestApp()
  const bericht = `geheim-${'x'.repeat(3_000)}-einde`
  await db
    .insertInto('message')
    .values({ ...oldMessage, bericht })
    .execute()
  const holding = () =>
    readdirSync(settings.dataDir).filter(
      (name) => name.startsWith('etalage.sqlite') && readFileSync(join(settings.dataDir, name)).includes('geheim-xxx'),
    )
  // What was written reaches the file itself, as it does by and by.
  await sql`pragma wal_checkpoint(full)`.execute(db)
  expect(holding()).toContain('etalage.sqlite')
  expect(await purge(app.context(), createTransport(settings))).toMatchObject({ messages: 1 })
  expect(holding()).toEqual([])
})

// On SQLite alone: the driver of PostgreSQL has clocks of its own, which must not stand still.
test('what is old goes by itself: a minute after the start, and every six hours after that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const { db, lines } = await aTestApp()
    const add = (bericht: string) =>
      db
        .insertInto('message')
        .values({ ...oldMessage, bericht })
        .execute()
    const texts = async () => (await db.selectFrom('message').select('bericht').execute()).map((row) => row.bericht)
    const rounds = () => lines.filter((line) => line.msg === 'old messages and letters removed').length
    /** Lets the clock run, and waits for the rounds that it should have started; where it should start none, a while. */
    const wait = async (ms: number, expected: number) => {
      const goesOn = rounds() < expected ? Date.now() + 10_000 : Date.now() + 300
      vi.advanceTimersByTime(ms)
      do await new Promise((resolve) => setImmediate(resolve))
      while (Date.now() < goesOn && (rounds() < expected || expected === before))
      before = rounds()
    }
    let before = 0
    await add('een')
    await wait(59_999, 0)
    expect([rounds(), await texts()]).toEqual([0, ['een']])
    await wait(1, 1)
    expect([rounds(), await texts()]).toEqual([1, []])

    await add('twee')
    await wait(6 * 60 * 60_000 - 60_001, 1)
    expect([rounds(), await texts()]).toEqual([1, ['twee']])
    await wait(1, 2)
    expect([rounds(), await texts()]).toEqual([2, []])
  } finally {
    vi.useRealTimers()
  }
})

const oldMessage = {
  ...people.roya,
  locale: 'nl',
  folder: 'inbox' as const,
  privacy_version: '1',
  fingerprint: 'f',
  address_key: 'a',
  created_at: '2020-01-01T00:00:00.000Z',
}
