import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { patienceMs } from './wait-until.ts'

/** Whether an element, which may be in a frame, has the focus. False while it does not exist: the next key may open it. */
export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluateAll(
    (elements) => document.hasFocus() && elements.some((element) => element === document.activeElement),
  )

/** Presses Tab until an element has the focus, and checks that the focus is visible there. @throws when Tab does not reach it */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // The screen may still be loading. An element that does not appear may be in a part that a key opens.
  await target
    .first()
    .waitFor({ state: 'attached', timeout: 2_000 })
    .catch(() => {})
  const end = Date.now() + patienceMs
  for (let pressed = 0; pressed < 120 || Date.now() < end; pressed++) {
    await page.keyboard.press(key)
    if (!(await isFocused(target))) continue
    await expect.poll(() => target.first().evaluate(isFocusVisible), { message: 'the focus is seen' }).toBe(true)
    return
  }
  throw new Error('Tab does not lead there')
}

/** Moves the focus to an item of an open menu with the arrow keys. */
export async function arrowTo(page: Page, item: Locator): Promise<void> {
  await item.waitFor()
  // An opened menu takes the focus a moment later.
  await expect.poll(() => isFocused(page.locator('[role=menu], [role=menu] *'))).toBe(true)
  for (let pressed = 0; pressed < 20 && !(await isFocused(item)); pressed++) await page.keyboard.press('ArrowDown')
  await expect.poll(() => isFocused(item), { message: 'the arrow keys lead there' }).toBe(true)
}

/** Whether the focused element, or the one after it, has a visible outline. @param target an element of the same document */
function isFocusVisible(target: Element): boolean {
  const { activeElement } = target.ownerDocument
  const hasOutline = (element: Element | null | undefined) => {
    if (!element) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  }
  // A custom control shows the focus on its label, which is the next element.
  return hasOutline(activeElement) || hasOutline(activeElement?.nextElementSibling)
}

/** Opens the command palette, and waits until it can be typed in. */
export async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  await expect.poll(() => isFocused(field)).toBe(true)
  return field
}

/** Presses the keys one after the other. */
export const press = (page: Page, ...keys: string[]): Promise<void> =>
  keys.reduce((pressed, key) => pressed.then(() => page.keyboard.press(key)), Promise.resolve())
