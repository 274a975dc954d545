import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Locale, localizedPath } from '../../src/contract/locales.ts'
import { translator } from '../../src/i18n/translate.ts'
import { aBrowser } from '../support/browser.ts'
import { aProgram, type Program } from '../support/program.ts'
import { deliveredSite } from '../support/site-file.ts'

interface Item {
  title: string
  url: string
  submenu?: Item[]
}

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

const menuOf = (area: 'desktop' | 'mobile', locale: 'nl' | 'fa'): Item[] =>
  deliveredSite().branding.navbar[area][locale].find((block: { type: string }) => block.type === 'menu').items

const desktop = (page: Page) => page.locator('header .desktop')
const mobile = (page: Page) => page.locator('header #menu')
const opener = (page: Page, locale: Locale) => page.getByLabel(translator(locale)('site.openMenu'))
const closer = (page: Page, locale: Locale) => page.getByLabel(translator(locale)('site.closeMenu'))

/** The part of the page that the address names, its heading below the bar that stays and above the lower edge. */
async function standsAt(page: Page, anchor: string) {
  await page.waitForFunction((id) => {
    const heading = document.querySelector(`#${id} h2`)?.getBoundingClientRect()
    const bar = document.querySelector('header')?.getBoundingClientRect()
    return heading && bar && heading.top >= bar.bottom && heading.bottom <= innerHeight
  }, anchor)
  expect(new URL(page.url()).hash).toBe(`#${anchor}`)
}

test('spec 2 navbar: logo, Wat bieden wij, Prijzen with Setup and Abonnementen, Contact, and the button', async () => {
  const page = await visitor(site.url, { javaScript: false })
  await page.goto('/disclaimer')
  const links = await desktop(page)
    .locator('a')
    .evaluateAll((all) => all.map((one) => [one.textContent?.trim(), one.getAttribute('href')]))
  expect(links.slice(1)).toEqual([
    ['Wat bieden wij', '/#diensten'],
    ['Prijzen', '/#prijzen'],
    ['Setup', '/#prijzen'],
    ['Abonnementen', '/#abonnementen'],
    ['Contact', '/#contact'],
    ['Neem contact op', '/#contact'],
  ])
  const logo = desktop(page).locator('a').first()
  expect(await logo.getAttribute('href')).toBe('/')
  await logo.click()
  expect(new URL(page.url()).pathname).toBe('/')
})

