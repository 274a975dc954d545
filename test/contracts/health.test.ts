import type { LookupAddress, lookup } from 'node:dns'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer as createPlainServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkSetup } from '../../src/cli/check-config.ts'
import { printHealth } from '../../src/cli/doctor.ts'
import type { AuditRow } from '../../src/contract/audit.ts'
import { type Health, type HealthCheck, type HealthProblems, healthChecks } from '../../src/contract/health.ts'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { listBackedUpTables } from '../../src/domain/backup/contents.ts'
import { renderEmail } from '../../src/domain/email-templates.ts'
import { postPendingEvents, recordCheckRun } from '../../src/domain/health/alarms.ts'
import type { CanaryContext, CheckContext } from '../../src/domain/health/check.ts'
import { integrity } from '../../src/domain/health/data-checks.ts'
import { createDatabaseAlarm } from '../../src/domain/health/database-alarm.ts'
import { createHealthMonitor, type HealthMonitor, type HealthResult, toLines } from '../../src/domain/health/health.ts'
import { queueMonthlyReport } from '../../src/domain/health/monthly-report.ts'
import { readDeliveryReports } from '../../src/domain/mail/mailbox.ts'
import { ensureAdministrator } from '../../src/domain/sign-in/first-administrator.ts'
import { longDateTime } from '../../src/i18n/dates.ts'
import { storedReason } from '../../src/i18n/reason.ts'
import { builtInTexts } from '../../src/i18n/translate.ts'
import { startHealthJob } from '../../src/jobs/check-health.ts'
import { startMailWorker } from '../../src/jobs/send-mail.ts'
import { readRelease } from '../../src/platform/config/release.ts'
import { type Database, sqlitePath } from '../../src/platform/db/database.ts'
import { sqlite } from '../../src/platform/db/dialect/sqlite.ts'
import { createTransport } from '../../src/platform/mail/transport.ts'
import { createHasDnssec } from '../../src/platform/net/dnssec.ts'
import { postPublic } from '../../src/platform/net/post-public.ts'
import { certificate, certificateKey } from '../support/certificate.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { anEmptyDatabase, aTempFolder, databases } from '../support/databases.ts'
import { aDnsServer } from '../support/dns-server.ts'
import { anImapServer } from '../support/imap-server.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { aParagraph, publishedPage } from '../support/pages.ts'
import { runCommandInProcess } from '../support/run-command-in-process.ts'
import { aSmallDisk, canMount } from '../support/small-disk.ts'
import { aSmtpServer } from '../support/smtp-server.ts'
import { as, aUser, type SignedIn, withSession } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { patienceMs, waitUntil } from '../support/wait-until.ts'

const hour = 60 * 60_000

async function freshLines(who: SignedIn, language = 'nl', query = '?fresh=yes'): Promise<Health['lines']> {
  const response = await who.request(`/api/health${query}`, { headers: { 'accept-language': language } })
  expect(response.status).toBe(200)
  return ((await response.json()) as Health).lines
}

const checkOf = ({ check }: { check: HealthCheck }) => check

const outcomeOf = (lines: Health['lines'], check: HealthCheck) => {
  const { outcome, text } = lines.find((line) => line.check === check) as Health['lines'][number]
  return `${outcome}: ${text}`
}

