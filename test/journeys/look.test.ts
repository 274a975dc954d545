import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { StoredFile } from '../../src/contract/files.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { aProgramWithAdministrator, type ProgramWithAdministrator, signInAndOpen } from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, widths } from '../support/browser.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let wideLogo: string
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  const { request } = await signInAndOpen(await visitor(site.url), '/admin/files')
  const uploaded = await request.post('/api/files?name=breed.png', {
    headers: { 'Content-Type': 'application/octet-stream' },
    data: Buffer.from(await aPhoto(600, 200, 'png')),
  })
  wideLogo = ((await uploaded.json()) as StoredFile).url
})

/** The middle of an element, as a part of the width of the screen from its start. */
const middleOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, width } = element.getBoundingClientRect()
      const part = (left + width / 2) / innerWidth
      return document.dir === 'rtl' ? 1 - part : part
    })

const sizeOfLogo = (page: Page) =>
  page
    .locator(`${logo} img`)
    .first()
    .evaluate((image) => {
      const { width, height } = image.getBoundingClientRect()
      const rem = height / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      return { rem: Math.round(rem * 10) / 10, isWide: width > 1.8 * height }
    })

const logo = '.bar .lockup'
const menu = '.menu-desktop'

test.each([
  ['bar', 'none', async (page: Page) => expect(await middleOf(page, logo)).toBeLessThan(0.2)],
  [
    'centered',
    'hills',
    async (page: Page) => {
      await expect.poll(() => middleOf(page, logo)).toBeCloseTo(0.5, 1)
      const [above, below] = await Promise.all([logo, menu].map((one) => page.locator(one).first().boundingBox()))
      expect(above?.y).toBeLessThan(below?.y ?? 0)
    },
  ],
  [
    'split',
    'paper',
    async (page: Page) => {
      await expect.poll(() => middleOf(page, logo)).toBeCloseTo(0.5, 1)
      await expect.poll(() => middleOf(page, menu)).toBeLessThan(0.4)
    },
  ],
  [
    'minimal',
    'tiles',
    async (page: Page) => {
      await expect.poll(() => page.locator(menu).isVisible()).toBe(false)
      await page.locator('.burger').first().click()
      await page.locator('#menu').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('#menu').waitFor({ state: 'hidden' })
    },
  ],
] as const)(
  'the header %s with %s behind the hero is whole and accessible at every width',
  async (header, illustration, check) => {
    const { version } = await site.call<Configuration>('GET', '/api/config')
    await site.call('PUT', '/api/config', {
      version,
      config: { look: { header, illustration }, logo: { src: wideLogo } },
    })
    const page = await visitor(site.url)
    for (const [locale, colorScheme] of [
      ['nl', 'light'],
      ['fa', 'dark'],
    ] as const) {
      await page.setViewportSize({ width: widths.desktop, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(localizedPath('/', locale, {}))
      await check(page)
      await expect
        .poll(async () => (await page.locator('.hero > .view > svg').count()) > 0)
        .toBe(illustration !== 'none')
      for (const width of [widths.desktop, widths.phone, 320, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        // Its place is kept while it loads.
        expect(await page.locator(`${logo} img`).first().getAttribute('width')).toBe('120')
        // A wide logo is as high as a square one, except beside the menu button of the smallest phones.
        if (width > 320) expect(await sizeOfLogo(page), `${locale} ${width}`).toEqual({ rem: 2.5, isWide: true })
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: `${width}` })
          .toBeLessThanOrEqual(0)
        // The rest of the page has its own tests.
        if (width === (locale === 'fa' ? widths.phone : widths.desktop))
          expect(await axeViolations(page, { part: 'header, .hero' }), `${locale} ${width}`).toEqual([])
      }
    }
  },
)
