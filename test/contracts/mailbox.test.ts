import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Mailbox } from '../../src/contract/mail-server.ts'
import type { Message } from '../../src/contract/messages.ts'
import type { OutboxEmail } from '../../src/contract/outbox.ts'
import { readDeliveryReports } from '../../src/domain/mail/mailbox.ts'
import { findMailboxState, storeMailboxState } from '../../src/platform/mail/mailbox-state.queries.ts'
import { testMailbox } from '../../src/platform/mail/read-mailbox.ts'
import { databases } from '../support/databases.ts'
import { aDeliveryReport, anImapServer, type ImapServer } from '../support/imap-server.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { signInWithRights } from '../support/roles.ts'
import { aSmtpServer } from '../support/smtp-server.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { takeErrors } from '../support/test-log.ts'

const settingsOf = ({ host, port, user }: ImapServer, deleteReports = false) => ({
  provider: 'other',
  host,
  port,
  security: 'none',
  user,
  deleteReports,
})

const anEmail = `From: klant@example.nl
To: website@maaslicht.example
Subject: Een gewone vraag
Message-ID: <gewoon@example.nl>
Content-Type: text/plain

Dag
`

/** What the clock of the database says then. */
const contextAt = (site: TestApp, now: Date) => {
  const context = site.app.context()
  return { ...context, dialect: { ...context.dialect, clock: async () => now } }
}

