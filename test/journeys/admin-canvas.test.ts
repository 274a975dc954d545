import type { FrameLocator, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { StoredBlock } from '../../src/contract/site-config.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  setChecked,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import {
  aCtaBlock,
  bodyField,
  editorPanelTab,
  openEditorOn,
  selectedBlockForm,
  waitForCanvas,
} from '../support/canvas.ts'
import { localFile } from '../support/local-files.ts'
import { aSavedPage, draftOf, draftQuestion, getPageIn, saveForm, titleField } from '../support/page-editor.ts'
import { watchRenders } from '../support/react-renders.ts'
import { allowErrors } from '../support/test-log.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

const open = async (title: string, body: object[]) => {
  const page = await visitor(site.url)
  return { page, ...(await openEditorOn(site, page, title, body)) }
}
const long = Array.from({ length: 8 }, (_, index) => aCtaBlock(`Nummer ${index + 1}`, `nummer-${index + 1}`))
const add = (page: Page, name: string) => page.getByRole('button', { name: `${name} toevoegen`, exact: true })
const heading = (page: Page, name: string) => bodyField(page).getByRole('heading', { level: 2, name, exact: true })
const focused = (page: Page) =>
  page.evaluate(() => {
    const held = document.activeElement
    const label = held?.closest('.mantine-InputWrapper-root')?.querySelector('label') ?? held
    return label?.textContent?.slice(0, 80)
  })

/** Whether a block is in the visible part of the canvas. */
const inSight = (canvas: FrameLocator, text: string) =>
  canvas
    .getByText(text, { exact: true })
    .first()
    .evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })

describe('an added block', () => {
  test('is scrolled to after adding it by mouse, with the screen around the canvas in place, has the focus after adding it by keyboard, and is selected and scrolled to after copying it to another page by keyboard', async () => {
    const { page, canvas } = await open('Ver naar onderen', long)
    const other = await aSavedPage(site, 'Plakken ver weg', { body: long as never })
    await editorPanelTab(page, 'Toevoegen').click()
    await add(page, 'Vragen').scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => scrollY)
    await add(page, 'Vragen').click()
    await heading(page, 'Vragen').waitFor()
    await expect.poll(() => inSight(canvas, 'Hoelang duurt het?')).toBe(true)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)

    await editorPanelTab(page, 'Toevoegen').click()
    await add(page, 'Oproep').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Titel')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Meteen getypt')
    await expect.poll(() => bodyField(page).getByLabel('Titel', { exact: true }).inputValue()).toBe('Meteen getypt')

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await canvas.getByText('Meteen getypt', { exact: true }).click()
    await page.keyboard.press('Control+c')
    await page.getByText('Gekopieerd: Oproep. U kunt het op elke pagina plakken.').waitFor()
    await goToScreen(page, `/admin/pages/${other}/nl`)
    await waitForCanvas(page)
    await editorPanelTab(page, 'Overzicht').click()
    await bodyField(page)
      .getByRole('button', { name: /^Oproep\s*Nummer 8/ })
      .focus()
    await expect.poll(() => inSight(canvas, 'Nummer 8')).toBe(true)
    await editorPanelTab(page, 'Toevoegen').click()
    await page.getByRole('button', { name: 'Plakken', exact: true }).click()
    const pasted = canvas.getByText('Meteen getypt', { exact: true })
    await pasted.waitFor()
    await page.getByRole('status').filter({ hasText: '1 blok is geplakt.' }).waitFor({ state: 'attached' })
    await expect.poll(() => pasted.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true)
    await expect.poll(async () => (await draftOf(site, other))?.text.body).toHaveLength(long.length + 1)
  })

  test('has the focus, and so has a block selected in the outline; after deleting a block, the next one has it', async () => {
    const { page } = await open('Overzicht', [
      aCtaBlock('Een', 'een'),
      aCtaBlock('Twee', 'twee'),
      aCtaBlock('Drie', 'drie'),
    ])
    await editorPanelTab(page, 'Overzicht').click()
    await bodyField(page)
      .getByRole('button', { name: /^Oproep\s*Twee/ })
      .focus()
    await page.keyboard.press('Delete')
    await expect.poll(() => focused(page)).toMatch(/Drie/)
    await page.keyboard.press('Delete')
    await expect.poll(() => focused(page)).toMatch(/Een/)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Titel')
    await selectedBlockForm(page).getByRole('button', { name: 'Acties voor Oproep' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toMatch(/^Omhoog/)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Overzicht')
  })
})

