import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { aBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { anIdentityProvider } from '../support/identity-provider.ts'
import { aProgram, emptyDataSettings, type Program } from '../support/program.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()

/** With JavaScript, and on SQLite, in `admin-provider.test.ts`. */
test('spec 1 external provider, in Chromium without JavaScript: the button on /login leads to the provider and back, and a user without a password confirms the same way', async () => {
  allowErrors(/status of 404/)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const { oidc, people } = await anIdentityProvider(origin)
  people.nia = { email: 'nia@example.nl', email_verified: true, name: 'Nia Nieuw' }
  const site = await aProgram({
    ...(await emptyDataSettings('postgres')),
    PORT: String(port),
    BASE_URL: origin,
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    OIDC_LABEL: oidc.label,
  })
  const page = await visitor(origin, { javaScript: false })
  // The forms of the provider load a font from a third party.
  const far = ({ hostname }: URL) => !['localhost', '127.0.0.1'].includes(hostname)
  await page.route(far, (route) => route.fulfill({ status: 200, body: '' }))
  const button = page.getByRole('link', { name: 'Inloggen met Stadskantoor' })

  await page.goto('/login?redirect=/disclaimer')
  await button.click()
  await atProvider(page, 'nia')
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${origin}/disclaimer`)
  await expect
    .poll(() => page.locator('header .strip').getByRole('link', { name: 'Nia Nieuw' }).getAttribute('href'))
    .toBe('/user')

  // Eleven minutes later a risky action asks for confirmation, and there is no password.
  await timePasses(site)
  const risky = async () => (await page.context().request.post('/api/profile/two-factor')).status()
  expect(await risky()).toBe(403)
  await page.goto('/login')
  await page.waitForURL(`${origin}/user`)
  expect(await risky()).toBe(403)

  // The provider still has a session, and asks all the same.
  await page.goto('/login?opnieuw=1')
  await button.click()
  await atProvider(page, 'nia')
  await page.waitForURL(`${origin}/user`)
  expect(await risky()).toBe(200)
})

/** Fills in the form of the provider that asks who signs in. */
async function atProvider(page: Page, who: string): Promise<void> {
  await page.locator('input[name=login]').fill(who)
  await page.locator('input[name=password]').fill('x')
  await page.locator('button[type=submit]').click()
}

async function timePasses({ dataSettings: where }: Program): Promise<void> {
  const { db } = await openDatabase({ dataDir: where.DATA_DIR ?? '', databaseUrl: where.DATABASE_URL })
  const then = new Date(Date.now() - 11 * 60_000).toISOString()
  await db.updateTable('session').set({ created_at: then, confirmed_at: null }).execute()
  await db.destroy()
}
