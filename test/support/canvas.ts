import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type ProgramWithAdministrator, signInByApi } from './admin-program.ts'
import { aSavedPage, openForm } from './drafts.ts'

export const cta = (title: string, id: string) => ({
  type: 'cta',
  id,
  title,
  text: 'Wij zitten klaar.',
  button: { title: 'Contact', url: '/#contact' },
})

/** Opens the editor on a new page with these blocks. */
export async function openEditorOn(
  site: ProgramWithAdministrator,
  page: Page,
  title: string,
  body: object[],
): Promise<{ id: number; canvas: FrameLocator }> {
  const id = await aSavedPage(site, title, { body: body as never })
  await signInByApi(page)
  await openForm(page, id)
  return { id, canvas: await openedCanvas(page) }
}

/** Waits for the canvas, whose stylesheet and fonts come after its blocks, which move then. */
export async function openedCanvas(page: Page): Promise<FrameLocator> {
  const canvas = canvasOf(page)
  await canvas.locator('[data-puck-dropzone]').first().waitFor()
  const styles = canvas.locator('link[rel="stylesheet"]').first()
  await styles.waitFor({ state: 'attached' })
  await expect.poll(() => styles.evaluate((link: HTMLLinkElement) => link.sheet !== null)).toBe(true)
  await canvas.locator('html').evaluate(async ({ ownerDocument }) => void (await ownerDocument.fonts.ready))
  return canvas
}

export const canvasOf = (page: Page): FrameLocator => page.frameLocator('[data-page-field="body"] iframe')
export const bodyOf = (page: Page) => page.locator('[data-page-field="body"]')
/** The form of the selected block. */
export const fieldsOf = (page: Page) => page.getByRole('region', { name: 'Gekozen blok' })

/** One of the tabs of the outline. */
export const tabOf = (page: Page, name: 'Toevoegen' | 'Overzicht') =>
  bodyOf(page).getByRole('button', { name, exact: true }).first()
