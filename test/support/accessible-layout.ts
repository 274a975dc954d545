import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Locale } from '../../src/contract/locales.ts'
import { axeViolations } from './axe.ts'
import type { BrowserOptions } from './browser.ts'

/** The horizontal overflow of the page in px. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Checks one screen in one of two ways: in Dutch on a desktop in light mode, and in Persian on a phone in dark mode.
 * axe runs all its rules in both; what depends on the direction (that nothing overflows) is checked in
 * Persian, on a phone and on a desktop. The site in a frame has its own tests.
 */
export async function expectAccessibleLayout(page: Page, locale: Locale): Promise<void> {
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe(locale === 'fa' ? 'rtl' : 'ltr')
  if (locale === 'fa') {
    await expect.poll(() => horizontalOverflow(page), { message: 'on a desktop' }).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => horizontalOverflow(page), { message: 'on a phone' }).toBe(0)
  }
  const { width } = page.viewportSize() ?? { width: 1440 }
  // High enough that the save bar covers nothing.
  const height = await page.evaluate(() => Math.min(document.documentElement.scrollHeight, 10_000))
  await page.setViewportSize({ width, height })
  expect(await axeViolations(page, { frames: false })).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** The browser options with which a language is checked. */
export const browserFor = (locale: Locale): BrowserOptions => ({ width: 'desktop', dark: locale === 'fa' })