describe.each(['nl', 'fa'] as const)('in %s', (locale) => {
  const home = localizedPath('/', locale)

  describe.each([true, false])('with JavaScript %s', (javaScript) => {
    test('spec 2 menu behaviour: every item of the desktop menu leads to its part, below the bar', async () => {
      const page = await visitor(site.url, { javaScript })
      for (const item of menuOf('desktop', locale)) {
        for (const { title, url } of [item, ...(item.submenu ?? [])]) {
          await page.goto(home)
          if (url !== item.url || title !== item.title)
            await desktop(page).getByText(item.title, { exact: true }).hover()
          await desktop(page).getByRole('link', { name: title, exact: true }).click()
          await standsAt(page, url.slice(2))
        }
      }
      await page.goto(home)
      await desktop(page).locator('a.button').click()
      await standsAt(page, 'contact')
    })

    test('spec 2 menu behaviour: from another page an item leads home, to its part', async () => {
      const page = await visitor(site.url, { javaScript })
      await page.goto(localizedPath('/disclaimer', locale))
      const [first] = menuOf('desktop', locale)
      await desktop(page)
        .getByRole('link', { name: first?.title ?? '', exact: true })
        .click()
      expect(new URL(page.url()).pathname).toBe(home)
      await standsAt(page, 'diensten')
    })

    test('spec 2 menu behaviour: the desktop submenu opens on hover and closes when the pointer leaves', async () => {
      const page = await visitor(site.url, { javaScript })
      await page.goto(home)
      const submenu = desktop(page).locator('.drop ul')
      expect(await submenu.isVisible()).toBe(false)
      await desktop(page).locator('.drop').hover()
      await submenu.waitFor({ state: 'visible' })
      await page.mouse.move(700, 700)
      await submenu.waitFor({ state: 'hidden' })
    })

    test('the desktop submenu opens for the keyboard, and its items can be reached', async () => {
      const page = await visitor(site.url, { javaScript })
      await page.goto(home)
      const submenu = desktop(page).locator('.drop ul')
      await desktop(page).locator('.drop > a').focus()
      await submenu.waitFor({ state: 'visible' })
      await page.keyboard.press('Tab')
      expect(
        await submenu
          .getByRole('link')
          .first()
          .evaluate((link) => link === document.activeElement),
      ).toBe(true)
      await page.keyboard.press('Enter')
      await standsAt(page, 'prijzen')
    })

    test('spec 2 navbar: the mobile menu holds the same items vertically and opens and closes by its button', async () => {
      const page = await visitor(site.url, { javaScript, width: 'phone' })
      await page.goto(home)
      expect(
        await desktop(page)
          .getByRole('link', { name: menuOf('desktop', locale)[0]?.title ?? '' })
          .isVisible(),
      ).toBe(false)
      expect(await mobile(page).isVisible()).toBe(false)

      await opener(page, locale).click()
      await mobile(page).waitFor({ state: 'visible' })
      const items = mobile(page).locator('.menu > li')
      expect((await items.locator('> a, > details > summary').allInnerTexts()).map((text) => text.trim())).toEqual(
        menuOf('desktop', locale).map((item) => item.title),
      )
      const tops = await items.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(tops).toEqual([...tops].sort((one, other) => one - other))
      expect(new Set(tops).size).toBe(tops.length)

      await closer(page, locale).click()
      await mobile(page).waitFor({ state: 'hidden' })
    })

    test('spec 2 menu behaviour: a mobile submenu opens on a click, and a click on an item goes there and closes the menu', async () => {
      const page = await visitor(site.url, { javaScript, width: 'phone' })
      for (const item of menuOf('mobile', locale)) {
        for (const { title, url } of item.submenu ?? [item]) {
          await page.goto(home)
          await opener(page, locale).click()
          if (item.submenu) {
            const link = mobile(page).getByRole('link', { name: title, exact: true })
            expect(await link.isVisible()).toBe(false)
            await mobile(page).locator('summary').click()
            await link.waitFor({ state: 'visible' })
          }
          await mobile(page).getByRole('link', { name: title, exact: true }).click()
          await mobile(page).waitFor({ state: 'hidden' })
          await standsAt(page, url.slice(2))
        }
      }
    })
  })

  test('Escape closes the desktop submenu and leaves the focus on its item', async () => {
    const page = await visitor(site.url)
    await page.goto(home)
    const more = desktop(page).locator('.drop > a')
    const submenu = desktop(page).locator('.drop ul')
    await more.focus()
    await submenu.waitFor({ state: 'visible' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await submenu.waitFor({ state: 'hidden' })
    expect(await more.evaluate((link) => link === document.activeElement)).toBe(true)
    expect(await more.getAttribute('aria-expanded')).toBe('false')
  })

  test('Escape closes the mobile menu and gives the focus back to its button', async () => {
    const page = await visitor(site.url, { width: 'phone' })
    await page.goto(home)
    await opener(page, locale).click()
    await mobile(page).waitFor({ state: 'visible' })
    expect(await opener(page, locale).getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    await mobile(page).waitFor({ state: 'hidden' })
    expect(await opener(page, locale).evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await opener(page, locale).getAttribute('aria-expanded')).toBe('false')
  })
})

test('spec 2 menu behaviour: links to a part of the page scroll smoothly, but not for who asked for less motion', async () => {
  for (const [motion, behaviour] of [
    [true, 'smooth'],
    [false, 'auto'],
  ] as const) {
    const page = await visitor(site.url, { motion })
    await page.goto('/')
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe(behaviour)
  }
})

test('the first stop of the keyboard skips to the content', async () => {
  const page = await visitor(site.url)
  await page.goto('/disclaimer')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/disclaimer#inhoud')
})
