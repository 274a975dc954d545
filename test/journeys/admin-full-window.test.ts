import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import type { ListedPage } from '../../src/contract/pages.ts'
import { blocks as faBlocks } from '../../src/i18n/fa/admin/blocks.ts'
import { files as faFiles } from '../../src/i18n/fa/admin/files.ts'
import { pages as faPages } from '../../src/i18n/fa/admin/pages.ts'
import { blocks as nlBlocks } from '../../src/i18n/nl/admin/blocks.ts'
import { horizontalOverflow } from '../support/accessible-layout.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  type ProgramWithAdministrator,
  roya,
  setChecked,
  signInByApi,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, recordRequests } from '../support/browser.ts'
import { aCtaBlock, bodyField, canvasOf, openEditorOn, waitForCanvas } from '../support/canvas.ts'
import { aSavedPage, draftOf, getPageIn, openForm, savePage, titleField } from '../support/page-editor.ts'
import { allowErrors } from '../support/test-log.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const outline = (page: Page) => page.getByRole('region', { name: 'Blokken', exact: true })
const fields = (page: Page) => page.getByRole('region', { name: 'Gekozen blok', exact: true })

const uploadPhoto = async (page: Page, name: string) => {
  const headers = { 'Content-Type': 'application/octet-stream' }
  const data = Buffer.from(await aPhoto(300, 200))
  const answer = await page.context().request.post(`/api/files?name=${name}`, { headers, data })
  return (await answer.json()) as StoredFile
}
const fileNow = (id: number) => site.call<StoredFile>('GET', `/api/files/${id}`)

const hasFocusIn = (part: Locator) => part.evaluate((one) => one.contains(document.activeElement))

test('the panels fold away and stay folded; a clicked or dragged block shows its fields again, also in place of the page settings', async () => {
  const page = await visitor(site.url)
  const { id, canvas } = await openEditorOn(site, page, 'Ruimte', [aCtaBlock('Bel ons', 'bel')])
  await expect.poll(() => page.getByRole('navigation', { name: 'Hoofdmenu' }).count()).toBe(0)
  await button(page, 'Blokken inklappen').click()
  await button(page, 'Gekozen blok inklappen').click()
  await page.reload()
  await waitForCanvas(page)
  await expect
    .poll(() =>
      outline(page)
        .getByRole('button', { name: /^Oproep/ })
        .count(),
    )
    .toBe(0)
  await button(page, 'Blokken tonen').click()
  await outline(page)
    .getByRole('button', { name: /^Oproep/ })
    .first()
    .waitFor()
  await canvas.getByText('Bel ons', { exact: true }).click()
  const title = fields(page).getByLabel('Titel', { exact: true })
  await title.waitFor()

  await button(page, 'Instellingen van deze pagina').click()
  await title.waitFor({ state: 'hidden' })
  await canvas.getByText('Wij zitten klaar.').click()
  await title.waitFor()
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)

  const settings = button(page, 'Instellingen van deze pagina')
  await settings.click()
  await button(page, 'Instellingen sluiten').click()
  await expect.poll(() => settings.evaluate((one) => one === document.activeElement)).toBe(true)
  await settings.click()
  await outline(page)
    .getByRole('button', { name: /^Oproep/ })
    .first()
    .click()
  await expect.poll(() => hasFocusIn(fields(page))).toBe(true)

  await outline(page).getByRole('button', { name: 'Toevoegen', exact: true }).click()
  await settings.click()
  const tile = outline(page).locator('strong:visible').getByText('Openingsbeeld', { exact: true })
  await tile.hover()
  const from = await tile.boundingBox()
  const to = await page.locator('[data-page-field="body"] iframe').boundingBox()
  if (!from || !to) throw new Error('the block or the page is not to be seen')
  await page.mouse.move(from.x + 20, from.y - 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 50, from.y, { steps: 4 })
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 })
  const announced = page.locator('[role="status"][id^="dnd-kit"]').first()
  await expect.poll(() => announced.textContent()).toBe('Openingsbeeld wordt versleept.')
  await page.mouse.up()
  await canvas.locator('.hero').waitFor()
  await expect.poll(() => announced.textContent()).toBe('Openingsbeeld is neergezet.')
  for (const part of [page, canvas]) {
    await expect.poll(() => part.locator('[aria-roledescription="draggable"]').count()).toBe(0)
  }
  await fields(page).getByLabel('Ondertitel', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('complementary').count(), { message: 'the settings made room' }).toBe(0)
  await expect.poll(async () => (await draftOf(site, id))?.text.body.map(({ type }) => type)).toContain('hero')

  // It stays selected when a save is refused because of it.
  await fields(page).getByLabel('Adres van de knop', { exact: true }).fill('geen adres')
  allowErrors(/422/)
  await page.getByRole('button', { name: 'Opslaan', exact: true }).click()
  await fields(page).getByText('Dit is geen geldig url!').waitFor()
})

