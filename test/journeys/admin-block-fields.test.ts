import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import type { ListOf } from '../../src/contract/list.ts'
import type { StoredBlock } from '../../src/contract/site-config.ts'
import { aStaffedProgram, type StaffedProgram } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { bodyOf, cta, editing } from '../support/canvas.ts'
import { savedIn } from '../support/drafts.ts'
import { type OwnFile, ownFile } from '../support/upload-files.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram()
})

/** Lets a file fall on a thing of the screen or of the canvas, as the browser tells it. */
const drop = (on: Locator, { name, mimeType, buffer }: OwnFile) =>
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
const photo = async (name: string) => ownFile(name, await aPhoto(500, 400))
const bodyIn = async (id: number) => (await savedIn(site, id)).text.body as (StoredBlock & { src?: string })[]

test('a picture that is dropped on the field of a block is uploaded and stands in it, here and on the site', async () => {
  const page = await visitor(site.url)
  const body = [{ type: 'image', id: 'foto', src: '/logo.svg', alt: 'De gevel' }]
  const { id, canvas } = await editing(site, page, 'Gevel', body)
  await canvas.locator('img[alt="De gevel"]').click({ force: true })
  await drop(bodyOf(page).getByText('Of sleep een afbeelding hierheen.'), await photo('gevel.jpg'))
  await canvas.locator('.picture img[alt="De gevel"]').waitFor()
  await publish(page)
  expect((await bodyIn(id))[0]?.src).toMatch(/^\/files\/[0-9a-f]{32}\/gevel\.jpg$/)
  await page.goto('/gevel')
  await page.locator('main .picture img[alt="De gevel"]').waitFor()
})

test('a picture that is chosen brings what the files say of it, and takes nothing of what is said here', async () => {
  const page = await visitor(site.url)
  const { canvas } = await editing(site, page, 'Werkplaats', [{ type: 'image', id: 'foto', src: '[logo]', alt: '' }])
  const name = 'werkplaats.jpg'
  const stored = async () => (await site.call<ListOf<StoredFile>>('GET', `/api/files?search=${name}`)).data
  await canvas.locator('main img').first().click({ force: true })
  await drop(bodyOf(page).getByText('Of sleep een afbeelding hierheen.'), await photo(name))
  await expect.poll(async () => (await stored()).length).toBe(1)
  await site.call('PUT', `/api/files/${(await stored())[0]?.id}`, { alt: { nl: 'Onze werkplaats', fa: 'کارگاه ما' } })
  const body = bodyOf(page)
  const field = body.getByLabel('Beschrijving', { exact: true })
  const choose = async () => {
    // What one sees on the button is what it is called.
    await body.getByRole('button', { name: 'Andere afbeelding kiezen: Bestand', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `${name} gebruiken` })
      .click()
  }
  await choose()
  await expect.poll(() => field.inputValue()).toBe('Onze werkplaats')
  await field.fill('Bij ons')
  await choose()
  expect(await field.inputValue()).toBe('Bij ons')
})

test('one that is dropped on a block of the canvas goes into it, and elsewhere into a block of its own', async () => {
  const page = await visitor(site.url)
  const body = [{ type: 'image', id: 'foto', src: '/logo.svg', alt: 'De gevel' }, cta('Bel ons', 'bel')]
  const { id, canvas } = await editing(site, page, 'Op het doek', body)
  // The browser would open the file in place of the page: every one of these is held.
  const held = await drop(canvas.locator('img[alt="De gevel"]'), await photo('gevel.jpg'))
  expect(held).toEqual([true, false, false])
  await canvas.locator('.picture img[alt="De gevel"]').waitFor()
  await drop(canvas.getByText('Bel ons', { exact: true }), await photo('team.jpg'))
  await expect.poll(() => canvas.locator('main .picture').count()).toBe(2)
  await publish(page)
  const stored = await bodyIn(id)
  expect(stored.map(({ type }) => type)).toEqual(['image', 'cta', 'image'])
  expect(stored[0]?.src).toMatch(/gevel\.jpg$/)
  expect(stored[2]?.src).toMatch(/team\.jpg$/)
})

test('what is typed with bold, a link and a list comes out clean on the public page', async () => {
  const page = await visitor(site.url)
  const { id, canvas } = await editing(site, page, 'Opmaak', [
    { type: 'rich-text', id: 'tekst', content: '<p>Oud</p>' },
  ])
  await canvas.getByText('Oud', { exact: true }).click()
  const text = bodyOf(page).getByRole('textbox', { name: 'Inhoud' })
  const tool = (name: string) => bodyOf(page).getByRole('button', { name, exact: true })
  await text.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Wij bouwen ')
  await tool('Vet').click()
  await page.keyboard.type('snel')
  await tool('Vet').click()
  await page.keyboard.type(' en ')
  await tool('Link').click()
  await bodyOf(page).getByLabel('Waar leidt de link heen?').fill('/disclaimer')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await tool('Opsomming').click()
  await page.keyboard.type('Een <script>alert(1)</script>')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Twee')
  await publish(page)
  const clean =
    '<p>Wij bouwen <strong>snel</strong> en <a href="/disclaimer">/disclaimer</a></p><ul><li><p>Een &lt;script&gt;alert(1)&lt;/script&gt;</p></li><li><p>Twee</p></li></ul>'
  const [stored] = (await bodyIn(id)) as { content?: string }[]
  const html = await (await fetch(`${site.url}/opmaak`)).text()
  expect(html).toContain(stored?.content ?? 'nothing stored')
  expect(stored?.content?.replaceAll(/<\/?p>(?=[^<]*<\/?li)|(?<=<li>)<p>|<\/p>(?=<\/li>)/g, '')).toBe(
    clean.replaceAll(/(?<=<li>)<p>|<\/p>(?=<\/li>)/g, ''),
  )
})
