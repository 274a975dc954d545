import { beforeAll, describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { translator } from '../../src/i18n/translate.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, widths } from '../support/browser.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

// The disclaimer is a text like the privacy statement, with fewer kinds of elements.
const pages = ['/', '/privacy-verklaring', '/bestaat-niet']

describe.each(['nl', 'fa'] as const)('axe finds nothing in %s', (locale) => {
  // Each pair of a language, a width and a colour scheme is there once.
  test.each(['phone', 'desktop'] as const)('on a %s', async (width) => {
    allowErrors(/status of 404/)
    const page = await visitor(site.url, { width, dark: (locale === 'fa') === (width === 'phone') })
    for (const path of pages) {
      await page.goto(localizedPath(path, locale, {}))
      expect(await axeViolations(page), path).toEqual([])
    }
  })

  // Each language and each width is there once: the form has the same elements in both.
  const width = locale === 'nl' ? 'phone' : 'desktop'

  test(`after a sent form and after a failed one, on a ${width}`, async () => {
    allowErrors(/status of 500|Failed to load/)
    const page = await visitor(site.url, { width })
    const send = async () => {
      await page.goto(localizedPath('/', locale, {}))
      for (const [name, text] of Object.entries(aMessageOf('sanne'))) await page.locator(`[name="${name}"]`).fill(text)
      await page.locator('#contact form button').click()
    }
    await send()
    await page.locator('#contact .sent').waitFor()
    expect(await axeViolations(page, { part: '#contact' }), 'sent').toEqual([])

    await page.route('**/api/contact', (route) => route.fulfill({ status: 500, body: '' }))
    await send()
    await page.locator('#contact .failed').waitFor({ state: 'visible' })
    expect(await axeViolations(page, { part: '#contact' }), 'failed').toEqual([])
  })

  test('with form errors, and with the menu open', async () => {
    allowErrors(/status of 422/)
    const page = await visitor(site.url, { width })
    await page.goto(localizedPath('/', locale, {}))
    await page.locator('#contact form button').click()
    await page.locator('.error:not(:empty)').first().waitFor()
    expect(await axeViolations(page, { part: '#contact' }), 'the form').toEqual([])

    await page.setViewportSize({ width: widths.phone, height: 844 })
    await page.goto(localizedPath('/', locale, {}))
    await page.getByLabel(translator(locale)('site.openMenu')).click()
    // While the mobile menu is open, the rest of the page is inert, so axe does not check it.
    expect(await axeViolations(page, { part: 'header' }), 'the mobile menu').toEqual([])

    await page.setViewportSize({ width: widths.desktop, height: 900 })
    await page.goto(localizedPath('/', locale, {}))
    await page.locator('header .submenu').hover()
    expect(await axeViolations(page, { part: 'header' }), 'the submenu').toEqual([])
  })
})
