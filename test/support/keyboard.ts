import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const isFocused = (target: Locator): Promise<boolean> =>
  // What is not there yet is not waited for: the next key may be what brings it.
  target.evaluate((element) => element === document.activeElement, undefined, { timeout: 1_000 }).catch(() => false)

/** Walks there as who has no mouse: by Tab alone. What has the focus must show it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < 120; pressed++) {
    await page.keyboard.press('Tab')
    if (!(await isFocused(target))) continue
    expect(await focusShows(page), 'the focus is seen').toBe(true)
    return
  }
  throw new Error('Tab does not lead there')
}

const focusShows = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    const outlined = (element: Element | null | undefined) => {
      if (!element) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    }
    // A choice that is drawn by its label shows it there.
    return outlined(activeElement) || outlined(activeElement?.nextElementSibling)
  })

/** One key after the other. */
export const press = (page: Page, ...keys: string[]): Promise<void> =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
