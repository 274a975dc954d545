import { setTimeout as pause } from 'node:timers/promises'
import type { FrameLocator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  setChecked,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { canvasOf, selectedBlockForm } from '../support/canvas.ts'
import { isFocused } from '../support/keyboard.ts'
import { getPageIn, savePage } from '../support/page-editor.ts'
import { heroWith } from '../support/persuading-blocks.ts'
import { allowErrors } from '../support/test-log.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
const parisa = { name: 'پریسا احمدی', email: 'parisa@example.nl', password: 'geheim-parisa' }
const wietske = { name: 'Wietske', email: 'wietske@example.nl', password: 'geheim-wietske' }
let site: ProgramWithAdministrator
let writers: number
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  const { id } = await site.addRole('Schrijver', ['pages.write', 'files.write'])
  writers = id
  await site.addUser({ ...parisa, roleId: id, locale: 'fa' })
  await site.addUser({ ...wietske, roleId: id })
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
  const onPage = canvasOf(bente).getByRole('img', { name: lock })
  await onPage.waitFor()
  await expect.poll(() => onPage.locator('..').evaluate((mark) => getComputedStyle(mark).opacity)).toBe('1')
})

test('a writer types, describes and replaces images in a locked block, and moves, removes or links nothing, by mouse or keys', async () => {
  const page = await visitor(site.url)
  await signInByApi(page, wietske)
  const upload = async (name: string) => {
    const headers = { 'Content-Type': 'application/octet-stream' }
    const data = Buffer.from(await aPhoto(60, 40))
    const answer = await page.context().request.post(`/api/files?name=${name}`, { headers, data })
    return (await answer.json()) as StoredFile
  }
  const [facade, team] = [await upload('gevel.jpg'), await upload('team.jpg')]
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'De winkel' })
  const withPicture = [
    { type: 'rich-text', id: 'een', content: '<p>Eerste alinea met <a href="/#contact">een link</a>.</p>' },
    { type: 'image', id: 'foto', src: facade.url, alt: '' },
    button('Bel ons'),
    { type: 'line', id: 'vrij' },
    { ...heroWith('nl', { media: 'illustration' }), id: 'opening' },
  ]
  await savePage(site, await getPageIn(site, id, 'nl'), { body: withPicture as never })
  for (const block of ['een', 'foto', 'knop', 'opening']) {
    await site.call('PUT', `/api/pages/${id}/locks`, { block, roles: [writers] })
  }
  await openScreen(page, `/admin/pages/${id}/nl`)
  const [canvas, fields] = [canvasOf(page), selectedBlockForm(page)]
  const outline = page.locator('[data-panel="outline"]')
  const nameOf = (block: string) => outline.locator(`[data-name-of="${block}"]`)
  const order = () =>
    canvas.locator('[data-puck-component]').evaluateAll((all) => all.map((one) => one.dataset.puckComponent))
  await expect.poll(async () => (await order()).length).toBe(5)
  const [first, photo, call, free, opening] = (await order()) as [string, string, string, string, string]

  // The whole editor, with an unlocked block and with a locked one selected. Puck has what axe finds in its canvas once its
  // blocks can be dragged.
  await expect.poll(() => canvas.locator('[aria-roledescription]').count()).toBe(5)
  await nameOf('vrij').click()
  const ofFree = await axeViolations(page)
  await nameOf('knop').click()
  const notice = fields.locator('.mantine-Alert-root', { hasText: 'Dit blok is vergrendeld' })
  await notice.waitFor()
  const bottomOf = (one: Element) => one.getBoundingClientRect().bottom
  const label = fields.getByText('Titel', { exact: true })
  await expect.poll(async () => (await label.boundingBox())?.y).toBeGreaterThan(await notice.evaluate(bottomOf))
  await expect.poll(() => notice.getByText('Dit blok').evaluate(bottomOf)).toBeLessThan(await notice.evaluate(bottomOf))
  await expect.poll(async () => (await axeViolations(page)).filter((one) => !ofFree.includes(one))).toEqual([])

  // The menus of the outline and of the form offer what is allowed; the keys do nothing else.
  const actions = fields.getByRole('button', { name: 'Acties voor Oproep' })
  await actions.click()
  await expect
    .poll(() => page.getByRole('menuitem').filter({ visible: true }).allTextContents())
    .toEqual(['KopiërenCtrl+C', 'Bewaren als sectie…'])
  await page.keyboard.press('Escape')
  for (const key of ['Alt+ArrowUp', 'Control+d', 'Delete']) await nameOf('knop').press(key)
  await canvas.locator(`[data-puck-component="${call}"]`).press('Delete')
  await expect.poll(() => fields.getByRole('textbox', { name: 'Adres van de knop' }).isDisabled()).toBe(true)

  // Dragging a locked block does nothing either.
  const [from, to] = [await boxOf(canvas, call), await boxOf(canvas, first)]
  await page.mouse.move(from.x + from.width - 40, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width - 40, to.y + 2, { steps: 8 })
  await expect.poll(() => canvas.locator('[data-dnd-dragging]').count()).toBe(0)
  await page.mouse.up()
  await expect.poll(() => order()).toEqual([first, photo, call, free, opening])

  // Typing in a text on the page, and in rich text, whose tools set no links.
  await canvas.getByText('Een vraag?').click()
  await canvas.locator('[data-typed="now"]').filter({ hasText: 'Een vraag?' }).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Nog een vraag?')
  await canvas.getByText('Eerste alinea').click()
  const tools = page.getByRole('toolbar', { name: 'Opmaak' }).filter({ visible: true })
  await tools.first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Link', exact: true }).count()).toBe(0)
  await expect.poll(() => isFocused(canvas.getByRole('textbox').filter({ hasText: 'Eerste alinea' }))).toBe(true)
  // For 200 ms after the focus, ProseMirror takes a caret at the start for the browser's doing, and puts it back where it was clicked.
  const beforeCaret = () =>
    canvas.locator(':root').evaluate(({ ownerDocument }) => {
      const selection = ownerDocument.getSelection()
      const text = selection?.anchorNode?.parentElement?.closest('[role=textbox]')
      if (!selection || !text) return undefined
      const range = ownerDocument.createRange()
      range.setStart(text, 0)
      range.setEnd(selection.anchorNode as Node, selection.anchorOffset)
      return range.toString()
    })
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+Home')
      await pause(250)
      return beforeCaret()
    })
    .toBe('')
  await page.keyboard.type('Onze ')

  // The picture, where it stands.
  const menu = page.getByRole('group', { name: 'Afbeelding' })
  const picture = canvas.locator('main img').first()
  await picture.click({ force: true })
  await menu.getByRole('button', { name: 'Beschrijven' }).click()
  await page.getByRole('dialog').getByLabel('Beschrijving').fill('Ons team')
  await page.getByRole('dialog').getByRole('button', { name: 'Klaar' }).click()
  await canvas.locator('img[alt="Ons team"]').click({ force: true })
  await menu.getByRole('button', { name: 'Vervangen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'team.jpg gebruiken' }).click()
  await canvas.locator('main img[src*="team.jpg"]').first().waitFor()

  // A hero with an illustration would not show an image, so none can be chosen.
  await canvas.locator('.hero > .view').click({ force: true })
  await expect.poll(() => nameOf('opening').getAttribute('aria-current')).toBe('true')
  await expect.poll(() => page.getByRole('button', { name: 'Afbeelding kiezen', exact: true }).count()).toBe(0)
  await expect.poll(() => fields.getByRole('button', { name: 'Afbeelding kiezen: Afbeelding' }).isDisabled()).toBe(true)
  await expect.poll(() => fields.getByRole('textbox', { name: 'Ondertitel' }).isEnabled()).toBe(true)

  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
  await expect
    .poll(async () => (await getPageIn(site, id, 'nl')).text.body)
    .toMatchObject([
      { id: 'een', content: '<p>Onze Eerste alinea met <a href="/#contact">een link</a>.</p>' },
      { id: 'foto', src: team.url, alt: 'Ons team' },
      { id: 'knop', title: 'Nog een vraag?', button: { title: 'Bel ons', url: '/#contact' } },
      { id: 'vrij' },
      { id: 'opening', media: 'illustration' },
    ])

  // A section in a locked block has its own screen.
  const section = await site.call<{ id: string }>('POST', '/api/sections', { name: 'Tijden', nl: [button('Open')] })
  const reference = [...withPicture, { type: 'section', id: 'sectie', section: section.id }]
  await savePage(site, await getPageIn(site, id, 'nl'), { body: reference as never })
  await site.call('PUT', `/api/pages/${id}/locks`, { block: 'sectie', roles: [writers] })
  await goToScreen(page, `/admin/sections/${section.id}`)
  await page.getByText('Deze sectie staat op een vergrendelde plaats').waitFor()
  await canvas.getByText('Een vraag?').click()
  await canvas.locator('[data-typed="now"]').filter({ hasText: 'Een vraag?' }).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Vragen?')
  await expect.poll(() => fields.getByRole('textbox', { name: 'Adres van de knop' }).isDisabled()).toBe(true)
  await expect.poll(() => page.getByRole('button', { name: 'Toevoegen', exact: true }).count()).toBe(0)
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('De sectie is opgeslagen').first().waitFor()
  await expect.poll(() => site.call('GET', `/api/sections/${section.id}`)).toMatchObject({ nl: [{ title: 'Vragen?' }] })
})