describe('on the canvas', () => {
  const blockOn = (canvas: FrameLocator, text: string) => canvas.locator('[data-puck-component]', { hasText: text })
  const hasFocus = (canvas: FrameLocator, text: string) =>
    blockOn(canvas, text).evaluate((one) => one.ownerDocument.hasFocus() && one === one.ownerDocument.activeElement)
  const select = (canvas: FrameLocator, text: string) => blockOn(canvas, text).click({ position: { x: 8, y: 8 } })

  test('undo selects the block that comes back, or leaves the selected one, and the block keeps the focus; a window that becomes narrow keeps the editor, with its undo history', async () => {
    const { page, canvas } = await open('Ongedaan', [
      aCtaBlock('Eerste', 'a'),
      aCtaBlock('Tweede', 'b'),
      aCtaBlock('Derde', 'c'),
    ])
    const title = selectedBlockForm(page).getByLabel('Titel', { exact: true })
    const button = page.getByRole('toolbar').getByRole('button', { name: 'Ongedaan maken', exact: true })
    const undo = async () => {
      // A step is recorded a moment after it.
      await expect.poll(() => button.isEnabled()).toBe(true)
      await page.keyboard.press('Control+z')
    }
    await select(canvas, 'Tweede')
    await page.keyboard.press('Delete')
    await canvas.getByText('Tweede').waitFor({ state: 'detached' })
    await select(canvas, 'Eerste')
    await undo()
    await expect.poll(() => title.inputValue()).toBe('Tweede')
    await expect.poll(() => hasFocus(canvas, 'Tweede')).toBe(true)

    await canvas.getByText('Derde', { exact: true }).click()
    await page.keyboard.press('End')
    await page.keyboard.insertText(' en laatste')
    await page.keyboard.press('Escape')
    await expect.poll(() => hasFocus(canvas, 'Derde en laatste')).toBe(true)
    await expect.poll(() => title.inputValue()).toBe('Derde en laatste')
    await undo()
    await expect.poll(() => title.inputValue()).toBe('Derde')
    await expect.poll(() => hasFocus(canvas, 'Derde')).toBe(true)

    const redo = page.getByRole('toolbar').getByRole('button', { name: 'Opnieuw doen', exact: true })
    await redo.press('Enter')
    await expect.poll(() => title.inputValue()).toBe('Derde en laatste')
    await canvas.getByText('Derde en laatste', { exact: true }).waitFor()
    await expect.poll(() => redo.isEnabled()).toBe(false)
    expect(await redo.evaluate((one) => one === document.activeElement)).toBe(true)

    await page.setViewportSize({ width: 800, height: 900 })
    await canvas.getByText('Derde en laatste', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await button.click()
    await canvas.getByText('Derde', { exact: true }).waitFor()
  })

  test('a selected text cannot be dragged out of its title, a click closes a menu that is open beside it, and the keys that the menu of a block shows work on the block', async () => {
    const { page, canvas } = await open('Slepen en toetsen', [aCtaBlock('Eerste', 'a'), aCtaBlock('Tweede', 'b')])
    const titles = () => canvas.getByRole('heading', { level: 2 }).allTextContents()
    const title = canvas.getByRole('heading', { name: 'Tweede' })
    await title.click()
    await page.keyboard.press('Control+a')
    const [from, to] = [await title.boundingBox(), await canvas.getByText('Eerste', { exact: true }).boundingBox()]
    if (!from || !to) throw new Error('nothing to drag')
    await page.mouse.move(from.x + 20, from.y + 15)
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + 15, { steps: 10 })
    await page.mouse.up()
    await page.keyboard.press('Escape')
    await expect.poll(titles).toEqual(['Eerste', 'Tweede'])

    await page.getByRole('button', { name: 'Meer acties', exact: true }).click()
    const item = page.getByRole('menuitem', { name: 'Plannen…' })
    await item.waitFor()
    await select(canvas, 'Eerste')
    await item.waitFor({ state: 'hidden' })

    await select(canvas, 'Tweede')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(titles).toEqual(['Tweede', 'Eerste'])
    await expect.poll(() => hasFocus(canvas, 'Tweede')).toBe(true)
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(titles).toEqual(['Eerste', 'Tweede'])
    await expect.poll(() => hasFocus(canvas, 'Tweede')).toBe(true)
    await page.keyboard.press('Control+d')
    await expect.poll(titles).toEqual(['Eerste', 'Tweede', 'Tweede'])

    await editorPanelTab(page, 'Overzicht').click()
    await bodyField(page)
      .getByRole('button', { name: /^Oproep\s*Eerste/ })
      .click()
    await expect.poll(() => focused(page)).toBe('Oproep')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(titles).toEqual(['Tweede', 'Eerste', 'Tweede'])
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(titles).toEqual(['Eerste', 'Tweede', 'Tweede'])
    await page.keyboard.press('Control+d')
    await expect.poll(titles).toEqual(['Eerste', 'Eerste', 'Tweede', 'Tweede'])
    const field = selectedBlockForm(page).getByLabel('Titel', { exact: true })
    await field.press('Delete')
    await field.press('Control+d')
    await field.press('Alt+ArrowDown')
    await page.locator('[data-panel="fields"] [aria-haspopup="menu"]').click()
    await page.getByRole('menuitem', { name: 'Bewaren als sectie…' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().press('Delete')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await titles()).toHaveLength(4)
    await heading(page, 'Oproep').focus()
    await page.keyboard.press('Delete')
    await expect.poll(titles).toEqual(['Eerste', 'Tweede', 'Tweede'])
  })

  test('there is no gap between the title of the page and the section below it, as on the site', async () => {
    const { canvas } = await open('Aan elkaar', [{ type: 'contact-form', id: 'a', title: 'Schrijf ons' }])
    const [title, section] = [canvas.locator('.page-head'), canvas.locator('main section')]
    const gap = async () =>
      (await section.evaluate((one) => one.getBoundingClientRect().top)) -
      (await title.evaluate((one) => one.getBoundingClientRect().bottom))
    await expect.poll(gap).toBe(0)
    expect(await title.evaluate((one) => getComputedStyle(one, '::after').content)).toBe('none')
  })
})

test('a block that was deleted on the canvas, by key or by its own button, comes back by the undo button of the message, also beside what was then typed on the page, or changed in the list', async () => {
  const { page, canvas } = await open('Terug', [
    aCtaBlock('Eerste', 'a'),
    aCtaBlock('Tweede', 'b'),
    aCtaBlock('Derde', 'c'),
  ])
  const block = canvas.locator('[data-puck-component]', { hasText: 'Tweede' })
  const message = page.getByRole('alert').filter({ hasText: 'Verwijderd: Oproep.' })
  for (const remove of [
    () => page.keyboard.press('Delete'),
    () => page.keyboard.press('Backspace'),
    () => canvas.getByRole('button', { name: 'Verwijderen', exact: true }).click(),
  ]) {
    await block.click({ position: { x: 8, y: 8 } })
    await remove()
    await canvas.getByText('Tweede').waitFor({ state: 'detached' })
    await message.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => canvas.locator('.cta h2').allTextContents()).toEqual(['Eerste', 'Tweede', 'Derde'])
    await expect.poll(() => selectedBlockForm(page).getByLabel('Titel', { exact: true }).inputValue()).toBe('Tweede')
  }

  const undo = page.locator('.notification-text').getByRole('button', { name: 'Ongedaan maken' })
  const remove = async () => {
    await editorPanelTab(page, 'Overzicht').click()
    await bodyField(page)
      .getByRole('button', { name: /^Oproep\s*Tweede/ })
      .focus()
    await page.keyboard.press('Delete')
    await undo.hover()
    await canvas.getByText('Tweede').waitFor({ state: 'detached' })
  }
  await remove()
  await canvas.getByText('Eerste').click()
  await selectedBlockForm(page).getByLabel('Titel', { exact: true }).fill('Eerste gewijzigd')
  await canvas.getByText('Eerste gewijzigd').waitFor()
  await undo.click()
  await canvas.getByText('Tweede').waitFor()
  await expect.poll(() => canvas.locator('.cta h2').allTextContents()).toEqual(['Eerste gewijzigd', 'Tweede', 'Derde'])
  await expect.poll(() => selectedBlockForm(page).getByLabel('Titel', { exact: true }).inputValue()).toBe('Tweede')

  await remove()
  await setChecked(page.getByRole('radio', { name: 'Als lijst' }))
  const blocks = bodyField(page).locator('[data-block-of]')
  const titles = async () => (await blocks.allTextContents()).map((text) => /Eerste|Tweede|Derde/.exec(text)?.[0])
  await expect.poll(titles).toEqual(['Eerste', 'Derde'])
  await blocks.last().focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(titles).toEqual(['Derde', 'Eerste'])
  await undo.click()
  await expect.poll(titles, { message: 'before the one that followed it' }).toEqual(['Tweede', 'Derde', 'Eerste'])

  await blocks.last().focus()
  await page.keyboard.press('Delete')
  // The mouse keeps the notification there.
  await undo.hover()
  await goToScreen(page, '/admin/pages')
  await expect.poll(() => undo.count(), { message: 'undo goes with the form that it changes' }).toBe(0)
})

