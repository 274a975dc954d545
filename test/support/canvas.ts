import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type ProgramWithAdministrator, signInByApi } from './admin-program.ts'
import { aSavedPage, openForm } from './page-editor.ts'

/** A call-to-action block. */
export const aCtaBlock = (title: string, id: string) => ({
  type: 'cta',
  id,
  title,
  text: 'Wij zitten klaar.',
  button: { title: 'Contact', url: '/#contact' },
})

/** Signs in as the administrator and opens the visual editor on a new page with these blocks. */
export async function openEditorOn(
  site: ProgramWithAdministrator,
  page: Page,
  title: string,
  body: object[],
): Promise<{ id: number; canvas: FrameLocator }> {
  const id = await aSavedPage(site, title, { body: body as never })
  await signInByApi(page)
  await openForm(page, id)
  return { id, canvas: await waitForCanvas(page) }
}

/** Waits until the canvas shows its blocks and has loaded its stylesheet and fonts, which move the blocks. */
export async function waitForCanvas(page: Page): Promise<FrameLocator> {
  const canvas = canvasOf(page)
  await canvas.locator('[data-puck-dropzone]').first().waitFor()
  const styles = canvas.locator('link[rel="stylesheet"]').first()
  await styles.waitFor({ state: 'attached' })
  await expect.poll(() => styles.evaluate((link: HTMLLinkElement) => link.sheet !== null)).toBe(true)
  await canvas.locator('html').evaluate(async ({ ownerDocument }) => void (await ownerDocument.fonts.ready))
  return canvas
}

/** The frame of the visual editor, which shows the blocks as on the site. */
export const canvasOf = (page: Page): FrameLocator => page.frameLocator('[data-page-field="body"] iframe')
/** The field of the page form that contains the blocks: the visual editor or the list. */
export const bodyField = (page: Page) => page.locator('[data-page-field="body"]')
/** The form of the selected block. */
export const selectedBlockForm = (page: Page) => page.getByRole('region', { name: 'Gekozen blok' })

/** A tab of the panel beside the canvas: the blocks to add, or the outline of the page. */
export const editorPanelTab = (page: Page, name: 'Toevoegen' | 'Overzicht') =>
  bodyField(page).getByRole('button', { name, exact: true }).first()
