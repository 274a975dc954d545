import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { databases } from '../../test/support/databases.ts'
import { aMessageOf, people } from '../../test/support/people.ts'
import type { SiteFile } from '../../test/support/site-file.ts'
import { aTestApp, type TestApp } from '../../test/support/test-app.ts'
import { patienceMs, waitUntil } from '../../test/support/wait-until.ts'
import { purge } from './purge.ts'

const days = 24 * 60 * 60_000

const retainFor = (retentionDays: number) => (config: SiteFile) => {
  config.contact.retentionDays = retentionDays
}

describe.each(databases)('purging old data, on %s:', (database) => {
  const anApp = async (retentionDays: number) => {
    let at = Date.UTC(2026, 0, 1)
    const site = await aTestApp({
      database,
      now: () => new Date(at),
      settings: { rateLimited: false },
      site: retainFor(retentionDays),
    })
    return {
      ...site,
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
        waitUntil(async () => {
          const rows = await site.db.selectFrom('outbox').select('id').where('state', '=', 'file').execute()
          return rows.length === count
        }, `${count} emails written to files`),
    }
  }

  test('requests are still answered during a purge of more messages than fit in one batch, and new ones stay', async () => {
    const site = await anApp(20)
    const messages = Array.from({ length: 900 }, () => ({ ...oldMessage, bericht: 'oud' }))
    for (let times = 0; times < 2; times++) await site.db.insertInto('message').values(messages).execute()
    await site.send('nieuw')
    let over = false
    const purging = purge(site.app.context()).finally(() => {
      over = true
    })
    // One turn of the event loop, as a request would need.
    await new Promise((resolve) => setImmediate(resolve))
    expect([over, (await site.texts()).length > 1]).toEqual([false, true])
    expect(await purging).toMatchObject({ messages: 1_800 })
    expect(await site.texts()).toEqual(['nieuw'])
  })

  test('a message past the configured number of days is deleted with every email about it and its file, and so is spam', async () => {
    const site = await anApp(20)
    await site.send('oud')
    await site.send('casino', { website: 'https://casino.example' })
    await site.sent(2)
    site.pass(10 * days)
    await site.send('jong')
    await site.sent(4)

    site.pass(10 * days)
    expect(await purge(site.app.context())).toMatchObject({ messages: 0, emails: 0 })
    site.pass(1)
    expect(await purge(site.app.context())).toMatchObject({ messages: 2, emails: 0, files: 2 })
    expect(await site.texts()).toEqual(['jong'])
    expect(await site.promised()).toHaveLength(2)
    expect((await site.promised()).join()).not.toContain('oud')
    const emailsLeft = await site.writtenEmails()
    expect(emailsLeft.map((email) => email.text)).toEqual([
      expect.stringContaining('jong'),
      expect.stringContaining('jong'),
    ])
  })

  test('an email is deleted thirty days after it was sent or failed, while its message stays', async () => {
    const site = await anApp(365)
    await site.send('blijft')
    await site.sent(2)
    await site.db
      .updateTable('outbox')
      .set({ state: 'failed', sent_at: null })
      .where('recipient', 'like', 'projecten%')
      .execute()
    site.pass(30 * days)
    expect(await purge(site.app.context())).toMatchObject({ messages: 0, emails: 0 })
    site.pass(1)
    await purge(site.app.context())
    const left = await site.db.selectFrom('outbox').select('state').execute()
    expect(left.map(({ state }) => state)).not.toContain('file')
    site.pass(days)
    expect(await purge(site.app.context())).toMatchObject({ messages: 0 })
    expect(await site.promised()).toEqual([])
    expect(await site.texts()).toEqual(['blijft'])
  })

  test('an email file is deleted also when a mail server has been configured since', async () => {
    const site = await anApp(20)
    await site.send('oud')
    await site.sent(2)
    site.pass(20 * days + 1)
    const now = () => new Date(Date.UTC(2026, 0, 1) + 20 * days + 1)
    const next = await aTestApp({ beside: site, now, settings: { smtpUrl: 'smtp://127.0.0.1:9' }, site: retainFor(20) })
    expect(await purge(next.app.context())).toMatchObject({ messages: 1, files: 2 })
    expect(await site.writtenEmails()).toEqual([])
  })

  test('a waiting or failed email is deleted with the message that it is about', async () => {
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
    expect(await purge(site.app.context())).toMatchObject({ messages: 1, emails: 0 })
    expect(await site.promised()).toEqual([])
  })
})

