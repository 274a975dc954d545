import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aProgramWithAdministrator, goToScreen, type ProgramWithAdministrator } from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aCtaBlock, bodyField, canvasOf, editorPanelTab, selectedBlockForm } from '../support/canvas.ts'
import { aSavedPage, openForm, switchToBlockList } from '../support/page-editor.ts'
import { allowErrors } from '../support/test-log.ts'

/**
 * The admin on `http://192.168.…` or an intranet name. Outside https and localhost a browser has no clipboard, no locks
 * and no `crypto.randomUUID`.
 */
const host = 'beheer.example.nl'
const { visitor } = aBrowser([`--host-resolver-rules=MAP ${host} 127.0.0.1`])
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

async function staff(): Promise<Page> {
  allowErrors(/Cross-Origin-Opener-Policy header has been ignored/)
  const page = await visitor(`http://${host}:${site.port}`)
  await page.goto('/login')
  await expect.poll(() => page.evaluate(() => isSecureContext)).toBe(false)
  await enterByForm(page)
  return page
}

/** Requests of Playwright itself do not use the host mapping. */
async function enterByForm(page: Page): Promise<void> {
  await page.getByLabel('E-mailadres').fill('bente@example.nl')
  await page.getByLabel('Wachtwoord', { exact: true }).fill('geheim-123')
  await page.getByRole('button', { name: 'Inloggen' }).click()
  await page.waitForURL('**/user')
}

test('without HTTPS blocks are added to a page and copied to another page', async () => {
  const source = await aSavedPage(site, 'Zonder https', { body: [aCtaBlock('Neem mij mee', 'mee')] as never })
  const page = await staff()
  await openForm(page, source)
  await editorPanelTab(page, 'Toevoegen').click()
  await page.getByRole('button', { name: 'Vragen toevoegen', exact: true }).click()
  await canvasOf(page).getByText('Hoelang duurt het?').waitFor()
  await editorPanelTab(page, 'Overzicht').click()
  await bodyField(page)
    .getByRole('button', { name: /^Oproep\s*Neem mij mee/ })
    .focus()
  await selectedBlockForm(page).getByRole('button', { name: 'Acties voor Oproep' }).click()
  await page.getByRole('menuitem', { name: 'Kopiëren' }).click()
  await page.getByText('Gekopieerd: Oproep.').waitFor()

  const target = await aSavedPage(site, 'Doel zonder https', { body: [{ type: 'line', id: 'streep' }] as never })
  await switchToBlockList(page)
  await openForm(page, target)
  await page.getByRole('button', { name: 'Plakken', exact: true }).click()
  await bodyField(page)
    .getByRole('button', { name: /^Oproep\s*Neem mij mee/ })
    .waitFor()
  await page.getByRole('button', { name: 'Blok toevoegen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lijn', exact: true }).click()
  await page.getByText('Toegevoegd: Lijn').waitFor({ state: 'attached' })
})

test('without HTTPS a link is copied to the clipboard, and a setting is shown in the preview before it is saved', async () => {
  const id = await aSavedPage(site, 'Voorbeeld zonder https')
  const page = await staff()
  await openForm(page, id)
  await page.getByRole('button', { name: 'Voorbeeld', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Voorbeeld op de website' })
  const link = await dialog.getByLabel('Link naar het voorbeeld').inputValue()
  await dialog.getByRole('button', { name: 'Kopiëren' }).click()
  await dialog.getByRole('button', { name: 'Gekopieerd' }).waitFor()
  await dialog.getByRole('button', { name: 'Sluiten' }).click()
  await page.getByRole('button', { name: 'Instellingen van deze pagina' }).click()
  const search = page.locator('[data-page-field="description"] textarea')
  await search.focus()
  await page.keyboard.press('Control+v')
  await expect.poll(() => search.inputValue()).toBe(link)

  await goToScreen(page, '/admin/config/brand')
  await page.getByRole('textbox', { name: 'Naam van het merk' }).fill('Bakkerij Bente')
  await page.frameLocator('iframe:not([data-loading])').getByText('Bakkerij Bente').first().waitFor()
})
