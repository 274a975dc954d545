import type { FrameLocator, Locator, Page, Response } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { pageBlockTypes } from '../../src/admin/features/blocks/block-choices.ts'
import { blocks } from '../../src/blocks/registry.ts'
import type { StoredBlock } from '../../src/contract/site-config.ts'
import {
  aProgramWithAdministrator,
  disablePreloading,
  type ProgramWithAdministrator,
  signInByApi,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { waitForCanvas } from '../support/canvas.ts'
import { blockTypes, filledBlock } from '../support/filled-blocks.ts'
import { openPalette } from '../support/keyboard.ts'
import { aSavedPage, draftOf, getPageIn, openForm, savePage, titleField } from '../support/page-editor.ts'
import { scriptPayloads } from '../support/script-payloads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
const roya = { email: 'roya@example.nl', password: 'geheim-roya' }
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'رویا مرادی', ...roya, roleId: 2, locale: 'fa' })
})

const line = (id: string): StoredBlock => ({ type: 'line', id })
const cta = (title: string, id: string) => ({
  type: 'cta',
  id,
  title,
  text: 'Wij zitten klaar.',
  button: { title: 'Contact', url: '/#contact' },
})

async function editing(title: string, body: object[], who?: { email: string; password: string }) {
  const id = await aSavedPage(site, title, { body: body as never })
  const page = await visitor(site.url)
  await signInByApi(page, who)
  await openForm(page, id)
  const canvas = await waitForCanvas(page)
  return { id, page, canvas }
}

const body = (page: Page) => page.locator('[data-page-field="body"]')
const panel = (page: Page, name: 'Toevoegen' | 'Overzicht') =>
  page.locator('[data-page-field="body"]').getByRole('button', { name, exact: true })
const tile = (page: Page, name: string): Locator => page.getByRole('button', { name: `${name} toevoegen`, exact: true })
/** Waits until the draft has these blocks. */
const typesOf = async (id: number) => {
  const draft = await site.call<{ text: { body: StoredBlock[] } }>('GET', `/api/pages/${id}/nl/draft`)
  return draft.text.body.map(({ type }) => type)
}
const seen = (canvas: FrameLocator, text: string) => canvas.getByText(text, { exact: true }).first().waitFor()

