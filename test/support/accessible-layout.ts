import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { files } from '../../src/i18n/fa/admin/files.ts'
import { pages } from '../../src/i18n/fa/admin/pages.ts'
import { redirects } from '../../src/i18n/fa/admin/redirects.ts'
import { admin } from '../../src/i18n/fa/admin.ts'
import { axeViolations } from './axe.ts'
import { heights, widths } from './browser.ts'
import { repeatedNames } from './repeated-names.ts'

/** How much wider the page is than the window, in px. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Checks one screen of the admin in Persian, and leaves it at the width of a desktop:
 * - Nothing overflows horizontally on a desktop and on a phone.
 * - Controls that do different things have different names.
 * - axe finds nothing on the phone in dark mode, and no lack of contrast in light mode, where only the colours differ.
 * - No link has the browser's default colour.
 *
 * Frames, which show the site, are skipped: the site has its own tests.
 * @param how.repeatsNames skips the check of names: they contain a time, and everything in the test has the same one
 */
export async function expectAccessibleLayout(page: Page, { repeatsNames = false } = {}): Promise<void> {
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
  // A screen that was opened on a phone is checked on a desktop at the end instead.
  const startsOnDesktop = page.viewportSize()?.width !== widths.phone
  const expectToFitDesktop = () => expect.poll(() => horizontalOverflow(page), { message: 'on a desktop' }).toBe(0)
  if (startsOnDesktop) await expectToFitDesktop()
  await page.setViewportSize({ width: widths.phone, height: heights.phone })
  await expect.poll(() => horizontalOverflow(page), { message: 'on a phone' }).toBe(0)
  if (!repeatsNames) expect(await repeatedNames(page, { except: namesOfSameAction })).toEqual([])
  // High enough that the save bar covers nothing.
  const height = await page.evaluate(() => Math.min(document.documentElement.scrollHeight, 10_000))
  await page.setViewportSize({ width: widths.phone, height })
  const inDarkMode = async () => {
    await emulateColorScheme(page, 'dark')
    expect(await axeViolations(page, { frames: false }), 'in dark mode').toEqual([])
  }
  const inLightMode = async () => {
    await emulateColorScheme(page, 'light')
    expect(await axeViolations(page, { frames: false, only: ['color-contrast'] }), 'in light mode').toEqual([])
    expect(await unstyledLinks(page)).toEqual([])
  }
  // The current mode is checked first: switching repaints everything.
  const isDark = (await colorSchemeOf(page)) === 'dark'
  for (const check of isDark ? [inDarkMode, inLightMode] : [inLightMode, inDarkMode]) await check()
  await page.setViewportSize({ width: widths.desktop, height: heights.desktop })
  if (startsOnDesktop) return
  // Elements that only a desktop has are painted before the check.
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
  await expectToFitDesktop()
}

/** The texts of the links that have the default colour of the browser. */
const unstyledLinks = (page: Page): Promise<string[]> =>
  page
    .locator('a[href]')
    .evaluateAll((links) =>
      links.filter((link) => getComputedStyle(link).color === 'rgb(0, 0, 238)').map((link) => String(link.textContent)),
    )

/** Names that may be repeated: an empty list repeats the button above it, which does the same. */
const namesOfSameAction = [files.choose, redirects.add, pages.add, admin.form.list.clear]

const colorSchemeOf = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')

async function emulateColorScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect.poll(() => colorSchemeOf(page)).toBe(colorScheme)
}
