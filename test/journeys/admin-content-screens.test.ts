import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { pages } from '../../src/i18n/fa/admin/pages.ts'
import { form, shell } from '../../src/i18n/fa/admin.ts'
import { expectAccessibleLayout } from '../support/accessible-layout.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, heights, widths } from '../support/browser.ts'
import {
  aSavedPage,
  chooseFromMenu,
  getPageIn,
  savePage,
  switchToBlockList,
  titleField,
} from '../support/page-editor.ts'

const { visitor } = aBrowser()
const parisa = { email: 'parisa@example.nl', password: 'geheim-parisa' }
let site: ProgramWithAdministrator
let pageId: number
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'پریسا احمدی', ...parisa, roleId: 2, locale: 'fa' })
  pageId = await aSavedPage(site, 'Wat wij voor u maken')
  await savePage(site, await getPageIn(site, pageId), { title: 'Wat wij maken' }, true)
  await savePage(site, await getPageIn(site, pageId), { slug: 'gemaakt' }, true)
  await site.call('POST', '/api/redirects', { from: '/oud', to: '/gemaakt' })
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'fa', title: 'خدمات ما' })
  await site.call('POST', `/api/pages/${id}/bin`)
  const { version, config } = await site.call<Configuration>('GET', '/api/config')
  await site.call('PUT', '/api/config', {
    version,
    config: { tagline: { ...config.tagline, nl: 'Websites en hosting' } },
  })
})

const screens = [
  '/admin/files',
  '/admin/pages',
  '/admin/pages?search=maken&status=published&sort=title',
  '/admin/pages?bin=true',
  '/admin/pages/new',
  '/admin/pages/{page}/nl',
  '/admin/pages/{page}/fa',
  '/admin/pages/{page}/nl/history',
  '/admin/redirects',
  '/admin/health',
  '/admin/config',
  '/admin/config/brand',
  '/admin/config/logo',
  '/admin/config/palette',
  '/admin/config/look',
  '/admin/config/offer',
  '/admin/config/business',
  '/admin/config/menu',
  '/admin/config/navbar',
  '/admin/config/footer',
  '/admin/config/seo',
  '/admin/config/contact',
  '/admin/config/sender',
  '/admin/config/legal',
  '/admin/config/locales',
  '/admin/config/retention',
  '/admin/config/mail',
  '/admin/config/revisions',
  '/admin/config/revisions/1',
]

describe('in Persian', () => {
  let page: Page
  beforeAll(async () => {
    page = await visitor(site.url)
    await signInByApi(page, parisa)
  })

  test.each(screens)('axe finds nothing at %s, and nothing overflows', async (path) => {
    // On a phone the preview of the settings is behind a button: the site is not loaded into it to be thrown away.
    if (path.startsWith('/admin/config/')) {
      await page.setViewportSize({ width: widths.phone, height: heights.phone })
    }
    await goToScreen(page, path.replace('{page}', String(pageId)))
    await expect.poll(() => page.getByRole('button', { name: shell.help, exact: true }).count()).toBe(1)
    // Messages that no email brings to the recipients, because there is no mail server.
    if (path === '/admin/config/contact') await page.getByText(form.noMail.title).first().waitFor()
    await expectAccessibleLayout(page, { repeatsNames: path.endsWith('/history') })
  })

  test('axe finds nothing in the plain list with an open block, nor in the dialogs of a page', async () => {
    await switchToBlockList(page)
    await openScreen(page, `/admin/pages/${pageId}/nl`)
    await page.locator('[data-page-field="body"]').getByRole('button', { expanded: false }).first().click()
    await expectAccessibleLayout(page)

    await page.setViewportSize({ width: 390, height: 844 })
    await chooseFromMenu(page, pages.schedule.open)
    await page.getByRole('dialog', { name: pages.schedule.title }).getByRole('switch').first().check()
    expect(await axeViolations(page, { part: 'dialog[open]' }), 'a plan').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: pages.schedule.title }).waitFor({ state: 'detached' })
    await chooseFromMenu(page, pages.preview.make)
    await page.getByLabel(pages.preview.link).waitFor()
    expect(await axeViolations(page, { part: 'dialog[open]' }), 'a preview').toEqual([])
    await page.keyboard.press('Escape')

    await titleField(page).fill('متن دیگر')
    await page.getByText(pages.draft.saved).waitFor()
    await page.reload()
    await page.getByRole('alertdialog').waitFor()
    await waitUntilLoaded(page)
    expect(await axeViolations(page, { frames: false }), 'a draft').toEqual([])
  })
})
