import { beforeAll, expect, test } from 'vitest'
import {
  administrator,
  aProgramWithAdministrator,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { getPageIn, savePage } from '../support/drafts.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
const parisa = { name: 'پریسا احمدی', email: 'parisa@example.nl', password: 'geheim-parisa' }
let site: ProgramWithAdministrator
let writers: number
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  const { id } = await site.addRole('Schrijver', ['pages.write'])
  writers = id
  await site.addUser({ ...parisa, roleId: id, locale: 'fa' })
})

const button = (title: string, url = '/#contact') => ({
  type: 'cta',
  id: 'knop',
  title: 'Een vraag?',
  text: '',
  button: { title, url },
})
const body = [
  { type: 'rich-text', id: 'een', content: '<p>Eerste alinea</p>' },
  button('Bel ons'),
  { type: 'rich-text', id: 'drie', content: '<p>Derde alinea</p>' },
]

test('a block is locked for a role in its menu, by keyboard, and shows it in the outline and on the page', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Ons werk' })
  await savePage(site, await getPageIn(site, id, 'nl'), { body: body as never })
  const bente = await visitor(site.url)
  await signInByApi(bente, administrator)

  // The lock is set in the menu of the block, by keyboard.
  await openScreen(bente, `/admin/pages/${id}/nl`)
  const outline = bente.locator('[data-panel="outline"]')
  await outline.locator('[data-name-of="knop"]').waitFor()
  await outline.getByRole('button', { name: 'Acties voor Oproep' }).focus()
  await bente.keyboard.press('Enter')
  await bente.getByRole('menuitem', { name: 'Vergrendelen' }).press('Enter')
  const dialog = bente.getByRole('dialog')
  await dialog.getByLabel('Schrijver').press('Space')
  expect(await axeViolations(bente, { part: 'dialog[open]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Opslaan' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const lock = 'Vergrendeld voor Schrijver: alleen tekst en afbeeldingen'
  await outline.getByRole('img', { name: lock }).waitFor()
  await bente.frameLocator('iframe').getByRole('img', { name: lock }).waitFor()
})

test('on a page that was locked meanwhile, what is not allowed is said in Persian at its field, and nothing is saved', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Over ons' })
  await savePage(site, await getPageIn(site, id, 'nl'), { body: body as never })
  allowErrors(/status of 422/)
  const before = (await getPageIn(site, id, 'nl')).text.body
  const page = await visitor(site.url)
  await signInByApi(page, parisa)
  await openScreen(page, `/admin/pages/${id}/nl`)
  const form = page.locator('[data-panel="fields"]')
  await page.frameLocator('iframe').getByText('Bel ons').click()
  await form.getByRole('textbox', { name: 'متن دکمه' }).fill('Schrijf ons')
  await form.getByRole('textbox', { name: 'نشانی دکمه' }).fill('/elders')
  await site.call('PUT', `/api/pages/${id}/locks`, { block: null, roles: [writers] })
  await page.keyboard.press('ControlOrMeta+s')
  await form.getByText('با نقش خود نمی‌توانید این را تغییر دهید').waitFor()
  expect((await getPageIn(site, id, 'nl')).text.body).toEqual(before)
})
