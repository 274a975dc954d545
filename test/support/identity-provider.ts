import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { vi } from 'vitest'
import { closeAfterTest } from './close-after-test.ts'
import type { TestApp } from './test-app.ts'
import { aVisitor, type Visitor } from './visitor.ts'

export interface Claims {
  email?: string
  email_verified?: unknown
  name?: string
}

export interface IdentityProvider {
  issuer: string
  /** The settings of a site that uses it. */
  oidc: { issuer: string; clientId: string; clientSecret: string; label: string }
  /** The accounts, by the login name. */
  people: Record<string, Claims>
  /** The paths that were requested. */
  requestedPaths: string[]
  stop(): Promise<void>
}

const clientId = 'etalage'
const clientSecret = 'client-geheim-van-de-proef'

/**
 * A real OpenID provider on a free loopback port.
 * @param claimsIn where it returns the claims
 */
export async function anIdentityProvider(
  siteOrigin: string,
  claimsIn: 'id token' | 'userinfo' = 'userinfo',
): Promise<IdentityProvider> {
  const people: Record<string, Claims> = {}
  const asked: string[] = []
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It warns that its configuration is for development.
  const quiet = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${siteOrigin}/login/oidc/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    findAccount: async (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people[id] }),
    }),
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['alleen-voor-tests'] },
  })
  const answer = provider.callback()
  quiet.mockRestore()
  server.on('request', (request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= close(server)
    return stopped
  }
  closeAfterTest(stop)
  return {
    issuer,
    oidc: { issuer, clientId, clientSecret, label: 'Inloggen met Stadskantoor' },
    people,
    requestedPaths: asked,
    stop,
  }
}

/** A server that accepts connections and never responds. */
export async function aSilentServer(): Promise<string> {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(() => close(server))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

export interface Journey {
  /** The last URL on the site that was not a redirect. */
  end: URL
  visitor: Visitor
}

/**
 * Signs in at the provider like a browser without scripts: follows every redirect, and fills in the forms of the
 * provider.
 * @param more.until stops before the first URL for which this is true
 */
export async function signInAtProvider(
  site: Pick<TestApp, 'request'>,
  provider: IdentityProvider,
  who: string,
  more: { visitor?: Visitor; from?: string; origin: string; until?: (url: URL) => boolean },
): Promise<Journey> {
  const visitor = more.visitor ?? aVisitor(site)
  const away = aVisitor({
    request: async (path: string, init?: RequestInit) => fetch(path, { ...init, redirect: 'manual' }),
  } as Pick<TestApp, 'request'>)
  let url = new URL(more.from ?? '/login/oidc', more.origin)
  let fields: Record<string, string> | undefined
  let tries = 1
  for (let step = 0; step < 20; step++) {
    if (more.until?.(url)) return { end: url, visitor }
    const here = url.origin === more.origin
    const browser = here ? visitor : away
    const address = here ? url.pathname + url.search : url.href
    const answer = fields ? await browser.submitForm(address, fields) : await browser.get(address)
    fields = undefined
    const location = answer.headers.get('location')
    // The site gives up on a provider after some seconds, which a busy machine may take.
    if (here && location?.includes('melding=stil') && tries < 3) {
      tries++
      url = new URL(more.from ?? '/login/oidc', more.origin)
      continue
    }
    if (location) {
      url = new URL(location, url)
      continue
    }
    if (here) return { end: url, visitor }
    const html = await answer.text()
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? []
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? []
    if (!action || !prompt) throw new Error(`${provider.issuer} answered ${answer.status}: ${html.slice(0, 500)}`)
    url = new URL(action, url)
    fields = { prompt, login: who, password: 'x' }
  }
  throw new Error(`the journey has no end; it was at ${url.href}`)
}
