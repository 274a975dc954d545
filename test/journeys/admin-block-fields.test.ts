import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import type { ListOf } from '../../src/contract/list.ts'
import type { StoredBlock } from '../../src/contract/site-config.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  setChecked,
  signInByApi,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aCtaBlock, bodyField, canvasOf, openEditorOn } from '../support/canvas.ts'
import { isFocused } from '../support/keyboard.ts'
import { type LocalFile, localFile } from '../support/local-files.ts'
import { aSavedPage, draftOf, getPageIn, openForm, switchToBlockList } from '../support/page-editor.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

/** Drops a file on an element of the screen or of the canvas, with the events of a browser. */
const drop = (on: Locator, { name, mimeType, buffer }: LocalFile) =>
  on.evaluate(
    (target, { name, mimeType, base64 }) => {
      const view = target.ownerDocument.defaultView as Window & typeof globalThis
      const data = new view.DataTransfer()
      const bytes = view.Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new view.File([bytes], name, { type: mimeType }))
      return ['dragenter', 'dragover', 'drop'].map((type) =>
        target.dispatchEvent(new view.DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true })),
      )
    },
    { name, mimeType, base64: buffer.toString('base64') },
  )

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Opslaan en publiceren' }).click()
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
}
const photo = async (name: string) => localFile(name, await aPhoto(300, 240))
const bodyIn = async (id: number) => (await getPageIn(site, id)).text.body as (StoredBlock & { src?: string })[]

test('an image that is dropped on a block is seen there at once, with its progress, and is never broken', async () => {
  const page = await visitor(site.url)
  const body = [
    { type: 'image', id: 'foto', src: '/logo.svg', alt: 'De kade' },
    {
      type: 'team',
      id: 'team',
      anchor: '',
      title: 'Ons team',
      items: [{ name: 'Roya', role: '', picture: '/logo.svg' }],
    },
  ]
  const { canvas } = await openEditorOn(site, page, 'Kade', body)
  const image = canvas.locator('.image img[alt="De kade"], img[alt="De kade"]').first()
  await image.click({ force: true })
  const sent = Promise.withResolvers<void>()
  const sentBefore = Promise.withResolvers<void>()
  await page.route('**/api/files?*', async (route) => {
    await (route.request().url().includes('kade') ? sent : sentBefore).promise
    await route.continue()
  })
  const source = () => image.evaluate((one: HTMLImageElement) => one.currentSrc)
  const isShown = () => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0)
  const failed: string[] = []
  page.on('response', (response) => {
    if (response.url().includes('/files/') && response.status() >= 400) failed.push(response.url())
  })
  // The sample texts of the entry that it adds can be typed in when it is there.
  await drop(canvas.getByText('Roya', { exact: true }), await photo('portret.jpg'))
  await canvas.getByText('Voornaam Achternaam').waitFor()
  const typed = canvas.locator('[data-typed]').filter({ hasText: 'Voornaam Achternaam' })
  await expect.poll(() => typed.count()).toBe(0)

  await drop(image, localFile('kade.jpg', await aPhoto(640, 480)))
  await expect.poll(source).toMatch(/^blob:/)
  await expect.poll(isShown).toBe(true)
  const progress = page.getByRole('progressbar', { name: /kade\.jpg/ })
  await progress.waitFor()

  sent.resolve()
  await progress.waitFor({ state: 'detached' })
  // It is put into its block after the one before it, and is shown until then.
  await expect.poll(() => source()).toMatch(/^blob:/)
  sentBefore.resolve()
  await typed.waitFor()
  // Its fields and the page show the image of this computer until the server has its own.
  const chosen = page.getByRole('group', { name: 'Bestand' }).locator('img').first()
  await expect
    .poll(async () => {
      expect(await isShown()).toBe(true)
      return source()
    })
    .toMatch(/\/files\/[0-9a-f]{32}\/\d+\/kade\.\w+$/)
  await expect.poll(() => chosen.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  expect(failed).toEqual([])
})

