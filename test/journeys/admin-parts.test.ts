import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { aStaffedProgram, enter, type StaffedProgram, settled, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { aSavedPage, byOutline, openForm, savedIn, titleField } from '../support/drafts.ts'
import { allowErrors } from '../support/logged.ts'

/** Parts of a screen come when they are wanted. Here they do not. */
const { visitor } = aBrowser()
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram()
})

async function atForm(title: string, { outline = true } = {}): Promise<{ id: number; page: Page }> {
  const id = await aSavedPage(site, title)
  const page = await visitor(site.url)
  if (outline) await byOutline(page)
  await enter(page)
  await openForm(page, id)
  return { id, page }
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const onTheSite = async (path: string) => (await fetch(site.url + path)).text()
/** Nothing of this name comes, and all the rest does. */
const withhold = (page: Page, part: string) => page.route(`**/${part}*.js`, (route) => route.abort())

describe('a form that lacks a part of the program', () => {
  test('without a network, saving and publishing leaves the form as it is, says why, and works when it is back', async () => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|dynamically imported module/)
    const { id, page } = await atForm('Met verbinding')
    await titleField(page).fill('Zonder verbinding')
    await page.context().setOffline(true)
    await press(page, 'Opslaan en publiceren')
    await page.getByRole('alert').filter({ hasText: 'Pagina is niet opgeslagen!' }).first().waitFor()
    await page.getByText('De server is niet bereikbaar. Controleer uw internetverbinding').first().waitFor()
    expect(await titleField(page).inputValue()).toBe('Zonder verbinding')

    await page.context().setOffline(false)
    await press(page, 'Opslaan en publiceren')
    await page.getByText('Pagina is opgeslagen!').first().waitFor()
    expect((await savedIn(site, id)).text.title).toBe('Zonder verbinding')
    await expect.poll(() => onTheSite('/met-verbinding')).toContain('Zonder verbinding')
  })

  test('what warns before publishing does not come: the page is published without the warning', async () => {
    allowErrors(/ERR_FAILED|dynamically imported module/)
    const { page } = await atForm('Zonder waarschuwing')
    await withhold(page, 'ask-about-examples')
    await titleField(page).fill('Toch gepubliceerd')
    await press(page, 'Opslaan en publiceren')
    await page.getByText('Pagina is opgeslagen!').first().waitFor()
    await expect.poll(() => onTheSite('/zonder-waarschuwing')).toContain('Toch gepubliceerd')
  })

  test('a dialog that does not come is told, and opens when its part does', async () => {
    allowErrors(/ERR_FAILED|dynamically imported module/)
    const { page } = await atForm('Zonder planning')
    await withhold(page, 'plan-dialog')
    await titleField(page).fill('Nog te plannen')
    await press(page, 'Plannen…')
    await page.getByRole('alert').filter({ hasText: 'Dit onderdeel is niet geladen' }).waitFor()
    expect(await titleField(page).inputValue()).toBe('Nog te plannen')
    await page.unroute('**/plan-dialog*.js')
    await press(page, 'Plannen…')
    await page.getByRole('dialog').getByText('Publicatie plannen').waitFor()
  })

  test('what shows a collision does not come: nothing is saved and the form stays; at the next try it does', async () => {
    allowErrors(/ERR_FAILED|dynamically imported module|status of 409/)
    const { id, page } = await atForm('Botsing')
    await withhold(page, 'collisions')
    await titleField(page).fill('Van mij')
    const now = await savedIn(site, id)
    await site.call('PUT', `/api/pages/${id}/nl`, { text: { ...now.text, title: 'Van haar' }, version: now.version })
    await press(page, 'Opslaan')
    await page.getByRole('alert').filter({ hasText: 'Pagina is niet opgeslagen!' }).first().waitFor()
    expect(await titleField(page).inputValue()).toBe('Van mij')
    await page.unroute('**/collisions*.js')
    await press(page, 'Opslaan')
    await page.getByRole('dialog', { name: 'U hebt allebei hetzelfde gewijzigd' }).waitFor()
  })

  test('once a form stands, what it may want later comes by itself, and needs no network any more', async () => {
    allowErrors(/ERR_INTERNET_DISCONNECTED/)
    const id = await aSavedPage(site, 'Vooruit geladen')
    const page = await visitor(site.url)
    await byOutline(page)
    await enter(page)
    const later = ['ask-about-examples', 'plan-dialog', 'collisions'].map((part) =>
      page.waitForResponse((response) => response.url().includes(`/${part}`)),
    )
    await openForm(page, id)
    await Promise.all(later)
    await settled(page)
    await page.context().setOffline(true)
    await press(page, 'Plannen…')
    await page.getByRole('dialog').getByText('Publicatie plannen').waitFor()
  })
})

test('a screen that does not come without a network is told in its place, and comes when it is asked for again', async () => {
  allowErrors(/ERR_INTERNET_DISCONNECTED|dynamically imported module|was not reached/)
  const page = await visitor(site.url)
  await enter(page)
  await show(page, '/user')
  await page.context().setOffline(true)
  await page.getByRole('navigation').getByRole('link', { name: 'Rollen' }).click()
  const again = page.getByRole('main').getByRole('button', { name: 'Opnieuw proberen' })
  await again.waitFor()
  await page.getByText('De server is niet bereikbaar.').first().waitFor()
  await page.context().setOffline(false)
  await again.click()
  await page.getByRole('heading', { level: 1, name: 'Rollen' }).waitFor()
})

test('an editor that did not come stands there after ‘Opnieuw proberen’', async () => {
  allowErrors(/ERR_FAILED|dynamically imported module/)
  const id = await aSavedPage(site, 'Zonder editor')
  const page = await visitor(site.url)
  await enter(page)
  await withhold(page, 'body-editor')
  await openForm(page, id)
  const again = page.locator('[data-page-field="body"]').getByRole('button', { name: 'Opnieuw proberen' })
  await again.waitFor()
  await titleField(page).fill('Met editor')
  await page.unroute('**/body-editor*.js')
  await again.click()
  await page.frameLocator('[data-page-field="body"] iframe').getByText('Welkom bij ons.').first().waitFor()
  expect(await titleField(page).inputValue()).toBe('Met editor')
})

describe('a new version of the program', () => {
  /** The server has another program by now: this one’s parts are gone, and its page names others. */
  async function replace(page: Page, part: string): Promise<void> {
    await page.route(`**/${part}*.js`, (route) => route.fulfill({ status: 404, body: '' }))
    await page.route(/\/admin\/pages\//, async (route) => {
      if (route.request().resourceType() !== 'fetch') return route.continue()
      const response = await route.fetch()
      const html = (await response.text()).replaceAll(/(admin-)[\w-]+(\.js)/g, '$1another$2')
      return route.fulfill({ response, body: html })
    })
  }

  test('is loaded when a part of the old one is gone', async () => {
    allowErrors(/status of 404|dynamically imported module/)
    const { page } = await atForm('Vervangen')
    await replace(page, 'plan-dialog')
    const loaded = page.waitForEvent('load')
    await press(page, 'Plannen…')
    await loaded
    await titleField(page).waitFor()
  })

  test('is told of and not loaded over what was typed', async () => {
    allowErrors(/status of 404|dynamically imported module/)
    const { page } = await atForm('Vervangen met werk')
    await replace(page, 'plan-dialog')
    await titleField(page).fill('Getypt voor de vervanging')
    await press(page, 'Plannen…')
    await page.getByText('Er is een nieuwe versie van dit programma').waitFor()
    expect(await titleField(page).inputValue()).toBe('Getypt voor de vervanging')
  })
})