async function boxOf(canvas: FrameLocator, block: string) {
  const box = await canvas.locator(`[data-puck-component="${block}"]`).boundingBox()
  if (!box) throw new Error(`${block} is not shown`)
  return box
}

test('on a page that was locked meanwhile, what is not allowed is reported in Persian at its field, and nothing is saved', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Over ons' })
  await savePage(site, await getPageIn(site, id, 'nl'), { body: body as never })
  allowErrors(/status of 422/)
  const before = (await getPageIn(site, id, 'nl')).text.body
  const page = await signInAndOpen(await visitor(site.url), `/admin/pages/${id}/nl`, parisa)
  const form = page.locator('[data-panel="fields"]')
  await page.frameLocator('iframe').getByText('Bel ons').click()
  await form.getByRole('textbox', { name: 'متن دکمه' }).fill('Schrijf ons')
  await form.getByRole('textbox', { name: 'نشانی دکمه' }).fill('/elders')
  await site.call('PUT', `/api/pages/${id}/locks`, { block: null, roles: [writers] })
  await page.keyboard.press('ControlOrMeta+s')
  await form.getByText('با نقش خود نمی‌توانید این را تغییر دهید').waitFor()
  await expect.poll(async () => (await getPageIn(site, id, 'nl')).text.body).toEqual(before)

  // Putting back undoes what is not allowed, and leaves the text.
  await form.getByRole('button', { name: 'بازگرداندن' }).click()
  await form.getByText('این بلوک قفل است').waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await expect
    .poll(async () => (await getPageIn(site, id, 'nl')).text.body)
    .toEqual(before.with(1, { ...before[1], ...button('Schrijf ons') } as never))
})

test('on a page that was locked meanwhile, a change of whether search engines find it is reported at its field', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Ons aanbod' })
  await savePage(site, await getPageIn(site, id, 'nl'), { body: body as never })
  allowErrors(/status of 422/)
  const page = await signInAndOpen(await visitor(site.url), `/admin/pages/${id}/nl`, wietske)
  await page.getByRole('button', { name: 'Instellingen van deze pagina' }).click()
  const noindex = page.getByRole('switch', { name: 'Niet in zoekmachines tonen' })
  await setChecked(noindex)
  await site.call('PUT', `/api/pages/${id}/locks`, { block: null, roles: [writers] })
  await page.keyboard.press('ControlOrMeta+s')
  const problem = page.getByRole('complementary').getByText('Dit kunt u met uw rol niet wijzigen')
  await problem.waitFor()
  expect(await noindex.getAttribute('aria-invalid')).toBe('true')

  await page.getByRole('button', { name: 'Alles terugzetten' }).click()
  await problem.waitFor({ state: 'detached' })
  expect(await noindex.isChecked()).toBe(false)
})
