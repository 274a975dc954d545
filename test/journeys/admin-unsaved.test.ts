import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { User } from '../../src/contract/users.ts'
import { aStaffedProgram, boss, enter, type StaffedProgram, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { allowErrors } from '../support/logged.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram()
})

let made = 0
/** A user of this test alone, whose screen is open. */
async function atUser(name: string): Promise<{ page: Page; user: User }> {
  const user = await site.addUser({ name, email: `iemand${made++}@example.nl` })
  const page = await visitor(site.url)
  await enter(page)
  await show(page, '/admin/users')
  await page.getByRole('searchbox').fill(name)
  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return { page, user }
}
const nameOf = async ({ id }: User) => (await site.call<User>('GET', `/api/users/${id}`)).name
const save = (page: Page) => page.getByRole('button', { name: 'Opslaan' }).click()

test('unsaved changes are not lost by a link or the way back: one is asked, and may stay', async () => {
  const { page } = await atUser('Karel Half')
  await page.getByLabel('Naam').fill('Karel Anders')
  const question = page.getByRole('alertdialog', { name: 'Wijzigingen weggooien?' })

  await page.getByRole('navigation').getByRole('link', { name: 'Rollen' }).click()
  await question.getByRole('button', { name: 'Hier blijven' }).click()
  expect(await page.getByLabel('Naam').inputValue()).toBe('Karel Anders')

  await page.goBack()
  await question.getByRole('button', { name: 'Hier blijven' }).click()
  expect(await page.getByLabel('Naam').inputValue()).toBe('Karel Anders')

  await page.getByRole('navigation').getByRole('link', { name: 'Rollen' }).click()
  await question.getByRole('button', { name: 'Weggooien' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rollen' }).waitFor()
})

test('closing the tab with unsaved changes is asked by the browser, without them it is not', async () => {
  const { page } = await atUser('Inge Weg')
  await page.getByLabel('Naam').fill('Inge Anders')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await page.getByRole('heading', { level: 1, name: 'Inge Weg' }).waitFor()
  await page.reload()
  expect(asked).toHaveLength(1)
})

test('a session that ended while typing asks for the password in place, and then saves', async () => {
  allowErrors(/status of 40[13]/)
  const { page, user } = await atUser('Sem Weggelopen')
  await page.getByLabel('Naam').fill('Sem Terug')
  await page.context().clearCookies()
  await save(page)

  const dialog = page.getByRole('dialog', { name: 'Uw sessie is afgelopen' })
  await dialog.getByLabel('Wachtwoord', { exact: true }).fill('verkeerd-woord')
  await dialog.getByRole('button', { name: 'Doorgaan' }).click()
  await dialog.getByText('Onjuiste inloggegevens!').waitFor()
  await dialog.getByText('wordt daarna alsnog opgeslagen').waitFor()
  const field = dialog.getByLabel('Wachtwoord', { exact: true })
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await field.fill(boss.password)
  await page.keyboard.press('Enter')

  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  expect(await nameOf(user)).toBe('Sem Terug')
})

test('turning away from the question leaves what was typed, and says that it was not saved', async () => {
  allowErrors(/status of 401/)
  const { page, user } = await atUser('Yara Later')
  await page.getByLabel('Naam').fill('Yara Nu')
  await page.context().clearCookies()
  await save(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Annuleren' }).click()
  await page.getByText('Gebruiker is niet opgeslagen!').waitFor()
  expect(await page.getByLabel('Naam').inputValue()).toBe('Yara Nu')
  expect(await nameOf(user)).toBe('Yara Later')
})

test('what is risky asks for the password again ten minutes after the sign-in, and then goes on', async () => {
  allowErrors(/status of (403|422)/)
  const { page, user } = await atUser('Wouter Rol')
  const db = new DatabaseSync(join(site.dataDir, 'etalage.sqlite'))
  const old = new Date(Date.now() - 11 * 60_000).toISOString()
  db.prepare('update session set created_at = ?, confirmed_at = ?').run(old, old)
  db.close()

  await page.getByLabel('Rol', { exact: true }).selectOption('Redacteur')
  await save(page)
  const dialog = page.getByRole('dialog', { name: 'Bevestig dat u het bent' })
  const field = dialog.getByLabel('Wachtwoord', { exact: true })
  await field.fill('verkeerd-woord')
  await page.keyboard.press('Enter')
  await dialog.getByText('Dit wachtwoord is niet juist.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  // Who says that they are back, and is not, is asked again.
  await dialog.getByRole('button', { name: 'Ik ben weer ingelogd' }).click()
  await dialog.getByText('Dit wachtwoord is niet juist.').waitFor({ state: 'detached' })
  await dialog.getByLabel('Wachtwoord', { exact: true }).fill(boss.password)
  await page.keyboard.press('Enter')
  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  expect((await site.call<User>('GET', `/api/users/${user.id}`)).user_role?.name).toBe('Redacteur')
})

test('somebody else saved meanwhile: what stands now is shown, and nothing is overwritten unseen', async () => {
  allowErrors(/status of 409/)
  const { page, user } = await atUser('Fleur Samen')
  await page.getByLabel('Naam').fill('Fleur Van Mij')
  const change = (name: string) =>
    site.call('PUT', `/api/users/${user.id}`, { email: user.email, name, role: { connect: [1] } })
  await change('Fleur Van Haar')
  await save(page)

  const choice = page.getByRole('dialog', { name: 'Iemand anders was u voor' })
  const row = choice.getByRole('row', { name: /Naam/ })
  await row.waitFor()
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Fleur Van Mij', 'Fleur Van Haar'])
  expect(await nameOf(user)).toBe('Fleur Van Haar')
  await choice.getByRole('button', { name: 'Mijn versie opslaan' }).click()
  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  expect(await nameOf(user)).toBe('Fleur Van Mij')

  await page.getByLabel('Naam').fill('Fleur Nog Eens')
  await change('Fleur Toch Anders')
  await save(page)
  await choice.getByRole('button', { name: 'Overnemen wat er nu staat' }).click()
  expect(await page.getByLabel('Naam').inputValue()).toBe('Fleur Toch Anders')
  expect(await nameOf(user)).toBe('Fleur Toch Anders')
})

test('a list whose session ended asks once, however much it wanted', async () => {
  allowErrors(/status of 401/)
  const page = await visitor(site.url)
  await enter(page)
  await show(page, '/user')
  await page.context().clearCookies()
  await page.getByRole('navigation').getByRole('link', { name: 'Gebruikers' }).click()
  const dialog = page.getByRole('dialog', { name: 'Uw sessie is afgelopen' })
  await dialog.getByText('Daarna gaat u verder waar u was.').waitFor()
  expect(await dialog.getByText('opgeslagen').count()).toBe(0)
  await dialog.getByLabel('Wachtwoord', { exact: true }).fill(boss.password)
  await page.keyboard.press('Enter')
  await page.getByRole('rowheader').first().waitFor()
  expect(await dialog.count()).toBe(0)
})
