import { beforeAll, expect, test } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  roya,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

const roles = async () => (await site.call<{ data: Role[] }>('GET', '/api/roles')).data

test('a role is created, changed and deleted, with errors at its name; its rights are grouped and explained', async () => {
  allowErrors(/status of 422/)
  const page = await signInAndOpen(await visitor(site.url), '/admin/roles')
  await page.getByRole('link', { name: 'Rol toevoegen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rol toevoegen' }).waitFor()
  const group = page.getByRole('group', { name: 'Berichten en e-mail' })
  await group.getByText('Leest wat bezoekers via het contactformulier stuurden').waitFor()
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('Dit is een verplicht veld!').waitFor()
  await page.getByLabel('Naam').fill('Redacteur')
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('Deze waarde is al in gebruik.').waitFor()
  await page.getByText('Rol is niet opgeslagen!').waitFor()

  await page.getByLabel('Naam').fill('Klantenservice')
  await group.getByRole('checkbox', { name: 'Berichten lezen' }).check()
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('Rol is opgeslagen!').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Klantenservice' }).waitFor()
  await expect
    .poll(async () => (await roles()).find(({ name }) => name === 'Klantenservice')?.rights)
    .toEqual(['messages.read'])

  await group.getByRole('checkbox', { name: 'Berichten verwerken' }).check()
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await expect
    .poll(async () => (await roles()).find(({ name }) => name === 'Klantenservice')?.rights)
    .toEqual(['messages.read', 'messages.write'])

  await page.getByRole('button', { name: 'Verwijderen' }).click()
  const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze rol wilt verwijderen?' })
  await question.getByRole('button', { name: 'Verwijderen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rollen' }).waitFor()
  await expect.poll(async () => (await roles()).map(({ name }) => name)).not.toContain('Klantenservice')
})

test('a role in use shows the number of users, which are all for the base role, links to them, and cannot be deleted', async () => {
  await site.addUser({ name: 'Rik Redacteur', email: 'rik@example.nl', roleId: 3 })
  const { users } = (await roles())[0] as Role
  expect(users).toBe((await site.call<{ meta: { total: number } }>('GET', '/api/users')).meta.total)
  const page = await signInAndOpen(await visitor(site.url), '/admin/roles')
  const base = page.getByRole('article').filter({ hasText: 'Basisrol' })
  await base.getByText(`Basisrol · ${users} gebruikers`).waitFor()

  await goToScreen(page, '/admin/roles/3')
  const button = page.getByRole('button', { name: 'Verwijderen' })
  await expect.poll(() => button.isDisabled()).toBe(true)
  const why = page.getByText('Deze rol is in gebruik en kan daarom niet worden verwijderd.')
  await why.waitFor()
  await expect.poll(() => button.getAttribute('aria-describedby')).toBe(await why.getAttribute('id'))
  await page.getByRole('link', { name: '1 gebruiker' }).click()
  await page.waitForURL('**/admin/users?roleId=3')
  await page.getByRole('rowheader', { name: 'Rik Redacteur' }).waitFor()
})

test('one right of several opens a screen; a right that the user does not have cannot be granted, and a role with more cannot be changed', async () => {
  const { id } = await site.addRole('Rollenbaas', ['roles.write', 'users.read', 'pages.write'])
  await site.addUser({ name: 'Bo Baas', email: 'bo@example.nl', password: 'geheim-bo', roleId: id })
  const page = await visitor(site.url)
  await signInByApi(page, { email: 'bo@example.nl', password: 'geheim-bo' })
  await openScreen(page, '/admin/roles/new')
  await expect.poll(() => page.getByRole('checkbox', { name: 'Pagina’s schrijven' }).isDisabled()).toBe(false)
  await expect.poll(() => page.getByRole('checkbox', { name: 'Website instellen' }).isDisabled()).toBe(true)

  await goToScreen(page, '/admin/users')
  await page.getByRole('rowheader', { name: 'bo@example.nl' }).waitFor()
  await goToScreen(page, '/admin/roles/2')
  await page.getByText('U mag deze rol bekijken, maar niet wijzigen.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Opslaan' }).count()).toBe(0)
})

test('in the Persian admin a predefined role has a Persian name, until a person renames it', async () => {
  const { id } = await addPersianAdministrator(site)
  const page = await visitor(site.url)
  await signInByApi(page, roya)
  await openScreen(page, '/admin/roles')
  const names = page.getByRole('article').getByRole('heading')
  await expect.poll(async () => (await names.allInnerTexts()).slice(0, 3)).toEqual(['کاربر ثبت‌شده', 'مدیر', 'ویراستار'])
  await page.getByRole('link', { name: 'نمایه' }).getByText('مدیر', { exact: true }).waitFor()

  // Another right is no new name.
  await page.getByRole('link', { name: 'ویراستار', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'ویراستار' }).waitFor()
  await expect.poll(() => page.getByLabel('نام').inputValue()).toBe('ویراستار')
  await page.getByRole('checkbox', { name: 'خواندن پیام‌ها' }).check()
  await page.getByRole('button', { name: 'ذخیره' }).click()
  await page.getByText('نقش ذخیره شد!').waitFor()
  const editor = async () => (await roles()).find((role) => role.id === 3)
  expect(await editor()).toMatchObject({ name: 'Redacteur', rights: expect.arrayContaining(['messages.read']) })

  await goToScreen(page, '/admin/profile')
  await page.getByText('با نقش مدیر').waitFor()
  await goToScreen(page, `/admin/users/${id}`)
  const choices = page.getByLabel('نقش', { exact: true }).getByRole('option')
  await expect.poll(() => choices.allInnerTexts()).toEqual(expect.arrayContaining(['مدیر', 'ویراستار']))

  await goToScreen(page, '/admin/roles/3')
  await page.getByLabel('نام').fill('Tekstschrijver')
  await page.getByRole('button', { name: 'ذخیره' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tekstschrijver' }).waitFor()
  await goToScreen(page, `/admin/users/${id}`)
  await expect.poll(() => choices.allInnerTexts()).toEqual(expect.arrayContaining(['مدیر', 'Tekstschrijver']))
  await goToScreen(page, '/admin/users')
  await page.getByRole('row', { name: 'رویا مرادی' }).getByText('مدیر', { exact: true }).waitFor()
  // The log has the names at the time.
  await goToScreen(page, '/admin/audit')
  await page.getByRole('link', { name: 'Tekstschrijver' }).waitFor()
  await page.getByRole('link', { name: 'ویراستار' }).waitFor()
  await page.locator('del', { hasText: 'ویراستار' }).waitFor()
  await page.locator('ins', { hasText: 'مدیر' }).first().waitFor()
})