/** Names of sites resolve to this machine, which counts as public. */
const onThisMachine = {
  isPublic: () => true,
  resolve: ((_name: string, { family }: { family?: number }, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, family === 6 ? [] : [{ address: '127.0.0.1', family: 4 }])) as unknown as typeof lookup,
  ca: certificate,
  timeoutMs: patienceMs,
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAfterTest(() => {
    if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe.each(databases)('on %s', (database) => {
  test('a working site has a line for each check, in the language of the reader, and reports it as metrics', async () => {
    const token = 'alleen-voor-wie-meet'
    const site = await aTestApp({ database, settings: { metricsToken: token, baseUrl: 'http://127.0.0.1:1' } })
    const bente = await as(site, 'beheerder')
    const lines = await freshLines(bente)
    expect(lines.map(({ check }) => check)).toEqual(healthChecks.filter((one) => one !== 'cdn'))
    const good: HealthCheck[] = ['integrity', 'emails', 'schedules', 'links', 'version', 'clock']
    expect(lines.filter(({ outcome }) => outcome === 'good').map(({ check }) => check)).toEqual(
      expect.arrayContaining(good),
    )
    // A busy machine may take over a second to answer.
    expect(outcomeOf(lines, 'database')).toMatch(/^(?:good: |attention: De database antwoordt traag)/)
    expect(outcomeOf(lines, 'mailServer')).toMatch(/^attention: Er is geen mailserver ingesteld/)
    expect(outcomeOf(lines, 'reachable')).toMatch(/^unknown: http:\/\/127\.0\.0\.1:1 leidt naar een privénetwerk/)

    for (const [language, label] of [
      ['fa', 'پایگاه داده'],
      ['en', 'Database'],
    ] as const) {
      const again = await freshLines(bente, language, '')
      expect(again[0]?.label).toBe(label)
      for (const { text } of again) expect(text).not.toMatch(/\{\{|health\./)
    }
    const metrics = await site.request('/metrics', { headers: { Authorization: `Bearer ${token}` } })
    expect(await metrics.text()).toContain('etalage_health{check="integrity",outcome="good"} 1')
  })

  test('each problem in the data has a line that says what to do, until the problem is over', async () => {
    let now = new Date('2026-11-21T11:00:00Z')
    const site = await aTestApp({ database, now: () => now, startJobs: false })
    const bente = await as(site, 'beheerder')
    await publishedPage(bente, {
      title: 'Ons werk',
      slug: 'ons-werk',
      body: [aParagraph('<a href="/bestaat-niet">verder</a>')],
    })
    const email = {
      message_id: '<a@example.nl>',
      template: 'contactChange',
      locale: 'nl',
      data: '{}',
      recipient: 'bente@example.nl',
      attempts: 3,
      created_at: now.toISOString(),
      next_attempt_at: now.toISOString(),
    }
    await site.db
      .insertInto('outbox')
      .values([
        { ...email, state: 'waiting' },
        { ...email, message_id: '<b@example.nl>', state: 'failed' },
      ])
      .execute()
    await site.db.updateTable('page_text').set({ publish_at: now.toISOString() }).execute()
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(site.db)

    now = new Date(now.getTime() + 2 * hour)
    const lines = await freshLines(bente)
    expect(outcomeOf(lines, 'emails')).toMatch(/^failed: .*wacht sinds zaterdag 21 november 2026 om 12:00/)
    expect(outcomeOf(lines, 'schedules')).toMatch(/^failed: De publicatie die op zaterdag 21 november 2026 om 12:00/)
    expect(outcomeOf(lines, 'links')).toMatch(/^attention: 1 adres waarnaar u linkt/)
    expect(outcomeOf(lines, 'version')).toMatch(/^failed: .*9999-later/)
    expect(lines.find(({ check }) => check === 'emails')?.screen).toBe('/admin/mail')
    const problems = async (): Promise<HealthProblems> => (await bente.get('/api/health/problems')).json()
    expect(await problems()).toMatchObject({ mail: 'waiting' })

    await site.db.updateTable('outbox').set({ state: 'sent' }).where('state', '=', 'waiting').execute()
    await site.db.updateTable('page_text').set({ publish_at: null }).execute()
    await sql`delete from kysely_migration where name = '9999-later'`.execute(site.db)
    // Within a minute everything is not checked once more.
    expect(outcomeOf(await freshLines(bente), 'emails')).toMatch(/^failed/)
    now = new Date(now.getTime() + 60_000)
    const after = await freshLines(bente)
    expect(outcomeOf(after, 'emails')).toMatch(/^attention: 1 e-mail is/)
    // An email about a visitor's message was returned, another only delayed.
    const bounce = (action: string) => JSON.stringify({ action, status: '5.1.1', reason: '550 no such user' })
    const sent = { ...email, template: 'contactMessage', state: 'sent', bounced_at: now.toISOString() } as const
    await site.db
      .insertInto('outbox')
      .values([
        { ...sent, message_id: '<c@example.nl>', bounce: bounce('failed') },
        { ...sent, message_id: '<d@example.nl>', bounce: bounce('delayed') },
        { ...sent, message_id: '<e@example.nl>', bounce: bounce('failed'), about: 'health:trial' },
      ])
      .execute()
    now = new Date(now.getTime() + 60_000)
    expect(outcomeOf(await freshLines(bente), 'emails')).toMatch(
      /^failed: 1 e-mail over een bericht aan u is .*week niet/,
    )
    const reported = await problems()
    expect(reported.mail, 'an email that was returned does not wait').toBeNull()
    expect(outcomeOf(reported.lines ?? [], 'emails')).toMatch(/^failed/)
    now = new Date(now.getTime() + 8 * 24 * hour)
    expect(outcomeOf(await freshLines(bente), 'emails')).toMatch(/^good/)
    expect(outcomeOf(after, 'schedules')).toMatch(/^good/)
    expect(outcomeOf(after, 'version')).toMatch(/^good/)
  })

  test('a trial message takes the way of the contact form, and nothing of it is left', async () => {
    const mailbox = await aMailbox()
    const site = await aTestApp({ database, settings: { smtpUrl: mailbox.url, baseUrl: 'http://127.0.0.1:1' } })
    const bente = await as(site, 'beheerder')
    await sendMessage(site, 'roya')
    await mailbox.received(2)
    const rows = async () => {
      const tables = ['message', 'outbox', 'audit', 'visit_total', 'restore_journal'] as const
      return Promise.all(tables.map(async (name) => site.db.selectFrom(name).selectAll().orderBy(sql`1`).execute()))
    }
    // What was sent is marked as sent a moment after the server has it.
    await waitUntil(
      async () => (await rows())[1]?.every((one) => 'state' in one && one.state === 'sent'),
      'emails sent',
    )
    const before = await rows()
    expect(outcomeOf(await freshLines(bente), 'canary')).toMatch(/^good: /)
    expect(await rows()).toEqual(before)
    expect(mailbox.emails).toHaveLength(2)
  })

  test('a form that cannot store, suspects every message or whose email fails is reported', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const canaryWith = async (different: Partial<CanaryContext>) => {
      const context = { ...canaryOf(site), renderEmail: async () => {}, ...different }
      return (await resultsOf(site, { canary: () => context, mail: context.mail })).canary
    }
    const { site: configured } = site.app.context()
    const broken = async () => {
      throw new Error('a recipient is missing')
    }
    expect(await canaryWith({ renderEmail: broken })).toMatchObject({ outcome: 'failed', text: 'canaryNotRendered' })
    const strict = { ...configured, spam: { ...defaultSpamSettings, threshold: 0 } }
    expect(await canaryWith({ site: strict })).toMatchObject({ outcome: 'failed', text: 'canarySpam' })
    const { fetch } = site.app
    const [form] = configured.forms ?? []
    const failsAt = (path: string): Partial<CanaryContext> => ({
      fetch: async (request) =>
        new URL(request.url).pathname === path ? new Response('', { status: 500 }) : fetch(request),
    })
    expect(await canaryWith(failsAt('/api/contact'))).toMatchObject({ text: 'canaryNotAnswered' })
    expect(await canaryWith(failsAt(`/api/forms/${form?.id}`))).toMatchObject({ text: 'formNotAnswered' })
    expect(await canaryWith(failsAt('/'))).toMatchObject({ text: 'canaryNotShown', values: { path: '/' } })

    const { host, port, user } = await aSmtpServer()
    const server = `smtp://${encodeURIComponent(user)}:geheim-123@${host}:${port}`
    const found = await canaryWith({ mail: { ...site.app.context().mail, server } })
    expect(found).toMatchObject({ outcome: 'failed', text: 'canaryNotHandedOver' })
    expect(String(found.values?.reason)).toContain('unknown: [hidden]')

    await sql`alter table message rename to message_away`.execute(site.db)
    expect(await canaryWith({})).toMatchObject({ outcome: 'failed', text: 'canaryNotStored' })
  })

  test('a trial email on its way is shared by two instances, is found in the mailbox and removed, and is reported when it is missing', async () => {
    const [imap, smtp] = [await anImapServer(), await aSmtpServer()]
    const smtpUrl = `smtp://${encodeURIComponent(smtp.user)}:${smtp.password}@${smtp.host}:${smtp.port}`
    const site = await aTestApp({ database, startJobs: false, settings: { smtpUrl } })
    const other = await aTestApp({ beside: site, database, startJobs: false, settings: site.settings })
    const bente = await as(site, 'beheerder')
    const monitors = [site, other].map((one) =>
      createHealthMonitor(() => ({ ...sourceOf(one), canary: () => canaryOf(one) })),
    )
    const lineOf = async (monitor: HealthMonitor | undefined) =>
      outcomeOf(toLines((await monitor?.runChecks({ fresh: true })) ?? [], 'nl'), 'arrival')
    const [line, elsewhere] = monitors.map((monitor) => () => lineOf(monitor)) as [
      () => Promise<string>,
      () => Promise<string>,
    ]
    const { dialect, log, now, site: configured } = site.app.context()
    const transport = createTransport({ smtpUrl, dataDir: '' })
    const worker = startMailWorker({
      db: site.db,
      dialect,
      log,
      now,
      site: () => configured,
      transport: () => transport,
    })
    closeAfterTest(async () => {
      await worker.stop()
      await transport.close()
    })
    const rows = () =>
      site.db.selectFrom('outbox').select(['state', 'recipient']).where('about', '=', 'health:trial').execute()
    const sent = async (count: number) => {
      worker.wake()
      await waitUntil(() => smtp.emails.length === count, 'sent email')
      await waitUntil(async () => (await rows())[0]?.state === 'sent', 'email that is known to be sent')
    }

    expect(await line()).toMatch(/^unknown: Zonder mailserver en mailbox/)
    const { host, port, password } = imap
    const [user, address] = ['bus7', 'postbus@maaslicht.example']
    imap.account.user = user
    const server = { provider: 'other', host, port, user, password, security: 'none', deleteReports: false }
    const mailbox = { ...server, address }
    const wrong = await bente.put('/api/mail-server/mailbox', { version: 0, imap: { ...server, address: 'postbus' } })
    expect([wrong.status, (await wrong.json()).errors]).toMatchObject([422, [{ path: 'imap.address' }]])
    expect((await bente.put('/api/mail-server/mailbox', { version: 0, imap: server })).status).toBe(200)
    expect(await line()).toMatch(/^unknown: Van de mailbox is geen e-mailadres bekend/)
    expect(await rows(), 'no email to the sender of the site').toEqual([])
    expect((await bente.put('/api/mail-server/mailbox', { version: 1, imap: mailbox })).status).toBe(200)
    expect(await line()).toMatch(/^unknown: Er is een testmail onderweg/)
    expect(await elsewhere()).toMatch(/^unknown: Er is een testmail onderweg/)
    await sent(1)
    expect(await rows()).toEqual([{ state: 'sent', recipient: address }])

    imap.deliver('Message-ID: <gewoon@example.nl>\n\nEen gewone vraag')
    imap.deliver(String(smtp.emails[0]))
    expect(await line()).toMatch(/^good: De dagelijkse testmail kwam op/)
    expect([...imap.messages.values()].map(({ raw }) => raw.split('\r\n')[0])).toEqual([
      'Message-ID: <gewoon@example.nl>',
    ])
    expect(await rows()).toEqual([])
    expect(await line()).toMatch(/^good/)
    expect(await rows()).toEqual([])

    // The other instance does not know of it.
    expect(await elsewhere()).toMatch(/^unknown: Er is een testmail onderweg/)
    await sent(2)
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const change = (values: object) =>
      site.db.updateTable('outbox').set(values).where('about', '=', 'health:trial').execute()
    await change({ sent_at: hourAgo })
    expect(await elsewhere()).toMatch(/^failed: De testmail die op .* kwam niet aan/)
    await change({ bounce: JSON.stringify({ action: 'delayed', status: '4.4.1', reason: 'is tried again' }) })
    expect(await elsewhere()).toMatch(/^failed: De testmail die op .* kwam niet aan/)
    await change({ bounce: JSON.stringify({ action: 'failed', status: '5.1.1', reason: '550 no such user' }) })
    expect(await elsewhere()).toMatch(/^failed: De testmail aan de mailbox is geweigerd \(550 no such user\)/)
    expect(await line()).toMatch(/^good/)
    expect(await countMessages(site)).toBe(0)

    // A mailbox that refuses the password has a line of its own.
    const mailboxLine = async () =>
      outcomeOf(toLines((await monitors[1]?.runChecks({ fresh: true })) ?? [], 'nl'), 'mailbox')
    await change({ bounce: null })
    expect(await mailboxLine()).toMatch(/^unknown: De mailbox is nog niet gelezen/)
    await readDeliveryReports(site.app.context())
    expect(await mailboxLine()).toMatch(/^good: De mailbox is op/)
    const state = (values: object) => site.db.updateTable('mailbox_reading').set(values).execute()
    await state({ read_at: new Date(Date.now() - 2 * 3_600_000).toISOString() })
    expect(await mailboxLine()).toMatch(/^failed: De mailbox is voor het laatst op/)
    // As a clock leaves it that was ahead.
    await state({ claimed_until: new Date(Date.now() + 24 * 3_600_000).toISOString() })
    await readDeliveryReports(site.app.context())
    expect(await mailboxLine()).toMatch(/^good: De mailbox is op/)
    imap.account.password = 'gewijzigd'
    expect(await elsewhere()).toMatch(/^unknown: De mailbox kan niet worden gelezen/)
    await site.db.updateTable('mailbox_reading').set({ claimed_until: '2020-01-01T00:00:00.000Z' }).execute()
    await readDeliveryReports(site.app.context())
    expect(await mailboxLine()).toMatch(/^failed: De mailbox kan niet worden gelezen.* wachtwoord/)
    const lost = createHealthMonitor(() => ({ ...sourceOf(site), secret: 'een ander geheim van het programma zelf' }))
    expect(outcomeOf(toLines(await lost.runChecks(), 'nl'), 'mailbox')).toMatch(/^failed: Het wachtwoord/)
    // The clock was ahead when this one was queued: the next run of the check sends another.
    imap.account.password = password
    await change({ created_at: new Date(Date.now() + 48 * 3_600_000).toISOString() })
    await elsewhere()
    expect(await rows()).toEqual([])
  })

  test('a lasting problem is reported once, and its end once, over two instances; a brief one is not reported', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const other = await aTestApp({ beside: site, database, startJobs: false })
    const [bente, rik] = [await as(site, 'beheerder'), await as(site, 'redacteur')]
    await site.db.updateTable('user').set({ locale: 'fa' }).where('id', '=', bente.id).execute()
    const at = new Date()
    const result = (outcome: HealthResult['outcome']): HealthResult =>
      outcome === 'good'
        ? { check: 'disk', outcome, text: 'diskGood', values: { free: { bytes: 5e9 } }, checkedAt: at }
        : { check: 'disk', outcome, text: 'diskFull', values: { free: { bytes: 1e8 } }, checkedAt: at }
    /** One check run of each instance; a while after the one before. */
    const lookAround = async (outcome: HealthResult['outcome']) => {
      await site.db.updateTable('health_setting').set({ last_run_at: null }).execute()
      const recorded = await Promise.all(
        [site, other].map(({ app }) => recordCheckRun(app.context(), [result(outcome)])),
      )
      expect(recorded.filter(Boolean)).toHaveLength(1)
    }
    const notifications = () =>
      site.db.selectFrom('outbox').select(['recipient', 'locale', 'data']).orderBy('id').execute()

    const settings = await (await bente.get('/api/health/alarms')).json()
    // Until somebody chooses, everybody who may.
    expect(settings.people).toMatchObject([{ email: 'bente@example.nl', isNotified: true, getsReport: true }])
    const nobody = { people: [], reports: [], webhook: null, version: settings.version }
    const { version } = await (await bente.put('/api/health/alarms', nobody)).json()
    const change = { people: [bente.id], reports: [], webhook: 'http://hooks.example/alarm', version }
    expect((await bente.put('/api/health/alarms', { ...change, people: [rik.id] })).status).toBe(422)
    expect((await bente.put('/api/health/alarms', change)).status).toBe(200)
    expect((await bente.put('/api/health/alarms', change)).status).toBe(409)

    // Who may change the settings and not see the users gets no address of others, and stores what is shown without a loss.
    const role = await (
      await bente.post('/api/roles', { name: 'Instellingen', rights: ['config.write', 'audit.read'] })
    ).json()
    const lena = await withSession(site, await aUser(site, { name: 'Lena', email: 'lena@example.nl', roleId: role.id }))
    const masked = await (await lena.get('/api/health/alarms')).json()
    expect(masked.webhook).toBe('http://hooks.example/…')
    expect(masked.people.map((one: { name: string; email: string | null }) => [one.name, one.email])).toEqual([
      ['Bente de Beheerder', null],
      ['Lena', 'lena@example.nl'],
    ])
    const stale = await (await lena.put('/api/health/alarms', { ...change, webhook: masked.webhook })).json()
    expect(stale.current).toEqual(masked)
    const again = await lena.put('/api/health/alarms', { ...change, webhook: masked.webhook, version: masked.version })
    expect(await again.json()).toEqual({ ...masked, version: masked.version + 1 })
    expect((await (await bente.get('/api/health/alarms')).json()).webhook).toBe(change.webhook)

    const shownTo = async (reader: typeof lena) => {
      const changes: AuditRow[] = (await (await reader.get('/api/audit?pageSize=100')).json()).data
      const log = changes.filter(({ subject }) => subject.type === 'health' || subject.type === 'user')
      return JSON.stringify([log, (await (await reader.get('/api/health/alarms')).json()).people])
    }
    expect(await shownTo(lena)).toContain('"recipients":["…"]')
    expect(await shownTo(lena)).not.toContain('bente@example.nl')
    const found = async (reader: typeof lena, search: string) => {
      const answer = await (await reader.get(`/api/audit?search=${encodeURIComponent(search)}`)).json()
      return [answer.meta.total, ...answer.data.map(({ action }: AuditRow) => action)]
    }
    expect((await bente.post('/api/users', { name: 'Zoë Visser', email: 'visser@zeehond.example' })).status).toBe(201)
    for (const address of ['visser@zeehond.example', 'zeehond', 'zoe zeehond', 'nd.exam']) {
      expect([address, await found(lena, address)]).toEqual([address, [0]])
      expect([address, await found(bente, address)]).toEqual([address, [1, 'user.created']])
    }
    for (const name of ['zoë visser', 'bente vi']) expect(await found(lena, name)).toEqual([1, 'user.created'])
    // One of the rights to see users is enough.
    const rights = ['config.write', 'audit.read', 'users.write']
    const second = await (await bente.post('/api/roles', { name: 'Gebruikers', rights })).json()
    const noor = await withSession(
      site,
      await aUser(site, { name: 'Noor', email: 'noor@example.nl', roleId: second.id }),
    )
    for (const address of ['"recipients":["bente@example.nl"]', '"email":"bente@example.nl"'])
      expect(await shownTo(noor)).toContain(address)

    for (const outcome of ['failed', 'good', 'failed', 'unknown', 'good'] as const) await lookAround(outcome)
    expect(await notifications()).toEqual([])

    for (const outcome of ['failed', 'failed', 'failed', 'good', 'failed', 'good', 'unknown'] as const)
      await lookAround(outcome)
    expect(await notifications()).toMatchObject([{ recipient: 'bente@example.nl', locale: 'fa' }])
    await lookAround('good')
    await lookAround('good')
    const emails = await notifications()
    expect(emails.map(({ data }) => JSON.parse(data)).map(({ began, over }) => [began.length, over.length])).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(emails[0]?.data).toContain('دیسک تقریباً پر است')

    const posted: unknown[] = []
    const requests = createPlainServer((request, response) => {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        posted.push(JSON.parse(body))
        response.writeHead(posted.length === 1 ? 503 : 204).end()
      })
    })
    const port = String(await listening(requests))
    const post: typeof postPublic = (_url, body) =>
      postPublic(`http://hooks.example:${port}/alarm`, body, { ...onThisMachine, ports: [port] })
    const call = () => postPendingEvents(site.app.context(), post)
    expect([await call(), await call(), await call()]).toEqual([false, true, true])
    expect(posted).toHaveLength(2)
    expect(posted[1]).toMatchObject({
      events: [
        { check: 'disk', state: 'began', text: expect.stringContaining('disk is almost full') },
        { check: 'disk', state: 'over' },
      ],
    })
    expect(await postPublic(`http://127.0.0.1:${port}/`, {}, { ports: [port] })).toBe(false)
    const inside = { resolve: onThisMachine.resolve, ports: [port] }
    expect(await postPublic(`http://hooks.example:${port}/`, {}, inside)).toBe(false)
    expect(posted).toHaveLength(2)
  })

  test('until recipients are chosen, everybody who may change the settings is notified; a line reports when nobody is', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const admin = { email: 'eerste@example.nl', password: 'geheim-123' }
    expect(await ensureAdministrator(site.app.context(), admin)).toEqual({ isCreated: true })
    const bente = await as(site, 'beheerder')
    await as(site, 'redacteur')
    const away = await aUser(site, { name: 'Weg', email: 'weg@example.nl', roleId: 2, blocked: true })
    const failed: HealthResult = { check: 'clock', outcome: 'failed', text: 'clockOff', checkedAt: new Date() }
    const notifiedAddresses = async () => {
      await site.db.deleteFrom('outbox').execute()
      await site.db.deleteFrom('health_incident').execute()
      for (let run = 0; run < 2; run++) {
        await site.db.updateTable('health_setting').set({ last_run_at: null }).execute()
        await recordCheckRun(site.app.context(), [failed])
      }
      const rows = await site.db.selectFrom('outbox').select('recipient').orderBy('recipient').execute()
      return rows.map(({ recipient }) => recipient)
    }
    const line = async () => outcomeOf(toLines([(await resultsOf(site)).alarms], 'nl'), 'alarms')
    const blocked = (id: number, is: 0 | 1) =>
      site.db.updateTable('user').set({ blocked: is }).where('id', '=', id).execute()
    const change = (people: number[], webhook: string | null = null) =>
      bente.put('/api/health/alarms', { people, reports: [], webhook })

    expect(await notifiedAddresses()).toEqual(['bente@example.nl', 'eerste@example.nl'])
    expect(await line()).toBe('good: Gaat er iets mis, dan krijgen 2 mensen een e-mail.')
    await blocked(away, 0)
    expect((await change([away])).status).toBe(200)
    expect(await notifiedAddresses()).toEqual(['weg@example.nl'])
    await blocked(away, 1)
    expect(await notifiedAddresses()).toEqual([])
    expect(await line()).toMatch(/^attention: Niemand krijgt bericht/)
    // The choice takes the line off every screen at once.
    await bente.get('/api/health?fresh=yes')
    const shown = async () => (await (await bente.get('/api/health/problems')).json()).lines.map(checkOf)
    expect(await shown()).toContain('alarms')
    expect((await change([], 'http://hooks.example/alarm')).status).toBe(200)
    expect(await shown()).not.toContain('alarms')
    expect(await line()).toMatch(/^good: .*webhook/)
  })

  test('a broken mail password is noticed, reported and explained before a visitor loses anything', async () => {
    const smtp = await aSmtpServer()
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id: roleId } = await (await bente.post('/api/roles', { name: 'Postbus', rights: ['messages.read'] })).json()
    const lotte = await withSession(site, await aUser(site, { name: 'Lotte', email: 'lotte@example.nl', roleId }))
    const { host, port, user } = smtp
    const server = { provider: 'other', host, port, security: 'none', user, selectors: '' }
    const enter = (version: number, password: string) =>
      bente.put('/api/mail-server', { version, smtp: { ...server, password } })
    const posted: { events: { check: HealthCheck; state: string; text: string }[] }[] = []
    const post: typeof postPublic = async (_url, body) => posted.push(body as (typeof posted)[number]) > 0
    const monitor = createHealthMonitor(() => sourceOf(site))
    const lookTwice = async () => {
      for (let run = 0; run < 2; run++) {
        const found = await monitor.runChecks({ fresh: true })
        await site.db.updateTable('health_setting').set({ last_run_at: null }).execute()
        expect(await recordCheckRun(site.app.context(), found)).toBe(true)
        expect(await postPendingEvents(site.app.context(), post)).toBe(true)
      }
      return posted.splice(0).flatMap(({ events }) => events.filter(({ check }) => check === 'mailServer'))
    }
    const problems = async (who: SignedIn, language = 'nl'): Promise<HealthProblems> =>
      (await who.request('/api/health/problems', { headers: { 'accept-language': language } })).json()
    const emails = () => site.db.selectFrom('outbox').select(['state', 'attempts', 'template']).orderBy('id').execute()
    const allTried = () =>
      waitUntil(async () => (await emails()).every(({ attempts }) => attempts > 0), 'attempt at every email')
    const allSent = () => waitUntil(async () => (await emails()).every(({ state }) => state === 'sent'), 'sent emails')
    /** As after hours of attempts. One that runs meanwhile loses its claim, so its end does not set an earlier time. */
    const pauseLong = () =>
      site.db
        .updateTable('outbox')
        .set((eb) => ({
          attempts: eb('attempts', '+', 1),
          next_attempt_at: new Date(Date.now() + 3 * hour).toISOString(),
        }))
        .where('state', '=', 'waiting')
        .execute()

    expect((await enter(0, smtp.password)).status).toBe(200)
    const alarms = { people: [bente.id], reports: [], webhook: 'http://hooks.example/alarm' }
    expect((await bente.put('/api/health/alarms', alarms)).status).toBe(200)
    expect(await lookTwice()).toEqual([])
    expect(await problems(bente)).toMatchObject({ mail: null })
    await allSent()
    const before = smtp.emails.length

    smtp.changePassword('nieuw-bij-de-provider')
    const id = await sendMessage(site, 'roya')
    await allTried()
    expect(await lookTwice()).toMatchObject([{ state: 'began', text: expect.stringContaining('password') }])
    const { lines, mail } = await problems(bente)
    expect(mail).toBe('server')
    expect(lines?.[0]).toMatchObject({
      check: 'mailServer',
      outcome: 'failed',
      text: expect.stringMatching(/^De mailserver doet het niet\. De server accepteert .* het wachtwoord niet/),
      screen: '/admin/config/mail',
    })
    expect((await problems(bente, 'fa')).lines?.[0]?.text).toMatch(/^سرور ایمیل کار نمی‌کند\. .*گذرواژه/)
    expect(await problems(lotte)).toEqual({ lines: null, mail: 'server' })
    expect(await (await lotte.get('/user')).text()).toContain('"problems":{"lines":null,"mail":"server"}')
    expect((await (await bente.get(`/api/messages/${id}`)).json()).id).toBe(id)
    await allTried()
    const waiting = (await emails()).filter(({ state }) => state === 'waiting')
    expect(waiting.map(({ template }) => template)).toEqual(['contactMessage', 'contactMessage', 'healthAlarm'])
    expect(smtp.emails).toHaveLength(before)

    await pauseLong()
    expect((await enter(1, 'nieuw-bij-de-provider')).status).toBe(200)
    await allSent()
    expect(smtp.emails).toHaveLength(before + waiting.length)
    expect(await problems(bente)).toMatchObject({ mail: null })
    expect((await problems(bente)).lines?.map(checkOf)).not.toContain('mailServer')
    expect(await lookTwice()).toMatchObject([{ state: 'over' }])
    await allSent()
    expect((await emails()).at(-1)).toMatchObject({ template: 'healthAlarm', state: 'sent' })

    // The provider takes the old one again: the next check run lets go what waits.
    smtp.changePassword('per-ongeluk')
    await sendMessage(site, 'daan')
    await allTried()
    await lookTwice()
    await pauseLong()
    smtp.changePassword('nieuw-bij-de-provider')
    await lookTwice()
    await allSent()
  })

  test('the past month is reported once over two instances, to those who chose it, in their language', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const other = await aTestApp({ beside: site, database, startJobs: false })
    const bente = await as(site, 'beheerder')
    expect((await bente.put('/api/health/alarms', { people: [], reports: [bente.id], webhook: null })).status).toBe(200)
    const totals = [
      ['2026-09-01', 'device', 15],
      ['2026-10-01', 'device', 20],
      ['2026-10-31', 'device', 3],
      ['2026-11-01', 'device', 99],
      ['2026-10-05', 'message', 3],
    ] as const
    await site.db
      .insertInto('visit_total')
      .values(totals.map(([day, kind, count]) => ({ day, kind, value: 'desktop', count })))
      .execute()
    for (const hours of [1, 3, undefined]) {
      const id = await sendMessage(site, 'roya')
      const created = new Date('2026-10-05T10:00:00Z')
      const answered = hours === undefined ? null : new Date(created.getTime() + hours * hour).toISOString()
      const times = { created_at: created.toISOString(), answered_at: answered }
      await site.db.updateTable('message').set(times).where('id', '=', id).execute()
    }
    await site.db.deleteFrom('outbox').execute()
    const proofs = [
      ['2026-09-30T21:00:00Z', 'failed'],
      ['2026-09-30T22:30:00Z', 'proved'],
      ['2026-10-02T02:00:00Z', 'failed'],
      ['2026-10-02T09:00:00Z', 'proved'],
      ['2026-10-03T02:00:00Z', 'failed'],
      ['2026-10-31T02:00:00Z', 'unknown'],
      ['2026-10-31T23:30:00Z', 'proved'],
    ] as const
    const proof = { made_by: 'clock', target: '', name: '', findings: '', reason: '' } as const
    await site.db
      .insertInto('backup_proof')
      .values(proofs.map(([at, state]) => ({ ...proof, state, asked_at: at, finished_at: at })))
      .execute()
    const checkedAt = new Date()
    const results: HealthResult[] = [
      { check: 'backup', outcome: 'attention', text: 'backupNone', checkedAt },
      { check: 'ipv6', outcome: 'attention', text: 'ipv6Missing', checkedAt },
      { check: 'disk', outcome: 'good', text: 'diskGood', values: { free: { bytes: 5e9 } }, checkedAt },
    ]
    const queuedAt = async (time: string) => {
      const at = new Date(time)
      const report = async ({ app }: TestApp) => {
        const context = app.context()
        await queueMonthlyReport({ ...context, dialect: { ...context.dialect, clock: async () => at } }, results)
      }
      await Promise.all([site, other].map(report))
      return site.db.selectFrom('outbox').select(['recipient', 'locale', 'template', 'data']).execute()
    }

    // October in Amsterdam, an hour before its end.
    expect(await queuedAt('2026-10-31T22:00:00Z')).toEqual([])
    const [email, ...more] = await queuedAt('2026-10-31T23:00:00Z')
    expect(more).toEqual([])
    expect(email).toMatchObject({ recipient: 'bente@example.nl', locale: 'nl', template: 'monthlyReport' })
    expect(await queuedAt('2026-11-30T22:00:00Z')).toHaveLength(1)
    const { site: configured } = site.app.context()
    const data = JSON.parse(email?.data ?? '')
    const { subject, text } = await renderEmail(configured, 'nl', 'monthlyReport', data)
    expect(subject).toContain('1–31 oktober 2026')
    expect(text).toContain('Zo ging het van 1 tot en met 31 oktober 2026 met de website')
    expect(text).toMatch(/Bezoeken: 23 \(de maand ervoor 15\)/)
    expect(text).toMatch(/Berichten: 3 \(de maand ervoor 0\)/)
    expect(text).toMatch(/Beantwoord: 2, de helft binnen 60 minuten/)
    expect(text).toMatch(/Back-up: Er is nog geen back-up/)
    const proved =
      'Proefherstel van back-ups: 2 van 31 nachten bewezen, 1 mislukt, 1 niet vast te stellen en 27 zonder proef'
    expect(text).toContain(proved)
    for (const [locale, found] of [
      ['fa', /: ۲ شب از ۳۱ شب موفق.*۱ شب ناموفق.*۱ شب نامعلوم.*۲۷ شب بدون آزمایش/],
      ['en', ': 2 of 31 nights proved, 1 failed, 1 could not tell, 27 without a trial'],
    ] as const)
      expect((await renderEmail(configured, locale, 'monthlyReport', data)).text).toMatch(found)
    const { proofs: _, ...earlier } = data
    expect((await renderEmail(configured, 'nl', 'monthlyReport', earlier)).text).not.toMatch(/Proefherstel/)
    expect(text).toMatch(/IPv6: /)
    expect(text).not.toMatch(/Schijfruimte/)
    const unseen = { ...data, trouble: [], unseen: 2 }
    expect((await renderEmail(configured, 'nl', 'monthlyReport', unseen)).text).toContain(
      'Niets is mis; 2 onderdelen waren van hier niet te zien.',
    )
  })

  test('the first monthly report counts the nights since the site began', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    expect((await bente.put('/api/health/alarms', { people: [], reports: [bente.id], webhook: null })).status).toBe(200)
    await site.db
      .insertInto('visit_total')
      .values({ day: '2026-11-25', kind: 'device', value: 'desktop', count: 3 })
      .execute()
    const proof = { made_by: 'clock', state: 'proved', target: '', name: '', findings: '', reason: '' } as const
    const nights = Array.from({ length: 11 }, (_, index) => `2026-11-${20 + index}T03:00:00.000Z`)
    await site.db
      .insertInto('backup_proof')
      .values(nights.map((at) => ({ ...proof, asked_at: at, finished_at: at })))
      .execute()
    const context = site.app.context()
    for (const at of ['2026-11-30T11:00:00Z', '2026-12-01T11:00:00Z']) {
      await queueMonthlyReport({ ...context, dialect: { ...context.dialect, clock: async () => new Date(at) } }, [])
    }
    const { data } = await site.db.selectFrom('outbox').select('data').executeTakeFirstOrThrow()
    expect(JSON.parse(data)).toMatchObject({ proofs: { nights: 11, proved: 11, failed: 0, unknown: 0 } })
  })

  test('the growth of the database is reported, compared with its size on earlier days', async () => {
    const site = await aTestApp({ database, startJobs: false })
    const first = (await resultsOf(site)).databaseSize
    expect(first).toMatchObject({ outcome: 'good', text: 'databaseSizeGood' })
    const bytes = await site.app.context().dialect.size(site.db)
    await recordCheckRun(site.app.context(), [first])
    const noted = async (): Promise<{ day: string; bytes: number }[]> => {
      const { sizes } = await site.db.selectFrom('health_setting').select('sizes').executeTakeFirstOrThrow()
      return JSON.parse(sizes)
    }
    expect(await noted()).toHaveLength(1)

    const tenDaysAgo = new Date(Date.now() - 10 * 24 * hour).toISOString().slice(0, 10)
    const sizes = JSON.stringify([{ day: tenDaysAgo, bytes: bytes - 50_000 }])
    await site.db.updateTable('health_setting').set({ sizes, last_run_at: null }).execute()
    const grown = (await resultsOf(site)).databaseSize
    expect(grown).toMatchObject({ outcome: 'good', text: 'databaseSizeGrew', values: { days: 10 } })
    await recordCheckRun(site.app.context(), [grown])
    expect(await noted()).toHaveLength(2)
  })

  test('a public address that was reached before is reported when it fails, by every instance and after a restart', async () => {
    const server = createPlainServer(async (request, response) => {
      const own = await site.request(request.url ?? '/')
      response.writeHead(own.status, Object.fromEntries(own.headers)).end(await own.text())
    })
    const port = await listening(server)
    const origin = `http://site.example:${port}`
    const site = await aTestApp({ database, startJobs: false, settings: { baseUrl: origin } })
    let now = new Date()
    /** What a program finds that was just started. */
    const foundAtStart = async (at = origin) => {
      const source = { ...sourceOf(site), origin: at, now: () => now }
      const results = await createHealthMonitor(() => source, { probe: onThisMachine }).runChecks()
      return results.find(({ check }) => check === 'reachable') as HealthResult
    }
    const { outcome, ...found } = await foundAtStart()
    expect(outcome).toBe('good')
    expect(await recordCheckRun(site.app.context(), [{ outcome, ...found }])).toBe(true)
    server.closeAllConnections()
    server.close()
    // Another instance may still reach it.
    expect(await foundAtStart()).toMatchObject({ outcome: 'unknown', text: 'addressAway' })
    now = new Date(now.getTime() + 30 * 60_000)
    expect(await foundAtStart()).toMatchObject({ outcome: 'unknown', text: 'addressAway' })
    now = new Date(now.getTime() + 60_000)
    expect(await foundAtStart()).toMatchObject({ outcome: 'failed', text: 'reachableLost' })
    // What is lost stays so until another instance reaches it, whose run came too soon after another to be recorded.
    const monitor = createHealthMonitor(() => ({ ...sourceOf(site), origin, now: () => now }), { probe: onThisMachine })
    const foundNow = async () => {
      now = new Date(now.getTime() + 60_000)
      return (await monitor.runChecks({ fresh: true })).find(({ check }) => check === 'reachable')
    }
    expect([await foundNow(), await foundNow()]).toMatchObject([{ text: 'reachableLost' }, { text: 'reachableLost' }])
    now = new Date(now.getTime() + 60_000)
    expect(await recordCheckRun(site.app.context(), [{ outcome, ...found, checkedAt: now }])).toBe(false)
    expect([await foundNow(), await foundNow()]).toMatchObject([{ text: 'addressAway' }, { text: 'addressAway' }])
    expect(await foundAtStart(`http://elders.example:${port}`)).toMatchObject({ outcome: 'unknown' })
    // A copy that is restored on another machine may never see the address.
    const tables = await listBackedUpTables(site.app.context(), site.db)
    expect(tables.find(({ name }) => name === 'health_setting')?.columns).not.toContain('reached_at')
  })

  test('a database that does not answer is reported without an error', async () => {
    // The app looks there for changed content, too.
    allowErrors(/cache_invalidation_version/)
    const site = await aTestApp({ database, startJobs: false })
    await site.db.schema.dropTable('cache_invalidation_version').execute()
    expect((await resultsOf(site)).database).toMatchObject({ outcome: 'failed', text: 'databaseAway' })
  })
})

