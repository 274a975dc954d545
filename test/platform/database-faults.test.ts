import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { findProgram } from '../../scripts/setup/debian-programs.mjs'
import { renderEmail } from '../../src/domain/email-templates.ts'
import { createDatabaseAlarm } from '../../src/domain/health/database-alarm.ts'
import { startHealthJob } from '../../src/jobs/check-health.ts'
import { databaseDialect } from '../../src/platform/db/database.ts'
import { closeAfterFile, closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, anEmptyDatabase } from '../support/databases.ts'
import { aMessageOf } from '../support/people.ts'
import { aPgbouncer } from '../support/pgbouncer.ts'
import { startPostgresWithStandby } from '../support/postgres.ts'
import { aServedApp, type ServedApp } from '../support/served-app.ts'
import { as, json } from '../support/staff.ts'
import { aTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { aTestApp } from '../support/test-app.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const outageErrors =
  /ECONNRESET|ECONNREFUSED|EPIPE|Connection terminated|connection error|terminating connection|accepting connections|shutting down|starting up|recovery|socket hang up|read-only/

/** Visitors who read the home page and send messages, until they are stopped. @returns what they were answered */
function visitorsOf(site: ServedApp, name: string) {
  let stopped = false
  const acknowledged: number[] = []
  const answers: { path: string; status: number; body: string }[] = []
  const visitor = async (who: number) => {
    for (let count = 0; !stopped; count++) {
      const home = await fetch(site.url)
      answers.push({ path: '/', status: home.status, body: await home.text() })
      const message = aMessageOf('roya', { bericht: `${name} ${who} ${count}` })
      const response = await fetch(`${site.url}/api/contact`, json('POST', message) as RequestInit)
      const body = await response.text()
      answers.push({ path: '/api/contact', status: response.status, body })
      if (response.status === 201) acknowledged.push(JSON.parse(body).id)
      await pause(20)
    }
  }
  const running = Promise.all([0, 1, 2, 3].map(visitor))
  return {
    acknowledged,
    answers,
    async stop() {
      stopped = true
      await running
    },
  }
}

let server: Awaited<ReturnType<typeof startPostgresWithStandby>>
let address: TcpProxy
let site: ServedApp
beforeAll(async () => {
  server = await startPostgresWithStandby()
  closeAfterFile(() => server.stop())
  address = await aTcpProxy(server.primary.url)
  site = await aServedApp({
    database: 'postgres',
    settings: { databaseUrl: address.url, rateLimited: false },
  })
  await site.app.warm()
})

test.each([
  ['stops and is started again', () => server.primary.crash(), () => server.primary.start()],
  [
    'fails over to its standby',
    () => server.primary.crash(),
    async () => {
      await server.standby.promote()
      address.forwardTo(server.standby.url)
    },
  ],
])(
  'a PostgreSQL that %s under load: pages are served, the form confirms only what is stored, and nothing confirmed is lost',
  async (name, fail, recover) => {
    allowErrors(outageErrors)
    const visitors = visitorsOf(site, name)
    const isReady = async () => (await site.request('/readyz')).status === 200
    try {
      await waitUntil(() => visitors.acknowledged.length > 5, 'messages before the fault')
      await fail()
      await waitUntil(() => visitors.answers.filter(({ status }) => status === 503).length > 5, 'honest answers')
      await waitUntil(async () => !(await isReady()), 'not ready')
      await recover()
      const before = visitors.acknowledged.length
      await waitUntil(() => visitors.acknowledged.length > before + 5, 'messages after the fault')
      await waitUntil(isReady, 'ready')
    } finally {
      await visitors.stop()
    }

    expect(new Set(visitors.answers.filter(({ path }) => path === '/').map(({ status }) => status))).toEqual(
      new Set([200]),
    )
    for (const { path, status, body } of visitors.answers) {
      expect([path, [200, 201, 503].includes(status)]).toEqual([path, true])
      if (status === 503) expect(JSON.parse(body).title).toBe('Uw bericht is niet verstuurd!')
    }
    const stored = await site.db
      .selectFrom('message')
      .select('reference')
      .where('reference', 'in', visitors.acknowledged)
      .execute()
    expect(stored).toHaveLength(visitors.acknowledged.length)
    await waitUntil(async () => (await site.request('/readyz')).status === 200, 'ready')
  },
)

test.skipIf(!findProgram('pgbouncer'))(
  'behind PgBouncer in transaction mode two instances migrate, take messages and changes, and notice each other',
  async () => {
    const { databaseUrl } = await anEmptyDatabase('postgres')
    const settings = { databaseUrl: await aPgbouncer(String(databaseUrl)), rateLimited: false }
    const first = await aTestApp({ database: 'postgres', settings })
    const second = await aTestApp({ beside: first, settings })
    const copies = [first, second]
    const { isInUse } = databaseDialect({ ...settings, dataDir: '' })
    // More at once than there are connections, so that every transaction gets another one.
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (copies[at % 2] as typeof first).request(
          '/api/contact',
          json('POST', aMessageOf('roya', { bericht: `${at % 10}` })),
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: number }).id))
    expect(new Set(ids).size).toBe(10)
    await waitUntil(async () => (await first.writtenEmails()).length === 20, 'emails, each once')

    const isNoticed = async () => {
      let isKnown = false
      const inUse = isInUse().finally(() => {
        isKnown = true
      })
      while (!isKnown) {
        await Promise.all(copies.map(({ db }) => db.selectFrom('page').select('id').limit(1).execute()))
        await pause(20)
      }
      return inUse
    }
    // On a busy machine no statement may fall into the time that is measured.
    expect((await isNoticed()) || (await isNoticed()) || (await isNoticed())).toBe(true)
    await Promise.all(copies.map((copy) => copy.stop()))
    await waitUntil(async () => !(await isInUse()), 'end of the use')
  },
)

