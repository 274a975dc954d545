import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../src/api/api-document.ts'
import type { Right } from '../../src/contract/rights.ts'
import { type ApiRouteAccess, apiRoutes, type CallSetup } from '../support/access-in-api.ts'
import { routesOutsideApi } from '../support/access-outside-api.ts'
import { aRunningBackup } from '../support/backups.ts'
import {
  type Caller,
  callersOf,
  createCallers,
  createSessionCookie,
  type FindCaller,
  isAuthenticated,
  type Person,
} from '../support/callers.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { anIdentityProvider } from '../support/identity-provider.ts'
import { aRole } from '../support/roles.ts'
import { aUser, json } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const document: ApiDocument = JSON.parse(readFileSync('openapi.json', 'utf8'))
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation })),
)

function expected({ allowed: may, status }: ApiRouteAccess, caller: Caller): number {
  if (may === 'everyone') return status
  if (!isAuthenticated(caller)) return 401
  if (may === 'signed in' || caller === 'all rights') return status
  if ('all' in may) return 403
  return may.some((right) => right === caller) ? status : 403
}

test('every API route has a row in the matrix of rights, and every row has a route', () => {
  expect(Object.keys(apiRoutes).sort()).toEqual(routes.map(({ name }) => name).sort())
})

test('every endpoint has a row in this matrix or is an API route, and every row has an endpoint', async () => {
  const site = await aTestApp()
  const described = routes.map(({ method, path }) => `${method} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)

  expect((await routesOf(site)).sort()).toEqual([...described, ...Object.keys(routesOutsideApi)].sort())
})

test('an endpoint without a row in the matrix is detected, whatever its method', async () => {
  const more = (path: string, method: string) => ({ path, method, basePath: '/', handler: () => undefined })
  const routes = [more('/*', 'ALL'), more('/nieuw', 'PURGE'), more('/login', 'ALL'), more('/login', 'GET')]
  expect(await routesOf({ app: { routes: async () => routes } } as never)).toEqual([
    'all /*',
    'purge /nieuw',
    'get /login',
  ])
})

/** The right check does not depend on the database: the second database tests only that rights are read there. */
const callersOn: Record<DatabaseKind, (named: readonly Right[]) => Caller[]> = {
  sqlite: callersOf,
  postgres: () => ['nobody', 'base role', 'all rights'],
}

/** The rights that a route names. */
function namedBy({ allowed }: ApiRouteAccess): readonly Right[] {
  if (allowed === 'everyone' || allowed === 'signed in') return []
  return 'all' in allowed ? allowed.all : allowed
}

describe.each(databases)('on %s', (database) => {
  let site: TestApp
  let find: FindCaller

  beforeAll(async () => {
    const { oidc } = await anIdentityProvider('http://localhost')
    site = await aTestApp({
      database,
      settings: { rateLimited: false, metricsToken: 'alleen-voor-tests', oidc, dnsServer: '127.0.0.1:9' },
    })
    await aRunningBackup(site)
    find = createCallers(site)
    // The program gives the database two seconds to answer, and the provider five.
    await waitUntil(async () => (await site.request('/readyz')).status === 200, 'ready')
    await waitUntil(
      async () => (await site.request('/login/oidc')).headers.get('location')?.includes('/auth'),
      'provider',
    )
  })

  test.each(Object.entries(routesOutsideApi))(
    '%s',
    async (name, { signedIn, rights, others = signedIn, callPath, form }) => {
      const [method = '', path = ''] = name.split(' ')
      const body = form && { body: new URLSearchParams(form).toString() }
      const asked = callersOn[database](rights ?? [])
      const found: Record<string, string> = {}
      for (const caller of asked) {
        const cookie = await createSessionCookie(site, caller, (await find(caller, rights ?? []))?.id ?? 0)
        const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const answer = await site.request(callPath ?? path, {
          method: method === 'all' ? 'POST' : method.toUpperCase(),
          ...body,
          headers: { ...(form && type), ...(cookie && { cookie }) },
        })
        found[caller] = [answer.status, ...leadsTo(answer)].join(' ')
        await answer.body?.cancel()
      }

      const lacksRight = (caller: Caller) =>
        rights && caller !== 'all rights' && !rights.some((right) => right === caller)
      const wanted = (caller: Caller) => (isAuthenticated(caller) ? (lacksRight(caller) ? '403' : signedIn) : others)
      expect(found).toEqual(Object.fromEntries(asked.map((caller) => [caller, wanted(caller)])))
    },
  )

  test.each(routes)('$name', async ({ name, method, path, operation }) => {
    const row = apiRoutes[name]
    if (!row) throw new Error(`${name} lacks its row in test/support/access-in-api.ts`)
    const asked = callersOn[database](namedBy(row))
    const found: Record<string, number> = {}
    for (const caller of asked) {
      const setup = aCallSetup(site, await find(caller, namedBy(row)))
      const cookie = await createSessionCookie(site, caller, setup.caller.id)
      const at = `/api${(await row.path?.(setup)) ?? path}`
      const body = row.body ? json(method.toUpperCase(), await row.body(setup)) : { method: method.toUpperCase() }
      const answer = await site.request(at, { ...body, headers: { ...body.headers, ...(cookie && { cookie }) } })
      found[caller] = answer.status
      await answer.body?.cancel()
    }

    expect(found).toEqual(Object.fromEntries(asked.map((caller) => [caller, expected(row, caller)])))
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(Object.values(found).map(String)))
  })
})

/** Each method and path that the program answers, without middleware and handlers that only refuse. */
async function routesOf({ app }: Pick<TestApp, 'app'>): Promise<string[]> {
  const names = [...new Set((await app.routes()).map(({ method, path }) => `${method.toLowerCase()} ${path}`))]
  const named = new Set(names.filter((name) => !name.startsWith('all ')).map((name) => name.split(' ')[1]))
  return names.filter((name) => !name.startsWith('all ') || !named.has(name.slice(4)))
}

/** The target of a redirect: the path on this site, or the origin and path of another one. */
function leadsTo(answer: Response): string[] {
  const location = answer.headers.get('location')
  if (location === null) return []
  return [location.startsWith('/') ? location : new URL(location).pathname]
}

let made = 0

function aCallSetup(
  site: TestApp,
  caller: Person = { id: 0, email: 'niemand@example.nl', name: 'Niemand' },
): CallSetup {
  return {
    site,
    caller,
    async aTarget() {
      const email = `doel${made++}@example.nl`
      return { email, id: await aUser(site, { name: 'Doel', email, password: null }) }
    },
    anEmptyRole: () => aRole(site, `lege rol ${made++}`, []),
  }
}
