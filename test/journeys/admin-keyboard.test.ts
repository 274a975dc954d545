import { beforeAll, expect, test } from 'vitest'
import type { User } from '../../src/contract/users.ts'
import { admin as fa } from '../../src/i18n/fa/admin.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  type ProgramWithAdministrator,
  roya,
  signInAndOpen,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { isFocused, openPalette, press, tabTo } from '../support/keyboard.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

const found = async (email: string) =>
  (await site.call<{ data: User[] }>('GET', `/api/users?search=${encodeURIComponent(email)}`)).data[0]

test('by keyboard alone a user is created, given a role, blocked, unblocked and deleted', async () => {
  const page = await signInAndOpen(await visitor(site.url), '/user')

  // The skip link is first.
  await page.keyboard.press('Tab')
  await expect.poll(() => isFocused(page.getByRole('link', { name: 'Naar de inhoud' }))).toBe(true)
  await tabTo(page, page.getByRole('link', { name: 'Gebruikers', exact: true }))
  await press(page, 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Gebruikers' }).waitFor()
  await expect.poll(() => isFocused(page.locator('main'))).toBe(true)

  await tabTo(page, page.getByRole('link', { name: 'Gebruiker toevoegen' }))
  await press(page, 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Gebruiker toevoegen' }).waitFor()
  await tabTo(page, page.getByLabel('Naam'))
  await page.keyboard.type('Femke Toets')
  await tabTo(page, page.locator('input[type=email]'))
  await page.keyboard.type('femke@example.nl')
  await press(page, 'Enter')
  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Femke Toets' }).waitFor()
  await waitUntilLoaded(page)

  await tabTo(page, page.getByLabel('Rol', { exact: true }))
  await page.keyboard.type('R')
  const save = page.getByRole('button', { name: 'Opslaan' })
  await tabTo(page, save)
  // A busy button ignores the second press, and keeps the focus.
  await press(page, 'Enter', 'Enter')
  await expect.poll(async () => (await found('femke@example.nl'))?.user_role?.name).toBe('Redacteur')
  // The form learns of the save a moment later, and would ask about unsaved changes until then.
  await waitUntilLoaded(page)
  expect(await isFocused(save)).toBe(true)

  await tabTo(page, page.getByRole('switch', { name: 'Geblokkeerd' }), 'Shift+Tab')
  await press(page, 'Space')
  await tabTo(page, page.getByRole('button', { name: 'Opslaan' }))
  await press(page, 'Space')
  await expect.poll(async () => (await found('femke@example.nl'))?.blocked).toBe(true)
  await waitUntilLoaded(page)

  // Back to the user through the list, with the button of the row.
  await tabTo(page, page.getByRole('link', { name: 'Gebruikers', exact: true }).first())
  await press(page, 'Enter')
  await tabTo(page, page.getByRole('searchbox'))
  await page.keyboard.type('femke')
  await press(page, 'Enter')
  await page.getByText('1–1 van 1').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Femke Toets deblokkeren' }))
  await press(page, 'Enter')
  await expect.poll(async () => (await found('femke@example.nl'))?.blocked).toBe(false)

  await tabTo(page, page.getByRole('link', { name: 'Femke Toets' }), 'Shift+Tab')
  await press(page, 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Femke Toets' }).waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Verwijderen' }))
  await press(page, 'Enter')
  const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze gebruiker wilt verwijderen?' })
  await question.waitFor()
  // A destructive button does not have the initial focus, and Escape returns the focus.
  await expect.poll(() => isFocused(question.getByRole('button', { name: 'Annuleren' }))).toBe(true)
  await press(page, 'Escape')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(page.getByRole('button', { name: 'Verwijderen' }))).toBe(true)
  await press(page, 'Enter')
  await question.waitFor()
  // Asked again before React has removed the closed question, it is shown too.
  await page.evaluate(() => {
    document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
    document.querySelector<HTMLElement>('main .danger')?.click()
  })
  await question.waitFor()
  await tabTo(page, question.getByRole('button', { name: 'Verwijderen' }))
  await press(page, 'Enter')
  await page.getByText('Femke Toets is verwijderd.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Gebruikers' }).waitFor()
  await expect.poll(() => found('femke@example.nl')).toBeUndefined()
})

test('the palette lists every screen, frequent actions, and users, with Ctrl-K from everywhere', async () => {
  await site.addUser({ name: 'Zoë Vindbaar', email: 'zoe@example.nl' })
  const page = await signInAndOpen(await visitor(site.url), '/admin/users')
  await page.getByRole('searchbox').focus()

  await openPalette(page)
  await page.keyboard.type('logb')
  await press(page, 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Logboek' }).waitFor()

  await openPalette(page)
  await page.keyboard.type('zoe v')
  await page.getByRole('option', { name: 'Zoë Vindbaar' }).waitFor()
  await press(page, 'ArrowDown', 'ArrowUp', 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Zoë Vindbaar' }).waitFor()

  await openPalette(page)
  await page.keyboard.type('donker')
  await press(page, 'Enter')
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await page.reload()
  await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')

  await openPalette(page)
  await press(page, 'Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the Persian admin finds screens in Arabic spelling, and leads to the Persian site', async () => {
  await addPersianAdministrator(site)
  const page = await signInAndOpen(await visitor(site.url), '/user', roya)
  await expect
    .poll(() => page.getByRole('link', { name: fa.home.start.steps.mail }).getAttribute('href'))
    .toBe('/fa#contact')
  const website = page.getByRole('navigation').getByRole('link', { name: fa.shell.website })
  expect(await website.getAttribute('href')).toBe('/fa')
  const field = await openPalette(page)
  // With an Arabic kaf, and without the half-space.
  for (const [typed, name] of [
    ['كاربران', 'کاربران'],
    ['بخشها', fa.shell.sections],
  ] as const) {
    await field.fill(typed)
    await page.getByRole('option', { name, exact: true }).waitFor()
  }
  await field.fill(fa.shell.website)
  await press(page, 'Enter')
  await page.waitForURL(`${site.url}/fa`)
})

test('on a phone the menu opens, navigates and closes', async () => {
  const page = await signInAndOpen(await visitor(site.url, { width: 'phone' }), '/user')
  const open = page.getByRole('button', { name: 'Menu openen' })
  const link = page.getByRole('navigation').getByRole('link', { name: 'Rollen' })
  await expect.poll(() => link.isVisible()).toBe(false)
  await open.click()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Rollen' }).waitFor()
  await link.waitFor({ state: 'hidden' })
})