test('an instance with a wrong clock, and one whose clock jumps, use the time of the database', async () => {
  const right = await aTestApp({ database: 'postgres' })
  const real = Date.now.bind(Date)
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000)
  try {
    const wrong = await aTestApp({ beside: right })
    for (const copy of [right, wrong]) {
      await expect.poll(() => Math.abs(copy.app.context().now().getTime() - real())).toBeLessThan(5_000)
    }
    await wrong.request('/api/contact', json('POST', aMessageOf('roya')))
    const { created_at } = await right.db.selectFrom('message').select('created_at').executeTakeFirstOrThrow()
    expect(Math.abs(Date.parse(created_at) - real())).toBeLessThan(60_000)
  } finally {
    clock.mockRestore()
  }
})

test('a database that stays unavailable is reported once to the chosen people and the webhook, and so is its end', async () => {
  allowErrors(
    /checking the health of the site failed|ECONNRESET|ECONNREFUSED|Connection terminated|checking for changed content failed/,
  )
  const { databaseUrl } = await aCopyOfTemplate('seeded', 'postgres')
  const address = await aTcpProxy(String(databaseUrl))
  const site = await aTestApp({ database: 'postgres', startJobs: false, settings: { databaseUrl: address.url } })
  const bente = await as(site, 'beheerder')
  const { version } = await (await bente.get('/api/health/alarms')).json()
  const webhook = 'http://hooks.example/alarm'
  expect((await bente.put('/api/health/alarms', { people: [bente.id], reports: [], webhook, version })).status).toBe(
    200,
  )

  let at = 0
  const notifications: unknown[] = []
  let accepts = false
  const databaseAlarm = createDatabaseAlarm({
    send: () => async (email) => {
      const { subject } = await renderEmail(site.app.context().site, email.locale, 'healthAlarm', email.data)
      notifications.push([email.data.to, subject])
    },
    post: async (url, body) => {
      if (accepts) notifications.push([url, (body as { events: { state: string }[] }).events.map(({ state }) => state)])
      return accepts
    },
    monotonicMs: () => at,
  })
  let checkRuns = 0
  const monitor = { runChecks: async () => [], getLastResults: () => [] }
  const job = startHealthJob({
    context: site.app.context,
    monitor,
    databaseAlarm: {
      recordAvailable: (ctx) => databaseAlarm.recordAvailable(ctx).finally(() => checkRuns++),
      recordUnavailable: (ctx) => databaseAlarm.recordUnavailable(ctx).finally(() => checkRuns++),
    },
    log: aLog().log,
  })
  closeAfterTest(() => job.stop())
  const runChecksAfter = async (minutes: number) => {
    at += minutes * 60_000
    const before = checkRuns
    job.wake()
    await waitUntil(() => checkRuns > before, 'check run')
  }
  await runChecksAfter(0)
  const real = address.forwardTo
  address.forwardTo('postgres://127.0.0.1:1/')
  await runChecksAfter(5)
  await runChecksAfter(4)
  expect(notifications).toEqual([])
  await runChecksAfter(1)
  expect(notifications).toEqual([['bente@example.nl', 'Er is iets mis met de website van Maaslicht | Maaslicht']])
  accepts = true
  await runChecksAfter(1)
  expect(notifications.slice(1)).toEqual([[webhook, ['began']]])
  await runChecksAfter(5)
  real(String(databaseUrl))
  await runChecksAfter(1)
  await runChecksAfter(5)
  await runChecksAfter(5)
  expect(notifications.slice(2).sort()).toEqual(
    [
      ['bente@example.nl', 'De website van Maaslicht is weer in orde | Maaslicht'],
      [webhook, ['over']],
    ].sort(),
  )
})