test('a block that was deleted from a column comes back there by its own undo button, on the page and in the list', async () => {
  const columnOf = (...texts: string[]) => ({
    blocks: texts.map((text) => ({ type: 'content', id: text, selector: 'p', className: '', content: text })),
  })
  const columns = { type: 'columns', id: 'naast', columns: [columnOf('Links'), columnOf('Rechts', 'Onder')] }
  const { id, page, canvas } = await open('In een kolom', [columns])
  const undo = page.locator('.notification-text').getByRole('button', { name: 'Ongedaan maken' })
  const remove = async () => {
    await editorPanelTab(page, 'Overzicht').click()
    await bodyField(page)
      .getByRole('button', { name: /Rechts$/ })
      .focus()
    await page.keyboard.press('Delete')
    await undo.hover()
    await canvas.getByText('Rechts', { exact: true }).waitFor({ state: 'detached' })
  }
  await remove()
  await undo.click()
  await expect.poll(() => canvas.locator('.columns p').allTextContents()).toEqual(['Links', 'Rechts', 'Onder'])
  await selectedBlockForm(page).getByText('Rechts').waitFor()
  await remove()
  await setChecked(page.getByRole('radio', { name: 'Als lijst' }))
  await bodyField(page).locator('[data-block-of]').waitFor()
  await undo.click()
  await saveForm(page)
  expect((await getPageIn(site, id)).text.body).toMatchObject([columns])
})