/** A backup that was made then. */
const aBackup = (db: Database, at: Date) =>
  db
    .insertInto('backup_run')
    .values({
      made_by: 'command',
      state: 'done',
      attempt: 1,
      target: '/srv/backups',
      name: 'etalage.tar.age',
      asked_at: at.toISOString(),
      started_at: at.toISOString(),
      finished_at: at.toISOString(),
      bytes: 1,
      row_count: 1,
      file_count: 0,
      hash: '',
      error: '',
      actor_name: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** What a monitor of its own finds. */
async function resultsOf(site: TestApp, different: object = {}): Promise<Record<HealthCheck, HealthResult>> {
  const found = await createHealthMonitor(() => ({ ...sourceOf(site), ...different })).runChecks()
  return Object.fromEntries(found.map((one) => [one.check, one])) as Record<HealthCheck, HealthResult>
}

const canaryOf = (site: TestApp): CanaryContext => {
  const context = site.app.context()
  return { ...context, fetch: site.app.fetch, renderEmail: (...email) => renderEmail(context.site, ...email) }
}

/** As `recovery-sheet --replace-key` does. */
async function changeRecipient(db: TestApp['db']): Promise<void> {
  const { value } = await db.selectFrom('backup_setting').select('value').executeTakeFirstOrThrow()
  const changed = JSON.stringify({ ...JSON.parse(value), recipientSince: new Date(Date.now() + hour).toISOString() })
  await db.updateTable('backup_setting').set({ value: changed }).execute()
}

const countMessages = async ({ db }: TestApp) => (await db.selectFrom('message').select('id').execute()).length

const sourceOf = (site: TestApp) => ({
  ...site.app.context(),
  origin: 'http://127.0.0.1:1',
  hasDnssec: async () => undefined,
  dataDir: site.settings.dataDir,
  quotaBytes: undefined,
})

test('a mail server that refuses the password, and the DNS of the sender, are reported', async () => {
  const { host, port, user, password } = await aSmtpServer()
  const dns = await aDnsServer({
    'maaslicht.example': { TXT: ['v=spf1 +all'], MX: ['10 mail.maaslicht.example'] },
  })
  const site = await aTestApp({
    startJobs: false,
    settings: { dnsServer: dns.address },
    site: (config) => {
      config.sender.email = 'website@maaslicht.example'
    },
  })
  const linesWith = async (sign: string | undefined) => {
    const { mail } = site.app.context()
    const server = sign && `smtp://${encodeURIComponent(user)}:${sign}@${host}:${port}`
    const source = { ...sourceOf(site), mail: { ...mail, sends: sign !== undefined, server } }
    return toLines(await createHealthMonitor(() => source).runChecks(), 'nl')
  }
  let lines = await linesWith(password)
  expect(outcomeOf(lines, 'mailServer')).toMatch(/^good/)
  expect(outcomeOf(lines, 'spf')).toMatch(/^attention: De DNS van maaslicht\.example kan/)
  expect(outcomeOf(lines, 'dkim')).toMatch(/^unknown/)
  expect(outcomeOf(lines, 'dmarc')).toMatch(/^failed/)
  expect(outcomeOf(lines, 'mx')).toMatch(/^good/)

  lines = await linesWith('fout')
  expect(outcomeOf(lines, 'mailServer')).toMatch(/^failed: De mailserver doet het niet\. .*wachtwoord/)
  lines = await linesWith(undefined)
  expect(outcomeOf(lines, 'mailServer')).toMatch(/^attention/)
  expect(outcomeOf(lines, 'dmarc')).toMatch(/^attention/)
})

test('the monthly report of a month before the first visit counts no nights', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  await bente.put('/api/health/alarms', { people: [], reports: [bente.id], webhook: null })
  const visit = { day: '2026-12-05', kind: 'device', value: 'desktop', count: 3 } as const
  await site.db.insertInto('visit_total').values(visit).execute()
  const context = site.app.context()
  for (const at of ['2026-11-30T11:00:00Z', '2026-12-05T11:00:00Z']) {
    await queueMonthlyReport({ ...context, dialect: { ...context.dialect, clock: async () => new Date(at) } }, [])
  }
  const { data } = await site.db.selectFrom('outbox').select('data').executeTakeFirstOrThrow()
  expect(JSON.parse(data)).toMatchObject({ proofs: { nights: 0, proved: 0, failed: 0, unknown: 0 } })
})

test('a monthly report that fails does not silence alarms', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  expect((await bente.put('/api/health/alarms', { people: [], reports: [bente.id], webhook: null })).status).toBe(200)
  await site.db.updateTable('health_setting').set({ reported_month: '2020-01' }).execute()
  await site.db.schema.dropTable('visit_total').execute()
  const values = { free: { bytes: 1e8 } }
  const failed: HealthResult = { check: 'disk', outcome: 'failed', text: 'diskFull', values, checkedAt: new Date() }
  const { log } = site.app.context()
  const monitor = { runChecks: async () => [failed], getLastResults: () => [failed] }
  const job = startHealthJob({
    context: () => site.app.context(),
    monitor,
    databaseAlarm: createDatabaseAlarm({ send: () => undefined }),
    log,
  })
  job.wake()
  await job.stop()
  expect(await site.db.selectFrom('health_incident').select('check_name').execute()).toEqual([{ check_name: 'disk' }])
})

