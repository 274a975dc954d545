import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { aStaffedProgram, boss, enter, type StaffedProgram, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { allowErrors } from '../support/logged.ts'
import { aStoredMessage } from '../support/messages.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram({ CONTACT_RATE: 'off' })
})

const request = (path: string, init: RequestInit) => fetch(site.url + path, init)

async function staff() {
  const page = await visitor(site.url)
  await enter(page)
  await show(page, '/admin/privacy')
  return page
}

test('what is known about an address is shown, exported with the password, and erased with it', async () => {
  allowErrors(/status of 422/)
  await aStoredMessage({ request }, 'roya', { email: 'roya@vergeten.example' })
  const { id } = await site.addUser({ name: 'Roya Vergeten', email: 'roya@vergeten.example' })
  const page = await staff()
  await page.getByLabel('E-mailadres van deze persoon').fill('geen adres')
  await page.getByRole('button', { name: 'Zoeken', exact: true }).click()
  await page.getByText('Dit e-mailadres is niet geldig!').waitFor()
  await page.getByLabel('E-mailadres van deze persoon').fill('Roya@Vergeten.example')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Roya Vergeten' }).waitFor()
  expect(page.url(), 'the address stands in no address').not.toContain('vergeten')

  await page.getByRole('button', { name: 'Gegevens exporteren' }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await dialog.getByLabel('Uw wachtwoord').fill('verkeerd')
  await dialog.getByRole('button', { name: 'Exporteren' }).click()
  await dialog.getByText('Dit wachtwoord is niet juist.').waitFor()
  await dialog.getByLabel('Uw wachtwoord').fill(boss.password)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Exporteren' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^privacy-\d{4}-\d\d-\d\d\.json$/)
  const exported = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(exported).toMatchObject({ messages: [{ naam: 'Roya Karimi' }], account: { name: 'Roya Vergeten' } })

  await page.getByRole('button', { name: 'Alles wissen' }).click()
  await dialog.getByRole('button', { name: 'Annuleren' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Alles wissen' }).click()
  await dialog.getByLabel('Uw wachtwoord').fill(boss.password)
  await dialog.getByRole('button', { name: 'Voorgoed wissen' }).click()
  await page.getByText('Alles van dit adres is gewist.').waitFor()

  await page.getByRole('button', { name: 'Zoeken', exact: true }).click()
  await page.getByText('Van dit adres is niets bekend').waitFor()
  await show(page, '/admin/audit?area=privacy')
  await page.getByText('Gegevens van een persoon gewist').waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/vergeten/i)
  allowErrors(/status of 404/)
  await show(page, `/admin/users/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
})

test('the own account is not erased here, and that is said', async () => {
  const page = await staff()
  await page.getByLabel('E-mailadres van deze persoon').fill(boss.email)
  await page.keyboard.press('Enter')
  await page.getByText('Dit account kunt u niet verwijderen').waitFor()
  expect(await page.getByRole('button', { name: 'Alles wissen' }).count()).toBe(0)
})

test('who has one of the two rights alone sees neither screen nor way to it', async () => {
  const { id: roleId } = await site.addRole('Half', ['messages.write'])
  await site.addUser({ name: 'Hanna', email: 'hanna@example.nl', password: 'geheim-hanna', roleId })
  const page = await visitor(site.url)
  await enter(page, { email: 'hanna@example.nl', password: 'geheim-hanna' })
  await show(page, '/admin/privacy')
  await page.getByText('U hebt hier geen toegang').waitFor()
  expect(await page.getByRole('navigation').first().getByRole('link').allInnerTexts()).toEqual([
    'Overzicht',
    'Berichten',
    'Naar de website',
  ])
})
