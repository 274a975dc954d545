import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Locale } from '../../src/contract/locales.ts'
import { foundByAxe } from './axe.ts'

/** How far the page can be scrolled sideways, in px. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Holds that what is shown runs as its language does, fits, and has nothing that axe finds: on a phone, on a desk, by
 * night. The site in a frame is looked at by itself elsewhere.
 */
export async function looksRight(page: Page, locale: Locale): Promise<void> {
  expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'fa' ? 'rtl' : 'ltr')
  // Loaded once, and then looked at in each way.
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    // High enough that nothing lies below the bar with which one saves.
    const height = await page.evaluate(() => Math.min(document.documentElement.scrollHeight, 10_000))
    await page.setViewportSize({ width, height })
    expect(await foundByAxe(page, { frames: false }), `${width}`).toEqual([])
    expect(await sideways(page), `${width}`).toBe(0)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  // By night nothing but the colours is another.
  expect(await foundByAxe(page, { frames: false, only: ['color-contrast'] }), 'by night').toEqual([])
}