test('an empty column is filled from the form of its columns; a block at the end of its column cannot move down', async () => {
  const text = { type: 'content', id: 'links', selector: 'p', className: '', content: 'Links' }
  const { id, page, canvas } = await open('Lege kolom', [
    { type: 'columns', id: 'naast', columns: [{ blocks: [text] }, { blocks: [] }] },
  ])
  await editorPanelTab(page, 'Overzicht').click()
  await bodyField(page)
    .getByRole('button', { name: /^Kolommen/ })
    .click()
  await selectedBlockForm(page).getByRole('button', { name: 'Kolommen, nummer 2', exact: true }).click()
  await selectedBlockForm(page).getByRole('button', { name: 'Blokken in deze kolom: Blok toevoegen' }).click()
  const choices = page.getByRole('dialog')
  await expect.poll(() => choices.getByRole('button', { name: 'Openingsbeeld', exact: true }).count()).toBe(0)
  await choices.getByRole('button', { name: 'Tekst', exact: true }).click()
  await expect.poll(() => canvas.locator('.columns p').allTextContents()).toEqual(['Links', 'Schrijf hier uw tekst.'])
  await bodyField(page).getByRole('button', { name: 'Tekst Links', exact: true }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Control+z')
  await expect
    .poll(() => canvas.locator('.columns p').allTextContents(), { message: 'only the move' })
    .toEqual(['Links'])
  await saveForm(page)
  expect((await getPageIn(site, id)).text.body).toMatchObject([{ columns: [{ blocks: [text] }, { blocks: [] }] }])
})

test('an empty page says what to do, and its button adds the first block', async () => {
  const { page, canvas } = await open('Nog niets', [])
  await canvas.getByRole('heading', { name: 'Deze pagina is nog leeg' }).waitFor()
  await canvas.getByRole('button', { name: 'Blok toevoegen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Oproep', exact: true }).click()
  await canvas.getByText('Vertel ons wat u zoekt.').waitFor()
  await expect.poll(() => focused(page)).toBe('Titel')
  await expect.poll(() => canvas.getByText('Deze pagina is nog leeg').count()).toBe(0)
})

test('typing a character renders only the block that contains it, on the canvas, in its outline and in its form', async () => {
  const page = await visitor(site.url)
  const renderedBlocks = await watchRenders(
    page,
    long.map(({ id }) => id),
  )
  const { canvas } = await openEditorOn(site, page, 'Letter voor letter', long)
  await editorPanelTab(page, 'Overzicht').click()
  const overview = bodyField(page).getByRole('button', { name: /^Oproep\s*Nummer 1a/ })
  await canvas.getByText('Nummer 1', { exact: true }).click()
  const field = selectedBlockForm(page).getByLabel('Titel', { exact: true })
  await field.focus()
  await page.keyboard.press('End')
  // All are rendered once, and the first letter changes what can be done, such as undoing it.
  await page.keyboard.type('a')
  await overview.waitFor()
  expect(await renderedBlocks()).toEqual(long.map(({ id }) => id))
  await page.keyboard.type('bc')
  await overview.filter({ hasText: 'Nummer 1abc' }).waitFor()
  await canvas.getByText('Nummer 1abc', { exact: true }).waitFor()
  expect(await renderedBlocks()).toEqual(['nummer-1'])
})

test('a wrong value says so at its field before a save, an empty one does not; the other texts of its block are still typed on the canvas, also after a reload', async () => {
  const button = { title: 'Contact', url: '/#contact' }
  const hero = { type: 'hero', id: 'bel', title: 'Bel ons', subtitle: 'Wij bouwen.', button }
  const { page, canvas, id } = await open('Een fout', [hero, aCtaBlock('Mail ons', 'mail')])
  const form = selectedBlockForm(page)
  const address = form.getByLabel('Adres van de knop', { exact: true })
  const type = async (title: string, text: string) => {
    await canvas.getByRole('heading', { name: title, exact: true }).click()
    await page.keyboard.press('End')
    await page.keyboard.insertText(text)
    await canvas.getByRole('heading', { name: title + text, exact: true }).waitFor()
    await expect.poll(() => form.getByLabel('Titel', { exact: true }).inputValue()).toBe(title + text)
  }
  await canvas.getByRole('heading', { name: 'Mail ons', exact: true }).click()
  await address.fill('')
  await type('Mail ons', ' eens')
  await canvas.getByRole('heading', { name: 'Bel ons', exact: true }).click()
  await address.fill('www.voorbeeld.nl')
  await form.getByText('Dit is geen geldig url!').waitFor()
  await expect.poll(() => canvas.locator('[data-wrong]').count()).toBe(1)
  await expect.poll(() => address.evaluate((one) => one === document.activeElement)).toBe(true)
  await type('Bel ons', ' nu')
  await page.keyboard.press('Backspace')
  await canvas.getByRole('heading', { name: 'Bel ons n', exact: true }).waitFor()
  await expect.poll(() => canvas.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Bel ons n'])

  await expect
    .poll(async () => (await draftOf(site, id))?.text.body)
    .toMatchObject([{ title: 'Bel ons n', button: { url: 'www.voorbeeld.nl' } }, { button: { url: '' } }])
  await page.reload()
  await draftQuestion(page).getByRole('button', { name: 'Concept laden' }).click()
  await type('Bel ons n', 'u')
  await form.getByText('Dit is geen geldig url!').waitFor()
  await address.fill('https://voorbeeld.nl')
  await form.getByText('Dit is geen geldig url!').waitFor({ state: 'detached' })
  await expect.poll(() => canvas.locator('.hero a.button').getAttribute('href')).toBe('https://voorbeeld.nl')

  await setChecked(page.getByRole('radio', { name: 'Als lijst' }))
  await bodyField(page)
    .getByRole('button', { name: /Bel ons nu$/ })
    .click()
  const listed = bodyField(page)
  await listed.getByLabel('Adres van de knop', { exact: true }).fill('www.voorbeeld.nl')
  await listed.getByText('Dit is geen geldig url!').waitFor()
})

describe('a bug in the program', () => {
  /** The server sends a response that this version does not understand. */
  const answerWith = (page: Page, path: string, change: (body: never) => void) =>
    page.route(`**${path}`, async (route: Route) => {
      const response = await route.fetch()
      const body = await response.json()
      change(body as never)
      await route.fulfill({ response, json: body })
    })

  test('or a failed request for the data of an image leaves the canvas with its undo history, and the image is there after another try', async () => {
    allowErrors(/status of 503/)
    const { page, canvas } = await open('Even weg', [
      aCtaBlock('Eerste', 'a'),
      { type: 'image', id: 'b', src: '/logo.svg', alt: '' },
    ])
    await canvas.getByText('Eerste').click()
    await selectedBlockForm(page).getByLabel('Titel', { exact: true }).fill('Gewijzigd')
    await canvas.getByText('Gewijzigd').waitFor()
    await page.route('**/api/scene', (route) => route.fulfill({ status: 503, json: {} }))
    await canvas.locator('main .image img').click({ force: true })
    await selectedBlockForm(page)
      .locator('input[type="file"]')
      .setInputFiles(localFile('even-weg.jpg', await aPhoto(300, 240)))
    const again = bodyField(page).getByRole('alert').getByRole('button', { name: 'Opnieuw proberen' })
    await again.waitFor()
    await canvas.getByText('Gewijzigd').waitFor()
    await page.unroute('**/api/scene')
    await again.click()
    await canvas.locator('main .image img[src*="even-weg.jpg"]').waitFor()
    await again.waitFor({ state: 'detached' })
    const undo = page.getByRole('toolbar').getByRole('button', { name: 'Ongedaan maken', exact: true })
    await undo.click()
    await undo.click()
    await canvas.getByText('Eerste').waitFor()
  })

  test('in one block leaves the other blocks, its form and the outline working', async () => {
    allowErrors(/TypeError/)
    const page = await visitor(site.url)
    await answerWith(page, '/api/scene', (previewData: { site: { offer: { prices: null } } }) => {
      previewData.site.offer.prices = null
    })
    const body = [{ type: 'pricing', id: 'prijs', anchor: '', title: 'Prijzen' }, aCtaBlock('Bel ons', 'bel')]
    const { canvas } = await openEditorOn(site, page, 'Eén stuk', body)
    await canvas.getByText('Prijzen: dit blok kan hier niet worden getoond.').click()
    await bodyField(page).getByLabel('Titel', { exact: true }).fill('Onze prijzen')
    await canvas.getByText('Bel ons', { exact: true }).waitFor()
    await editorPanelTab(page, 'Overzicht').click()
    await bodyField(page)
      .getByRole('button', { name: /^Prijzen\s*Onze prijzen/ })
      .waitFor()
  })

  test('in the whole canvas leaves the form and the plain list working, and is not reported as a network error', async () => {
    allowErrors(/TypeError/)
    const page = await visitor(site.url)
    await answerWith(page, '/api/scene', (previewData: { site: { logo?: object } }) => {
      delete previewData.site.logo
    })
    const id = await aSavedPage(site, 'Alles stuk', { body: [aCtaBlock('Bel ons', 'bel')] as never })
    await signInAndOpen(page, `/admin/pages/${id}/nl`)
    await page.getByText('De pagina kan hier nu niet worden getoond.').waitFor()
    await expect.poll(() => page.getByText('niet bereikbaar').count()).toBe(0)
    await titleField(page).fill('Toch gewijzigd')
    await setChecked(page.getByRole('radio', { name: 'Als lijst' }))
    await bodyField(page)
      .getByRole('button', { name: /Bel ons/ })
      .first()
      .click()
    await bodyField(page).getByLabel('Titel', { exact: true }).fill('Mail ons')
    await page.getByRole('button', { name: 'Opslaan', exact: true }).click()
    await page.getByText('Pagina is opgeslagen!').first().waitFor()
    await expect
      .poll(async () => (await getPageIn(site, id)).text)
      .toMatchObject({ title: 'Toch gewijzigd', body: [{ title: 'Mail ons' }] })
  })

  test('on a screen is reported', async () => {
    allowErrors(/TypeError/)
    const page = await visitor(site.url)
    await answerWith(page, '/api/redirects*', (list: { data: null }) => {
      list.data = null
    })
    await signInByApi(page)
    await page.goto('/admin/redirects')
    await page.getByText('Er is iets misgegaan in dit programma.').waitFor()
    await expect.poll(() => page.getByText('niet bereikbaar').count()).toBe(0)
  })
})

test('placeholders in brackets are shown filled in, and the form explains it once', async () => {
  const menu = {
    type: 'menu',
    id: 'menu',
    menuType: 'desktop',
    items: [{ title: 'Over [brand]', url: '/#contact', submenu: [] }],
  }
  const { page, id } = await open('[brand] in [legal.city]', [aCtaBlock('[brand] helpt', 'bel'), menu])
  const { brand } = (await site.call<{ site: { brand: string } }>('POST', '/api/scene', { pictures: [] })).site
  await page.getByRole('button', { name: 'Instellingen van deze pagina' }).click()
  await page
    .getByRole('figure', { name: 'Voorbeeld van een zoekresultaat' })
    .getByText(new RegExp(`^${brand} in `))
    .waitFor()
  const card = page.getByRole('figure', { name: 'Voorbeeld van een gedeelde link' })
  await card.getByText(new RegExp(`^${brand} in `)).waitFor()
  await expect.poll(() => card.locator('img').evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  await editorPanelTab(page, 'Overzicht').click()
  await bodyField(page)
    .getByRole('button', { name: new RegExp(`^Oproep\\s*${brand} helpt`) })
    .click()
  await expect.poll(() => bodyField(page).getByText('Tekst tussen vierkante haken').count()).toBe(1)
  await editorPanelTab(page, 'Overzicht').click()
  await bodyField(page).getByRole('button', { name: /^Menu/ }).click()
  await bodyField(page).getByText(`Over ${brand}`, { exact: false }).first().waitFor()
  // The stored text keeps its brackets.
  await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe('[brand] in [legal.city]')
})

test('publishing example text gives a warning that names the block, and can be continued', async () => {
  const { page, canvas, id } = await open('Warm welkom', [aCtaBlock('Bel ons', 'bel')])
  await editorPanelTab(page, 'Toevoegen').click()
  await add(page, 'Klant aan het woord').click()
  await canvas.getByText('Naam van de klant').waitFor()
  const publish = page.getByRole('button', { name: 'Opslaan en publiceren' })
  await publish.click()
  const warning = page.getByRole('alertdialog', { name: 'Er staat nog voorbeeldtekst op deze pagina' })
  await warning.getByText('Klant aan het woord').waitFor()
  await warning.getByRole('button', { name: 'Terug naar de pagina' }).click()
  await expect.poll(async () => (await getPageIn(site, id)).path).toBeNull()
  await publish.click()
  await warning.getByRole('button', { name: 'Toch doorgaan' }).click()
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
  await expect.poll(async () => (await getPageIn(site, id)).path).toBe('/warm-welkom')

  await canvas.getByText('Naam van de klant').click()
  await bodyField(page).getByLabel('Wat de klant zegt', { exact: true }).fill('Snel en goed.')
  await bodyField(page).getByLabel('Naam', { exact: true }).fill('Roya Moradi')
  await publish.click()
  await expect
    .poll(async () => (await getPageIn(site, id)).text.body as StoredBlock[])
    .toContainEqual(expect.objectContaining({ type: 'testimonial', name: 'Roya Moradi' }))
})
