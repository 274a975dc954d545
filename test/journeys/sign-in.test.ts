import { DatabaseSync } from 'node:sqlite'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { translator } from '../../src/i18n/translate.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, recordRequests } from '../support/browser.ts'
import { isFocused } from '../support/keyboard.ts'
import type { Program } from '../support/program.ts'
import {
  aSignInSite,
  field,
  fieldError,
  fillAndSubmit,
  password,
  type SignInSite,
  signIn,
  submitForm,
} from '../support/sign-in-site.ts'
import { allowErrors } from '../support/test-log.ts'
import { type AuthenticatorApp, anAuthenticatorApp } from '../support/two-factor.ts'
import { waitUntil } from '../support/wait-until.ts'
import { linkInEmail } from '../support/written-emails.ts'

const { visitor } = aBrowser()
let site: Program
let origin: string
let aPerson: SignInSite['aPerson']
let mailbox: SignInSite['mailbox']
beforeAll(async () => {
  const signInSite = await aSignInSite()
  site = signInSite.site
  origin = signInSite.origin
  aPerson = signInSite.aPerson
  mailbox = signInSite.mailbox
})

/** Links that have ended look the same: that of the first start is the one for all. */
const paths = ['/login', '/login/code', '/wachtwoord-vergeten', '/setup?token=x']
const refusedInConsole = () => allowErrors(/status of (401|404|422)/)

test('the page of the first start has no errors in both languages', async () => {
  const setupLink = String(site.lines.find((line) => line.setup)?.setup)
  const page = await visitor(origin, { width: 'phone' })
  for (const path of [setupLink, setupLink.replace('/setup', '/fa/setup')]) {
    await page.goto(path)
    expect(await found(page)).toEqual([])
  }
})

