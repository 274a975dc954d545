import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Locale, localizedPath } from '../../src/contract/locales.ts'
import { translator } from '../../src/i18n/translate.ts'
import { aProgramWithAdministrator, type ProgramWithAdministrator } from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { defaultSiteFile } from '../support/site-file.ts'

interface Item {
  title: string
  url: string
  submenu?: Item[]
}

interface Configured {
  version: number
  config: { menus: { main: object } }
}

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

const menuIn = (locale: 'nl' | 'fa'): Item[] => defaultSiteFile().menus.main[locale]

const desktop = (page: Page) => page.locator('header .desktop')
const mobile = (page: Page) => page.locator('header #menu')
const opener = (page: Page, locale: Locale) => page.getByLabel(translator(locale)('site.openMenu'))
const closer = (page: Page, locale: Locale) => page.getByLabel(translator(locale)('site.closeMenu'))

/** The section that the URL names, with its heading below the sticky bar and above the bottom edge. */
async function standsAt(page: Page, anchor: string) {
  // Without JavaScript a page runs no frames for `waitForFunction`, which would look once.
  const isBelowBar = (id: string) => {
    const heading = document.querySelector(`#${id} h2`)?.getBoundingClientRect()
    const bar = document.querySelector('header')?.getBoundingClientRect()
    return Boolean(heading && bar && heading.top >= bar.bottom && heading.bottom <= innerHeight)
  }
  await expect.poll(() => page.evaluate(isBelowBar, anchor)).toBe(true)
  await expect.poll(() => new URL(page.url()).hash).toBe(`#${anchor}`)
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
  await expect.poll(() => logo.getAttribute('href')).toBe('/')
  await logo.click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
})

/** Each language, and each way of working, is there once. */
describe.each([
  ['nl', false],
  ['fa', true],
] as const)('in %s, with JavaScript %s', (locale, javaScript) => {
  const home = localizedPath('/', locale, {})

  test('spec 2 menu behaviour: every item of the desktop menu scrolls to its section, below the bar', async () => {
    const page = await visitor(site.url, { javaScript })
    await page.goto(home)
    for (const item of menuIn(locale)) {
      for (const { title, url } of [item, ...(item.submenu ?? [])]) {
        await page.evaluate(() => scrollTo(0, 0))
        if (url !== item.url || title !== item.title) await desktop(page).getByText(item.title, { exact: true }).hover()
        await desktop(page).getByRole('link', { name: title, exact: true }).click()
        await standsAt(page, url.slice(2))
      }
    }
    await page.evaluate(() => scrollTo(0, 0))
    await desktop(page).locator('a.button').click()
    await standsAt(page, 'contact')
  })

  test('spec 2 menu behaviour: from another page an item leads to its section of the home page', async () => {
    const page = await visitor(site.url, { javaScript })
    await page.goto(localizedPath('/disclaimer', locale, {}))
    const [first] = menuIn(locale)
    await desktop(page)
      .getByRole('link', { name: first?.title ?? '', exact: true })
      .click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(home)
    await standsAt(page, 'diensten')
  })

  test('spec 2 menu behaviour: the desktop submenu opens on hover and closes when the pointer leaves, and opens by keyboard, which reaches its items', async () => {
    const page = await visitor(site.url, { javaScript })
    await page.goto(home)
    const submenu = desktop(page).locator('.submenu ul')
    await expect.poll(() => submenu.isVisible()).toBe(false)
    await desktop(page).locator('.submenu').hover()
    await submenu.waitFor({ state: 'visible' })
    await page.mouse.move(700, 700)
    await submenu.waitFor({ state: 'hidden' })

    await desktop(page).locator('.submenu > a').focus()
    await submenu.waitFor({ state: 'visible' })
    await page.keyboard.press('Tab')
    await expect
      .poll(() =>
        submenu
          .getByRole('link')
          .first()
          .evaluate((link) => link === document.activeElement),
      )
      .toBe(true)
    await page.keyboard.press('Enter')
    await standsAt(page, 'prijzen')
  })

  test('spec 2 navbar: the mobile menu has the same items vertically and opens and closes by its button', async () => {
    const page = await visitor(site.url, { javaScript, width: 'phone' })
    await page.goto(home)
    await expect
      .poll(() =>
        desktop(page)
          .getByRole('link', { name: menuIn(locale)[0]?.title ?? '' })
          .isVisible(),
      )
      .toBe(false)
    await expect.poll(() => mobile(page).isVisible()).toBe(false)

    await opener(page, locale).click()
    await mobile(page).waitFor({ state: 'visible' })
    const items = mobile(page).locator('.menu > li')
    await expect
      .poll(async () => (await items.locator('> a, > details > summary').allInnerTexts()).map((text) => text.trim()))
      .toEqual(menuIn(locale).map((item) => item.title))
    const tops = await items.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(tops).toEqual([...tops].sort((one, other) => one - other))
    expect(new Set(tops).size).toBe(tops.length)

    await closer(page, locale).click()
    await mobile(page).waitFor({ state: 'hidden' })
  })

  test('spec 2 menu behaviour: a mobile submenu opens on a click, and a click on an item goes there and closes the menu', async () => {
    const page = await visitor(site.url, { javaScript, width: 'phone' })
    await page.goto(home)
    for (const item of menuIn(locale)) {
      for (const { title, url } of item.submenu ?? [item]) {
        await opener(page, locale).click()
        const link = mobile(page).getByRole('link', { name: title, exact: true })
        // For its second item it is still open.
        if (title === item.submenu?.[0]?.title) {
          await expect.poll(() => link.isVisible()).toBe(false)
          await mobile(page).locator('summary').click()
        }
        await link.click()
        await mobile(page).waitFor({ state: 'hidden' })
        await standsAt(page, url.slice(2))
      }
    }
  })
})

