import { describe, expect, test } from 'vitest'
import { countUndelivered } from '../../src/domain/health/health.queries.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import {
  claimEmails,
  countEmails,
  deleteEmailsAbout,
  deleteOldEmails,
  markFailed,
  markSent,
  nextEmailAt,
  queueEmail,
  releaseClaim,
  renewClaim,
} from '../../src/platform/mail/outbox.ts'
import { makeDue } from '../../src/platform/mail/outbox-emails.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, aDatabase, databases } from '../support/databases.ts'
import { patienceMs } from '../support/wait-until.ts'

const second = 1_000
const hour = 3_600 * second
const start = new Date('2026-03-02T09:00:00.000Z')
const after = (ms: number) => new Date(start.getTime() + ms)
const lease = 15 * second

describe.each(databases)('the outbox on %s', (kind) => {
  const anOutbox = async (recipients = ['kantoor@maaslicht.example']) => {
    const { db, dialect } = await aDatabase(kind)
    await db
      .transaction()
      .execute((tx) =>
        queueEmail(
          tx,
          { template: 'greeting', locale: 'fa', data: { naam: 'پریسا' }, about: 'message:1', recipients },
          start,
          'maaslicht.example',
        ),
      )
    return {
      db,
      claim: (ms: number, limit = 4) => claimEmails(db, dialect, after(ms), limit, lease),
      rows: () =>
        db.selectFrom('outbox').select(['state', 'last_error', 'attempts', 'message_id']).orderBy('id').execute(),
    }
  }
  const claimed = async (outbox: Awaited<ReturnType<typeof anOutbox>>, ms = 0) => {
    const [email] = await outbox.claim(ms)
    if (!email) throw new Error(`Nothing is due ${ms} ms after the start`)
    return email
  }
  const sent = (outbox: Awaited<ReturnType<typeof anOutbox>>, claim: { id: number }, at: Date) =>
    outbox.db.transaction().execute((tx) => markSent(tx, claim, at))

  test('a queued email is due at once, with its template data and a Message-ID of the domain of the sender', async () => {
    const outbox = await anOutbox()
    expect(await claimed(outbox)).toMatchObject({
      template: 'greeting',
      locale: 'fa',
      data: { naam: 'پریسا' },
      recipient: 'kantoor@maaslicht.example',
      attempt: 1,
      createdAt: start,
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@maaslicht\.example>$/),
    })
  })

  test('an email is not queued when the transaction that it belongs to is rolled back', async () => {
    const { db } = await aDatabase(kind)
    const undone = db.transaction().execute(async (tx) => {
      await queueEmail(tx, { template: 'x', locale: 'nl', data: {}, recipients: ['a@b.example'] }, start, 'b.example')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await countEmails(db)).toEqual({ waiting: 0, sent: 0, failed: 0, file: 0 })
  })

  test('a claimed email cannot be claimed again until its lease ends, and keeps its Message-ID', async () => {
    const outbox = await anOutbox()
    const first = await claimed(outbox)
    expect(await outbox.claim(lease - 1)).toEqual([])
    const second = await claimed(outbox, lease)
    expect(second).toEqual({ ...first, attempt: 2 })
  })

  test('a lease can be renewed, but not after it was lost', async () => {
    const outbox = await anOutbox()
    const mine = await claimed(outbox)
    expect(await renewClaim(outbox.db, mine, after(10 * second), lease)).toBe(true)
    expect(await outbox.claim(24 * second)).toEqual([])
    await claimed(outbox, 25 * second)
    expect(await renewClaim(outbox.db, mine, after(26 * second), lease)).toBe(false)
  })

  test('a released email is due again at once', async () => {
    const outbox = await anOutbox()
    await releaseClaim(outbox.db, await claimed(outbox), after(1))
    expect(await claimed(outbox, 1)).toMatchObject({ attempt: 2 })
  })

  test('retry delays grow from five seconds to three hours, and after three days the email fails with its reason', async () => {
    const outbox = await anOutbox()
    const pauses: number[] = []
    let at = 0
    for (;;) {
      const state = await markFailed(outbox.db, await claimed(outbox, at), after(at), `reason at ${at}`)
      if (state === 'failed') break
      const next = (await nextEmailAt(outbox.db)) as Date
      pauses.push((next.getTime() - after(at).getTime()) / second)
      at = next.getTime() - start.getTime()
      expect(await outbox.claim(at - 1)).toEqual([])
    }
    expect(pauses.slice(0, 9)).toEqual([5, 15, 45, 120, 420, 1_200, 3_600, 10_800, 10_800])
    expect(at).toBe(72 * hour)
    expect(await outbox.rows()).toMatchObject([{ state: 'failed', last_error: `reason at ${72 * hour}` }])
    expect(await nextEmailAt(outbox.db)).toBeUndefined()
    expect(await outbox.claim(1_000 * hour)).toEqual([])
  })

  test('a failed email is retried on request, unless it contained a password or a link', async () => {
    const outbox = await anOutbox()
    const give = async () => {
      await outbox.db.updateTable('outbox').set({ attempts: 30 }).execute()
      return markFailed(outbox.db, await claimed(outbox, 72 * hour), after(72 * hour), 'the server is away')
    }
    const retry = () => outbox.db.transaction().execute((tx) => makeDue(tx, [1], after(73 * hour), true))

    expect(await give()).toBe('failed')
    expect(await retry()).toEqual([1])
    await outbox.db
      .updateTable('outbox')
      .set({ secret: '{"url":"x"}', next_attempt_at: after(0).toISOString() })
      .execute()
    expect(await give()).toBe('failed')
    expect(await retry()).toEqual([])
    expect((await outbox.db.selectFrom('outbox').select('secret').execute())[0]?.secret).toBe('')
  })

  test('an email that is retried after it failed is tried as often as at first, and then fails again', async () => {
    const outbox = await anOutbox()
    const untilItFails = async (from: number) => {
      for (let at = from, tries = 1; ; tries++) {
        if ((await markFailed(outbox.db, await claimed(outbox, at), after(at), 'away')) === 'failed')
          return { hours: Math.floor((at - from) / hour), tries }
        at = ((await nextEmailAt(outbox.db)) as Date).getTime() - start.getTime()
      }
    }
    expect(await untilItFails(0)).toEqual({ hours: 72, tries: 32 })

    await outbox.db.transaction().execute((tx) => makeDue(tx, [1], after(100 * hour), true))
    expect(await untilItFails(100 * hour)).toEqual({ hours: 49, tries: 24 })
  })

  test('the age of a failed email counts from its failure: it is reported, and is not deleted as old', async () => {
    const outbox = await anOutbox()
    const { db } = outbox
    const now = after(20 * 24 * hour)
    await db.updateTable('outbox').set({ attempts: 30 }).execute()
    expect(await markFailed(db, await claimed(outbox, 20 * 24 * hour), now, 'refused again')).toBe('failed')

    const since = new Date(now.getTime() - 7 * 24 * hour)
    expect(await countUndelivered(db, { since, template: 'x', except: 'y' })).toEqual({ lost: 0, others: 1 })
    expect(await deleteOldEmails(db, { before: since, limit: 10 })).toBe(0)
  })

  test('an email that was written to a file is retried only when there is a mail server', async () => {
    const outbox = await anOutbox()
    await outbox.db.updateTable('outbox').set({ state: 'file' }).execute()
    const retry = (sendsMail: boolean) =>
      outbox.db.transaction().execute((tx) => makeDue(tx, [1], after(hour), sendsMail))
    expect(await retry(false)).toEqual([])
    expect(await retry(true)).toEqual([1])
  })

  test('a failure reason is stored without control characters, up to 500 characters', async () => {
    const outbox = await anOutbox()
    await markFailed(outbox.db, await claimed(outbox), start, `550\r\n\0no ${'x'.repeat(1_000)}`)
    const [row] = await outbox.rows()
    expect(row?.last_error).toMatch(/^550 no x+$/)
    expect(row?.last_error).toHaveLength(500)
  })

  test('a sent email is never sent again, even when a slower worker reports a failure later', async () => {
    const outbox = await anOutbox()
    const slow = await claimed(outbox)
    const quick = await claimed(outbox, lease)
    await sent(outbox, quick, after(lease))
    expect(await markFailed(outbox.db, slow, after(lease + 1), 'too late')).toBe('claim_lost')
    await releaseClaim(outbox.db, slow, after(lease + 1))
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', last_error: null }])
    expect(await outbox.claim(hour)).toEqual([])
  })

  test('a late failure does not release an email that another worker has claimed', async () => {
    const outbox = await anOutbox()
    const slow = await claimed(outbox)
    await claimed(outbox, lease)
    expect(await markFailed(outbox.db, slow, after(lease + 1), 'too late')).toBe('claim_lost')
    expect(await outbox.claim(lease + 10 * second)).toEqual([])
    expect(await outbox.rows()).toMatchObject([{ state: 'waiting', last_error: null }])
  })

  test('a late success counts, because the server has accepted the email', async () => {
    const outbox = await anOutbox()
    const slow = await claimed(outbox)
    const other = await claimed(outbox, lease)
    await sent(outbox, slow, after(lease + 1))
    expect(await markFailed(outbox.db, other, after(lease + 2), 'server closed')).toBe('claim_lost')
    expect(await outbox.rows()).toMatchObject([{ state: 'sent' }])
  })

  test('a claim takes at most the number asked for, the longest due first', async () => {
    const recipients = Array.from({ length: 7 }, (_, index) => `r${index}@maaslicht.example`)
    const outbox = await anOutbox(recipients)
    const taken = [await outbox.claim(0, 3), await outbox.claim(0, 3), await outbox.claim(0, 3)]
    expect(taken.map((claim) => claim.length)).toEqual([3, 3, 1])
    expect(taken.flat().map((email) => email.recipient)).toEqual(recipients)
  })

  test('workers in two instances never claim the same email', async () => {
    const settings = { ...(await aCopyOfTemplate('migrated', kind)), databaseTimeoutMs: patienceMs }
    const copies = [await openDatabase(settings), await openDatabase(settings)]
    for (const copy of copies) closeAfterTest(() => copy.db.destroy())
    const [first] = copies as [Awaited<ReturnType<typeof openDatabase>>]
    const recipients = Array.from({ length: 60 }, (_, index) => `r${index}@maaslicht.example`)
    await first.db
      .transaction()
      .execute((tx) => queueEmail(tx, { template: 'x', locale: 'nl', data: {}, recipients }, start, 'b.example'))

    const worker = async ({ db, dialect }: (typeof copies)[number]) => {
      const mine: number[] = []
      for (let idle = 0; idle < 3; ) {
        const claims = await claimEmails(db, dialect, start, 3, lease)
        idle = claims.length === 0 ? idle + 1 : 0
        mine.push(...claims.map((claim) => claim.id))
      }
      return mine
    }
    const taken = (await Promise.all([...copies, ...copies, ...copies].map(worker))).flat()
    expect(taken).toHaveLength(60)
    expect(new Set(taken)).toHaveLength(60)
  })

  test('emails are deleted with the message that they are about, and sent emails after their retention period', async () => {
    const outbox = await anOutbox()
    await outbox.db.transaction().execute((tx) => deleteEmailsAbout(tx, []))
    expect(await countEmails(outbox.db)).toEqual({ waiting: 1, sent: 0, failed: 0, file: 0 })

    await sent(outbox, await claimed(outbox), after(hour))
    expect(await deleteOldEmails(outbox.db, { before: after(hour), limit: 10 })).toBe(0)
    expect(await countEmails(outbox.db)).toEqual({ waiting: 0, sent: 1, failed: 0, file: 0 })
    expect(await deleteOldEmails(outbox.db, { before: after(hour + 1), limit: 10 })).toBe(1)

    const other = await anOutbox()
    await other.db.transaction().execute((tx) => deleteEmailsAbout(tx, ['message:2']))
    expect(await other.rows()).toHaveLength(1)
    await other.db.transaction().execute((tx) => deleteEmailsAbout(tx, ['message:1']))
    expect(await other.rows()).toEqual([])
  })
})
