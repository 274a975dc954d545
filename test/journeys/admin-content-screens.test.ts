import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { Locale } from '../../src/contract/locales.ts'
import * as pagesFa from '../../src/i18n/fa/admin/pages.ts'
import * as pagesNl from '../../src/i18n/nl/admin/pages.ts'
import { browserFor, expectAccessibleLayout } from '../support/accessible-layout.ts'
import {
  administrator,
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aSavedPage, chooseFromMenu, getPageIn, savePage, switchToBlockList, titleField } from '../support/drafts.ts'
import { siteLocales } from '../support/site-file.ts'

const { visitor } = aBrowser()
const texts = { nl: pagesNl, fa: pagesFa }
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

async function at(locale: Locale): Promise<Page> {
  const page = await visitor(site.url, browserFor(locale))
  await signInByApi(page, locale === 'fa' ? parisa : administrator)
  return page
}

const screens = [
  '/admin/files',
  '/admin/pages',
  '/admin/pages?search=nergens',
  '/admin/pages?status=published&sort=title',
  '/admin/pages?bin=true',
  '/admin/pages/new',
  '/admin/pages/{page}/nl',
  '/admin/pages/{page}/fa',
  '/admin/pages/{page}/nl/history',
  '/admin/redirects',
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
  '/admin/config/mail',
  '/admin/config/revisions',
  '/admin/config/revisions/1',
]

describe.each(siteLocales)('in %s', (locale) => {
  let page: Page
  beforeAll(async () => {
    page = await at(locale)
  })

  test.each(screens)('axe finds nothing at %s, and nothing overflows', async (path) => {
    await goToScreen(page, path.replace('{page}', String(pageId)))
    await expectAccessibleLayout(page, locale)
  })

  test('axe finds nothing in the plain list with an open block, nor in the dialogs of a page', async () => {
    const t = texts[locale].pages
    const page = await visitor(site.url)
    await signInByApi(page, locale === 'fa' ? parisa : administrator)
    await switchToBlockList(page)
    await openScreen(page, `/admin/pages/${pageId}/nl`)
    await page.locator('[data-page-field="body"]').getByRole('button', { expanded: false }).first().click()
    await expectAccessibleLayout(page, locale)

    await page.setViewportSize({ width: 390, height: 844 })
    await chooseFromMenu(page, t.schedule.open)
    await page.getByRole('dialog', { name: t.schedule.title }).getByRole('switch').first().check()
    expect(await axeViolations(page), 'a plan').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: t.schedule.title }).waitFor({ state: 'detached' })
    await chooseFromMenu(page, t.preview.make)
    await page.getByLabel(t.preview.link).waitFor()
    expect(await axeViolations(page), 'a preview').toEqual([])
    await page.keyboard.press('Escape')

    await titleField(page).fill(`${locale} anders`)
    await page.getByText(t.draft.saved).waitFor()
    await page.reload()
    await page.getByRole('alertdialog').waitFor()
    await waitUntilLoaded(page)
    expect(await axeViolations(page), 'a draft').toEqual([])
  })
})