test('an image that is dropped on the field of a block is shown, here and on the site; a selected one brings its description, unless one is filled in', async () => {
  const page = await visitor(site.url)
  const { id, canvas } = await openEditorOn(site, page, 'Werkplaats', [
    { type: 'image', id: 'foto', src: '[logo]', alt: '' },
  ])
  const name = 'werkplaats.jpg'
  const stored = async () => (await site.call<ListOf<StoredFile>>('GET', `/api/files?search=${name}`)).data
  await canvas.locator('main img').first().click({ force: true })
  await drop(bodyField(page).getByText('Of sleep een afbeelding hierheen.'), await photo(name))
  // Once the server has its first width, which other work may delay.
  await canvas.locator(`main .image img[src*="${name}"]`).waitFor()
  await expect.poll(async () => (await stored()).length).toBe(1)
  await site.call('PUT', `/api/files/${(await stored())[0]?.id}`, { alt: { nl: 'Onze werkplaats', fa: 'کارگاه ما' } })
  const body = bodyField(page)
  const field = body.getByLabel('Beschrijving', { exact: true })
  const choose = async () => {
    // The label in the accessible name is the visible text.
    await body.getByRole('button', { name: 'Andere afbeelding kiezen: Bestand', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `${name} gebruiken` })
      .click()
  }
  await choose()
  await expect.poll(() => field.inputValue()).toBe('Onze werkplaats')
  // The menu of the image knows what was typed since it opened.
  await canvas.locator('main .image img:not(.blurred)').click({ force: true })
  const menu = page.getByRole('group', { name: 'Afbeelding', exact: true })
  await menu.waitFor()
  await field.fill('Bij ons')
  await menu.getByRole('button', { name: 'Beschrijven' }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel('Beschrijving').inputValue()).toBe('Bij ons')
  await dialog.getByRole('button', { name: 'Annuleren' }).click()
  await dialog.waitFor({ state: 'detached' })

  // It closes when its block gets another image, and stays closed when that is undone.
  await canvas.locator('main .image img:not(.blurred)').click({ force: true })
  await menu.waitFor()
  await body.getByRole('button', { name: /^Het logo gebruiken/ }).click()
  await menu.waitFor({ state: 'detached' })
  await page.getByRole('toolbar').getByRole('button', { name: 'Ongedaan maken' }).click()
  await canvas.locator(`main .image img[src*="${name}"]`).waitFor()
  expect(await menu.count()).toBe(0)
  await field.fill('Bij ons')
  await choose()
  await expect.poll(() => field.inputValue()).toBe('Bij ons')

  await publish(page)
  await expect.poll(async () => (await bodyIn(id))[0]?.src).toMatch(/^\/files\/[0-9a-f]{32}\/werkplaats\.jpg$/)
  await page.goto('/werkplaats')
  await page.locator('main .image img[alt="Bij ons"]').waitFor()
})

test('an image dropped on a block of the canvas goes into it, and elsewhere into a new block', async () => {
  const page = await visitor(site.url)
  const body = [{ type: 'image', id: 'foto', src: '/logo.svg', alt: 'De gevel' }, aCtaBlock('Bel ons', 'bel')]
  const { id, canvas } = await openEditorOn(site, page, 'Op het doek', body)
  const code = Promise.withResolvers<void>()
  await page.route('**/assets/canvas-uploads-*.js', async (route) => {
    await code.promise
    await route.continue()
  })
  // The browser would open the file instead: every one of these drops is prevented.
  const held = await drop(canvas.locator('img[alt="De gevel"]'), await photo('gevel.jpg'))
  expect(held).toEqual([true, false, false])
  // It is seen before even the code that uploads it is there.
  const image = canvas.locator('.image img[alt="De gevel"]')
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.currentSrc)).toMatch(/^blob:/)
  // A click chooses a block in the outline, also in Safari, where it does not focus the button.
  await bodyField(page)
    .locator('[data-name-of="bel"]')
    .evaluate((button) => (button as HTMLElement).click())
  const text = bodyField(page).getByLabel('Tekst', { exact: true })
  await expect.poll(() => text.inputValue()).toBe('Wij zitten klaar.')
  await text.press('End')
  code.resolve()
  // Once the server has its first width, which other work may delay.
  await canvas.locator('.image img[alt="De gevel"][src*="gevel.jpg"]').waitFor()
  await page.keyboard.type(' Bel nu.')
  expect(await text.inputValue(), 'the form in which somebody types stays').toBe('Wij zitten klaar. Bel nu.')
  await drop(canvas.getByText('Bel ons', { exact: true }), await photo('team.jpg'))
  await drop(canvas.getByText('Bel ons', { exact: true }), await photo('ploeg.jpg'))
  await expect.poll(() => canvas.locator('main .image').count()).toBe(3)
  await publish(page)
  const stored = await bodyIn(id)
  expect(stored.map(({ type }) => type)).toEqual(['image', 'cta', 'image', 'image'])
  expect(stored[0]?.src).toMatch(/gevel\.jpg$/)
  expect(stored[2]?.src).toMatch(/team\.jpg$/)
  expect(stored[3]?.src).toMatch(/ploeg\.jpg$/)
})

