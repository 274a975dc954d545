import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { aProgramWithAdministrator, type ProgramWithAdministrator } from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aCtaBlock } from '../support/canvas.ts'
import { aSavedPage, getPageIn, savePage } from '../support/page-editor.ts'
import { signInAsAdministrator } from '../support/session-cookies.ts'
import { uploadFile, waitUntilProcessed } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

async function published(title: string, body: object[]): Promise<void> {
  const id = await aSavedPage(site, title, { body: body as never })
  await savePage(site, await getPageIn(site, id), {}, true)
}

/** An image with a red left half and a blue right half, resized. @returns its URL */
async function redAndBlue(): Promise<string> {
  const [width, height] = [600, 400]
  const right = { create: { width: width / 2, height, channels: 3 as const, background: '#0000ff' } }
  const image = sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
  const bytes = await image
    .composite([{ input: right, left: width / 2, top: 0 }])
    .jpeg({ quality: 95 })
    .toBuffer()
  const cookie = await signInAsAdministrator(site.url)
  const request = (path: string, init: RequestInit = {}) =>
    fetch(site.url + path, { ...init, headers: { ...init.headers, cookie } })
  const { id, url } = await uploadFile({ request }, 'vlag.jpg', new Uint8Array(bytes))
  await waitUntilProcessed({ request }, id)
  return url
}

/** The colours on a line through the middle of the image, from 30 pixels before it to 30 after it. */
async function colours(page: Page): Promise<number[][]> {
  const box = await page.locator('main .image img:not(.blurred)').boundingBox()
  if (!box) throw new Error('no image to measure')
  const clip = { x: Math.round(box.x) - 30, y: Math.round(box.y + box.height / 2), width: box.width + 60, height: 1 }
  const shot = await page.screenshot({ clip })
  const { data } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return Array.from({ length: data.length / 3 }, (_, at) => [...data.subarray(at * 3, at * 3 + 3)])
}

test('a blurred placeholder stays inside its box, and does not cover the loaded image', async () => {
  const src = await redAndBlue()
  await published('Vlag', [{ type: 'image', id: 'vlag', src, alt: 'Vlag' }])

  const page = await visitor(site.url)
  const waiting: Route[] = []
  let withheld = true
  await page.route('**/files/**', (route) => (withheld ? void waiting.push(route) : route.continue()))
  await page.goto('/vlag', { waitUntil: 'commit' })
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  // Before the image is the page background; inside it, once it is painted, is not.
  await expect.poll(async () => (await colours(page)).at(180)).not.toEqual((await colours(page))[0])
  const blurred = await colours(page)
  const [ground] = blurred
  for (const at of [...Array(29).keys()]) {
    expect([at, blurred[at]], 'before the image').toEqual([at, ground])
    expect([at, blurred.at(-1 - at)], 'behind the image').toEqual([at, ground])
  }

  withheld = false
  for (const route of waiting) await route.continue()
  await expect
    .poll(() => page.locator('main .image img:not(.blurred)').evaluate((one: HTMLImageElement) => one.complete))
    .toBe(true)
  // Sharp in the middle: the placeholder mixes red and blue there.
  await expect.poll(async () => (await colours(page))[30 + 292]?.[2]).toBeLessThan(40)
  const sharpened = await colours(page)
  expect(sharpened[30 + 292]?.[0]).toBeGreaterThan(215)
  expect(sharpened[30 + 308]?.[2]).toBeGreaterThan(215)
  expect(sharpened[30 + 308]?.[0]).toBeLessThan(40)
})

test('on a phone and on a desktop the wave above a section does not cover the content before it', async () => {
  const menu = { type: 'menu', menuType: 'desktop', items: [{ title: 'Contact', url: '/#contact', submenu: [] }] }
  const link = { type: 'link', title: 'Lees verder', url: '/disclaimer', className: '' }
  await published('Golf', [menu, aCtaBlock('Bel ons', 'bel'), link, aCtaBlock('Mail ons', 'mail')])
  const page = await visitor(site.url)
  await page.goto('/golf')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const covered = await page.locator('main > section').evaluateAll((sections) =>
      sections.map((section) => {
        const swell = Number.parseFloat(getComputedStyle(section, '::before').blockSize)
        const sibling = section.previousElementSibling
        // The stylesheet of the lower blocks stands after the first one.
        const block = sibling?.tagName === 'LINK' ? sibling.previousElementSibling : sibling
        const before = block?.firstElementChild as Element
        return before.getBoundingClientRect().bottom - (section.getBoundingClientRect().top - swell)
      }),
    )
    expect(covered).toHaveLength(2)
    for (const pixels of covered) expect(pixels, `at ${width} pixels`).toBeLessThanOrEqual(0)
  }
})