test('a database that refuses for another reason than an outage, such as a damaged file, is alerted', async () => {
  allowErrors(/checking the health of the site failed/)
  const site = await aTestApp({ startJobs: false })
  const refused = Object.assign(new Error('password authentication failed'), { code: '28P01' })
  const failed: HealthResult = { check: 'database', outcome: 'failed', text: 'databaseAway', checkedAt: new Date() }
  const recordUnavailable = vi.fn()
  const job = startHealthJob({
    context: () => ({ ...site.app.context(), transaction: () => Promise.reject(refused) }),
    monitor: { runChecks: async () => [failed], getLastResults: () => [failed] },
    databaseAlarm: { recordAvailable: async () => {}, recordUnavailable },
    log: aLog().log,
  })
  job.wake()
  await job.stop()
  expect(recordUnavailable).toHaveBeenCalledOnce()
})

test.each([
  ['most pages', 64, (number: number) => number >= 8],
  ['a page with a message', 4096, (_: number, page: Buffer) => page.includes('Lekkage in de kelder')],
  ['the first page', 64, (number: number) => number === 0],
])('a damaged SQLite is reported as failed: %s', async (_, bytes, isDamaged) => {
  const site = await aTestApp({ startJobs: false })
  await sendMessage(site, 'daan', { bericht: 'Lekkage in de kelder' })
  await sql`pragma wal_checkpoint(truncate)`.execute(site.db)
  await site.stop()
  const path = join(site.settings.dataDir, 'etalage.sqlite')
  const content = await readFile(path)
  for (let at = 0; at < content.length; at += 4096) {
    const page = content.subarray(at, at + 4096)
    if (isDamaged(at / 4096, page)) page.fill(0xff, 0, bytes)
  }
  await writeFile(path, content)

  const context = { db: site.db, dialect: sqlite(path) } as CheckContext
  expect(await integrity.run(context)).toMatchObject({ outcome: 'failed', text: 'integrityDamaged' })
})