test('typed text with bold, a link and a list is clean HTML on the public page', async () => {
  const page = await visitor(site.url)
  const { id, canvas } = await openEditorOn(site, page, 'Opmaak', [
    { type: 'rich-text', id: 'tekst', content: '<p>Oud</p>' },
  ])
  await canvas.getByText('Oud', { exact: true }).click()
  const text = bodyField(page).getByRole('textbox', { name: 'Inhoud' })
  const tool = async (name: string) => {
    await bodyField(page).getByRole('button', { name, exact: true }).click()
    if (name !== 'Link') await caretIsBack()
  }
  const caretIsBack = () => expect.poll(() => isFocused(text)).toBe(true)
  await text.click()
  await caretIsBack()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Wij bouwen ')
  await tool('Vet')
  await page.keyboard.type('snel')
  await tool('Vet')
  await page.keyboard.type(' en ')
  await tool('Link')
  await bodyField(page).getByLabel('Waar leidt de link heen?').fill('/disclaimer')
  await page.keyboard.press('Enter')
  await caretIsBack()
  await page.keyboard.press('Enter')
  await tool('Opsomming')
  await page.keyboard.type('Een <script>')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Twee')
  await publish(page)
  const clean =
    '<p>Wij bouwen <strong>snel</strong> en <a href="/disclaimer">/disclaimer</a></p><ul><li><p>Een &lt;script&gt;</p></li><li><p>Twee</p></li></ul>'
  const [stored] = (await bodyIn(id)) as { content?: string }[]
  const html = await (await fetch(`${site.url}/opmaak`)).text()
  expect(html).toContain(stored?.content ?? 'nothing stored')
  expect(stored?.content?.replaceAll(/<\/?p>(?=[^<]*<\/?li)|(?<=<li>)<p>|<\/p>(?=<\/li>)/g, '')).toBe(
    clean.replaceAll(/(?<=<li>)<p>|<\/p>(?=<\/li>)/g, ''),
  )

  await text.click()
  await page.keyboard.type('!')
  const saved = page.waitForResponse(
    (response) =>
      response.request().method() === 'PUT' && /^\/api\/pages\/\d+\/nl$/.test(new URL(response.url()).pathname),
  )
  await page.keyboard.press('Control+s')
  expect((await saved).status()).toBe(200)
})

const openList = async (title: string, body: object[]) => {
  const page = await visitor(site.url)
  const id = await aSavedPage(site, title, { body: body as never })
  await switchToBlockList(page)
  await signInByApi(page)
  await openForm(page, id)
  return { id, page }
}
/** @returns a function that lets uploads reach the server, which wait until then */
async function holdUploads(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/files?*', async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue()
  })
  return resolve
}

/** How many texts of pages the browser keeps. */
const localDrafts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('etalage-drafts')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          if (!opening.result.objectStoreNames.contains('kept')) return resolve(0)
          const counting = opening.result.transaction('kept').objectStore('kept').count()
          counting.onsuccess = () => resolve(counting.result)
        }
      }),
  )

const draftBody = async (id: number) => (await draftOf(site, id))?.text.body

