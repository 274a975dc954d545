import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { contrast } from '../../src/contract/palette.ts'
import { translator } from '../../src/i18n/translate.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aTempFolder } from '../support/databases.ts'
import { aProgram, type Program } from '../support/program.ts'
import { writeSiteFile } from '../support/site-file.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  const SITE_CONFIG = writeSiteFile(await aTempFolder(), (config) => {
    config.look = { search: 'field' }
    for (const { slug, content } of config.pages) {
      if (slug === 'disclaimer') content.nl.title = 'Disclaimer <img src=x onerror=alert(1)>'
    }
  })
  site = await aProgram({ SITE_CONFIG })
})

/** A word that each language's privacy statement has in its title, and how somebody types it. */
const typed = { nl: 'privacy', fa: 'حريم خصوصي' } as const
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
/** Of a field's placeholder; its background may be that of the menu. */
const contrastOf = async (field: Locator) => {
  const colours = await field.evaluate((input) => {
    const menu = getComputedStyle(document.getElementById('menu') as Element).backgroundColor
    const own = getComputedStyle(input).backgroundColor
    return [getComputedStyle(input, '::placeholder').color, own.endsWith(', 0)') ? menu : own]
  })
  const [text = '', ground = ''] = colours.map(
    (one) =>
      `#${(one.match(/\d+/g) ?? [])
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`,
  )
  return contrast(text, ground)
}
const headings = (page: Page) => page.locator('.results h2').allTextContents()

// The rest of each way of working is walked in one language.
test('without JavaScript the field in the header leads to the results', async () => {
  const page = await visitor(site.url, { javaScript: false })
  for (const locale of ['fa', 'nl'] as const) {
    await page.goto(localizedPath('/', locale, {}))
    const name = translator(locale)('site.search.label')
    const field = page.locator('.bar > .wrap').getByRole('searchbox', { name })
    await field.fill(typed[locale])
    await field.press('Enter')
    await page.locator('.results').waitFor()
    const { pathname } = new URL(page.url())
    expect(pathname).toBe(localizedPath('/zoeken', locale, {}))
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(typed[locale])
    await expect.poll(() => page.locator('.results mark').count()).toBeGreaterThan(0)
  }
  const locale = 'nl'
  const t = translator(locale)
  for (const width of [1440, 390, 320, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => overflow(page), { message: `${width}` }).toBeLessThanOrEqual(0)
  }
  await page.locator('.results h2 a').first().click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(localizedPath('/privacy-verklaring', locale, {}))

  // On a phone it is in the menu.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(localizedPath('/#menu', locale, {}))
  const inMenu = page.locator('#menu').getByRole('searchbox')
  expect(await contrastOf(inMenu)).toBeGreaterThan(4.5)
  await inMenu.fill('qqqq')
  await inMenu.press('Enter')
  await page.getByText(t('site.search.advice')).waitFor()
})

test('with JavaScript pages are suggested while typing, by keyboard too', async () => {
  const locale = 'fa'
  const t = translator(locale)
  const page = await visitor(site.url, { dark: true })
  const scripts: string[] = []
  page.on('request', (request) => void (/suggest/.test(request.url()) && scripts.push(request.url())))
  await page.goto(localizedPath('/disclaimer', locale, {}))
  await page.waitForLoadState('networkidle')
  expect(scripts).toEqual([])
  for (const width of [2560, 1440, 1000]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => overflow(page), { message: `${width}` }).toBeLessThanOrEqual(0)
  }
  await page.locator('.bar > .wrap .search-field input').focus()
  const field = page.getByRole('combobox', { name: t('site.search.label') })
  // As one input: an answer to a part of the word would replace the suggestions once more.
  await field.fill(typed[locale])
  const options = page.getByRole('listbox', { name: t('site.search.suggestions') }).getByRole('option')
  await options.first().waitFor()
  expect(scripts).toHaveLength(1)
  await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true')
  expect(await axeViolations(page)).toEqual([])

  await field.press('ArrowDown')
  const first = options.first()
  await expect.poll(() => first.getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'))
  await field.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  await expect.poll(() => field.inputValue()).toBe(typed[locale])
  await field.press('End')
  await field.press('Backspace')
  await options.first().waitFor()
  await field.press('ArrowDown')
  await expect.poll(() => first.getAttribute('aria-selected')).toBe('true')
  await field.press('Enter')
  await page.waitForURL(`**${localizedPath('/privacy-verklaring', locale, {})}`)

  await page.goto(`${localizedPath('/zoeken', locale, {})}?q=${encodeURIComponent(typed[locale])}`)
  await expect.poll(async () => (await headings(page)).length).toBeGreaterThan(0)
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await axeViolations(page)).toEqual([])

  const dutch = translator('nl')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(localizedPath('/disclaimer', 'nl', {}))
  await page.locator('.bar > .wrap .search-field input').focus()
  const inDutch = page.getByRole('combobox', { name: dutch('site.search.label') })
  await inDutch.fill(typed.nl)
  await page
    .getByRole('listbox', { name: dutch('site.search.suggestions') })
    .getByRole('option')
    .first()
    .waitFor()
  await inDutch.press('ArrowDown')
  await inDutch.press('Enter')
  await page.waitForURL(`**${localizedPath('/privacy-verklaring', 'nl', {})}`)
})

test('a title and a search with a script are shown as text', async () => {
  const page = await visitor(site.url)
  await page.goto(`/zoeken?q=${encodeURIComponent('disclaimer"><img src=x onerror=alert(1)>')}`)
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('disclaimer"><img src=x onerror=alert(1)>')
  await expect.poll(() => page.locator('main img').count()).toBe(0)
  await page.locator('.search-field input').focus()
  await page.getByRole('combobox').fill('disclaim')
  const option = page.getByRole('option').first()
  await option.waitFor()
  await expect.poll(() => option.textContent()).toBe('Disclaimer <img src=x onerror=alert(1)>')
  await expect.poll(() => page.locator('img[src="x"]').count()).toBe(0)
})