test('by keyboard alone: from the address bar through the form, and without a target to /user', async () => {
  const { email } = await aPerson()
  const page = await visitor(origin)
  await page.goto('/login')
  await page.locator('.skip').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#/)
  await page.keyboard.press('Tab')
  await expect.poll(() => isFocused(field(page, 'identifier'))).toBe(true)
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/user`)
})

test('switching the language keeps the target, to Persian and back', async () => {
  const page = await visitor(origin)
  await page.goto('/login?redirect=/disclaimer')
  for (const locale of ['fa', 'nl'] as const) {
    await page.locator(`.languages a[hreflang=${locale}]`).click()
    await page.waitForURL(`${origin}${localizedPath('/login', locale, {})}?redirect=%2Fdisclaimer`)
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale)
    await expect.poll(() => field(page, 'redirect').inputValue()).toBe('/disclaimer')
  }
})

describe.each(['nl', 'fa'] as const)('in %s', (locale) => {
  const t = translator(locale)
  const at = (path: string) => localizedPath(path, locale, {})

  // Each language, and each way of working, is there once.
  const javaScript = locale === 'nl'
  test('the second factor: a wrong code stays on the page, the right one opens the target', async () => {
    refusedInConsole()
    const { email } = await aPerson()
    const app = await aSecondFactor(email)
    const page = await visitor(origin, { javaScript })
    await page.goto(`${at('/login')}?redirect=/disclaimer`)
    await signIn(page, email)
    await page.waitForURL(`**${at('/login/code')}?*`)
    await expect.poll(() => field(page, 'code').evaluate((one) => one === document.activeElement)).toBe(true)
    await fillAndSubmit(page, { code: '000000' })
    await expect.poll(() => fieldError(page, 'code')).toBe(t('validation.wrongCode'))
    await fillAndSubmit(page, { code: app.code(1) })
    await page.waitForURL(`${origin}/disclaimer`)
  })

  test('every page is valid HTML', async () => {
    const validator = new HtmlValidate({
      root: true,
      extends: ['html-validate:standard', 'html-validate:a11y'],
      rules: { 'void-style': 'off', 'long-title': 'off' },
    })
    const notices = ['/login?melding=opnieuw', '/login?melding=klaar', '/wachtwoord-vergeten?verstuurd=1']
    const pages = [...paths, '/email-bevestigen?token=x', ...notices, await aPasswordPage()]
    for (const path of pages.map(at)) {
      const html = await (await fetch(origin + path)).text()
      const { results } = await validator.validateString(html)
      const messages = results.flatMap((result) => result.messages)
      expect(messages.map((one) => `${path}:${one.line}:${one.column} ${one.ruleId}: ${one.message}`)).toEqual([])
    }
  })

  test('axe finds nothing, with errors and without, and there is no horizontal scrolling at any width', async () => {
    refusedInConsole()
    const page = await visitor(origin, locale === 'fa' ? { width: 'phone', dark: true } : {})
    const own = page.viewportSize() ?? { width: 0, height: 0 }
    for (const path of [...paths, await aPasswordPage()].map(at)) {
      await page.goto(path)
      expect(await found(page), path).toEqual([])
      for (const width of [320, 390, 768, 1440, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect({ path, width, wide }).toEqual({ path, width, wide: 0 })
      }
      await page.setViewportSize(own)
    }
    await fillAndSubmit(page, { password: 'a', repeat: 'b' })
    await fieldError(page, 'password')
    expect(await found(page), 'wrong passwords').toEqual([])
    await page.goto(at('/login'))
    await signIn(page, 'niemand@example.nl')
    await page.locator('.panel .failed').waitFor()
    expect(await found(page), 'wrong login').toEqual([])
  })

  test('the first view of /login is at most 20 KB without its fonts, and uses no third party', async () => {
    const page = await visitor(origin, { firstVisit: true })
    const urls = recordRequests(page)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    let bytes = 0
    const fonts = new Set<string>()
    devtools.on('Network.responseReceived', ({ requestId, type }) => type === 'Font' && fonts.add(requestId))
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!fonts.has(requestId)) bytes += encodedDataLength
    })
    await page.goto(at('/login'), { waitUntil: 'networkidle' })
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThanOrEqual(20_000)
    expect(urls.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([])
  })
})

describe('passkeys', () => {
  test('without JavaScript there is no button, because it would not work', async () => {
    const page = await visitor(origin, { javaScript: false })
    await page.goto('/login')
    await expect.poll(() => page.locator('#passkey').isVisible()).toBe(false)
    await expect.poll(() => page.getByText('of', { exact: true }).isVisible()).toBe(false)
  })

  test('a passkey signs in with one click, also with a second factor on; an unknown passkey gives an error', async () => {
    refusedInConsole()
    const { email } = await aPerson()
    const page = await visitor(origin)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto('/login?redirect=/disclaimer')
    await signIn(page, email)
    await page.waitForURL(`${origin}/disclaimer`)
    expect(await addPasskey(page)).toBe(201)
    // It ends the session here too.
    await aSecondFactor(email)

    await page.goto('/login?redirect=/disclaimer')
    await page.getByRole('button', { name: 'Inloggen met een passkey' }).click()
    await page.waitForURL(`${origin}/disclaimer`)
    await expect.poll(() => page.locator('header .strip a[href="/user"]').count()).toBe(1)
    await page.goto('/logout')
    await submitForm(page)

    // A person who found the key cannot verify themselves.
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.goto('/login')
    await page.getByRole('button', { name: 'Inloggen met een passkey' }).click()
    await page.locator('#passkey[aria-busy=false]').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login')

    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    forgetPasskeys(email)
    await page.getByRole('button', { name: 'Inloggen met een passkey' }).click()
    await page.locator('#passkey-failed').waitFor({ state: 'visible' })
    await expect.poll(() => page.locator('#passkey-failed').innerText()).toContain('niet gelukt')
  })
})

/** The page on which a password is chosen. All tests look at one: its link works until somebody chooses a password. */
let passwordPage: Promise<string> | undefined
const aPasswordPage = () => {
  passwordPage ??= askForPasswordPage()
  return passwordPage
}

async function askForPasswordPage(): Promise<string> {
  const { email } = await aPerson()
  await fetch(`${origin}/wachtwoord-vergeten`, { method: 'POST', body: new URLSearchParams({ email }) })
  const sent = await waitUntil(() => mailbox.emails.find(({ to }) => to.includes(email)), 'email with the link')
  return linkInEmail(sent.parsed)
}

/** All axe violations of the page itself. */
const found = (page: Page) => axeViolations(page, { part: 'main' })

/** A separate session beside the browser, for the actions of the admin. */
async function asProgram(email: string) {
  const ask = (path: string, method: string, body?: unknown, cookie = '') =>
    fetch(origin + path, {
      method,
      headers: { 'Content-Type': 'application/json', cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const answer = await ask('/api/login', 'POST', { identifier: email, password })
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return async (path: string, method: string, body?: unknown) => ask(path, method, body, cookie)
}

async function aSecondFactor(email: string): Promise<AuthenticatorApp> {
  const ask = await asProgram(email)
  const { secret: shared } = await (await ask('/api/profile/two-factor', 'POST', { password })).json()
  const app = anAuthenticatorApp(shared)
  const answer = await ask('/api/profile/two-factor/verify', 'POST', { code: app.code() })
  expect(answer.status).toBe(200)
  return app
}

async function addPasskey(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' }
    const asked = await fetch('/api/profile/passkeys/options', { method: 'POST' })
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await asked.json())
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const body = JSON.stringify({ name: 'Laptop', response: made.toJSON() })
    return (await fetch('/api/profile/passkeys', { method: 'POST', headers, body })).status
  })
}

/** The user removes the passkey from the account, and the authenticator keeps it. */
function forgetPasskeys(email: string): void {
  const db = new DatabaseSync(`${site.dataDir}/etalage.sqlite`, { timeout: 30_000 })
  db.prepare('delete from passkey where user_id = (select id from user where email = ?)').run(email)
  db.close()
}
