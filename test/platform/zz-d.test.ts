import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { findPgbouncer } from '../../scripts/setup/pgbouncer.mjs'
import { renderEmail } from '../../src/domain/email-templates.ts'
import { createDatabaseAlarm } from '../../src/domain/health/database-away.ts'
import { startHealthJob } from '../../src/jobs/check-health.ts'
import { databaseDialect } from '../../src/platform/db/database.ts'
import { closeAfterFile, closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOf, anEmptyDatabase } from '../support/databases.ts'
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
  const homeMs: number[] = []
  const answers: { path: string; status: number; body: string }[] = []
  const visitor = async (who: number) => {
    for (let count = 0; !stopped; count++) {
      const began = performance.now()
      const home = await fetch(site.url)
      answers.push({ path: '/', status: home.status, body: await home.text() })
      homeMs.push(performance.now() - began)
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
    homeMs,
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
    settings: { databaseUrl: address.url, contactLimited: false },
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
  'a PostgreSQL that %s under load: pages go on, the form is honest, nothing acknowledged is lost',
  async (name, fail, recover) => {
    allowErrors(outageErrors)
    const visitors = visitorsOf(site, name)
    const isReady = async () => (await site.request('/readyz')).status === 200
    try {
      await waitUntil(() => visitors.acknowledged.length > 5, 'messages before the fault')
      await fail()
      await waitUntil(() => visitors.answers.filter(({ status }) => status === 503).length > 5, 'honest answers')
      await waitUntil(async () => !(await isReady()), 'not ready')
      const downAt = performance.now()
    await pause(20_000)
    const marks = [visitors.answers.length]
    const upFrom = performance.now()
    await recover()
    const upAt = performance.now()
      const before = visitors.acknowledged.length
      await waitUntil(() => visitors.acknowledged.length > before + 5, 'messages after the fault')
      const firstAt = performance.now()
    await waitUntil(isReady, 'ready')
    const readyAt = performance.now()
    const of = (path: string, status: number) => visitors.answers.filter((one) => one.path === path && one.status === status).length
    process.stdout.write(`FIGURES ${JSON.stringify({ name, down: upFrom - downAt, recoverMs: upAt - upFrom, firstMessagesMs: firstAt - upAt, readyMs: readyAt - upAt, home200: of('/', 200), form201: of('/api/contact', 201), form503: of('/api/contact', 503), marks, slowest: Math.max(...visitors.homeMs) })}\n`)
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

