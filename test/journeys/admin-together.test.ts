import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aProgramWithAdministrator, type ProgramWithAdministrator, signInByApi } from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aCtaBlock } from '../support/canvas.ts'
import {
  aSavedPage,
  draftOf,
  getPageIn,
  openForm,
  returnToTab,
  saveForm,
  switchToBlockList,
} from '../support/page-editor.ts'

const { visitor } = aBrowser()
const sanne = { email: 'sanne@example.nl', password: 'geheim-sanne' }
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'Sanne Samen', ...sanne, roleId: 2 })
})

async function onPage(id: number, who?: { email: string; password: string }): Promise<Page> {
  const page = await visitor(site.url)
  await switchToBlockList(page)
  await signInByApi(page, who)
  await openForm(page, id)
  return page
}

async function retitle(page: Page, from: string, to: string): Promise<void> {
  const body = page.locator('[data-page-field="body"]')
  await body.getByRole('button', { name: new RegExp(`^Oproep\\s*${from}$`) }).click()
  await body.getByLabel('Titel', { exact: true }).fill(to)
}
const save = async (page: Page) => {
  await saveForm(page)
  await page.getByText('Pagina is opgeslagen!').first().waitFor()
}
const titlesIn = async (id: number) =>
  (await getPageIn(site, id)).text.body.map((block) => (block as { title?: string }).title)

test('two users change different blocks of one page from their own drafts, then one adds a block and one moves a block: all of it is saved', async () => {
  const id = await aSavedPage(site, 'Samen', {
    body: [aCtaBlock('Eerste', 'een'), aCtaBlock('Tweede', 'twee')] as never,
  })
  const mine = await onPage(id)
  const hers = await onPage(id, sanne)
  await retitle(mine, 'Eerste', 'Eerste van Bente')
  await expect.poll(async () => (await draftOf(site, id))?.text.body[0]).toMatchObject({ title: 'Eerste van Bente' })
  await retitle(hers, 'Tweede', 'Tweede van Sanne')

  await save(hers)
  await expect.poll(() => titlesIn(id)).toEqual(['Eerste', 'Tweede van Sanne'])
  await save(mine)
  await mine.getByText('Ook de wijzigingen van Sanne Samen staan erin.').waitFor()
  await expect.poll(() => titlesIn(id)).toEqual(['Eerste van Bente', 'Tweede van Sanne'])
  await expect.poll(() => mine.getByRole('dialog').count(), { message: 'nothing is asked' }).toBe(0)
  // Both see both changes.
  for (const page of [mine, hers]) {
    await returnToTab(page)
    const body = page.locator('[data-page-field="body"]')
    await body
      .getByRole('button', { name: /Eerste van Bente/ })
      .first()
      .waitFor()
    await body
      .getByRole('button', { name: /Tweede van Sanne/ })
      .first()
      .waitFor()
  }

  const body = mine.locator('[data-page-field="body"]')
  const moved = /^Oproep\s*Eerste van Bente$/
  // Closed, so that the next form is that of the added block.
  await body.getByRole('button', { name: moved }).click()
  await expect.poll(() => body.getByLabel('Titel', { exact: true }).count()).toBe(0)
  await body.getByRole('button', { name: 'Blok toevoegen', exact: true }).last().click()
  await mine.getByRole('dialog').getByRole('button', { name: 'Oproep', exact: true }).click()
  await body.getByLabel('Titel', { exact: true }).fill('Derde van Bente')
  await hers.locator('[data-page-field="body"]').getByRole('button', { name: moved }).focus()
  await hers.keyboard.press('Alt+ArrowDown')
  await save(hers)
  await expect.poll(() => titlesIn(id)).toEqual(['Tweede van Sanne', 'Eerste van Bente'])
  await save(mine)
  // The added block stays after the block that it was inserted after.
  await expect.poll(() => titlesIn(id)).toEqual(['Tweede van Sanne', 'Derde van Bente', 'Eerste van Bente'])
})
