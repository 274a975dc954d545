import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  aProgramWithAdministrator,
  disablePreloading,
  type ProgramWithAdministrator,
  signInAndOpen,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import {
  aSavedPage,
  chooseFromMenu,
  getPageIn,
  openForm,
  switchToBlockList,
  titleField,
} from '../support/page-editor.ts'
import { allowErrors } from '../support/test-log.ts'

/** Parts of a screen are loaded on demand. Here loading fails. */
const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

/**
 * @param more.withheld the chunk that never loads, not even when the open form preloads it
 * @param more.preloads false: the form loads nothing in advance
 */
async function atForm(
  title: string,
  { withheld, preloads = true }: { withheld?: string; preloads?: boolean } = {},
): Promise<{ id: number; page: Page }> {
  const id = await aSavedPage(site, title)
  const page = await visitor(site.url)
  await switchToBlockList(page)
  if (!preloads) await disablePreloading(page)
  await signInByApi(page)
  if (withheld) await withhold(page, withheld)
  await openForm(page, id)
  return { id, page }
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const onTheSite = async (path: string) => (await fetch(site.url + path)).text()
/** Blocks the chunk of this name; everything else loads. */
const withhold = (page: Page, part: string) => page.route(`**/${part}*.js`, (route) => route.abort())

describe('a form with a chunk that does not load', () => {
  test('without a network, saving and publishing keep the form, show the reason, and work when the network is back', async () => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|dynamically imported module/)
    const { id, page } = await atForm('Met verbinding')
    await titleField(page).fill('Zonder verbinding')
    await page.context().setOffline(true)
    await press(page, 'Opslaan en publiceren')
    await page.getByRole('alert').filter({ hasText: 'Pagina is niet opgeslagen!' }).first().waitFor()
    await page.getByText('De server is niet bereikbaar. Controleer uw internetverbinding').first().waitFor()
    await expect.poll(() => titleField(page).inputValue()).toBe('Zonder verbinding')

    await page.context().setOffline(false)
    await press(page, 'Opslaan en publiceren')
    await page.getByText('Pagina is opgeslagen!').first().waitFor()
    await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe('Zonder verbinding')
    await expect.poll(() => onTheSite('/met-verbinding')).toContain('Zonder verbinding')
  })

  test('without the chunk of the publish warnings: the page is published without them', async () => {
    allowErrors(/ERR_FAILED|dynamically imported module/)
    const { page } = await atForm('Zonder waarschuwing', { withheld: 'confirm-example-text' })
    await titleField(page).fill('Toch gepubliceerd')
    await press(page, 'Opslaan en publiceren')
    await page.getByText('Pagina is opgeslagen!').first().waitFor()
    await expect.poll(() => onTheSite('/zonder-waarschuwing')).toContain('Toch gepubliceerd')
  })

  test('without the chunk of a dialog: an error is shown, and the dialog opens once the chunk loads', async () => {
    allowErrors(/ERR_FAILED|dynamically imported module/)
    const { page } = await atForm('Zonder planning', { withheld: 'schedule-dialog' })
    await titleField(page).fill('Nog te plannen')
    await chooseFromMenu(page, 'Plannen…')
    await page.getByRole('alert').filter({ hasText: 'Dit onderdeel is niet geladen' }).waitFor()
    await expect.poll(() => titleField(page).inputValue()).toBe('Nog te plannen')
    await page.unroute('**/schedule-dialog*.js')
    await chooseFromMenu(page, 'Plannen…')
    await page.getByRole('dialog').getByText('Publicatie plannen').waitFor()
  })

  test('without the chunk of the conflict dialog: nothing is saved and the form stays; the next try works', async () => {
    allowErrors(/ERR_FAILED|dynamically imported module|status of 409/)
    const { id, page } = await atForm('Botsing', { withheld: 'merge-conflicts' })
    await titleField(page).fill('Van mij')
    const now = await getPageIn(site, id)
    await site.call('PUT', `/api/pages/${id}/nl`, { text: { ...now.text, title: 'Van haar' }, version: now.version })
    await press(page, 'Opslaan')
    await page.getByRole('alert').filter({ hasText: 'Pagina is niet opgeslagen!' }).first().waitFor()
    await expect.poll(() => titleField(page).inputValue()).toBe('Van mij')
    await page.unroute('**/merge-conflicts*.js')
    await press(page, 'Opslaan')
    await page.getByRole('dialog', { name: 'U hebt allebei hetzelfde gewijzigd' }).waitFor()
  })

  test('once a form is open, its lazy chunks are preloaded, and it needs no network for them any more', async () => {
    allowErrors(/ERR_INTERNET_DISCONNECTED/)
    const id = await aSavedPage(site, 'Vooruit geladen')
    const page = await visitor(site.url)
    await switchToBlockList(page)
    await signInByApi(page)
    const later = ['confirm-example-text', 'schedule-dialog', 'merge-conflicts'].map((part) =>
      page.waitForResponse((response) => response.url().includes(`/${part}`)),
    )
    await openForm(page, id)
    await Promise.all(later)
    await waitUntilLoaded(page)
    await page.context().setOffline(true)
    await chooseFromMenu(page, 'Plannen…')
    await page.getByRole('dialog').getByText('Publicatie plannen').waitFor()
  })
})

