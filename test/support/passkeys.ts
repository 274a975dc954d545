import type { Page } from 'playwright-core'
import { serve } from '../../src/http/serve.ts'
import { closeAfterTest } from './close-after-test.ts'
import type { TestApp } from './test-app.ts'

/**
 * Serves the app on a free port, until the test ends.
 * @returns its URL with the host name localhost: passkeys do not work with an IP address
 */
export async function serveOnLocalhost(site: TestApp): Promise<string> {
  const server = await serve(site.app, { port: 0, host: 'localhost' })
  closeAfterTest(() => server.close(1_000))
  return `http://localhost:${server.port}`
}

interface Authenticator {
  /** From now on it does not verify the user (by PIN or fingerprint), as in the hands of a thief. */
  stopVerifyingUser(): Promise<void>
}

/**
 * Adds a virtual authenticator to the browser of a page, which confirms every request by itself.
 * @param kind a phone, or a plain USB security key, which stores no passkeys and does not verify the user
 */
export async function addAuthenticator(page: Page, kind: 'telephone' | 'plain key'): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: kind === 'telephone' ? 'internal' : 'usb',
      hasResidentKey: kind === 'telephone',
      hasUserVerification: kind === 'telephone',
      isUserVerified: kind === 'telephone',
      automaticPresenceSimulation: true,
    },
  })
  return {
    stopVerifyingUser: async () => {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    },
  }
}

/** Opens an empty page on the origin of the site, for calls from it. Its icon keeps the browser from requesting one. */
export async function openBlankPage(page: Page): Promise<void> {
  const body = '<!doctype html><title>leeg</title><link rel="icon" href="data:,">'
  await page.route('**/leeg', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/leeg')
}

interface ApiResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: any response of the API
  body: any
}

/** Calls the API from the page, with its cookies. The `body` of the response is null when it is empty. */
export const callApi = (page: Page, method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path as string, {
        method: method as string,
        ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    },
    [method, path, body],
  )

/** Creates a passkey with the options of the API. @returns the response of the authenticator as JSON */
export const createPasskey = (page: Page, options: unknown): Promise<Record<string, unknown>> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return credential.toJSON() as never
  }, options)

/** Signs the challenge in the options of the API with a passkey. @returns the response of the authenticator as JSON */
export const signWithPasskey = (page: Page, options: unknown): Promise<Record<string, unknown>> =>
  page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never)
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    return credential.toJSON() as never
  }, options)

/** Adds a passkey to the signed-in user, through the page and the API. */
export async function addPasskey(page: Page, name: string): Promise<ApiResponse> {
  const { body: options } = await callApi(page, 'POST', '/api/profile/passkeys/options')
  const response = await createPasskey(page, options)
  return callApi(page, 'POST', '/api/profile/passkeys', { name, response })
}

/** Signs in with a passkey. @param changeOptions changes the options of the API before the browser gets them */
export async function signInWithPasskey(
  page: Page,
  changeOptions: (options: Record<string, unknown>) => object = (options) => options,
): Promise<ApiResponse> {
  const { body: options } = await callApi(page, 'POST', '/api/login/passkey/options')
  return callApi(page, 'POST', '/api/login/passkey', { response: await signWithPasskey(page, changeOptions(options)) })
}