test('an alert about the database reaches the webhook and all recipients, however many, and each gets the end after the begin', async () => {
  const site = await aTestApp({ startJobs: false })
  const bente = await as(site, 'beheerder')
  const { role_id } = await site.db
    .selectFrom('user')
    .select('role_id')
    .where('id', '=', bente.id)
    .executeTakeFirstOrThrow()
  const at = new Date().toISOString()
  const addresses = Array.from({ length: 60 }, (_, number) => `lid-${number}@example.nl`)
  await site.db
    .insertInto('user')
    .values(addresses.map((email) => ({ email, name: email, role_id, created_at: at, updated_at: at })))
    .execute()
  const { version } = await (await bente.get('/api/health/alarms')).json()
  const people = (await site.db.selectFrom('user').select('id').where('email', 'in', addresses).execute()).map(
    ({ id }) => id,
  )
  const webhook = 'http://hooks.example/alarm'
  expect((await bente.put('/api/health/alarms', { people, reports: [], webhook, version })).status).toBe(200)

  let minutes = 0
  let accepts = false
  const delivered: [to: string, state: string][] = []
  const alarm = createDatabaseAlarm({
    send:
      () =>
      async ({ data }) => {
        if (!accepts) throw new Error('the mail server is away')
        const isBegin = data.began.length > 0
        // The begin takes longer than the end.
        if (isBegin) await Promise.resolve()
        delivered.push([data.to, isBegin ? 'began' : 'over'])
      },
    post: async (url, body) => {
      if (accepts) delivered.push([url, (body as { events: { state: string }[] }).events[0]?.state ?? ''])
      return accepts
    },
    monotonicMs: () => minutes * 60_000,
  })
  const ctx = { ...site.app.context(), log: aLog().log }
  await alarm.recordAvailable(ctx)
  await alarm.recordUnavailable(ctx)
  minutes += 5
  await alarm.recordUnavailable(ctx)
  await alarm.recordAvailable(ctx)
  minutes += 5
  accepts = true
  await alarm.recordAvailable(ctx)
  const statesOf = (to: string) => delivered.flatMap(([one, state]) => (one === to ? [state] : []))
  expect(new Map([webhook, ...addresses].map((to) => [to, statesOf(to)]))).toEqual(
    new Map([webhook, ...addresses].map((to) => [to, ['began', 'over']])),
  )
})