describe('the visual editor', () => {
  test('every block can be added to a page, is shown at once, and is saved', async () => {
    const { id, page, canvas } = await editing('Van alles', [])
    // Those of the header and the footer, and a section without its name, are not offered.
    const offered = blockTypes.filter((type) => pageBlockTypes.includes(type))
    await panel(page, 'Toevoegen').first().click()
    await expect.poll(() => page.getByRole('button', { name: 'Menu toevoegen', exact: true }).count()).toBe(0)
    // Without the mouse, which the tests of the canvas use for it.
    for (const type of offered) await tile(page, blocks[type].labels.nl.name).dispatchEvent('click')
    await expect.poll(() => canvas.locator('main [data-puck-component]').count()).toBeGreaterThanOrEqual(offered.length)
    await page.getByRole('button', { name: 'Opslaan', exact: true }).click()
    await page.getByText('Pagina is opgeslagen!').first().waitFor()
    const stored = (await getPageIn(site, id)).text.body
    expect(stored.map(({ type }) => type).sort()).toEqual([...offered].sort())
    expect(new Set(stored.map((block) => (block as StoredBlock).id)).size).toBe(offered.length)
  })

  test('text is typed on the page: in titles, questions, answers, columns and buttons, with brackets while it has the caret', async () => {
    const columns = [
      { blocks: [{ type: 'link', id: 'knop', title: 'Klik', url: '/', className: 'button' }] },
      { blocks: [{ type: 'content', id: 'kolom', selector: 'div', className: '', content: '<p>Kolom</p>' }] },
    ]
    const { id, page, canvas } = await editing('Typen', [
      cta('[brand] helpt', 'bel'),
      {
        type: 'faq',
        id: 'vragen',
        anchor: '',
        title: 'Vragen',
        items: [{ question: 'Waarom?', answer: '<p>Daarom.</p>' }],
      },
      { type: 'columns', id: 'naast', columns },
    ])
    // Hovering shows an outline and keeps the block's colours.
    await canvas.locator('.cta').hover()
    const overlay = canvas
      .locator('[class*="DraggableComponent--hover"] [class*="DraggableComponent-overlay_"]')
      .first()
    await overlay.waitFor({ state: 'attached' })
    const { backgroundColor, outlineStyle } = await overlay.evaluate((one) => {
      const { backgroundColor, outlineStyle } = getComputedStyle(one)
      return { backgroundColor, outlineStyle }
    })
    expect({ backgroundColor, outlineStyle }).toEqual({ backgroundColor: 'rgba(0, 0, 0, 0)', outlineStyle: 'solid' })

    const typeAfter = async (text: string, more: string) => {
      await canvas.getByText(text, { exact: true }).click()
      // The text before it may still have the caret.
      const last = text.split(' ').at(-1) ?? text
      await canvas.locator('[data-typed="now"]').filter({ hasText: last }).waitFor()
      // The editor of a rich text puts the caret where was clicked once more, a frame later.
      await expect
        .poll(async () => {
          await page.keyboard.press('Control+End')
          return canvas.locator('[data-typed="now"]').evaluate((one) => {
            const caret = getSelection()
            if (!caret?.focusNode || !one.contains(caret.focusNode)) return 'elsewhere'
            const rest = document.createRange()
            rest.setStart(caret.focusNode, caret.focusOffset)
            rest.setEnd(one, one.childNodes.length)
            return rest.toString().trim()
          })
        })
        .toBe('')
      await page.keyboard.type(more)
    }
    const title = canvas.locator('.cta h2')
    const { brand } = (await site.call<{ site: { brand: string } }>('POST', '/api/scene', { pictures: [] })).site
    await typeAfter(`${brand} helpt`, ' u')
    await expect.poll(() => title.textContent()).toBe('[brand] helpt u')
    // Enter does not break a line, Delete and undo are the text's own, and the form beside it follows.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+z')
    await expect.poll(() => title.textContent()).toBe('[brand] helpt')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => title.textContent()).toBe('[brand] helpt u')
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await page.keyboard.type('[')
    await expect.poll(() => body(page).getByLabel('Titel', { exact: true }).inputValue()).toBe('[brand] helpt u')
    await page.keyboard.press('Escape')
    await seen(canvas, `${brand} helpt u`)

    // Another tab's change waits while the caret is in a text, and takes nothing from it.
    await expect.poll(async () => (await draftOf(site, id))?.text.body[0]).toMatchObject({ title: '[brand] helpt u' })
    await title.click()
    await canvas.locator('.cta h2[data-typed="now"]').waitFor()
    const draft = await draftOf(site, id)
    if (!draft) throw new Error('no draft')
    const { text, baseVersion, revision } = draft
    Object.assign(text.body[1] as object, { title: 'Gevraagd' })
    await site.call('PUT', `/api/pages/${id}/nl/draft`, { text, baseVersion, revision })
    await page.keyboard.press('End')
    await page.keyboard.type(' altijd')
    await expect
      .poll(async () => (await draftOf(site, id))?.text.body)
      .toMatchObject([{ title: '[brand] helpt u altijd' }, { title: 'Gevraagd' }, {}])
    await expect.poll(() => canvas.locator('[data-typed="now"]').textContent()).toBe('[brand] helpt u altijd')
    await titleField(page).click()
    await seen(canvas, 'Gevraagd')

    await typeAfter('Waarom?', ' Nou')
    await typeAfter('Daarom.', ' Zo')
    await page.keyboard.press('Control+b')
    await page.keyboard.type(' is het')
    await typeAfter('Klik', ' hier')
    await typeAfter('Kolom', ' twee')
    await page.keyboard.press('Control+s')
    await page.getByText('Pagina is opgeslagen!').first().waitFor()
    await expect
      .poll(async () => (await getPageIn(site, id)).text.body)
      .toMatchObject([
        { title: '[brand] helpt u altijd' },
        { items: [{ question: 'Waarom? Nou', answer: '<p>Daarom. Zo<strong> is het</strong></p>' }] },
        { columns: [{ blocks: [{ title: 'Klik hier' }] }, { blocks: [{ content: '<p>Kolom twee</p>' }] }] },
      ])
  })

  test('characters that are typed right after a click into rich text, before the next frame, are not lost', async () => {
    const { id, page, canvas } = await editing('Snel getypt', [
      { type: 'content', id: 'tekst', selector: 'div', className: '', content: '<p>Eerst.</p>' },
    ])
    // As on a slow computer.
    await page.evaluate(() => {
      window.requestAnimationFrame = (callback) => window.setTimeout(() => callback(performance.now()), 500)
    })
    await canvas.getByText('Eerst.', { exact: true }).click()
    await canvas.locator('[data-typed="now"]').filter({ hasText: 'Eerst.' }).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Snel getypt')
    await expect
      .poll(async () => (await draftOf(site, id))?.text.body[0])
      .toMatchObject({ content: '<p>Eerst. Snel getypt</p>' })
  })

  test('a text that is emptied right after typing in the rich text of its block keeps the caret', async () => {
    const { id, page, canvas } = await editing('Leeg en opnieuw', [
      { type: 'contact-form', id: 'a', title: 'Schrijf ons', intro: 'Vertel het.', note: '<p>Onder de knop.</p>' },
    ])
    const texts = async () => (await draftOf(site, id))?.text.body[0]
    await canvas.getByText('Onder de knop.', { exact: true }).click()
    await canvas.locator('[data-typed="now"]').filter({ hasText: 'Onder de knop.' }).waitFor()
    await canvas.getByText('Vertel het.', { exact: true }).click()
    await canvas.locator('[data-typed="now"]').filter({ hasText: 'Vertel het.' }).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await expect.poll(texts).toMatchObject({ intro: '' })
    await page.keyboard.type('Nieuw')
    await expect.poll(texts).toMatchObject({ intro: 'Nieuw' })
  })

  test('without a mouse: a block is selected, moved, duplicated and deleted in the outline, with announcements', async () => {
    const { id, page, canvas } = await editing('Toetsen', [cta('Eerst', 'een'), line('streep')])
    await panel(page, 'Overzicht').first().focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('button', { name: /^Oproep/ })
      .first()
      .focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Verplaatst: Oproep, nu op plaats 2.').waitFor({ state: 'attached' })
    await expect.poll(() => typesOf(id).catch(() => [])).toEqual(['line', 'cta'])
    await page.keyboard.press('Control+d')
    await expect.poll(() => canvas.getByText('Eerst', { exact: true }).count()).toBe(2)
    await page.getByText('Toegevoegd: Oproep.').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: /^Lijn/ }).first().focus()
    await page.keyboard.press('Delete')
    await page.getByText('Verwijderd: Lijn.').waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Ongedaan maken' }).click()
    await canvas.locator('main hr').waitFor()
  })

  test('in Persian: texts and direction of the editor, and a page in its own direction', async () => {
    const { page, canvas } = await editing('Perzisch', [cta('Bel ons', 'bel')], roya)
    await page.getByRole('button', { name: 'افزودن', exact: true }).first().waitFor()
    for (const [name, width] of [
      ['تبلت', 820],
      ['گوشی', 390],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => canvas.locator('html').evaluate(() => innerWidth)).toBe(width)
    }
    // The page has the colours of the admin, whatever the system's are.
    const ground = () => canvas.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
    const light = await ground()
    const choose = async (scheme: string) => {
      await (await openPalette(page)).fill(scheme)
      await page.keyboard.press('Enter')
    }
    await choose('تیره')
    await expect.poll(ground).not.toBe(light)
    await choose('روشن')
    await expect.poll(ground).toBe(light)
    await expect.poll(() => canvas.locator('html').getAttribute('dir')).toBe('ltr')
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
    await canvas.getByText('Bel ons', { exact: true }).click()
    await page.locator('[data-page-field="body"]').getByLabel('عنوان', { exact: true }).fill('Mail ons')
    await seen(canvas, 'Mail ons')
  })
})

