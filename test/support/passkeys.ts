import type { Page } from 'playwright-core'
import { serve } from '../../src/http/serve.ts'
import { closeAfterTest } from './close-after-test.ts'
import type { TestApp } from './test-app.ts'

/** Serves the app on a free port. @returns its URL on localhost; passkeys need a host name instead of an IP address */
export async function serveOnLocalhost(site: TestApp): Promise<string> {
  const server = await serve(site.app, { port: 0, host: 'localhost' })
  closeAfterTest(() => server.close(1_000))
  return `http://localhost:${server.port}`
}

export interface Authenticator {
  /** From now on it does not verify the user, like a stolen key. */
  unverified(): Promise<void>
}

/** Adds a virtual authenticator to the browser of a page: a phone, or a plain key without user verification. */
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

/** An empty page of the site, as the origin for calls. It has an icon, because the browser would request one. */
export async function blankPage(page: Page): Promise<void> {
  const body = '<!doctype html><title>leeg</title><link rel="icon" href="data:,">'
  await page.route('**/leeg', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/leeg')
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: any response of the API
  body: any
}

/** Calls the API from the page, with its cookies. */
export const callApi = (page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
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

/** Creates a passkey with these options. @returns the response of the authenticator */
export const createPasskey = (page: Page, options: unknown): Promise<Record<string, unknown>> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return made.toJSON() as never
  }, options)

/** Signs a challenge with a passkey. */
export const answerWithPasskey = (page: Page, options: unknown): Promise<Record<string, unknown>> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never)
    const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    return used.toJSON() as never
  }, options)

/** Adds a passkey to the signed-in account. */
export async function addPasskey(page: Page, name: string): Promise<Answer> {
  const { body: options } = await callApi(page, 'POST', '/api/profile/passkeys/options')
  const response = await createPasskey(page, options)
  return callApi(page, 'POST', '/api/profile/passkeys', { name, response })
}

/** Signs in with a passkey. @param ask changes the options for the browser */
export async function signInWithPasskey(
  page: Page,
  ask: (options: Record<string, unknown>) => object = (options) => options,
): Promise<Answer> {
  const { body: options } = await callApi(page, 'POST', '/api/login/passkey/options')
  return callApi(page, 'POST', '/api/login/passkey', { response: await answerWithPasskey(page, ask(options)) })
}