test('with JavaScript, Escape closes the desktop submenu and leaves the focus on its item', async () => {
  const page = await visitor(site.url)
  await page.goto('/fa')
  const more = desktop(page).locator('.submenu > a')
  const submenu = desktop(page).locator('.submenu ul')
  await more.focus()
  await submenu.waitFor({ state: 'visible' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await submenu.waitFor({ state: 'hidden' })
  await expect.poll(() => more.evaluate((link) => link === document.activeElement)).toBe(true)
  await expect.poll(() => more.getAttribute('aria-expanded')).toBe('false')
})

describe('with JavaScript, the page does not scroll', () => {
  const scrolledTo3000 = async (width: 'phone' | 'desktop') => {
    const page = await visitor(site.url, { width })
    await page.goto('/')
    await page.evaluate(() => scrollTo(0, 3_000))
    return page
  }
  const scrollY = (page: Page) => page.evaluate(() => scrollY)

  test('when the mobile menu opens and closes; Escape closes it too, and returns the focus to its button', async () => {
    const page = await scrolledTo3000('phone')
    await opener(page, 'nl').click()
    await mobile(page).waitFor({ state: 'visible' })
    await expect.poll(() => scrollY(page)).toBe(3_000)
    await closer(page, 'nl').click()
    await mobile(page).waitFor({ state: 'hidden' })
    await expect.poll(() => scrollY(page)).toBe(3_000)
    await opener(page, 'nl').press('Enter')
    await mobile(page).waitFor({ state: 'visible' })
    await expect.poll(() => opener(page, 'nl').getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    await mobile(page).waitFor({ state: 'hidden' })
    await expect.poll(() => opener(page, 'nl').evaluate((button) => button === document.activeElement)).toBe(true)
    await expect.poll(() => opener(page, 'nl').getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => scrollY(page)).toBe(3_000)
  })

  test('when the keyboard focus moves through the desktop bar', async () => {
    const page = await scrolledTo3000('desktop')
    await desktop(page)
      .locator('a')
      .first()
      .evaluate((logo: HTMLElement) => logo.focus({ preventScroll: true }))
    for (const title of ['Wat bieden wij', 'Prijzen', 'Setup', 'Abonnementen', 'Contact', 'Neem contact op']) {
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(title)
      await expect.poll(() => scrollY(page)).toBe(3_000)
    }
  })

  test('and Back does not open the mobile menu again', async () => {
    const page = await visitor(site.url, { width: 'phone' })
    await page.goto('/disclaimer')
    await page.goto('/')
    await opener(page, 'nl').click()
    await closer(page, 'nl').click()
    await page.goBack()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/disclaimer')
    await expect.poll(() => mobile(page).isVisible()).toBe(false)
  })

  test('and a menu that was opened by its fragment is closed by the script', async () => {
    const page = await visitor(site.url, { width: 'phone' })
    await page.goto('/#menu')
    await mobile(page).waitFor({ state: 'visible' })
    await expect.poll(() => new URL(page.url()).hash).toBe('')
    await closer(page, 'nl').click()
    await mobile(page).waitFor({ state: 'hidden' })
  })
})

describe('a menu of three levels', () => {
  const deep = { title: 'Bakkers', url: '/#contact' }
  const items = [
    {
      title: 'Diensten',
      submenu: [
        { title: 'Winkels', submenu: [deep] },
        { title: 'Los', url: '/#prijzen' },
      ],
    },
  ]
  beforeAll(async () => {
    const { version, config } = await site.call<Configured>('GET', '/api/config')
    const main = { ...config.menus.main, nl: items }
    await site.call('PUT', '/api/config', { version, config: { menus: { ...config.menus, main } } })
  })

  test.each([true, false])('opens level by level on hover, with JavaScript %s', async (javaScript) => {
    const page = await visitor(site.url, { javaScript })
    await page.goto('/')
    const link = desktop(page).getByRole('link', { name: 'Bakkers' })
    await desktop(page).getByRole('button', { name: 'Diensten' }).hover()
    const second = desktop(page).getByRole('button', { name: 'Winkels' })
    await second.waitFor({ state: 'visible' })
    await expect.poll(() => link.isVisible()).toBe(false)
    await second.hover()
    await link.waitFor({ state: 'visible' })
    const box = await link.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1440)
    await link.click()
    await standsAt(page, 'contact')
  })

  test('is operated by keyboard, and Escape closes the innermost submenu first', async () => {
    const page = await visitor(site.url)
    await page.goto('/')
    const first = desktop(page).getByRole('button', { name: 'Diensten' })
    const second = desktop(page).getByRole('button', { name: 'Winkels' })
    const link = desktop(page).getByRole('link', { name: 'Bakkers' })
    await first.focus()
    await second.waitFor({ state: 'visible' })
    await page.keyboard.press('Tab')
    await link.waitFor({ state: 'visible' })
    await page.keyboard.press('Tab')
    await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    await expect.poll(() => second.evaluate((one) => one === document.activeElement)).toBe(true)
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    await second.waitFor({ state: 'hidden' })
    await expect.poll(() => first.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test.each([true, false])('expands level by level on a phone, with JavaScript %s', async (javaScript) => {
    const page = await visitor(site.url, { javaScript, width: 'phone' })
    await page.goto('/')
    await opener(page, 'nl').click()
    await mobile(page).getByText('Diensten').click()
    const link = mobile(page).getByRole('link', { name: 'Bakkers' })
    await expect.poll(() => link.isVisible()).toBe(false)
    await mobile(page).getByText('Winkels').click()
    await link.click()
    await mobile(page).waitFor({ state: 'hidden' })
    await standsAt(page, 'contact')
  })
})

test('spec 2 menu behaviour: links to a section scroll smoothly, except with reduced motion; another link navigates normally', async () => {
  const page = await visitor(site.url, { motion: true })
  await page.goto('/')
  const behaviour = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)
  await expect.poll(behaviour).toBe('smooth')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(behaviour).toBe('auto')
  await page.locator('footer a[href="/disclaimer"]').click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/disclaimer')
})

test('the line along the services is drawn while scrolling, except with reduced motion', async () => {
  const page = await visitor(site.url, { motion: true })
  await page.goto('/')
  const animation = () =>
    page
      .locator('.bend')
      .last()
      .evaluate((line) => getComputedStyle(line).animationName)
  await expect.poll(animation).toBe('flow')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(animation).toBe('none')
})

test('the first tab stop skips to the content', async () => {
  const page = await visitor(site.url)
  await page.goto('/disclaimer')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/disclaimer#inhoud')
})
