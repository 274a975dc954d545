import { beforeAll, expect, test } from 'vitest'
import { aProgramWithAdministrator, type ProgramWithAdministrator, setChecked } from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aCtaBlock, bodyField, openEditorOn } from '../support/canvas.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

test('a style is chosen by keyboard, shown on the canvas at once, refused at its field, and published', async () => {
  allowErrors(/status of 422/)
  const page = await visitor(site.url)
  const text = { type: 'content', id: 'tekst', selector: 'p', className: '', content: 'In een kolom' }
  const columns = { type: 'columns', id: 'kolommen', columns: [{ blocks: [text] }, { blocks: [] }] }
  const { canvas } = await openEditorOn(site, page, 'Oproep', [aCtaBlock('Bel ons', 'oproep'), columns])
  const form = bodyField(page).locator('[data-block-form]')
  const choice = (group: string, name: string) =>
    form.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true })
  // A form that is replaced by that of the chosen block is closed again.
  const openStyle = () =>
    expect
      .poll(async () => {
        const isOpen = await choice('Achtergrond', 'Donker').isVisible()
        if (!isOpen) await form.locator('summary', { hasText: 'Stijl' }).click()
        return isOpen
      })
      .toBe(true)

  await canvas.getByText('In een kolom').click({ force: true })
  await openStyle()
  await setChecked(choice('Achtergrond', 'Donker'))
  await canvas.locator('.columns .on-dark').waitFor()
  await expect.poll(() => form.getByRole('group', { name: 'Breedte', exact: true }).count()).toBe(0)

  await canvas.getByText('Bel ons').click({ force: true })
  // The form of the block before it has no such field.
  await form.getByLabel('Titel', { exact: true }).waitFor()
  await openStyle()
  await expect.poll(() => choice('Breedte', 'Normaal').isChecked()).toBe(true)
  await choice('Achtergrond', 'Donker').focus()
  await page.keyboard.press('ArrowRight')
  await canvas.locator('.on-accent > .cta').waitFor()
  await expect.poll(() => choice('Achtergrond', 'Accent').isChecked()).toBe(true)
  expect(await axeViolations(page, { part: '[data-block-form]', frames: false })).toEqual([])

  // Without an image the canvas shows no background, and its texts are typed as before.
  await setChecked(choice('Achtergrond', 'Foto'))
  await canvas.locator('.on-accent').waitFor({ state: 'detached' })
  await canvas.getByText('Bel ons').click()
  await page.keyboard.press('End')
  await page.keyboard.insertText(' nu')
  await canvas.getByText('Bel ons nu').waitFor()
  await expect.poll(() => form.getByLabel('Titel', { exact: true }).inputValue()).toBe('Bel ons nu')
  await page.getByRole('button', { name: 'Opslaan en publiceren' }).click()
  const picture = form.getByRole('group', { name: 'Foto op de achtergrond' })
  await picture.getByRole('alert').waitFor()

  await setChecked(choice('Achtergrond', 'Getint'))
  await setChecked(choice('Bovenrand', 'Schuin'))
  await canvas.locator('.on-tinted.edge-slant > .cta').waitFor()
  await page.getByRole('button', { name: 'Opslaan en publiceren' }).click()
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
  await page.goto('/oproep')
  await expect.poll(() => page.locator('.on-tinted.edge-slant > .cta').innerText()).toContain('Bel ons')
  await expect.poll(() => page.locator('.columns .on-dark').innerText()).toBe('In een kolom')
})
