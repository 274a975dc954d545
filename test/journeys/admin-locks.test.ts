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

const { visitor } = aBrowser()
const wietske = { name: 'Wietske Schrijver', email: 'wietske@example.nl', password: 'geheim-wietske' }
const parisa = { name: 'پریسا احمدی', email: 'parisa@example.nl', password: 'geheim-parisa' }
let site: ProgramWithAdministrator
let writers: number
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  const { id } = await site.addRole('Schrijver', ['pages.write'])
  writers = id
  await site.addUser({ ...wietske, roleId: id })
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

test('a block is locked for writers, who then type on the page and are refused at the block what is locked', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Ons werk' })
  await savePage(site, await getPageIn(site, id, 'nl'), { body: body as never })
  const [bente, page] = [await visitor(site.url), await visitor(site.url)]
  await Promise.all([signInByApi(bente, administrator), signInByApi(page, wietske)])

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

  const now = await getPageIn(site, id, 'nl')
  await openScreen(page, `/admin/pages/${id}/nl`)
  const canvas = page.frameLocator('iframe')
  await canvas.getByText('Bel ons').click()
  const form = page.locator('[data-panel="fields"]')
  await form.getByText('Dit blok is vergrendeld').waitFor()
  expect(await form.getByRole('textbox', { name: 'Adres van de knop' }).isDisabled()).toBe(true)
  expect(await form.getByRole('textbox', { name: 'Tekst op de knop' }).isDisabled()).toBe(false)
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Acties voor Oproep' }).click()
  const offered = await page.getByRole('menuitem').filter({ visible: true }).allTextContents()
  expect(offered.map((one) => one.replace(/Ctrl.*/, ''))).toEqual(['Kopiëren', 'Bewaren als sectie …'])
  await page.keyboard.press('Escape')
  // Neither its own keys move or remove it, nor do those of the block below it.
  const rows = page.locator('[data-panel="outline"] [data-name-of]')
  const order = () => rows.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.nameOf))
  await rows.nth(1).press('Delete')
  await rows.nth(1).press('Alt+ArrowUp')
  await rows.nth(2).press('Alt+ArrowUp')
  await page.getByText('een blok op deze pagina is voor uw rol vergrendeld').first().waitFor()
  expect(await order()).toEqual(['een', 'knop', 'drie'])

  await canvas.getByText('Bel ons').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Schrijf ons')
  await page.keyboard.press('ControlOrMeta+s')
  await expect.poll(async () => (await getPageIn(site, id, 'nl')).version).toBe(now.version + 1)
  expect((await getPageIn(site, id, 'nl')).text.body[1]).toMatchObject({
    button: { title: 'Schrijf ons', url: '/#contact' },
  })
})

test('on a page that was locked meanwhile, what is not allowed is said at its block and put back, also in Persian', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Over ons' })
  await savePage(site, await getPageIn(site, id, 'nl'), { body: body as never })
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
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'بازگرداندن', exact: true }).click()
  await page.getByText('با نقش خود در این صفحه فقط متن و تصویر را تغییر می‌دهید.').waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await expect
    .poll(async () => (await getPageIn(site, id, 'nl')).text.body[1])
    .toMatchObject({ button: { title: 'Schrijf ons', url: '/#contact' } })
  expect(await page.getByRole('button', { name: 'افزودن', exact: true }).count()).toBe(0)
})
