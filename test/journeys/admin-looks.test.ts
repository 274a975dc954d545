import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Locale, locales } from '../../src/contract/locales.ts'
import { admin as fa } from '../../src/i18n/fa/admin.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import { aStaffedProgram, boss, enter, type StaffedProgram, settled, show } from '../support/admin.ts'
import { foundByAxe } from '../support/axe.ts'
import { aBrowser, type Width } from '../support/browser.ts'
import { allowErrors } from '../support/logged.ts'
import { looksRight, sideways } from '../support/looks.ts'
import { aStoredMessage } from '../support/messages.ts'

const { visitor } = aBrowser()
const texts = { nl, fa }
const parisa = { email: 'parisa@example.nl', password: 'geheim-parisa' }
const guest = { email: 'gijs@example.nl', password: 'geheim-gijs' }
let site: StaffedProgram
let userId: number
let messageId: number
beforeAll(async () => {
  site = await aStaffedProgram()
  await site.addUser({ name: 'پریسا احمدی', ...parisa, roleId: 2, locale: 'fa' })
  await site.addUser({ name: 'Gijs Gast', ...guest })
  const user = await site.addUser({ name: "Sanne d'Hondt-Gübbels", email: 'sanne@example.nl', roleId: 3 })
  userId = user.id
  await site.call('POST', '/api/users/block', { ids: [user.id] })
  const post = (path: string, init: RequestInit) => fetch(site.url + path, init)
  messageId = await aStoredMessage({ request: post }, 'parisa', { taal: 'fa' })
  await site.call('PUT', `/api/messages/${messageId}`, { note: 'Belt na 15:00' })
  await site.call('POST', `/api/messages/${messageId}/reply`, { text: 'سلام خانم احمدی' })
  await aStoredMessage({ request: post }, 'sanne')
  await aStoredMessage({ request: post }, 'daan', { website: 'x' })
  for (let number = 0; number < 30; number++) {
    await site.addUser({ name: `Persoon ${number}`, email: `persoon${number}@lijst.example` })
  }
})

const screens = [
  '/user',
  '/admin/messages',
  '/admin/messages?view=spam',
  '/admin/messages?search=nergens',
  '/admin/messages/{message}',
  '/admin/mail',
  '/admin/mail?state=failed',
  '/admin/mail/letters?part=text',
  '/admin/privacy',
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
  '/admin/audit?area=users&from=2020-01-01',
  '/admin/nergens',
]

async function at(locale: Locale, look: { width?: Width; dark?: boolean } = {}): Promise<Page> {
  const page = await visitor(site.url, look)
  await enter(page, locale === 'fa' ? parisa : boss)
  return page
}

describe.each(locales)('in %s', (locale) => {
  // Loaded once, and then looked at by day and by night, on a desk and on a phone.
  test.each(screens)('axe finds nothing at %s, and nothing sticks out', async (path) => {
    const page = await at(locale)
    await show(page, path.replace('{id}', String(userId)).replace('{message}', String(messageId)))
    await looksRight(page, locale)
  })

  describe.each(['phone', 'desktop'] as const)('on a %s', (width) => {
    test('nor with a menu, a palette, a question, messages, errors or several chosen', async () => {
      allowErrors(/status of 422/)
      const t = texts[locale]
      const page = await at(locale, { width, dark: locale === 'fa' })
      if (width === 'phone') {
        await show(page, '/user')
        await page.getByRole('button', { name: t.shell.openMenu }).click()
        expect(await foundByAxe(page), 'the menu').toEqual([])
      }

      await show(page, '/admin/users?search=persoon')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: t.palette.hint }).fill('sanne')
      await page.getByRole('option', { name: 'Sanne' }).waitFor()
      expect(await foundByAxe(page), 'the palette').toEqual([])
      await page.keyboard.press('Escape')

      const somebody = locales.indexOf(locale) * 2 + (width === 'phone' ? 1 : 2)
      await page.getByRole('checkbox').nth(somebody).check()
      await page.getByRole('button', { name: t.users.block, exact: true }).click()
      await page.getByRole('button', { name: t.form.undo }).waitFor()
      expect(await foundByAxe(page), 'a message').toEqual([])
      await page.getByRole('checkbox').nth(9).check()
      await page.getByRole('button', { name: t.form.list.filter }).click()
      expect(await foundByAxe(page), 'several chosen').toEqual([])
      expect(await sideways(page), 'several chosen').toBe(0)

      await show(page, '/admin/users/new')
      await page.getByLabel(t.users.password, { exact: true }).fill('kort')
      await page.getByRole('button', { name: t.form.save }).click()
      await page.getByText(t.users.notSaved).waitFor()
      expect(await foundByAxe(page), 'errors').toEqual([])
      await page.getByRole('link', { name: t.form.cancel }).click()
      await page.getByRole('alertdialog').waitFor()
      expect(await foundByAxe(page), 'a question').toEqual([])
    })

    test('nor for who may do nothing', async () => {
      const page = await visitor(site.url, { width })
      await enter(page, guest)
      for (const path of ['/user', '/admin/messages', '/admin/mail', '/admin/users', '/admin/roles', '/admin/audit']) {
        await show(page, path)
        expect(await foundByAxe(page), path).toEqual([])
      }
    })
  })

  test('someone is made in that language, from right to left where it is written so', async () => {
    const t = texts[locale]
    const page = await at(locale)
    await show(page, '/admin/users')
    await page.getByRole('link', { name: t.users.add }).click()
    await page.getByRole('heading', { level: 1, name: t.users.add }).waitFor()
    await page.getByLabel(t.users.name).first().fill('مریم کاظمی')
    await page.locator('input[type=email]').fill(`maryam-${locale}@example.nl`)
    await page.getByRole('button', { name: t.form.save }).click()
    await page.getByText(t.users.saved).waitFor()
    await settled(page)
    expect(await page.locator('h1').innerText()).toBe('مریم کاظمی')
    const menu = await page.getByRole('navigation', { name: t.shell.navigation }).boundingBox()
    expect((menu?.x ?? 0) > 720).toBe(locale === 'fa')
  })
})
