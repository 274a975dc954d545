import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { sendMessage } from '../support/messages.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator({ CONTACT_RATE: 'off' })
})

const request = (path: string, init: RequestInit) => fetch(site.url + path, init)

test('the data of an address is shown, exported with the password, and erased with it, but not the own account, which is explained', async () => {
  allowErrors(/status of 422/)
  await sendMessage({ request }, 'roya', { email: 'roya@vergeten.example' })
  const { id } = await site.addUser({ name: 'Roya Vergeten', email: 'roya@vergeten.example' })
  const page = await signInAndOpen(await visitor(site.url), '/admin/privacy')
  await page.getByLabel('E-mailadres van deze persoon').fill(administrator.email)
  await page.keyboard.press('Enter')
  await page.getByText('Dit account kunt u niet verwijderen').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Alles wissen' }).count()).toBe(0)

  await page.getByLabel('E-mailadres van deze persoon').fill('geen adres')
  await page.getByRole('button', { name: 'Zoeken', exact: true }).click()
  await page.getByText('Dit e-mailadres is niet geldig!').waitFor()
  await page.getByLabel('E-mailadres van deze persoon').fill('Roya@Vergeten.example')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Roya Vergeten' }).waitFor()
  await expect.poll(() => page.url(), { message: 'the address stands in no address' }).not.toContain('vergeten')

  await page.getByRole('button', { name: 'Gegevens exporteren' }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await dialog.getByLabel('Uw wachtwoord').fill('verkeerd')
  await dialog.getByRole('button', { name: 'Exporteren' }).click()
  await dialog.getByText('Dit wachtwoord is niet juist.').waitFor()
  await dialog.getByLabel('Uw wachtwoord').fill(administrator.password)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Exporteren' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^privacy-\d{4}-\d\d-\d\d\.html$/)
  expect(readFileSync(await file.path(), 'utf8')).toContain('Berichten die u stuurde')

  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Gegevens exporteren' }).click()
  await dialog.getByLabel('Bestand voor programma’s (JSON)').check()
  await dialog.getByLabel('Uw wachtwoord').fill(administrator.password)
  const [json] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Exporteren' }).click(),
  ])
  expect(json.suggestedFilename()).toMatch(/^privacy-\d{4}-\d\d-\d\d\.json$/)
  const exported = JSON.parse(readFileSync(await json.path(), 'utf8'))
  await dialog.waitFor({ state: 'detached' })
  expect(exported).toMatchObject({ messages: [{ naam: 'Roya Karimi' }], account: { name: 'Roya Vergeten' } })

  await page.getByRole('button', { name: 'Alles wissen' }).click()
  await dialog.getByRole('button', { name: 'Annuleren' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Alles wissen' }).click()
  await dialog.getByLabel('Uw wachtwoord').fill(administrator.password)
  await dialog.getByRole('button', { name: 'Voorgoed wissen' }).click()
  await page.getByText('Alles van dit adres is gewist.').waitFor()

  await page.getByRole('button', { name: 'Zoeken', exact: true }).click()
  await page.getByText('Van dit adres is niets bekend').waitFor()
  await goToScreen(page, '/admin/audit?area=privacy')
  await page.getByText('Gegevens van een persoon gewist').waitFor()
  await expect.poll(() => page.locator('main').innerText()).not.toMatch(/vergeten/i)
  allowErrors(/status of 404/)
  await goToScreen(page, `/admin/users/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
})

test('a user with only one of the two rights sees neither the screen nor a link to it', async () => {
  const { id: roleId } = await site.addRole('Half', ['messages.write'])
  await site.addUser({ name: 'Hanna', email: 'hanna@example.nl', password: 'geheim-hanna', roleId })
  const page = await visitor(site.url)
  await signInByApi(page, { email: 'hanna@example.nl', password: 'geheim-hanna' })
  await openScreen(page, '/admin/privacy')
  await page.getByText('U hebt hier geen toegang').waitFor()
  await expect
    .poll(() => page.getByRole('navigation').first().getByRole('link').allInnerTexts())
    .toEqual(['Overzicht', 'Berichten', 'Naar de website'])
})
