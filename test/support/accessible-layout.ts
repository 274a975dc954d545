import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { files } from '../../src/i18n/fa/admin/files.ts'
import { pages, redirects } from '../../src/i18n/fa/admin/pages.ts'
import { admin } from '../../src/i18n/fa/admin.ts'
import { axeViolations } from './axe.ts'
import { heights, widths } from './browser.ts'
import { repeatedNames } from './repeated-names.ts'

/** The horizontal overflow of the page in px. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Checks one screen in Persian: that nothing overflows on a desktop and on a phone, and axe with all its rules on the phone
 * in dark mode. Of light mode only the colours differ, so there axe looks at them alone. Controls that do different things
 * have different names, and no link has the blue of the browser. The site in a frame has its own tests.
 * @param how.repeatsNames where names have times, and the data of the test has one time
 */
export async function expectAccessibleLayout(page: Page, { repeatsNames = false } = {}): Promise<void> {
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
  // Where the screen was opened on a phone, it is shown on a desktop at the end.
  const startsOnDesktop = page.viewportSize()?.width !== widths.phone
  const expectToFitDesktop = () => expect.poll(() => horizontalOverflow(page), { message: 'on a desktop' }).toBe(0)
  if (startsOnDesktop) await expectToFitDesktop()
  await page.setViewportSize({ width: widths.phone, height: heights.phone })
  await expect.poll(() => horizontalOverflow(page), { message: 'on a phone' }).toBe(0)
  if (!repeatsNames) expect(await repeatedNames(page, { except: sameAction })).toEqual([])
  // High enough that the save bar covers nothing.
  const height = await page.evaluate(() => Math.min(document.documentElement.scrollHeight, 10_000))
  await page.setViewportSize({ width: widths.phone, height })
  const inDarkMode = async () => {
    await show(page, 'dark')
    expect(await axeViolations(page, { frames: false }), 'in dark mode').toEqual([])
  }
  const inLightMode = async () => {
    await show(page, 'light')
    expect(await axeViolations(page, { frames: false, only: ['color-contrast'] }), 'in light mode').toEqual([])
    expect(await unstyledLinks(page)).toEqual([])
  }
  // First in the mode of the screen before it: switching draws everything anew.
  const isDark = (await colorSchemeOf(page)) === 'dark'
  for (const check of isDark ? [inDarkMode, inLightMode] : [inLightMode, inDarkMode]) await check()
  await page.setViewportSize({ width: widths.desktop, height: heights.desktop })
  if (startsOnDesktop) return
  // Elements that only a desktop has are painted before the check.
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
  await expectToFitDesktop()
}

/** The texts of the links that have the colour of the browser itself. */
const unstyledLinks = (page: Page): Promise<string[]> =>
  page
    .locator('a[href]')
    .evaluateAll((links) =>
      links.filter((link) => getComputedStyle(link).color === 'rgb(0, 0, 238)').map((link) => String(link.textContent)),
    )

/** An empty list offers once more what stands above it. */
const sameAction = [files.choose, redirects.add, pages.add, admin.form.list.clear]

const colorSchemeOf = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')

async function show(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect.poll(() => colorSchemeOf(page)).toBe(colorScheme)
}