test('a check of a database for damage ends without a result at its time limit, and finds none without a limit', async () => {
  const { db, settings } = await aTestApp({ startJobs: false })
  const { findDamage } = sqlite(join(settings.dataDir, 'etalage.sqlite'))
  expect(await findDamage(db, { withinMs: 0 })).toBeUndefined()
  expect(await findDamage(db)).toEqual([])
})

test('the age of the newest backup, of its proof, and the room for files are reported', async () => {
  const site = await aTestApp({ startJobs: false })
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * hour).toISOString()
  const backupNow = async () => (await resultsOf(site)).backup
  const bente = await as(site, 'beheerder')
  expect(await backupNow()).toMatchObject({ outcome: 'attention', text: 'backupNone' })
  const { id } = await aBackup(site.db, new Date())
  for (const [days, outcome, text] of [
    [1, 'good', 'backupGood'],
    [3, 'attention', 'backupLate'],
    [9, 'failed', 'backupMissing'],
  ] as const) {
    const at = daysAgo(days)
    await site.db.updateTable('backup_run').set({ asked_at: at, started_at: at }).where('id', '=', id).execute()
    expect(await backupNow()).toMatchObject({ outcome, text })
  }

  // From here on a backup is made each night. Nobody proves one: that is reported after days, by the first backup.
  await aBackup(site.db, new Date())
  const provedNever = async (days: number) => {
    await site.db
      .updateTable('backup_run')
      .set({ started_at: daysAgo(days) })
      .where('id', '=', id)
      .execute()
    return backupNow()
  }
  expect(await provedNever(2)).toMatchObject({ outcome: 'good', text: 'backupGood' })
  expect(await provedNever(4)).toMatchObject({ outcome: 'attention', text: 'backupNeverProved' })
  expect(await provedNever(8)).toMatchObject({ outcome: 'failed', text: 'backupNeverProved' })
  // A schedule that was just turned on has its days.
  const schedule = { value: '{}', version: 1, since: daysAgo(2) }
  await site.db
    .insertInto('backup_setting')
    .values({ id: 1, ...schedule })
    .execute()
  expect((await backupNow()).text).not.toBe('backupNeverProved')
  await site.db
    .updateTable('backup_setting')
    .set({ since: daysAgo(100) })
    .execute()
  const provedAt = async (state: 'proved' | 'failed' | 'unknown', days: number, nights = 1) => {
    const at = { asked_at: daysAgo(days), finished_at: daysAgo(days) }
    const row = { made_by: 'clock', state, target: '', name: '', ...at, findings: '', reason: '' } as const
    await site.db
      .insertInto('backup_proof')
      .values(Array.from({ length: nights }, () => row))
      .execute()
    return backupNow()
  }
  expect(await provedAt('unknown', 5)).toMatchObject({ outcome: 'failed', text: 'backupNeverProved' })
  expect(await provedAt('proved', 90)).toMatchObject({ outcome: 'failed', text: 'backupProofLate' })
  expect(await provedAt('proved', 4)).toMatchObject({ outcome: 'attention', text: 'backupProofLate' })
  expect(await provedAt('proved', 2)).toMatchObject({ outcome: 'good', text: 'backupProved' })
  expect(await provedAt('failed', 1)).toMatchObject({ outcome: 'failed', text: 'backupUnproved' })
  const couldNotTell = await provedAt('unknown', 0, 25)
  expect(couldNotTell).toMatchObject({ outcome: 'failed', text: 'backupUnproved' })
  expect(await provedAt('proved', 0)).toMatchObject({ outcome: 'good', text: 'backupProved' })
  expect((await resultsOf(site)).backupRetention).toMatchObject({ outcome: 'good' })
  const reason = storedReason({ key: 'archiveCutOff', archive: '/srv/backups/etalage.tar.age' })
  await site.db
    .updateTable('backup_run')
    .set({ made_by: 'clock', target: site.app.context().backups.defaultFolder, retention_error: reason })
    .execute()
  const state = async () => (await resultsOf(site)).backupRetention
  const line = toLines([await state()], 'fa')[0]?.text
  expect(line).toContain('(\u2068\u2068/srv/backups/etalage.tar.age\u2069 ناتمام مانده یا تغییر کرده است\u2069)')
  const goTo = async (folder: string) => {
    const { version, hasSecret, ...plan } = (await (await bente.get('/api/backups')).json()).settings
    expect((await bente.put('/api/backups/settings', { ...plan, folder, secretAccessKey: '' })).status).toBe(200)
  }
  await goTo(aTempFolder())
  expect(await state(), 'backups go elsewhere, where nothing hinders').toMatchObject({ outcome: 'good' })
  await goTo(site.app.context().backups.defaultFolder)
  expect(await state()).toMatchObject({ outcome: 'failed' })
  await changeRecipient(site.db)
  expect(await state(), 'a new key has a folder of its own').toMatchObject({ outcome: 'good' })
  const { bytes } = await site.db
    .selectFrom('stored_blob')
    .select((eb) => eb.fn.sum('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  expect(bytes).toBeNull()
  await site.db
    .insertInto('stored_blob')
    .values({ id: 'a'.repeat(64), bytes: 95, state: 'stored', at: new Date().toISOString() } as never)
    .execute()
  expect((await resultsOf(site, { quotaBytes: 100 })).storage).toMatchObject({ outcome: 'attention' })
  expect((await resultsOf(site, { quotaBytes: 95 })).storage).toMatchObject({ outcome: 'failed' })
})

test('whether DNSSEC protects the name is reported when the resolver checks it', async () => {
  const dns = await aDnsServer({ 'maaslicht.example': { A: ['192.0.2.1'] } })
  const hasDnssec = createHasDnssec(dns.address, patienceMs)
  expect(await hasDnssec('maaslicht.example')).toBe(undefined)
  dns.protectedNames.add('')
  expect(await hasDnssec('maaslicht.example')).toBe(false)
  const site = await aTestApp({
    startJobs: false,
    settings: { dnsServer: dns.address, baseUrl: 'https://maaslicht.example' },
  })
  const bente = await as(site, 'beheerder')
  expect(outcomeOf(await freshLines(bente), 'dnssec')).toMatch(/^attention: .* niet met DNSSEC/)
  dns.protectedNames.add('maaslicht.example')
  expect(await hasDnssec('maaslicht.example')).toBe(true)
  dns.fallSilent()
  expect(await createHasDnssec(dns.address, 50)('maaslicht.example')).toBe(undefined)
})

test('certificate, redirect, headers and security.txt are checked at the public address, as others see them', async () => {
  let answer: RequestListener = () => {}
  let plainAnswer: RequestListener = () => {}
  const secure = createSecureServer({ cert: certificate, key: certificateKey }, (...all) => answer(...all))
  const port = await listening(secure)
  const plainPort = await listening(createPlainServer((...all) => plainAnswer(...all)))
  const origin = `https://site.example:${port}`
  let now = new Date('2026-11-21T11:00:00Z')
  const site = await aTestApp({
    now: () => now,
    startJobs: false,
    settings: { baseUrl: origin },
  })
  const monitor = createHealthMonitor(() => ({ ...sourceOf(site), origin }), {
    probe: { ...onThisMachine, plainPort },
  })
  const linesNow = async () => toLines(await monitor.runChecks({ fresh: true }), 'nl')
  // What the program itself answers, as a proxy would pass it on.
  answer = async (request, response) => {
    const own = await site.request(request.url ?? '/')
    response.writeHead(own.status, Object.fromEntries(own.headers)).end(await own.text())
  }
  plainAnswer = (request, response) => response.writeHead(308, { location: origin + request.url }).end()

  let lines = await linesNow()
  for (const check of ['reachable', 'certificate', 'https', 'headers', 'securityTxt'] as const)
    expect(outcomeOf(lines, check)).toMatch(/^good/)
  expect(outcomeOf(lines, 'ipv6')).toMatch(/^attention: .*AAAA/)

  plainAnswer = (_request, response) => response.end('welkom')
  now = new Date('2049-12-25T11:00:00Z')
  answer = (_request, response) => response.writeHead(502).end()
  lines = await linesNow()
  expect(outcomeOf(lines, 'reachable')).toMatch(/^failed: .*502/)
  expect(outcomeOf(lines, 'certificate')).toMatch(/^attention: .*1 januari 2050/)
  expect(outcomeOf(lines, 'https')).toMatch(/^attention: /)
  expect(outcomeOf(lines, 'headers')).toMatch(/^attention: .*content-security-policy.*strict-transport-security/)
  expect(outcomeOf(lines, 'securityTxt')).toMatch(/^attention: /)

  now = new Date('2050-02-01T11:00:00Z')
  answer = (_request, response) => response.end('Expires: 2020-01-01T00:00:00Z')
  lines = await linesNow()
  expect(outcomeOf(lines, 'certificate')).toMatch(/^failed: .*verlopen/)
  expect(outcomeOf(lines, 'securityTxt')).toMatch(/^attention: .*verlopen/)

  // A parked page has a mark neither of this site nor of any other.
  now = new Date('2026-11-21T11:00:00Z')
  answer = (_request, response) =>
    response.setHeader('strict-transport-security', 'max-age=86400').end('Deze domeinnaam is te koop')
  expect(outcomeOf(await linesNow(), 'reachable')).toMatch(/^failed: .*antwoordt een andere website/)
  answer = async (request, response) => {
    const own = await site.request(request.url ?? '/')
    const headers = { ...Object.fromEntries(own.headers), 'strict-transport-security': 'max-age=86400' }
    response.writeHead(own.status, headers).end(await own.text())
  }
  expect(outcomeOf(await linesNow(), 'headers')).toMatch(/^attention: Browsers onthouden korter dan een jaar/)
  // The address with `www` has the site.
  const own = answer
  answer = (request, response) =>
    request.headers.host?.startsWith('www.')
      ? own(request, response)
      : response.writeHead(301, { location: `https://www.site.example:${port}${request.url}` }).end()
  expect(outcomeOf(await linesNow(), 'reachable')).toMatch(/^good/)

  const otherOrigin = createHealthMonitor(() => ({ ...sourceOf(site), origin }), {
    probe: { ...onThisMachine, ca: undefined, plainPort: 1 },
  })
  lines = toLines(await otherOrigin.runChecks(), 'nl')
  expect(outcomeOf(lines, 'certificate')).toMatch(/^failed: Browsers vertrouwen .*SELF_SIGNED/)
  expect(outcomeOf(lines, 'https')).toMatch(/^attention: Zonder https antwoordt er niets/)

  secure.closeAllConnections()
  secure.close()
  lines = await linesNow()
  expect(outcomeOf(lines, 'reachable')).toMatch(/^failed: .*is niet meer te bereiken/)
  for (const check of ['certificate', 'https', 'headers', 'ipv6', 'securityTxt'] as const)
    expect(outcomeOf(lines, check)).toMatch(/^unknown: .*was van hier niet te bereiken/)
})

test('a proxy that accepts an old TLS version is reported, and an IPv6 address that does not answer', async () => {
  const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
  const secure = createSecureServer({ cert: certificate, key: certificateKey, ...old }, (_, response) => response.end())
  const port = await listening(secure)
  const site = await aTestApp({ startJobs: false })
  const both = ((_name: string, { family }: { family?: number }, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, [family === 6 ? { address: '::1', family: 6 } : { address: '127.0.0.1', family: 4 }])) as unknown
  const source = { ...sourceOf(site), origin: `https://site.example:${port}` }
  const linesNow = async () => {
    const monitor = createHealthMonitor(() => source, { probe: { ...onThisMachine, resolve: both as typeof lookup } })
    return toLines(await monitor.runChecks(), 'nl')
  }
  let lines = await linesNow()
  expect(outcomeOf(lines, 'https')).toMatch(/^attention: De server laat ook TLS 1\.0 of 1\.1 toe/)
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'))
  expect(outcomeOf(lines, 'ipv6')).toMatch(hasIpv6 ? /^attention: .*daar antwoordt niets/ : /^good: .*te vinden/)
  if (!hasIpv6) return
  const sixth = createSecureServer({ cert: certificate, key: certificateKey }, (_, response) => response.end())
  await new Promise<void>((resolve) => sixth.listen(port, '::1', resolve))
  closeAfterTest(() => void sixth.close())
  lines = await linesNow()
  expect(outcomeOf(lines, 'ipv6')).toMatch(/^good: De website antwoordt met IPv6/)
})

test('a full disk, and a database that outgrows it, are reported', { skip: !canMount }, async () => {
  const site = await aTestApp({ startJobs: false })
  const bytes = await site.app.context().dialect.size(site.db)
  const disk = aSmallDisk(aTempFolder(), 4 * bytes)
  const found = () => resultsOf(site, { dataDir: disk })
  expect(await found()).toMatchObject({
    disk: { outcome: 'good', text: 'diskGood' },
    databaseSize: { outcome: 'good', text: 'databaseSizeGood' },
  })
  // It grew by all that it has in two days, so twice the disk is needed within two weeks.
  const sizes = JSON.stringify([{ day: new Date(Date.now() - 2 * 24 * hour).toISOString().slice(0, 10), bytes: 0 }])
  await site.db.updateTable('health_setting').set({ sizes }).execute()
  expect((await found()).databaseSize).toMatchObject({ outcome: 'attention', text: 'databaseSizeSoon' })
  await writeFile(join(disk, 'most'), Buffer.alloc(Math.round(3.8 * bytes)))
  expect(await found()).toMatchObject({
    disk: { outcome: 'attention', text: 'diskLow' },
    databaseSize: { outcome: 'attention', text: 'databaseSizeTight' },
  })
  await writeFile(join(disk, 'rest'), Buffer.alloc(bytes)).catch(() => {})
  expect((await found()).disk).toMatchObject({ outcome: 'failed', text: 'diskFull' })
})

test('a slow database, clocks that differ and another Node version are reported', async () => {
  const site = await aTestApp({ startJobs: false })
  const { dialect } = site.app.context()
  let found: Promise<Record<HealthCheck, HealthResult>> | undefined
  // The only connection of SQLite is taken for longer than the limit.
  await site.db.transaction().execute(async () => {
    found = resultsOf(site)
    const began = performance.now()
    await waitUntil(() => performance.now() - began > 1_100, 'a slow database')
  })
  expect((await found)?.database).toMatchObject({ outcome: 'attention', text: 'databaseSlow' })

  const clockBehind = async (seconds: number) => {
    const clock = async () => new Date(Date.now() - seconds * 1_000)
    return (await resultsOf(site, { dialect: { ...dialect, clock } })).clock
  }
  expect(await clockBehind(4)).toMatchObject({ outcome: 'good' })
  expect(await clockBehind(10)).toMatchObject({ outcome: 'attention', text: 'clockOff' })
  expect(await clockBehind(90)).toMatchObject({ outcome: 'failed', text: 'clockOff' })

  const { versions } = process
  onTestFinished(() => void Object.defineProperty(process, 'versions', { value: versions }))
  Object.defineProperty(process, 'versions', { value: { ...versions, node: '24.1.0' }, configurable: true })
  expect((await resultsOf(site)).version).toMatchObject({ outcome: 'attention', text: 'versionNode' })
})

test('security.txt names the legal address and expires within a year', async () => {
  const site = await aTestApp({ settings: { baseUrl: 'https://www.voorbeeld.nl' } })
  const response = await site.request('/.well-known/security.txt')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
  const text = await response.text()
  expect(text).toContain(`Contact: mailto:${site.app.context().site.legal.email}\n`)
  expect(text).toContain('Canonical: https://www.voorbeeld.nl/.well-known/security.txt\n')
  const days = (Date.parse(/Expires: (\S+)/.exec(text)?.[1] ?? '') - Date.now()) / (24 * hour)
  expect(days).toBeGreaterThan(150)
  expect(days).toBeLessThan(365)
})

test('a failed check is repeated soon, and a good one only after its interval', async () => {
  const site = await aTestApp({ startJobs: false })
  let now = new Date('2026-11-21T11:00:00Z')
  let quota = 95
  const monitor = createHealthMonitor(() => ({ ...sourceOf(site), now: () => now, quotaBytes: quota }))
  await site.db
    .insertInto('stored_blob')
    .values({ id: 'a'.repeat(64), bytes: 95, state: 'stored', at: now.toISOString() } as never)
    .execute()
  const storage = async () => (await monitor.runChecks()).find(({ check }) => check === 'storage')?.outcome
  expect(await storage()).toBe('failed')
  ;[now, quota] = [new Date(now.getTime() + 2 * 60_000), 1_000]
  expect(await storage()).toBe('good')
  ;[now, quota] = [new Date(now.getTime() + 2 * 60_000), 95]
  expect(await storage()).toBe('good')
})

test('a check run signs in to the mail server once, and a fresh run does not reuse the results of a running one', async () => {
  const { host, port, user, password, signIns } = await aSmtpServer()
  const server = `smtp://${encodeURIComponent(user)}:${password}@${host}:${port}`
  const site = await aTestApp({ startJobs: false })
  const mail = { ...site.app.context().mail, sends: true, server }
  const monitor = createHealthMonitor(() => ({ ...sourceOf(site), mail, canary: () => canaryOf(site) }))
  const [first, second] = await Promise.all([monitor.runChecks(), monitor.runChecks({ fresh: true })])
  expect(signIns()).toBe(2)
  const at = (found: HealthResult[]) => found.find(({ check }) => check === 'canary')?.checkedAt.getTime() ?? 0
  expect(at(second)).toBeGreaterThan(at(first))
})

test('a clock that jumps is reported for a day', async () => {
  const site = await aTestApp({ startJobs: false })
  let [wall, steady] = [Date.now(), 0]
  const monitor = createHealthMonitor(() => ({ ...sourceOf(site), now: () => new Date(wall) }), {
    monotonicMs: () => steady,
  })
  const clock = async () => (await monitor.runChecks({ fresh: true })).find(({ check }) => check === 'clock')
  expect(await clock()).toMatchObject({ outcome: 'good' })
  ;[wall, steady] = [wall + hour, steady + 1_000]
  expect(await clock()).toMatchObject({ outcome: 'attention', values: { seconds: 3_599 } })
  ;[wall, steady] = [wall + 25 * hour, steady + 25 * hour]
  expect(await clock()).toMatchObject({ outcome: 'good' })
})

test('the command check-config names what would stop the start, with its line, and changes nothing', async () => {
  const site = await aTestApp({ startJobs: false })
  const printed = printedText()
  const file = join(site.settings.dataDir, 'other.config.json')
  const delivered = await readFile('site.config.json', 'utf8')
  const check = async (settings: Record<string, string>) => {
    for (const [name, value] of Object.entries({
      DATA_DIR: site.settings.dataDir,
      BASE_URL: 'http://localhost:3000',
      ...settings,
    }))
      vi.stubEnv(name, value)
    printed.length = 0
    const code = await checkSetup()
    return { code, text: printed.join('') }
  }
  await writeFile(file, delivered)
  expect(await check({ SITE_CONFIG: file })).toEqual({
    code: 0,
    text: `environment: the settings are valid.\n${file}: the configuration is valid.\ndatabase: it fits this version of the program.\n`,
  })

  const recipients = delivered.split('\n').findIndex((line) => line.includes('"recipients"')) + 1
  await writeFile(file, delivered.replace(/("recipients": \[\s*)"[^"]*"/, '$1"geen adres"'))
  const wrong = await check({ SITE_CONFIG: file })
  expect(wrong.code).toBe(1)
  expect(Number(/line (\d+), contact\.recipients\.0/.exec(wrong.text)?.[1]) - recipients).toBeLessThan(2)
  await writeFile(file, '{\n  "version": "1.2,\n  "brand": {}\n}\n')
  expect(await check({ SITE_CONFIG: file })).toEqual({
    code: 1,
    text: expect.stringMatching(/ {2}\(whole\): this is not JSON: .*line 2 /),
  })
  // An older version is upgraded before it is checked, so its parts may be at other lines.
  const older11 = JSON.parse(await readFile('test/support/site-1.1.json', 'utf8'))
  await writeFile(file, JSON.stringify({ ...older11, locales: ['???'] }, undefined, 2))
  expect((await check({ SITE_CONFIG: file })).text).toMatch(/upgraded .* without numbers of lines.* {2}locales.*: /s)
  expect((await check({ SITE_CONFIG: file })).text).not.toMatch(/line \d/)
  await writeFile(file, '{\n  "version": "9.9"\n}\n')
  expect((await check({ SITE_CONFIG: file })).text).toContain('  line 2, version: 9.9 is newer than')

  await writeFile(file, delivered)
  const count = async () => (await sql`select * from kysely_migration`.execute(site.db)).rows.length
  await sql`delete from kysely_migration where name = '0045-database-growth'`.execute(site.db)
  const before = await count()
  const older = await check({ SITE_CONFIG: file })
  expect(older).toMatchObject({ code: 0, text: expect.stringContaining('migrates it (0045-database-growth') })
  expect(older.text).toContain('Make a backup first, in the folder of the version that runs.')
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(site.db)
  expect(await check({ SITE_CONFIG: file })).toMatchObject({ code: 1, text: expect.stringContaining('9999-later') })
  expect(await count()).toBe(before + 1)

  const unset = await check({ PORT: 'abc', SMTP_URL: 'http://post' })
  expect(unset).toMatchObject({ code: 1, text: expect.stringMatching(/PORT: found "abc".*SMTP_URL: found/s) })
})

test('the command check-config checks the stored configuration, which is used instead of the file', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  expect((await bente.put('/api/config', { version: 0, config: { brand: 'Eigen' } })).status).toBe(200)
  const folder = aTempFolder()
  const settings = { DATA_DIR: site.settings.dataDir, SITE_CONFIG: join(folder, 'site.config.json') }
  const withoutFile = await runCommandInProcess(settings, checkSetup)
  expect(withoutFile.out).toMatch(/ENOENT.*its configuration \(revision 2\) is valid, and is used instead of the file/s)
  expect(withoutFile.code).toBe(0)
  mkdirSync(join(folder, 'public'))
  const withoutLogo = await runCommandInProcess(settings, checkSetup)
  expect(withoutLogo.out).toMatch(/database: revision 2 cannot be used:\n {2}logo\.src: /)
  expect(withoutLogo.code).toBe(1)

  await sql`delete from kysely_migration where name = '0045-database-growth'`.execute(site.db)
  const beforeMigration = await runCommandInProcess(settings, checkSetup)
  expect(beforeMigration.out).toMatch(
    /ENOENT.*its configuration, which is used instead of the file, can be checked after/s,
  )
  expect(beforeMigration.code).toBe(0)
})

test.each(databases)('the command check-config accepts an empty database of %s', async (kind) => {
  const { dataDir, databaseUrl } = await anEmptyDatabase(kind)
  writeFileSync(sqlitePath(dataDir), '')
  const found = await runCommandInProcess(
    { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    checkSetup,
  )
  expect(found).toMatchObject({
    code: 0,
    out: expect.stringContaining('it is empty; the first start creates its tables'),
  })
})

test('the command check-config says for how many instances PostgreSQL has connections', async () => {
  const { settings } = await aTestApp({ database: 'postgres', startJobs: false })
  const printed = printedText()
  vi.stubEnv('DATA_DIR', settings.dataDir)
  vi.stubEnv('DATABASE_URL', settings.databaseUrl)
  vi.stubEnv('BASE_URL', 'http://localhost:3000')
  vi.stubEnv('WORKERS', '4')
  const checkWith = async (size: string) => {
    vi.stubEnv('DATABASE_POOL_SIZE', size)
    printed.length = 0
    const code = await checkSetup()
    return { code, text: printed.join('') }
  }
  const ofOne =
    /allows \d+ connections, .* Each instance opens 4 at most, and a backup 4: there is room for [1-9]\d*\.\n/
  expect(await checkWith('1')).toMatchObject({ code: 0, text: expect.stringMatching(ofOne) })
  const tooMany = /Each instance opens 800 at most, .* room for 0\. Lower DATABASE_POOL_SIZE or WORKERS, or raise max_/
  expect(await checkWith('200')).toMatchObject({ code: 0, text: expect.stringMatching(tooMany) })
})

test('the command doctor prints the same lines, and its exit code says whether one failed', async () => {
  const site = await aTestApp({ startJobs: false })
  const settings = {
    DATA_DIR: site.settings.dataDir,
    BASE_URL: 'http://127.0.0.1:1',
    BACKUP_DIR: join(site.settings.dataDir, 'backups'),
    DNS_SERVER: '127.0.0.1:9',
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const printed = printedText()
  expect(await printHealth({ json: true })).toBe(0)
  const { outcome, lines } = JSON.parse(printed.join(''))
  expect(outcome).toBe('attention')
  expect(lines.map(({ check }: { check: string }) => check)).toEqual(healthChecks.filter((one) => one !== 'cdn'))
  const ofProgram = (found: Health['lines']) =>
    (['canary', 'arrival', 'links'] as const).map((check) => outcomeOf(found, check).split('.')[0])
  const unseen = 'unknown: Only the running program can check this, and it has not done so lately'
  expect(ofProgram(lines)).toEqual([unseen, unseen, unseen])

  // What the running program found last is printed, for as long as it looks.
  const { db } = site
  const found = Object.values(await resultsOf(site, { canary: () => canaryOf(site), countDeadLinks: async () => 2 }))
  expect(await recordCheckRun(site.app.context(), found)).toBe(true)
  const printAgain = async (): Promise<Health['lines']> => {
    printed.length = 0
    await printHealth({ json: true })
    return JSON.parse(printed.join('')).lines
  }
  expect(ofProgram(await printAgain())).toEqual([
    'good: A trial message went the whole way; without a mail server emails are kept as files',
    'unknown: Without a mail server and a mailbox it cannot be seen whether email arrives',
    'attention: 2 addresses that you link to do not exist',
  ])
  await db
    .updateTable('health_setting')
    .set({ last_run_at: new Date(Date.now() - hour).toISOString() })
    .execute()
  expect(ofProgram(await printAgain())).toEqual([unseen, unseen, unseen])

  await aBackup(site.db, new Date('2020-01-01'))
  printed.length = 0
  expect(await printHealth({ json: false })).toBe(1)
  expect(printed.join('')).toMatch(/^FAIL {2}Backup: The newest backup is of .* 2020/m)

  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(site.db)
  await expect(printHealth({ json: false })).rejects.toThrow(/9999-later/)
})

/** What the commands print from now on; settings that the test gives them end with it. */
function printedText(): string[] {
  const printed: string[] = []
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  onTestFinished(() => {
    written.mockRestore()
    vi.unstubAllEnvs()
  })
  return printed
}

test('reasons are reported in the language of the reader, and reasons that older versions wrote stay as they are', async () => {
  const site = await aTestApp({ startJobs: false })
  const launcher = join(site.settings.dataDir, 'launcher')
  mkdirSync(launcher)
  const at = new Date()
  const versionTold = async (last: object) => {
    const update = { from: '0.1.0', to: '0.2.0', at, outcome: 'undone', reason: 'it ended by itself', ...last }
    writeFileSync(join(launcher, 'state.json'), JSON.stringify({ last: update }))
    const { version } = await resultsOf(site)
    return (['nl', 'fa', 'en'] as const).map((locale) => toLines([version], locale)[0]?.text)
  }
  const { version: own } = readRelease(process.cwd())
  const undone = (dutch: string, persian: string, english: string) => [
    `De update naar versie 0.2.0 is op ${longDateTime(at, 'nl')} teruggedraaid; versie ${own} draait. De reden: ${dutch}. Laat dit oplossen voordat u opnieuw bijwerkt.`,
    `به‌روزرسانی به نسخهٔ \u20680.2.0\u2069 در ${longDateTime(at, 'fa')} برگردانده شد و نسخهٔ \u2068${own}\u2069 کار می‌کند. علت: \u2068${persian}\u2069. پیش از به‌روزرسانی دوباره، مشکل را برطرف کنید.`,
    `The update to version 0.2.0 was undone at ${longDateTime(at, 'en')}; version ${own} runs. The reason: ${english}. Have it mended before you update again.`,
  ]
  expect(await versionTold({ why: { key: 'updateEnded' } })).toEqual(
    undone('de nieuwe versie stopte vanzelf', 'نسخهٔ تازه خودبه‌خود متوقف شد', 'it ended by itself'),
  )
  const failed = { key: 'updateRequestsFailed', failed: 6, answered: 40 }
  expect(await versionTold({ why: failed })).toEqual(
    undone('6 van de 40 verzoeken mislukten', '۶ درخواست از ۴۰ درخواست ناموفق بود', '6 of 40 requests failed'),
  )
  const asItWas = 'it ended by itself'
  expect(await versionTold({})).toEqual(undone(asItWas, asItWas, asItWas))
  expect(await versionTold({ why: { key: 'ofALaterVersion' } })).toEqual(undone(asItWas, asItWas, asItWas))

  // The launcher cannot import the texts.
  const used = [...readFileSync('scripts/launcher.mjs', 'utf8').matchAll(/\bkey: '(\w+)'/g)].map(([, key]) => key)
  expect(used).toHaveLength(7)
  expect(Object.keys(builtInTexts.nl.reasons)).toEqual(expect.arrayContaining(used))
})
