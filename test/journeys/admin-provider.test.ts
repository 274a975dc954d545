import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aProgramWithAdministrator, openScreen, type ProgramWithAdministrator } from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { anIdentityProvider } from '../support/identity-provider.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let url: string
beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const { issuer, oidc, people } = await anIdentityProvider(url)
  people.olga = { email: 'olga@example.nl', email_verified: true, name: 'Olga Organisatie' }
  site = await aProgramWithAdministrator({
    PORT: String(port),
    BASE_URL: url,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    OIDC_LABEL: oidc.label,
  })
})

/** Signs in through the pages of the provider. @returns whether it asked for the password */
async function byTheProvider(page: Page): Promise<boolean> {
  let hasAsked = false
  await page.getByRole('link', { name: 'Inloggen met Stadskantoor' }).click()
  for (;;) {
    await page.waitForLoadState()
    if (page.url().startsWith(url)) return hasAsked
    const name = page.locator('input[name=login]')
    if ((await name.count()) > 0) {
      await name.fill('olga')
      await page.locator('input[name=password]').fill('x')
      hasAsked = true
    }
    const before = page.url()
    await page.locator('button[type=submit]').click()
    await page.waitForURL((now) => now.href !== before)
  }
}

test('a user without a password confirms by signing in again in another tab, and the pending action continues', async () => {
  // The pages of the provider have no icon.
  allowErrors(/status of 40[34]/)
  await site.addUser({ name: 'Olga Organisatie', email: 'olga@example.nl', roleId: 2 })
  const page = await visitor(url)
  // They load fonts from a third party.
  await page.context().route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.fulfill({ contentType: 'text/css', body: '' }),
  )
  await page.goto('/login')
  await byTheProvider(page)
  await openScreen(page, '/admin/users')

  const db = new DatabaseSync(join(site.dataDir, 'etalage.sqlite'), { timeout: 30_000 })
  const old = new Date(Date.now() - 11 * 60_000).toISOString()
  db.prepare('update session set created_at = ?, confirmed_at = ?').run(old, old)
  db.close()
  await page.getByRole('button', { name: 'Exporteren (CSV)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bevestig dat u het bent' })
  await dialog.getByText('Uw account heeft geen wachtwoord').waitFor()
  await expect.poll(() => dialog.getByLabel('Wachtwoord').count()).toBe(0)
  await expect.poll(() => dialog.getByRole('button', { name: 'Doorgaan' }).count()).toBe(0)

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Log in op een nieuw tabblad' }).click(),
  ])
  await tab.waitForLoadState()
  await expect.poll(() => new URL(tab.url()).pathname).toBe('/login')
  // The provider still has a session, and asks all the same.
  expect(await byTheProvider(tab)).toBe(true)

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Ik ben weer ingelogd' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  await dialog.waitFor({ state: 'detached' })
})
