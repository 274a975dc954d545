import type { Page } from 'playwright-core'
import { serve } from '../../src/http/serve.ts'
import { closeAtEnd } from './closing.ts'
import type { TestApp } from './test-app.ts'

/** The app of a test on a port of its own. @returns where; passkeys want a name and not a number */
export async function served(site: TestApp): Promise<string> {
  const server = await serve(site.app, { port: 0, host: 'localhost' })
  closeAtEnd(() => server.close(1_000))
  return `http://localhost:${server.port}`
}

export interface Authenticator {
  /** From now on it asks nobody for a finger or a code, as a stolen key does. */
  unverified(): Promise<void>
}

/** Gives a page's browser an authenticator: one like a telephone's, or a plain key that knows nobody. */
export async function withAuthenticator(page: Page, like: 'telephone' | 'plain key'): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: like === 'telephone' ? 'internal' : 'usb',
      hasResidentKey: like === 'telephone',
      hasUserVerification: like === 'telephone',
      isUserVerified: like === 'telephone',
      automaticPresenceSimulation: true,
    },
  })
  return {
    unverified: async () => {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    },
  }
}

/** An empty page of the site: what is called from it comes from there. Its icon is given, or the browser asks for one. */
export async function blankPage(page: Page): Promise<void> {
  const body = '<!doctype html><title>leeg</title><link rel="icon" href="data:,">'
  await page.route('**/leeg', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/leeg')
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API said
  body: any
}

/** A call of the API from within the page, with its cookies. */
export const call = (page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([method, path, body]) => {
      const answer = await fetch(path as string, {
        method: method as string,
        ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
    },
    [method, path, body],
  )

/** Lets the browser make a key for these options. @returns what it answers the server */
export const makeKey = (page: Page, options: unknown): Promise<Record<string, unknown>> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return made.toJSON() as never
  }, options)

/** Lets the browser use a key. */
export const touchKey = (page: Page, options: unknown): Promise<Record<string, unknown>> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never)
    const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    return used.toJSON() as never
  }, options)

/** Adds a key to the account that is signed in. */
export async function addKey(page: Page, name: string): Promise<Answer> {
  const { body: options } = await call(page, 'POST', '/api/profile/passkeys/options')
  const response = await makeKey(page, options)
  return call(page, 'POST', '/api/profile/passkeys', { name, response })
}

/** Signs in with a key. @param ask changes what the browser is asked for */
export async function keyIn(
  page: Page,
  ask: (options: Record<string, unknown>) => object = (options) => options,
): Promise<Answer> {
  const { body: options } = await call(page, 'POST', '/api/login/passkey/options')
  return call(page, 'POST', '/api/login/passkey', { response: await touchKey(page, ask(options)) })
}