describe.each(databases)('the mailbox for delivery reports, on %s,', (database) => {
  const aSite = async () => {
    const [imap, smtp] = [await anImapServer(), await aSmtpServer()]
    const site = await aTestApp({
      database,
      startJobs: false,
      settings: { smtpUrl: `smtp://${encodeURIComponent(smtp.user)}:${smtp.password}@${smtp.host}:${smtp.port}` },
      site: (config) => {
        config.contact.recipients = ['kantoor@maaslicht.example']
      },
    })
    const bente = await as(site, 'beheerder')
    let minutes = 0
    /** Each reading is later than the pause between two. */
    const read = () => {
      minutes += 3
      return readDeliveryReports(contextAt(site, new Date(Date.now() + minutes * 60_000)))
    }
    const put = (version: number, change: object | null) =>
      bente.put('/api/mail-server/mailbox', { version, imap: change })
    const messageIdOf = async (id: number) => {
      const about = `message:${id}`
      const query = site.db.selectFrom('outbox').select('message_id').where('about', '=', about)
      return (await query.executeTakeFirstOrThrow()).message_id
    }
    const show = async (): Promise<Mailbox> => (await bente.get('/api/mail-server/mailbox')).json()
    return { imap, smtp, site, bente, read, put, show, messageIdOf }
  }

  test('is tried before it is stored; a delivery report is matched to its email, and shown there and at its message', async () => {
    const { imap, site, bente, read, put, messageIdOf } = await aSite()
    const wrong = await put(0, { ...settingsOf(imap), password: 'helemaal-fout' })
    const { errors } = await wrong.json()
    expect([wrong.status, errors]).toEqual([
      422,
      [{ path: 'imap.password', message: expect.stringMatching(/^De server accepteert de gebruikersnaam/) }],
    ])
    const saved = await put(0, { ...settingsOf(imap), password: imap.password })
    expect([saved.status, await saved.json()]).toMatchObject([200, { version: 1, hasPassword: true, problem: null }])

    const id = await sendMessage(site, 'roya')
    const messageId = await messageIdOf(id)
    imap.deliver(
      aDeliveryReport({ messageId, recipient: 'kantoor@maaslicht.example', reason: 'From before the first reading' }),
    )
    expect(await read()).toBe(0)
    imap.deliver(anEmail)
    imap.deliver(aDeliveryReport({ messageId: '<van@iemand.anders.example>', recipient: 'kantoor@maaslicht.example' }))
    imap.deliver(aDeliveryReport({ messageId, recipient: 'iemand@anders.example' }))
    imap.deliver(
      aDeliveryReport({ messageId, recipient: 'kantoor@maaslicht.example', action: 'delayed', reason: 'Full' }),
    )
    imap.deliver(aDeliveryReport({ messageId, recipient: 'kantoor@maaslicht.example' }))
    expect(await read()).toBe(2)
    expect(await read()).toBe(0)

    const reported = { action: 'failed', status: '5.1.1', reason: '550 5.1.1 Mailbox does not exist' }
    const { data }: { data: OutboxEmail[] } = await (await bente.get('/api/outbox')).json()
    expect(data).toMatchObject([{ recipient: 'kantoor@maaslicht.example', bounce: reported }])
    const message: Message = await (await bente.get(`/api/messages/${id}`)).json()
    expect(message.bounces).toMatchObject([{ recipient: 'kantoor@maaslicht.example', ...reported }])
    // Nothing in the mailbox changed, not even what is unread.
    expect([...imap.messages.values()].map(({ flags }) => [...flags])).toEqual([[], [], [], [], [], []])

    const seen = [
      await (await bente.get('/api/mail-server/mailbox')).text(),
      JSON.stringify(await site.db.selectFrom('mail_setting').selectAll().execute()),
      JSON.stringify(await site.db.selectFrom('audit').selectAll().execute()),
    ]
    expect(seen.filter((text) => text.includes(imap.password))).toEqual([])
  })

  test('ignores what a forged report makes up, and no forged report stops the reading of the next', async () => {
    const { imap, site, bente, read, put, messageIdOf } = await aSite()
    expect((await put(0, { ...settingsOf(imap), password: imap.password })).status).toBe(200)
    const recipient = 'kantoor@maaslicht.example'
    const messageId = await messageIdOf(await sendMessage(site, 'roya'))
    const report = aDeliveryReport({ messageId, recipient })
    expect(await read()).toBe(0)

    const control = aDeliveryReport({ messageId: '<a\0b@example.nl>', recipient })
    const nobody = report.replace(/^(Original|Final)-Recipient:.*\n/gm, '')
    const group = /^Original-Recipient[\s\S]*?\n\n/m.exec(report)?.[0] as string
    const others = Array.from({ length: 20 }, (_, index) => group.replaceAll(recipient, `${index}@example.nl`))
    const bomb = report.replace(group, `${others.join('')}${group}`.replace(/^Final-Recipient:.*\n/gm, ''))
    for (const forged of [control, nobody, bomb]) imap.deliver(forged)
    expect(await read()).toBe(0)
    const twice = report.replace(group, group + group).replaceAll('Status: 5.1.1', 'Status: 5.1.1;drop')
    imap.deliver(twice)
    expect(await read()).toBe(1)
    const { data }: { data: OutboxEmail[] } = await (await bente.get('/api/outbox')).json()
    expect(data).toMatchObject([{ recipient, bounce: { action: 'failed', status: '' } }])

    // One that cannot be handled is left behind.
    imap.deliver(report)
    await sql`alter table outbox rename to outbox_away`.execute(site.db)
    expect(await read()).toBe(0)
    await sql`alter table outbox_away rename to outbox`.execute(site.db)
    expect(takeErrors()).toEqual([expect.stringContaining('a message in the mailbox was not handled')])
    expect(await read()).toBe(0)
    imap.deliver(report)
    expect(await read()).toBe(1)
  })

  test('deletes handled reports only if staff chose so; a reading that fails says what to do', async () => {
    const { imap, site, read, put, show, messageIdOf } = await aSite()
    expect((await put(0, { ...settingsOf(imap, true), password: imap.password })).status).toBe(200)
    const messageId = await messageIdOf(await sendMessage(site, 'roya'))
    expect(await read()).toBe(0)
    imap.deliver(anEmail)
    imap.deliver(aDeliveryReport({ messageId, recipient: 'kantoor@maaslicht.example' }))
    imap.deliver(aDeliveryReport({ messageId: '<van@iemand.anders.example>', recipient: 'kantoor@maaslicht.example' }))
    expect(await read()).toBe(1)
    expect([...imap.messages.keys()]).toEqual([1, 3])

    const { password } = imap
    Object.assign(imap.account, { password: 'intussen-gewijzigd' })
    expect(await read()).toBe(0)
    expect((await show()).problem).toMatch(/^De server accepteert de gebruikersnaam/)
    Object.assign(imap.account, { password })
    expect(await read()).toBe(0)
    expect((await show()).problem).toBeNull()

    // The new password is in use as soon as it is stored.
    Object.assign(imap.account, { password: 'intussen-gewijzigd' })
    expect(await read()).toBe(0)
    const again = await put(1, { ...settingsOf(imap, true), password: 'intussen-gewijzigd' })
    expect(await again.json()).toMatchObject({ version: 2, problem: null })
    const stale = await put(1, null)
    expect([stale.status, (await stale.json()).current]).toMatchObject([409, { version: 2 }])
    expect(await (await put(2, null)).json()).toMatchObject({
      version: 3,
      imap: null,
      hasPassword: false,
      readAt: null,
    })
  })

  test('is shown in the audit log without its addresses to users who may not see users, and so is the mail server', async () => {
    const { imap, smtp, site, bente, put } = await aSite()
    const box = { ...settingsOf(imap), address: 'bente@maaslicht.example' }
    expect((await put(0, { ...box, password: imap.password })).status).toBe(200)
    expect((await put(1, { ...box, address: 'rik@maaslicht.example' })).status).toBe(200)
    const { host, port, user, password } = smtp
    const server = { provider: 'other', host, port, security: 'none', user, selectors: '', password }
    expect((await bente.put('/api/mail-server', { version: 0, smtp: server })).status).toBe(200)
    const lena = await signInWithRights(site, 'Lena', ['audit.read'])
    const log = async (reader: typeof lena) => (await (await reader.get('/api/audit')).json()).data
    const hidden = await log(lena)
    expect(hidden).toMatchObject([
      { action: 'mail_server.changed', subject: { name: host }, after: { host, user: '…' } },
      { action: 'mailbox.changed', before: { address: '…' }, after: { address: '…' } },
      { action: 'mailbox.changed', after: { host: imap.host, user: '…', address: '…' } },
    ])
    expect(JSON.stringify(hidden)).not.toContain('@')
    expect(await log(bente)).toMatchObject([
      { after: { user } },
      { before: { address: 'bente@maaslicht.example' }, after: { address: 'rik@maaslicht.example' } },
      { after: { user: imap.user, address: 'bente@maaslicht.example' } },
    ])
  })

  test('receives a test email, and what its server found about the sender is shown', async () => {
    const { imap, smtp, bente, read, put, show } = await aSite()
    // No email address: the email goes to the one whose delivery reports come in here.
    imap.account.user = 'website'
    const settings = { ...settingsOf(imap), user: 'website', password: imap.password }
    expect((await put(0, settings)).status).toBe(200)
    expect(await read()).toBe(0)
    expect((await show()).test).toBeNull()
    const tested = await bente.post('/api/mail-server/test')
    expect(await tested.json()).toMatchObject({ recipient: 'bente@example.nl', sent: true, returns: true })
    expect(smtp.emails).toEqual([
      expect.stringContaining('To: Bente de Beheerder <bente@example.nl>'),
      expect.stringContaining(`To: ${(await show()).sender}`),
    ])
    expect((await show()).test).toMatchObject({ results: null })
    // The first was written by the receiving server, the other came along.
    imap.deliver(`Authentication-Results: mx.ontvanger.example;
 spf=pass (192.0.2.1 may send) smtp.mailfrom=maaslicht.example;
 dkim=none; dkim=pass header.d=maaslicht.example; dmarc=fail (p=none) header.from=maaslicht.example
Received: from mail.maaslicht.example
Authentication-Results: mail.maaslicht.example; spf=fail; dkim=fail; dmarc=pass
${smtp.emails[1]}`)
    expect(await read()).toBe(0)
    expect((await show()).test?.results).toMatchObject({ spf: 'pass', dkim: 'pass', dmarc: 'fail' })
    expect([...imap.messages.values()].map(({ flags }) => [...flags])).toEqual([[]])
  })
})

