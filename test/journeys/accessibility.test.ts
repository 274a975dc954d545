import { beforeAll, describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { translator } from '../../src/i18n/translate.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, heights, widths } from '../support/browser.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

// The disclaimer is a text like the privacy statement, with fewer kinds of elements.
const texts = ['/privacy-verklaring', '/bestaat-niet']

describe.each(['nl', 'fa'] as const)('axe finds nothing in %s', (locale) => {
  const home = localizedPath('/', locale, {})
  // Each language and each width is there once.
  const width = locale === 'nl' ? 'phone' : 'desktop'

  test('on the home page, on a phone and on a desktop', async () => {
    const page = await visitor(site.url)
    await page.goto(home)
    for (const one of ['phone', 'desktop'] as const) {
      await page.setViewportSize({ width: widths[one], height: heights[one] })
      // Each pair of a language, a width and a colour scheme is there once.
      await page.emulateMedia({ colorScheme: (locale === 'fa') === (one === 'phone') ? 'dark' : 'light' })
      expect(await axeViolations(page), one).toEqual([])
    }
  })

  test('on the text pages', async () => {
    allowErrors(/status of 404/)
    // Their header and footer are those of the home page.
    const page = await visitor(site.url, locale === 'nl' ? { width: 'desktop' } : { width: 'phone', dark: true })
    for (const path of texts) {
      await page.goto(localizedPath(path, locale, {}))
      expect(await axeViolations(page), path).toEqual([])
    }
  })

  test(`in the form on a ${width}, with errors, after a failure and once it is sent, and with the menu open`, async () => {
    allowErrors(/status of (422|500)|Failed to load/)
    const page = await visitor(site.url, { width })
    await page.goto(home)
    const send = page.locator('#contact form button')
    await send.click()
    await page.locator('.error:not(:empty)').first().waitFor()
    expect(await axeViolations(page, { part: '#contact' }), 'errors').toEqual([])

    await page.route('**/api/contact', (route) => route.fulfill({ status: 500, body: '' }))
    for (const [name, text] of Object.entries(aMessageOf('sanne'))) await page.locator(`[name="${name}"]`).fill(text)
    await send.click()
    await page.locator('#contact .failed').waitFor({ state: 'visible' })
    expect(await axeViolations(page, { part: '#contact' }), 'failed').toEqual([])

    await page.unrouteAll()
    await send.click()
    await page.locator('#contact .sent').waitFor()
    expect(await axeViolations(page, { part: '#contact' }), 'sent').toEqual([])

    await page.setViewportSize({ width: widths.phone, height: heights.phone })
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByLabel(translator(locale)('site.openMenu')).click()
    // While the mobile menu is open, the rest of the page is inert, so axe does not check it.
    expect(await axeViolations(page, { part: 'header' }), 'the mobile menu').toEqual([])

    await page.keyboard.press('Escape')
    await page.locator('#menu').waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: widths.desktop, height: heights.desktop })
    await page.locator('header .submenu').hover()
    expect(await axeViolations(page, { part: 'header' }), 'the submenu').toEqual([])
  })
})