/** Adds an old message, which SQLite has written to the database file. */
async function addSecret({ db }: TestApp): Promise<void> {
  await db
    .insertInto('message')
    .values({ ...oldMessage, bericht: `geheim-${'x'.repeat(3_000)}-einde` })
    .execute()
  await sql`pragma wal_checkpoint(full)`.execute(db)
}

const filesWithSecret = ({ settings: { dataDir } }: TestApp) =>
  readdirSync(dataDir).filter(
    (name) => name.startsWith('etalage.sqlite') && readFileSync(join(dataDir, name)).includes('geheim-xxx'),
  )

test('deleted data is in no file of SQLite any more', async () => {
  const site = await aTestApp()
  await addSecret(site)
  expect(filesWithSecret(site)).toContain('etalage.sqlite')
  expect(await purge(site.app.context())).toMatchObject({ messages: 1 })
  expect(filesWithSecret(site)).toEqual([])
})

test('a failed step is logged, and stops neither the other steps nor the removal of deleted data from the files', async () => {
  const site = await aTestApp({ startJobs: false })
  await addSecret(site)
  await site.db.insertInto('page_view').values({ day: '2020-01-01', path: '/', locale: 'nl', views: 1 }).execute()
  const ctx = site.app.context()
  const deleteOrphanedFiles = () => Promise.reject(new Error('a file cannot be removed'))
  const purgeDeleted = vi.fn(ctx.dialect.purgeDeleted)
  const failing = { ...ctx, dialect: { ...ctx.dialect, purgeDeleted }, mail: { ...ctx.mail, deleteOrphanedFiles } }
  await expect(purge(failing)).rejects.toThrow('cannot be removed')
  expect(await site.db.selectFrom('page_view').select('day').execute()).toEqual([])
  expect(filesWithSecret(site)).toEqual([])
  expect(site.lines.map(({ level, msg }) => `${level} ${msg}`)).toContain('warn a step of removing old data failed')

  await expect(purge(failing)).rejects.toThrow('cannot be removed')
  expect(purgeDeleted).toHaveBeenCalledTimes(1)
})

describe('deleted data that could not be removed from the files of SQLite is removed', () => {
  const withFakeTimers = async (work: () => Promise<void>) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    await work().finally(() => vi.useRealTimers())
  }
  const untilGone = async (site: TestApp) => {
    const end = Date.now() + patienceMs
    while (filesWithSecret(site).length > 0 && Date.now() < end) await new Promise((resolve) => setImmediate(resolve))
    expect(filesWithSecret(site)).toEqual([])
  }

  test('when another process, such as a back-up, has ended', () =>
    withFakeTimers(async () => {
      const site = await aTestApp()
      vi.advanceTimersByTime(60_000)
      await addSecret(site)
      const reader = new DatabaseSync(join(site.settings.dataDir, 'etalage.sqlite'), { readOnly: true })
      reader.exec('begin')
      reader.prepare('select count(*) from message').get()

      await purge(site.app.context())
      expect(filesWithSecret(site)).not.toEqual([])
      reader.exec('commit')
      reader.close()

      vi.advanceTimersByTime(60_000)
      await untilGone(site)
    }))

  test('a minute after the start, because a crash may have come between', () =>
    withFakeTimers(async () => {
      const site = await aTestApp({ startJobs: false })
      await addSecret(site)
      await site.db.deleteFrom('message').execute()
      expect(filesWithSecret(site)).not.toEqual([])

      await site.app.startJobs()
      vi.advanceTimersByTime(60_000)
      await untilGone(site)
    }))
})

// On SQLite alone: fake timers would also stop the timers of the PostgreSQL driver.
test('old data is purged a minute after the start, and every six hours after that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const { db, lines } = await aTestApp()
    const add = (bericht: string) =>
      db
        .insertInto('message')
        .values({ ...oldMessage, bericht })
        .execute()
    const texts = async () => (await db.selectFrom('message').select('bericht').execute()).map((row) => row.bericht)
    const rounds = () => lines.filter((line) => line.msg === 'old data removed').length
    /** Advances the fake clock and waits for the expected runs; where none is expected, for a while. */
    const wait = async (ms: number, expected: number) => {
      const goesOn = rounds() < expected ? Date.now() + patienceMs : Date.now() + 300
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
    await wait(6 * 60 * 60_000 - 1, 1)
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