test('text pasted from Word keeps its headings and lists', async () => {
  const page = await visitor(site.url)
  const { id, canvas } = await openEditorOn(site, page, 'Uit Word', [
    { type: 'rich-text', id: 'tekst', content: '<p>Oud</p>' },
  ])
  await canvas.getByText('Oud', { exact: true }).click()
  const text = bodyField(page).getByRole('textbox', { name: 'Inhoud' })
  await text.click()
  await page.keyboard.press('Control+a')
  const item = (marker: string, level: number, words: string) =>
    `<p class=MsoListParagraph style='margin-left:36.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`
  const html = `<html><body><!--StartFragment--><h1>Vlaai<o:p></o:p></h1><p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Elke dag</b> vers</p>${item('·', 1, 'Kersen')}${item('o', 2, 'Zonder pit')}${item('·', 1, '<i>Rijst</i>')}<p class=MsoNormal style='mso-list:none'>Bestellen:</p>${item('1.', 1, 'Bel ons')}${item('2.', 1, 'Haal op')}<p>فارسی</p>${item('۱-', 1, 'زنگ بزنید')}<!--EndFragment--></body></html>`
  await text.evaluate((element, html) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)
  await publish(page)
  const [stored] = (await bodyIn(id)) as { content?: string }[]
  expect(stored?.content?.replaceAll(/<li><p>(.*?)<\/p>/g, '<li>$1')).toBe(
    '<h2>Vlaai</h2><p><strong>Elke dag</strong> vers</p><ul><li>Kersen<ul><li>Zonder pit</li></ul></li><li><em>Rijst</em></li></ul><p>Bestellen:</p><ol><li>Bel ons</li><li>Haal op</li></ol><p>فارسی</p><ol><li>زنگ بزنید</li></ol>',
  )
})

test('an image that is stored after its block was closed, moved and changed goes into that block', async () => {
  const { id, page } = await openList('Onderweg', [
    { type: 'image', id: 'foto', src: '/logo.svg', alt: 'De gevel' },
    aCtaBlock('Bel ons', 'bel'),
  ])
  const send = await holdUploads(page)
  const block = (name: RegExp) => bodyField(page).getByRole('button', { name })
  await block(/^Afbeelding\s*De gevel/).click()
  await drop(bodyField(page).getByText('Of sleep een afbeelding hierheen.'), await photo('onderweg.jpg'))
  await page.getByRole('progressbar', { name: /onderweg\.jpg/ }).waitFor()
  await block(/^Oproep/).click()
  await bodyField(page).getByLabel('Titel', { exact: true }).fill('Mail ons')
  await block(/^Afbeelding/).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await block(/^Afbeelding\s*De gevel/).click()
  await bodyField(page).getByLabel('Beschrijving', { exact: true }).fill('De kade')
  send()
  await expect
    .poll(() => draftBody(id))
    .toMatchObject([
      { id: 'bel', title: 'Mail ons' },
      { id: 'foto', alt: 'De kade', src: expect.stringMatching(/onderweg\.jpg$/) },
    ])
})

test('an image that is stored after its person was moved on the page goes to that person', async () => {
  const page = await visitor(site.url)
  const items = ['Roya', 'Bart'].map((name) => ({ name, role: '', picture: '/logo.svg' }))
  const body = [{ type: 'team', id: 'team', anchor: '', title: 'Ons team', items }]
  const { id, canvas } = await openEditorOn(site, page, 'Mensen onderweg', body)
  const send = await holdUploads(page)
  await canvas.locator('main img').first().click({ force: true })
  const roya = page.getByRole('button', { name: 'Roya', exact: true })
  const entry = bodyField(page).getByRole('listitem').filter({ has: roya })
  await entry.getByRole('button', { name: 'Roya', exact: true }).click()
  await drop(entry.getByText('Of sleep een afbeelding hierheen.'), await photo('portret.jpg'))
  await page.getByRole('progressbar', { name: /portret\.jpg/ }).waitFor({ state: 'attached' })
  await bodyField(page).getByRole('button', { name: 'Acties voor Roya' }).click()
  await page.getByRole('menuitem', { name: 'Omlaag' }).click()
  await expect.poll(() => draftBody(id)).toMatchObject([{ items: [{ name: 'Bart' }, { name: 'Roya' }] }])
  send()
  const portrait = { name: 'Roya', picture: expect.stringMatching(/portret\.jpg$/) }
  await expect.poll(() => draftBody(id)).toMatchObject([{ items: [{ name: 'Bart', picture: '/logo.svg' }, portrait] }])
})