test('a screen that fails to load without a network shows an error, and loads on retry', async () => {
  allowErrors(/ERR_INTERNET_DISCONNECTED|dynamically imported module|was not reached/)
  const page = await signInAndOpen(await visitor(site.url), '/user')
  await page.context().setOffline(true)
  await page.getByRole('navigation').getByRole('link', { name: 'Rollen' }).click()
  const again = page.getByRole('main').getByRole('button', { name: 'Opnieuw proberen' })
  await again.waitFor()
  await page.getByText('De server is niet bereikbaar.').first().waitFor()
  await page.context().setOffline(false)
  await again.click()
  await page.getByRole('heading', { level: 1, name: 'Rollen' }).waitFor()
})

test('an editor that failed to load opens after ‘Opnieuw proberen’', async () => {
  allowErrors(/ERR_FAILED|dynamically imported module/)
  const id = await aSavedPage(site, 'Zonder editor')
  const page = await visitor(site.url)
  await signInByApi(page)
  await withhold(page, 'body-editor')
  await openForm(page, id)
  const again = page.locator('[data-page-field="body"]').getByRole('button', { name: 'Opnieuw proberen' })
  await again.waitFor()
  await titleField(page).fill('Met editor')
  await page.unroute('**/body-editor*.js')
  await again.click()
  await page.frameLocator('[data-page-field="body"] iframe').getByText('Welkom bij ons.').first().waitFor()
  await expect.poll(() => titleField(page).inputValue()).toBe('Met editor')
})

describe('a new version of the program', () => {
  /** The server runs a new version: the chunks of the old one are gone, and its page has other names. */
  async function replace(page: Page, part: string): Promise<void> {
    await page.route(`**/${part}*.js`, (route) => route.fulfill({ status: 404, body: '' }))
    await page.route(/\/admin\/pages\//, async (route) => {
      if (route.request().resourceType() !== 'fetch') return route.continue()
      const response = await route.fetch()
      const html = (await response.text()).replaceAll(/(admin-)[\w-]+(\.js)/g, '$1another$2')
      return route.fulfill({ response, body: html })
    })
  }

  test('is loaded when a chunk of the old one is gone', async () => {
    allowErrors(/status of 404|dynamically imported module/)
    const { page } = await atForm('Vervangen', { preloads: false })
    await replace(page, 'schedule-dialog')
    const loaded = page.waitForEvent('load')
    await chooseFromMenu(page, 'Plannen…')
    await loaded
    await titleField(page).waitFor()
  })

  test('is announced, and not loaded over unsaved changes', async () => {
    allowErrors(/status of 404|dynamically imported module/)
    const { page } = await atForm('Vervangen met werk', { preloads: false })
    await replace(page, 'schedule-dialog')
    await titleField(page).fill('Getypt voor de vervanging')
    await chooseFromMenu(page, 'Plannen…')
    await page.getByText('Er is een nieuwe versie van dit programma').waitFor()
    await expect.poll(() => titleField(page).inputValue()).toBe('Getypt voor de vervanging')
  })
})
