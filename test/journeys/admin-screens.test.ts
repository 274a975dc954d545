import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Backups } from '../../src/contract/backups.ts'
import type { Locale } from '../../src/contract/locales.ts'
import { admin as fa } from '../../src/i18n/fa/admin.ts'
import * as backupsNl from '../../src/i18n/nl/admin/backups.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import { expectAccessibleLayout, horizontalOverflow } from '../support/accessible-layout.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, type BrowserOptions } from '../support/browser.ts'
import { aTempFolder } from '../support/databases.ts'
import { sendMessage } from '../support/messages.ts'
import { siteLocales } from '../support/site-file.ts'
import { allowErrors } from '../support/test-log.ts'
import { slowMs } from '../support/wait-until.ts'

const { visitor } = aBrowser()
const texts = { nl, fa }
const parisa = { email: 'parisa@example.nl', password: 'geheim-parisa' }
const guest = { email: 'gijs@example.nl', password: 'geheim-gijs' }
let site: ProgramWithAdministrator
let userId: number
let messageId: number
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'پریسا احمدی', ...parisa, roleId: 2, locale: 'fa' })
  await site.addUser({ name: 'Gijs Gast', ...guest })
  const user = await site.addUser({ name: "Sanne d'Hondt-Gübbels", email: 'sanne@example.nl', roleId: 3 })
  userId = user.id
  await site.call('POST', '/api/users/block', { ids: [user.id] })
  const post = (path: string, init: RequestInit) => fetch(site.url + path, init)
  messageId = await sendMessage({ request: post }, 'parisa', { taal: 'fa' })
  await site.call('PUT', `/api/messages/${messageId}`, { note: 'Belt na 15:00' })
  await site.call('POST', `/api/messages/${messageId}/reply`, { text: 'سلام خانم احمدی' })
  await sendMessage({ request: post }, 'sanne')
  await sendMessage({ request: post }, 'daan', { website: 'x' })
  const ids: number[] = []
  for (let number = 0; number < 10; number++) {
    ids.push((await site.addUser({ name: `Persoon ${number}`, email: `persoon${number}@lijst.example` })).id)
  }
  // The log of changes is the list with more than one page.
  for (const verb of ['block', 'unblock']) await site.call('POST', `/api/users/${verb}`, { ids })
})

const unknownScreen = '/admin/nergens'
const screens = [
  '/user',
  '/admin/messages',
  '/admin/messages?view=spam',
  '/admin/messages?search=nergens',
  '/admin/messages/{message}',
  '/admin/mail',
  '/admin/mail?state=failed',
  '/admin/mail/letters?part=text',
  '/admin/backups',
  '/admin/privacy',
  '/admin/sections',
  '/admin/users',
  '/admin/users?search=sanne&blocked=true&roleId=3',
  '/admin/users?search=nergens',
  '/admin/users/new',
  '/admin/users/{id}',
  '/admin/roles',
  '/admin/roles/new',
  '/admin/roles/1',
  '/admin/roles/3',
  '/admin/profile',
  '/admin/audit',
  '/admin/audit?area=messages&from=2020-01-01',
  unknownScreen,
]

/** Those that answer, invite, or show what was sent: without a mail server, each says so. */
const screensOfEmail = [
  '/user',
  '/admin/messages',
  '/admin/messages/{message}',
  '/admin/mail',
  '/admin/users',
  '/admin/users/new',
]

const helpButton = (page: Page) => page.getByRole('button', { name: fa.shell.help, exact: true })

async function at(locale: Locale, look: BrowserOptions = {}): Promise<Page> {
  const page = await visitor(site.url, look)
  await signInByApi(page, locale === 'fa' ? parisa : administrator)
  return page
}

describe('in Persian', () => {
  let page: Page
  beforeAll(async () => {
    page = await at('fa')
  })

  test.each(screens)('axe finds nothing at %s, and nothing overflows', async (path) => {
    if (path === unknownScreen) allowErrors(/status of 404/)
    await goToScreen(page, path.replace('{id}', String(userId)).replace('{message}', String(messageId)))
    // A page that does not exist is no screen.
    await expect.poll(() => helpButton(page).count()).toBe(path === unknownScreen ? 0 : 1)
    if (screensOfEmail.includes(path)) await page.getByText(fa.form.noMail.title).first().waitFor()
    if (path === '/admin/audit') await page.getByRole('navigation', { name: fa.form.list.pages }).waitFor()
    if (path.includes('area=messages'))
      await page
        .getByRole('link', { name: /^پیام [۰-۹]{9}$/ })
        .first()
        .waitFor()
    await expectAccessibleLayout(page)
  })
})