test('one instance reads the mailbox at a time, and stops with the program when the server hangs', async () => {
  const server: { hangAt?: string } = {}
  const imap = await anImapServer(server)
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const change = { version: 0, imap: { ...settingsOf(imap), password: imap.password } }
  expect((await bente.put('/api/mail-server/mailbox', change)).status).toBe(200)
  const before = imap.signIns()
  const now = new Date()
  const ctx = contextAt(site, now)
  await Promise.all([readDeliveryReports(ctx), readDeliveryReports(ctx), readDeliveryReports(ctx)])
  expect(imap.signIns() - before).toBe(1)

  server.hangAt = 'LOGIN'
  const stopping = new AbortController()
  const later = new Date(now.getTime() + 3 * 60_000)
  const reading = readDeliveryReports(contextAt(site, later), stopping.signal)
  await imap.hangs
  stopping.abort()
  expect(await reading).toBe(0)
  const shown: Mailbox = await (await bente.get('/api/mail-server/mailbox')).json()
  expect(shown.problem).toBeNull()
  // Another instance has the mailbox by now.
  await storeMailboxState(site.db, now, { problem: 'mailSilent' }, later)
  expect((await findMailboxState(site.db))?.problem).toBeUndefined()
})

test('a reading that ends early goes on after the last report that was handled', async () => {
  const server: { hangAt?: string } = {}
  const imap = await anImapServer(server)
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const change = { version: 0, imap: { ...settingsOf(imap, true), password: imap.password } }
  expect((await bente.put('/api/mail-server/mailbox', change)).status).toBe(200)
  const at = (minutes: number) => contextAt(site, new Date(Date.now() + minutes * 60_000))
  expect(await readDeliveryReports(at(0))).toBe(0)
  await sendMessage(site, 'roya')
  const { message_id: messageId, recipient } = await site.db
    .selectFrom('outbox')
    .select(['message_id', 'recipient'])
    .executeTakeFirstOrThrow()
  imap.deliver(aDeliveryReport({ messageId, recipient }))
  server.hangAt = 'EXPUNGE'
  const stopping = new AbortController()
  const reading = readDeliveryReports(at(3), stopping.signal)
  await imap.hangs
  stopping.abort()
  expect(await reading).toBe(1)
  delete server.hangAt
  expect(await readDeliveryReports(at(6))).toBe(0)
})

test('testing a mailbox reports what is wrong, and ends within its time limit wherever the server hangs', async () => {
  const imap = await anImapServer()
  const closed = await aMailbox()
  await closed.stop()
  const connection = {
    host: imap.host,
    port: imap.port,
    security: 'none',
    user: imap.user,
    password: imap.password,
  } as const
  const problem = async (different: object, ms = 20_000) =>
    (await testMailbox({ ...connection, ...different }, ms))?.problem
  expect(await problem({})).toBeUndefined()
  expect(await problem({ host: 'bestaat-niet.invalid' })).toBe('mailHost')
  expect(await problem({ port: closed.port })).toBe('mailConnect')
  expect(await problem({ security: 'tls' })).toBe('mailEncrypt')
  const refused = await testMailbox({ ...connection, password: 'geheim-321' }, 20_000)
  expect(refused).toEqual({ problem: 'mailSignIn', answer: expect.not.stringContaining('geheim-321') })
  const hanging = await Promise.all(['GREETING', 'LOGIN', 'EXAMINE'].map((hangAt) => anImapServer({ hangAt })))
  expect(await Promise.all(hanging.map(({ port }) => problem({ port }, 3_000)))).toEqual(
    hanging.map(() => 'mailSilent'),
  )
})
