import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { vi } from 'vitest'
import { closeAfterTest } from './close-after-test.ts'
import type { TestApp } from './test-app.ts'
import { aVisitor, type Visitor } from './visitor.ts'

interface Claims {
  email?: string
  email_verified?: unknown
  name?: string
}

interface IdentityProvider {
  issuer: string
  /** The setting `oidc` of a site that uses it. */
  oidc: { issuer: string; clientId: string; clientSecret: string; label: string }
  /** The claims about each account, by login name; a test adds them. */
  people: Record<string, Claims>
  /** The paths with queries that were requested of it, oldest first. */
  requestedPaths: string[]
  stop(): Promise<void>
}

const clientId = 'etalage'
const clientSecret = 'client-geheim-van-de-proef'

/**
 * A real OpenID provider on a free loopback port, until the test ends.
 * @param siteOrigin the origin of the only site that may use it
 * @param claimsIn where it returns the claims about a user
 */
export async function anIdentityProvider(
  siteOrigin: string,
  claimsIn: 'id token' | 'userinfo' = 'userinfo',
): Promise<IdentityProvider> {
  const people: Record<string, Claims> = {}
  const requestedPaths: string[] = []
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It warns that its configuration is for development.
  const warnSpy = vi.spyOn(console, 'warn').mockImplementation(() => {})
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
  const handleRequest = provider.callback()
  warnSpy.mockRestore()
  server.on('request', (request, response) => {
    requestedPaths.push(request.url ?? '')
    handleRequest(request, response)
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
    requestedPaths,
    stop,
  }
}

/** An HTTP server that accepts requests and never responds, until the test ends. @returns its origin */
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

interface SignInResult {
  /** The URL on the site where the redirects ended, or where `until` stopped. */
  end: URL
  visitor: Visitor
}

/**
 * Signs in at the provider like a browser without scripts: follows every redirect, and submits the forms of the provider.
 * @param login the login name of an account
 * @param options.from the path where it begins; by default the link to the provider on the sign-in page
 * @param options.origin of the site
 * @param options.until stops before the first URL for which this is true
 */
export async function signInAtProvider(
  site: Pick<TestApp, 'request'>,
  provider: IdentityProvider,
  login: string,
  options: { visitor?: Visitor; from?: string; origin: string; until?: (url: URL) => boolean },
): Promise<SignInResult> {
  const visitor = options.visitor ?? aVisitor(site)
  const providerVisitor = aVisitor({
    request: async (path: string, init?: RequestInit) => fetch(path, { ...init, redirect: 'manual' }),
  } as Pick<TestApp, 'request'>)
  let url = new URL(options.from ?? '/login/oidc', options.origin)
  let fields: Record<string, string> | undefined
  let tries = 1
  for (let hop = 0; hop < 20; hop++) {
    if (options.until?.(url)) return { end: url, visitor }
    const isOnSite = url.origin === options.origin
    const visitorOfOrigin = isOnSite ? visitor : providerVisitor
    const address = isOnSite ? url.pathname + url.search : url.href
    const response = fields ? await visitorOfOrigin.submitForm(address, fields) : await visitorOfOrigin.get(address)
    fields = undefined
    const location = response.headers.get('location')
    // The site gives up on a provider after some seconds, which a busy machine may take.
    if (isOnSite && location?.includes('melding=stil') && tries < 3) {
      tries++
      url = new URL(options.from ?? '/login/oidc', options.origin)
      continue
    }
    if (location) {
      url = new URL(location, url)
      continue
    }
    if (isOnSite) return { end: url, visitor }
    const html = await response.text()
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? []
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? []
    if (!action || !prompt) throw new Error(`${provider.issuer} answered ${response.status}: ${html.slice(0, 500)}`)
    url = new URL(action, url)
    fields = { prompt, login, password: 'x' }
  }
  throw new Error(`the journey has no end; it was at ${url.href}`)
}