test('a stored script runs neither on the site nor in the editor, and leaves no handler behind', async () => {
  const body = scriptPayloads
    .slice(0, 12)
    .flatMap((payload) => [
      filledBlock('content', payload),
      filledBlock('faq', payload),
      filledBlock('testimonial', payload),
    ])
  const id = await aSavedPage(site, 'Aanval')
  await savePage(site, await getPageIn(site, id), { body: body as never }, true)
  const page = await visitor(site.url)
  await signInByApi(page)
  const ran: string[] = []
  page.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  await page.exposeFunction('hacked', () => ran.push('hacked'))
  const handlers = (root: Page | FrameLocator) =>
    root
      .locator('main')
      .first()
      .evaluate((main) =>
        [...main.querySelectorAll('*')].flatMap((one) => one.getAttributeNames().filter((name) => /^on/.test(name))),
      )
  await page.goto('/aanval')
  await page.locator('main details').first().waitFor()
  await expect.poll(() => handlers(page)).toEqual([])
  await openForm(page, id)
  const canvas = page.frameLocator('[data-page-field="body"] iframe')
  await canvas.locator('main details').first().waitFor()
  await expect.poll(() => handlers(canvas)).toEqual([])
  expect(ran).toEqual([])
})

test('the first view of the editor, without what it loads in advance afterwards, is at most 450 KiB of scripts and styles with their headers', async () => {
  const id = await aSavedPage(site, 'Gewicht', { body: [cta('Bel ons', 'bel')] as never })
  const page = await visitor(site.url)
  await disablePreloading(page)
  await signInByApi(page)
  const bytes: Promise<number>[] = []
  page.on('response', (response) => {
    if (!/\.(js|css)$/.test(new URL(response.url()).pathname)) return
    bytes.push(bytesOf(response))
  })
  await page.goto(`/admin/pages/${id}/nl`)
  await seen(page.frameLocator('[data-page-field="body"] iframe'), 'Bel ons')
  const sum = (await Promise.all(bytes)).reduce((all, one) => all + one, 0)
  expect(sum).toBeGreaterThan(200_000)
  expect(sum).toBeLessThanOrEqual(450 * 1024)
})

/** On the wire: the compressed body and the headers. */
async function bytesOf(response: Response): Promise<number> {
  const headers = await response.headersArray()
  const lines = ['HTTP/1.1 200 OK', ...headers.map(({ name, value }) => `${name}: ${value}`), '', '']
  return Number(await response.headerValue('content-length')) + lines.join('\r\n').length
}