/** Each language at one width. */
describe.each([
  ['nl', 'phone'],
  ['fa', 'desktop'],
] as const)('in %s', (locale, width) => {
  test('axe finds nothing with a menu, palette, question, notifications, errors or a selection', async () => {
    allowErrors(/status of 422/)
    const t = texts[locale]
    const page = await at(locale, { width, dark: locale === 'fa' })
    await openScreen(page, '/admin/users?search=persoon')
    if (width === 'phone') {
      await page.getByRole('button', { name: t.shell.openMenu }).click()
      expect(await axeViolations(page), 'the menu').toEqual([])
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: t.palette.hint }).fill('sanne')
    await page.getByRole('option', { name: 'Sanne' }).waitFor()
    expect(await axeViolations(page), 'the palette').toEqual([])
    await page.keyboard.press('Escape')

    const somebody = siteLocales.indexOf(locale) * 2 + (width === 'phone' ? 1 : 2)
    await page.getByRole('checkbox').nth(somebody).check()
    await page.getByRole('button', { name: t.users.block, exact: true }).click()
    await page.getByRole('button', { name: t.form.undo }).waitFor()
    expect(await axeViolations(page), 'a message').toEqual([])
    await page.getByRole('checkbox').nth(9).check()
    await page.getByRole('button', { name: t.form.list.filter }).click()
    expect(await axeViolations(page), 'several chosen').toEqual([])
    await expect.poll(() => horizontalOverflow(page), { message: 'several chosen' }).toBe(0)

    // The message would cover the button that saves. On a slow machine it may be gone already.
    const message = page.getByRole('alert').filter({ hasText: t.form.undo })
    await message
      .getByLabel(t.form.close)
      .evaluateAll((buttons) => buttons.forEach((one) => void (one as HTMLElement).click()))
    await message.waitFor({ state: 'detached' })
    await goToScreen(page, '/admin/users/new')
    await page.getByLabel(t.users.password, { exact: true }).fill('kort')
    await page.getByRole('button', { name: t.form.save }).click()
    await page.getByText(t.users.notSaved).waitFor()
    expect(await axeViolations(page), 'errors').toEqual([])
    await page.getByRole('link', { name: t.form.cancel }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await axeViolations(page), 'a question').toEqual([])
  })

  test('a user is created in that language, in its direction', async () => {
    const t = texts[locale]
    const page = await at(locale)
    await openScreen(page, '/admin/users')
    await page.getByRole('link', { name: t.users.add }).click()
    await page.getByRole('heading', { level: 1, name: t.users.add }).waitFor()
    await page.getByLabel(t.users.name).first().fill('مریم کاظمی')
    await page.locator('input[type=email]').fill(`maryam-${locale}@example.nl`)
    await page.getByRole('button', { name: t.form.save }).click()
    await page.getByText(t.users.saved).waitFor()
    await waitUntilLoaded(page)
    await expect.poll(() => page.locator('h1').innerText()).toBe('مریم کاظمی')
    const menu = await page.getByRole('navigation', { name: t.shell.navigation }).boundingBox()
    expect((menu?.x ?? 0) > 720).toBe(locale === 'fa')
  })
})

test('axe finds nothing for a user without rights', async () => {
  const page = await visitor(site.url, { width: 'phone' })
  await signInByApi(page, guest)
  // Without the right to a screen, each says the same.
  for (const path of ['/user', '/admin/users']) {
    await goToScreen(page, path)
    expect(await axeViolations(page), path).toEqual([])
  }
})

test('one message is restored out of a backup: found, shown before that, and opened', async () => {
  const { backups: t } = backupsNl
  const settings = { ...{ scheduled: false, time: '03:00', daily: 7, weekly: 0, monthly: 0 }, kind: 'folder' }
  const bucket = { endpoint: '', region: 'us-east-1', bucket: '', prefix: '', accessKeyId: '' }
  const page = await visitor(site.url, { width: 'phone' })
  // Where backups go changes within ten minutes of the password only.
  await signInByApi(page, administrator, { reuse: false })
  const data = { ...settings, ...bucket, folder: aTempFolder() }
  expect((await page.context().request.put('/api/backups/settings', { data })).status()).toBe(200)
  await site.call('POST', '/api/backups')
  const made = async () => (await site.call<Backups>('GET', '/api/backups')).runs[0]?.state
  await expect.poll(made, { timeout: slowMs }).toBe('done')
  await site.call('DELETE', `/api/messages/${messageId}`)

  await openScreen(page, '/admin/backups')
  const choose = page.getByRole('button', { name: new RegExp(`^${t.restoreOne.chooseFrom.split('{{')[0]}`) })
  await choose.waitFor()
  await expect.poll(() => horizontalOverflow(page)).toBe(0)
  await choose.click()
  const dialog = page.getByRole('dialog', { name: t.restoreOne.title })
  await dialog.getByLabel(t.restoreOne.search).fill('پریسا')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: t.restoreOne.chooseNamed.replace('{{name}}', 'پریسا احمدی') }).click()
  await dialog.getByText(t.restoreOne.willMessage).waitFor()
  await expect.poll(() => dialog.innerText()).toContain('antwoorden: 1')
  expect(await axeViolations(page), 'what would come back').toEqual([])
  const shownFirst = dialog.getByRole('heading', { name: t.restoreOne.preview })
  await expect.poll(() => shownFirst.evaluate((heading) => heading === document.activeElement)).toBe(true)
  // A colleague was faster, and then deletes it again.
  const [backup] = (await site.call<Backups>('GET', '/api/backups')).runs
  const byColleague = { data: { reference: messageId } }
  const taken = await page.context().request.post(`/api/backups/${backup?.id}/messages`, byColleague)
  expect((await taken.json()).problem).toBeNull()
  await dialog.getByRole('button', { name: t.restoreOne.confirm }).click()
  const alert = dialog.getByText(t.restoreOne.problems.present)
  await alert.waitFor()
  await site.call('DELETE', `/api/messages/${messageId}`)
  await dialog.getByRole('button', { name: t.restoreOne.other }).click()
  await dialog.getByRole('button', { name: t.restoreOne.chooseNamed.replace('{{name}}', 'پریسا احمدی') }).click()
  await shownFirst.waitFor()
  expect(await alert.count(), 'the message about the previous attempt').toBe(0)
  await dialog.getByRole('button', { name: t.restoreOne.confirm }).click()
  await dialog.getByText(t.restoreOne.messageBack).waitFor()
  await dialog.getByRole('link', { name: t.restoreOne.openMessage }).click()
  await page.getByText('سلام خانم احمدی').first().waitFor()
  await expect.poll(() => page.url()).toMatch(/\/admin\/messages\/\d+$/)
})
