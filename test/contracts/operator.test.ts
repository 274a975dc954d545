import { describe, expect, test } from 'vitest'
import { listMessages } from '../../src/domain/messages/list-messages.ts'
import { moveMessage } from '../../src/domain/messages/move-message.ts'
import { retryNow } from '../../src/domain/outbox/retry-letters.ts'
import { listUnsentLetters } from '../../src/platform/mail/outbox-letters.ts'
import { databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf, type PersonName } from '../support/people.ts'
import { aTestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'

describe.each(databases)('an operator, on %s,', (database) => {
  const aSite = async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url } })
    return {
      ...site,
      mailbox,
      ctx: site.app.context(),
      send: async (name: PersonName, more: object = {}): Promise<number> => {
        const response = await site.request('/api/contact', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...aMessageOf(name), taal: name === 'parisa' ? 'fa' : 'nl', ...more }),
        })
        return (await response.json()).id
      },
    }
  }

  test('finds each folder, the newest first, with what was written and why it is spam', async () => {
    const { send, ctx } = await aSite()
    const first = await send('roya')
    const second = await send('daan')
    const spam = await send('sanne', { website: 'https://casino.example' })

    const inbox = await listMessages(ctx, { folder: 'inbox', limit: 10 })
    expect(inbox.map(({ id, message }) => [id, message])).toEqual([
      [second, aMessageOf('daan')],
      [first, aMessageOf('roya')],
    ])
    expect(await listMessages(ctx, { folder: 'inbox', limit: 1 })).toHaveLength(1)
    expect(await listMessages(ctx, { folder: 'spam', limit: 10 })).toMatchObject([
      { id: spam, folder: 'spam', spamReason: 'honeypot', message: aMessageOf('sanne') },
    ])
  })

  test('says that something is no spam: it moves, and is mailed as it would have been, once', async () => {
    const { send, ctx, mailbox } = await aSite()
    const id = await send('parisa', { website: 'https://parisa.example' })

    expect(await moveMessage(ctx, { id, folder: 'inbox' })).toEqual({ moved: true, letters: 2 })
    const letters = await mailbox.received(2)
    expect(letters.flatMap(({ to }) => to).sort()).toEqual([...ctx.site.contact.recipients].sort())
    for (const { parsed } of letters) {
      expect(parsed.replyTo?.value).toMatchObject([{ address: 'parisa@ahmadi.example' }])
      expect(parsed.text).toContain('پیام تازه از فرم تماس')
    }
    expect(await listMessages(ctx, { folder: 'inbox', limit: 10 })).toMatchObject([{ id, spamReason: null }])

    expect(await moveMessage(ctx, { id, folder: 'inbox' })).toEqual({ moved: false, letters: 0 })
    expect(await moveMessage(ctx, { id, folder: 'spam' })).toEqual({ moved: true, letters: 0 })
    expect(await listMessages(ctx, { folder: 'spam', limit: 10 })).toMatchObject([{ id, spamReason: 'staff' }])
    expect(await moveMessage(ctx, { id, folder: 'inbox' }), 'it was mailed before').toEqual({ moved: true, letters: 0 })
  })

  test('says so twice at once, and it is mailed once', async () => {
    const { send, ctx, db } = await aSite()
    const id = await send('roya', { website: 'x' })
    const moves = await Promise.all([1, 2, 3].map(() => moveMessage(ctx, { id, folder: 'inbox' })))
    expect(moves.filter(({ moved }) => moved)).toHaveLength(1)
    expect(await db.selectFrom('outbox').select('id').execute()).toHaveLength(2)
  })

  test('is told that there is no such message', async () => {
    const { ctx } = await aSite()
    await expect(moveMessage(ctx, { id: 99, folder: 'spam' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('sees which letters were given up and why, and has one tried again', async () => {
    const { send, ctx, db, mailbox } = await aSite()
    const [recipient] = ctx.site.contact.recipients as [string, ...string[]]
    mailbox.refuse({ code: 550, message: 'no such user', recipients: [recipient] })
    const about = `message:${await send('roya')}`
    const waiting = await until(async () => {
      const found = await listUnsentLetters(db, { states: ['waiting', 'failed'], limit: 10 })
      return found.length === 1 && found[0]?.lastError ? found : undefined
    }, 'letter that was refused')
    expect(waiting).toMatchObject([
      { recipient, about, state: 'waiting', attempts: 1, lastError: expect.stringContaining('550 no such user') },
    ])
    const id = waiting[0]?.id ?? 0
    const again = async () => (await retryNow(ctx, [id])) === 1
    expect(await again(), 'it is not given up yet').toBe(false)

    await db.updateTable('outbox').set({ state: 'failed' }).where('id', '=', id).execute()
    expect(await listUnsentLetters(db, { states: ['failed'], limit: 10 })).toMatchObject([{ id, state: 'failed' }])
    mailbox.refuse(undefined)
    expect(await again()).toBe(true)
    ctx.signal.letter()
    const letters = await mailbox.received(2)
    expect(letters.at(-1)?.to).toEqual([recipient])
    expect(await again(), 'it was sent').toBe(false)
  })
})
