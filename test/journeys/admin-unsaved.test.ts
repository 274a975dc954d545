import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { User } from '../../src/contract/users.ts'
import { aProgramWithAdministrator, type ProgramWithAdministrator, signInAndOpen } from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

let made = 0
/** A user of this test alone, whose screen is open. */
async function atUser(name: string): Promise<{ page: Page; user: User }> {
  const user = await site.addUser({ name, email: `iemand${made++}@example.nl` })
  const page = await signInAndOpen(await visitor(site.url), `/admin/users/${user.id}`)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return { page, user }
}
const nameOf = async ({ id }: User) => (await site.call<User>('GET', `/api/users/${id}`)).name
const save = (page: Page) => page.getByRole('button', { name: 'Opslaan' }).click()

test('unsaved changes: a link, Back and closing the tab ask for confirmation, and one can stay; without them closing does not ask', async () => {
  const name = 'Karel Half'
  await site.addUser({ name, email: 'karel@example.nl' })
  const page = await signInAndOpen(await visitor(site.url), '/admin/users?search=karel')
  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  // A browser asks only somebody who has clicked or typed.
  await page.getByLabel('Naam').click()
  await page.getByLabel('Naam').fill('Karel Anders')
  const question = page.getByRole('alertdialog', { name: 'Wijzigingen weggooien?' })

  await page.getByRole('navigation').getByRole('link', { name: 'Rollen' }).click()
  await question.getByRole('button', { name: 'Hier blijven' }).click()
  await expect.poll(() => page.getByLabel('Naam').inputValue()).toBe('Karel Anders')

  await page.goBack()
  await question.getByRole('button', { name: 'Hier blijven' }).click()
  await expect.poll(() => page.getByLabel('Naam').inputValue()).toBe('Karel Anders')

  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.reload()
  expect(asked).toHaveLength(1)

  await page.getByLabel('Naam').fill('Karel Anders')
  await page.getByRole('navigation').getByRole('link', { name: 'Rollen' }).click()
  await question.getByRole('button', { name: 'Weggooien' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rollen' }).waitFor()
})

test('an expired session asks for the password in place: a list once, whatever the number of its requests; while typing, cancelling keeps the text unsaved and confirming saves it', async () => {
  allowErrors(/status of 40[13]/)
  const name = 'Sem Weggelopen'
  const user = await site.addUser({ name, email: 'sem@example.nl' })
  const page = await signInAndOpen(await visitor(site.url), '/user')
  await page.context().clearCookies()
  await page.getByRole('navigation').getByRole('link', { name: 'Gebruikers' }).click()
  const dialog = page.getByRole('dialog', { name: 'Uw sessie is afgelopen' })
  await dialog.getByText('Daarna gaat u verder waar u was.').waitFor()
  await expect.poll(() => dialog.getByText('opgeslagen').count()).toBe(0)
  await dialog.getByLabel('Wachtwoord', { exact: true }).fill(administrator.password)
  await page.keyboard.press('Enter')
  await page.getByRole('rowheader').first().waitFor()
  await expect.poll(() => dialog.count()).toBe(0)

  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByLabel('Naam').fill('Sem Terug')
  await page.context().clearCookies()
  await save(page)
  await dialog.getByRole('button', { name: 'Annuleren' }).click()
  await page.getByText('Gebruiker is niet opgeslagen!').waitFor()
  await expect.poll(() => page.getByLabel('Naam').inputValue()).toBe('Sem Terug')
  await expect.poll(() => nameOf(user)).toBe('Sem Weggelopen')
  await save(page)
  await dialog.getByLabel('Wachtwoord', { exact: true }).fill('verkeerd-woord')
  await dialog.getByRole('button', { name: 'Doorgaan' }).click()
  await dialog.getByText('Onjuiste inloggegevens!').waitFor()
  await dialog.getByText('wordt daarna alsnog opgeslagen').waitFor()
  const field = dialog.getByLabel('Wachtwoord', { exact: true })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await field.fill(administrator.password)
  await page.keyboard.press('Enter')

  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  await expect.poll(() => nameOf(user)).toBe('Sem Terug')
})

test('a risky action asks for the password ten minutes after the sign-in, and then continues', async () => {
  allowErrors(/status of (403|422)/)
  const { page, user } = await atUser('Wouter Rol')
  const db = new DatabaseSync(join(site.dataDir, 'etalage.sqlite'), { timeout: 30_000 })
  const old = new Date(Date.now() - 11 * 60_000).toISOString()
  db.prepare('update session set created_at = ?, confirmed_at = ?').run(old, old)
  db.close()

  await page.getByLabel('Rol', { exact: true }).selectOption('Redacteur')
  await save(page)
  const dialog = page.getByRole('dialog', { name: 'Bevestig dat u het bent' })
  const field = dialog.getByLabel('Wachtwoord', { exact: true })
  await field.fill('verkeerd-woord')
  await field.press('Enter')
  await dialog.getByText('Dit wachtwoord is niet juist.').waitFor()
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  const color = (link: Locator) => link.evaluate((one) => getComputedStyle(one).color)
  // Not the blue of browsers.
  expect(await color(dialog.getByRole('link'))).toBe(await color(dialog.locator('button.as-link')))
  expect(await color(dialog.getByRole('link'))).not.toBe('rgb(0, 0, 238)')
  // A user who confirms without having signed in is asked again.
  await dialog.getByRole('button', { name: 'Ik ben weer ingelogd' }).click()
  await dialog.getByText('Dit wachtwoord is niet juist.').waitFor({ state: 'detached' })
  await expect.poll(() => field.inputValue()).toBe('')
  await field.fill(administrator.password)
  await field.press('Enter')
  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  await expect
    .poll(async () => (await site.call<User>('GET', `/api/users/${user.id}`)).user_role?.name)
    .toBe('Redacteur')
})

test('a save without a response can be repeated, without a question about the own change', async () => {
  allowErrors(/status of 409|ERR_FAILED/)
  const { page, user } = await atUser('Lot Verloren')
  await page.route(`**/api/users/${user.id}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByLabel('Naam').fill('Lot Gevonden ')
  await page.getByLabel('Wachtwoord', { exact: true }).fill('geheim-nieuw')
  await save(page)
  await page.getByText('Gebruiker is niet opgeslagen!').waitFor()
  await page.unrouteAll()
  await save(page)
  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  await expect.poll(() => nameOf(user)).toBe('Lot Gevonden')
})

test('a save over a newer version shows the current version, and overwrites nothing', async () => {
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
  await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(['Fleur Van Mij', 'Fleur Van Haar'])
  await expect.poll(() => nameOf(user)).toBe('Fleur Van Haar')
  await choice.getByRole('button', { name: 'Mijn versie opslaan' }).click()
  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  await expect.poll(() => nameOf(user)).toBe('Fleur Van Mij')

  await page.getByLabel('Naam').fill('Fleur Nog Eens')
  await change('Fleur Toch Anders')
  await save(page)
  await choice.getByRole('button', { name: 'Overnemen wat er nu staat' }).click()
  await expect.poll(() => page.getByLabel('Naam').inputValue()).toBe('Fleur Toch Anders')
  await expect.poll(() => nameOf(user)).toBe('Fleur Toch Anders')
})