test('the header and footer of the site, and its prices, cannot be changed on the page, and lead to their settings', async () => {
  const page = await visitor(site.url)
  const prices = { type: 'pricing', id: 'prijs', anchor: '', title: 'Wat het kost' }
  const { canvas } = await openEditorOn(site, page, 'Omlijst', [prices, aCtaBlock('Bel ons', 'bel')])
  await canvas.locator('.pricing li strong').first().click()
  const toPrices = fields(page).getByRole('link', { name: 'Bedragen en inhoud wijzigt u bij de instellingen' })
  await expect.poll(() => toPrices.getAttribute('href')).toBe('/admin/config/offer')
  const header = canvas.locator('.around-page').first()
  await header.locator('header .lockup').first().waitFor()
  await canvas.locator('footer.foot').waitFor()
  await expect.poll(() => header.locator('[inert] header').count()).toBe(1)
  await header.hover()
  await canvas.getByRole('link', { name: 'De kop van de website wijzigt u bij de instellingen' }).click()
  await page.waitForURL(/\/admin\/config\/navbar$/)
})

test('an image that is clicked on the page is described, cropped to a ratio and replaced there', async () => {
  const page = await visitor(site.url)
  await signInByApi(page)
  const [facade, team] = [await uploadPhoto(page, 'gevel.jpg'), await uploadPhoto(page, 'team.jpg')]
  await expect.poll(async () => (await fileNow(facade.id)).state).toBe('ready')
  const body = [
    {
      type: 'gallery',
      id: 'beeld',
      items: [
        { src: facade.url, alt: '', caption: 'Eerste' },
        { src: facade.url, alt: '', caption: 'Tweede' },
      ],
    },
    {
      type: 'columns',
      id: 'kolommen',
      columns: [
        { blocks: [{ type: 'image', id: 'los', src: team.url, alt: 'Ons team', className: '' }] },
        { blocks: [] },
      ],
    },
  ]
  const { id, canvas } = await openEditorOn(site, page, 'Beeld', body)
  const menu = page.getByRole('group', { name: 'Afbeelding', exact: true })
  const click = (index: number) => canvas.locator('.gallery picture img').nth(index).click({ force: true })
  await click(1)
  await menu.waitFor()
  const height = async () => (await menu.boundingBox())?.y ?? 0
  const before = await height()
  await canvas.locator('html').evaluate(() => scrollBy(0, 40))
  await expect.poll(async () => before - (await height()), { message: 'it moves with its image' }).toBeGreaterThan(10)
  await menu.getByRole('button', { name: 'Beschrijven' }).click()
  await page.getByRole('dialog').getByLabel('Beschrijving').fill('De gevel van ons pand')
  await page.getByRole('dialog').getByRole('button', { name: 'Klaar' }).click()
  await canvas.locator('.gallery img[alt="De gevel van ons pand"]').waitFor()

  await click(1)
  await menu.getByRole('button', { name: 'Bijsnijden' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bijsnijden' })
  await setChecked(dialog.getByRole('radio', { name: '1:1', exact: true }))
  expect(await axeViolations(page, { part: 'dialog[open]', frames: false })).toEqual([])
  await dialog.getByRole('button', { name: 'Klaar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await fileNow(facade.id)).crop).toMatchObject({ width: 200, height: 200 })

  await click(1)
  await menu.getByRole('button', { name: 'Bijsnijden' }).click()
  await dialog.getByRole('button', { name: 'Klaar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await fileNow(facade.id)).crop, { message: 'it opens with the crop of now' })
    .toMatchObject({ width: 200, height: 200 })

  await click(0)
  await menu.getByRole('button', { name: 'Vervangen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'team.jpg gebruiken' }).click()
  await canvas.locator('.gallery img[src*="team"]').first().waitFor({ state: 'attached' })
  await button(page, 'Opslaan en publiceren').click()
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
  const [gallery] = (await getPageIn(site, id)).text.body as unknown as { items: { src: string; alt: string }[] }[]
  expect(gallery?.items).toMatchObject([
    { src: team.url, alt: '' },
    { src: facade.url, alt: 'De gevel van ons pand' },
  ])
  await canvas.locator('.columns img[alt="Ons team"]').last().click({ force: true })
  await menu.waitFor()
  await button(page, 'Overzicht').click()
  await outline(page)
    .getByRole('button', { name: /^Kolommen/ })
    .click()
  await menu.waitFor({ state: 'detached' })
  // The file had no description of its own.
  await expect.poll(async () => (await fileNow(facade.id)).alt.nl).toBe('De gevel van ons pand')
})

test('on a phone an image is described on the page itself, in Persian and in Dutch, and cropped and replaced there', async () => {
  await addPersianAdministrator(site)
  // One tab for both: it has compiled the editor.
  const page = await visitor(site.url, { width: 'phone' })
  await signInByApi(page)
  const [facade, team] = [await uploadPhoto(page, 'pui.jpg'), await uploadPhoto(page, 'ploeg.jpg')]
  await expect.poll(async () => (await fileNow(facade.id)).state).toBe('ready')
  await expect.poll(async () => (await fileNow(team.id)).state).toBe('ready')
  for (const { locale, who, text, alt } of [
    { locale: 'fa', who: roya, text: faBlocks, alt: 'نمای ساختمان' },
    { locale: 'nl', who: administrator, text: nlBlocks, alt: 'De pui' },
  ] as const) {
    const labels = text.visual.image
    const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale, title: alt })
    const body = [{ type: 'image', id: 'foto', src: facade.url, alt: '' }, aCtaBlock(alt, 'bel')]
    await savePage(site, await getPageIn(site, id, locale), { body })
    await page.context().clearCookies()
    await signInByApi(page, who)
    await openForm(page, id, locale)
    await page.getByTitle(text.mode.visual, { exact: true }).click()
    const dialog = page.getByRole('dialog')
    const image = canvasOf(page).locator('.image img:not(.blurred)')
    const menu = page.getByRole('group', { name: labels.label })
    // The page may still move under a first click, as its header and fonts arrive.
    const isOpen = async () => {
      if (!(await menu.isVisible())) {
        // When a first click chose the block alone, its form covers the lower half of the page.
        await image.evaluate((one) => one.scrollIntoView({ block: 'start' }))
        await image.click({ force: true, position: { x: 60, y: 120 } })
        // The menu covers the image, so a click too many would press one of its buttons.
        await menu.waitFor({ timeout: 5_000 }).catch(() => {})
      }
      return menu.isVisible()
    }
    const open = async (action: string) => {
      await expect.poll(isOpen).toBe(true)
      await menu.getByRole('button', { name: action }).click()
    }

    await open(labels.describe)
    await dialog.getByLabel(labels.description).fill(alt)
    await dialog.getByRole('button', { name: labels.done }).click()
    await canvasOf(page).locator(`img[alt="${alt}"]`).waitFor()
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    // In Dutch the rest is done on a desktop, by the test above.
    if (locale === 'nl') return

    await open(labels.crop)
    await setChecked(dialog.getByRole('radio', { name: '۱:۱', exact: true }))
    await dialog.getByRole('button', { name: faFiles.cropDone }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await fileNow(facade.id)).crop).toMatchObject({ width: 200, height: 200 })

    // Its resized images have other addresses than the block.
    await canvasOf(page).locator('.image picture img[width="200"][height="200"]').waitFor()
    await open(labels.replace)
    await dialog.getByRole('button', { name: faFiles.picker.use.replace('{{name}}', 'ploeg.jpg') }).click()
    await canvasOf(page).locator('.image img[src*="ploeg"]').first().waitFor({ state: 'attached' })
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
    await page.getByRole('button', { name: faPages.saveAndPublish }).click()
    await page.getByText(faPages.saved).first().waitFor()
    const [block] = (await getPageIn(site, id, locale)).text.body
    expect(block).toMatchObject({ src: team.url, alt })
  }
})

test('what is not accessible to everyone is described in words and leads to its block, and publishing asks about it', async () => {
  const page = await visitor(site.url)
  const requested = recordRequests(page)
  const { canvas, id } = await openEditorOn(site, page, 'Voor iedereen', [
    { type: 'image', id: 'logo', src: '/logo.svg', alt: '' },
    aCtaBlock('Bel ons', 'bel'),
  ])
  expect(
    requested.some((url) => url.includes('/axe.min-')),
    'nothing is loaded for it before',
  ).toBe(false)
  await button(page, 'Instellingen van deze pagina').click()
  await button(page, 'Controleren').click()
  await page.getByRole('button', { name: /^Afbeelding Een afbeelding heeft geen beschrijving/ }).click()
  const description = fields(page).getByLabel('Beschrijving', { exact: true })
  await description.waitFor()
  await expect.poll(() => hasFocusIn(fields(page))).toBe(true)
  await description.fill('Ons logo')
  await canvas.locator('img[alt="Ons logo"]').waitFor()
  await button(page, 'Instellingen van deze pagina').click()
  // What was found is still there.
  await button(page, 'Opnieuw controleren').click()
  await page.getByText('Er is niets gevonden.').waitFor()

  // An image that is a link needs a description.
  await canvas.locator('img[alt="Ons logo"]').click({ force: true })
  await description.fill('')
  await fields(page).getByLabel('Link', { exact: true }).fill('/')
  await button(page, 'Opslaan en publiceren').click()
  const question = page.getByRole('alertdialog', { name: 'Niet iedereen kan deze pagina goed gebruiken' })
  await question.getByText('Afbeelding: Een link heeft geen tekst').waitFor()
  await question.getByRole('button', { name: 'Eerst bekijken' }).click()
  const settings = page.getByRole('complementary', { name: 'Instellingen van deze pagina' })
  await settings.getByRole('button', { name: /Een link heeft geen tekst/ }).waitFor()
  await expect.poll(async () => (await getPageIn(site, id)).path).toBeNull()
  await button(page, 'Opslaan en publiceren').click()
  await question.getByRole('button', { name: 'Toch doorgaan' }).click()
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
  await expect.poll(async () => (await getPageIn(site, id)).path).toBe('/voor-iedereen')

  // In the list of blocks a finding leads to the field in its block too.
  await page.getByTitle('Als lijst', { exact: true }).click()
  await bodyField(page).getByRole('button', { name: 'Blok toevoegen' }).waitFor()
  await settings.getByRole('button', { name: /^Afbeelding Een afbeelding heeft geen beschrijving/ }).click()
  const inList = bodyField(page).getByLabel('Beschrijving', { exact: true })
  await inList.waitFor()
  await expect.poll(() => inList.evaluate((one) => one === document.activeElement)).toBe(true)
})

test('on a phone a page is filled from its outline, and saved; the page itself is one tap away', async () => {
  const id = await aSavedPage(site, 'In de trein', { body: [aCtaBlock('Bel ons', 'bel')] as never })
  const { version } = await getPageIn(site, id)
  await site.call('POST', `/api/pages/${id}/nl/review`, { version, note: 'Zo goed?' })
  const page = await visitor(site.url, { width: 'phone' })
  await signInByApi(page)
  await openForm(page, id)
  await bodyField(page).getByRole('button', { name: 'Blok toevoegen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Vragen', exact: true }).click()
  await bodyField(page).getByLabel('Titel', { exact: true }).fill('Wat men vraagt')
  await titleField(page).fill('In de bus')
  await button(page, 'Opslaan').click()
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
  const { text } = await getPageIn(site, id)
  expect([text.title, ...text.body.map(({ type }) => type)]).toEqual(['In de bus', 'cta', 'faq'])

  await page.getByTitle('Op de pagina', { exact: true }).click()
  const note = page.getByText('Zo goed?')
  await note.waitFor()
  await canvasOf(page).getByText('Bel ons', { exact: true }).click()
  await fields(page).getByLabel('Titel', { exact: true }).fill('Mail ons')
  await canvasOf(page).getByText('Mail ons', { exact: true }).waitFor()
  // The fields take half of the screen, so the review makes room for the page until they are folded away.
  await note.waitFor({ state: 'hidden' })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 700 })
    await expect.poll(() => horizontalOverflow(page)).toBe(0)
  }
  await button(page, 'Gekozen blok inklappen').click()
  await note.waitFor()

  const lower = canvasOf(page).getByRole('heading', { name: 'Wat men vraagt' })
  await lower.click()
  await fields(page).getByLabel('Titel', { exact: true }).waitFor()
  const inSight = () =>
    lower.evaluate((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight)
  await expect.poll(inSight, { message: 'what was tapped stays above the fields' }).toBe(true)
})