test('undo restores what was deleted from the list: a question into its block, which was closed and moved meanwhile, and a block beside what was then typed on the page', async () => {
  const items = ['Wie', 'Wat'].map((question) => ({ question, answer: '<p>Ja.</p>' }))
  const { id, page } = await openList('Terug', [
    { type: 'faq', id: 'vragen', anchor: '', title: 'Vragen', items },
    aCtaBlock('Bel ons', 'bel'),
    aCtaBlock('Kom langs', 'kom'),
  ])
  const undo = page.locator('.notification-text').getByRole('button', { name: 'Ongedaan maken' })
  const block = bodyField(page).getByRole('button', { name: /^Vragen\s*Vragen/ })
  await block.click()
  await bodyField(page).getByRole('button', { name: 'Acties voor Wie' }).click()
  await page.getByRole('menuitem', { name: 'Verwijderen' }).click()
  await undo.hover()
  await block.click()
  await page.keyboard.press('Alt+ArrowDown')
  await undo.click()
  await expect.poll(() => draftBody(id)).toMatchObject([{ id: 'bel' }, { id: 'vragen', items }, { id: 'kom' }])

  await bodyField(page)
    .getByRole('button', { name: /^Oproep\s*Bel ons/ })
    .focus()
  await page.keyboard.press('Delete')
  await undo.hover()
  await setChecked(page.getByRole('radio', { name: 'Op de pagina' }))
  await canvasOf(page).getByText('Kom langs', { exact: true }).click()
  await bodyField(page).getByLabel('Titel', { exact: true }).fill('Kom eens langs')
  await undo.click()
  await expect
    .poll(() => draftBody(id))
    .toMatchObject([{ title: 'Bel ons' }, { id: 'vragen', items }, { title: 'Kom eens langs' }])
})

test('images whose upload ends after the editor was switched to the list go into their block, or to the end', async () => {
  const page = await visitor(site.url)
  const { id, canvas } = await openEditorOn(site, page, 'Later', [
    { type: 'image', id: 'foto', src: '/logo.svg', alt: 'De gevel' },
    aCtaBlock('Bel ons', 'bel'),
  ])
  const send = await holdUploads(page)
  await drop(canvas.locator('img[alt="De gevel"]'), await photo('gevel.jpg'))
  await drop(canvas.getByText('Bel ons', { exact: true }), await photo('team.jpg'))
  await page.getByRole('progressbar', { name: /team\.jpg/ }).waitFor()
  await setChecked(page.getByRole('radio', { name: 'Als lijst' }))
  await bodyField(page)
    .getByRole('button', { name: /^Oproep/ })
    .click()
  await bodyField(page).getByLabel('Titel', { exact: true }).fill('Mail ons')
  send()
  await expect
    .poll(() => draftBody(id))
    .toMatchObject([
      { id: 'foto', src: expect.stringMatching(/gevel\.jpg$/), alt: 'De gevel' },
      { id: 'bel', title: 'Mail ons' },
      { type: 'image', src: expect.stringMatching(/team\.jpg$/) },
    ])
})

test('an image that is stored after its page was left changes nothing there', async () => {
  const page = await visitor(site.url)
  const { id, canvas } = await openEditorOn(site, page, 'Verlaten', [
    { type: 'image', id: 'foto', src: '/logo.svg', alt: 'De gevel' },
  ])
  const send = await holdUploads(page)
  await drop(canvas.locator('img[alt="De gevel"]'), await photo('verlaten.jpg'))
  await page.getByRole('progressbar', { name: /verlaten\.jpg/ }).waitFor()
  await page.getByRole('link', { name: 'Pagina’s' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Pagina’s' }).waitFor()
  send()
  const stored = async () => (await site.call<ListOf<StoredFile>>('GET', '/api/files?search=verlaten.jpg')).data.length
  await expect.poll(stored).toBe(1)
  await goToScreen(page, `/admin/pages/${id}/nl`)
  await canvasOf(page).locator('img[alt="De gevel"]').waitFor()
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  expect(await localDrafts(page)).toBe(0)
  expect(await draftBody(id)).toBeUndefined()
})
