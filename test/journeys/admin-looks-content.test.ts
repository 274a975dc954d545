import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { type Locale, locales } from '../../src/contract/locales.ts'
import { adminPages as pagesFa } from '../../src/i18n/fa/admin-pages.ts'
import { adminPages as pagesNl } from '../../src/i18n/nl/admin-pages.ts'
import { aStaffedProgram, boss, enter, type StaffedProgram, settled, show } from '../support/admin.ts'
import { foundByAxe } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aSavedPage, byOutline, savedIn, savePage, titleField } from '../support/drafts.ts'
import { looksRight } from '../support/looks.ts'

const { visitor } = aBrowser()
const texts = { nl: pagesNl, fa: pagesFa }
const parisa = { email: 'parisa@example.nl', password: 'geheim-parisa' }
let site: StaffedProgram
let pageId: number
beforeAll(async () => {
  site = await aStaffedProgram()
  await site.addUser({ name: 'پریسا احمدی', ...parisa, roleId: 2, locale: 'fa' })
  pageId = await aSavedPage(site, 'Wat wij voor u maken')
  await savePage(site, await savedIn(site, pageId), { title: 'Wat wij maken' }, true)
  await savePage(site, await savedIn(site, pageId), { slug: 'gemaakt' }, true)
  await site.call('POST', '/api/redirects', { from: '/oud', to: '/gemaakt' })
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'fa', title: 'خدمات ما' })
  await site.call('POST', `/api/pages/${id}/bin`)
  const { version, config } = await site.call<Configuration>('GET', '/api/config')
  await site.call('PUT', '/api/config', {
    version,
    config: { tagline: { ...config.tagline, nl: 'Websites en hosting' } },
  })
})

async function at(locale: Locale, path: string): Promise<Page> {
  const page = await visitor(site.url)
  await enter(page, locale === 'fa' ? parisa : boss)
  await show(page, path.replace('{page}', String(pageId)))
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
  '/admin/config/offer',
  '/admin/config/business',
  '/admin/config/navbar',
  '/admin/config/footer',
  '/admin/config/seo',
  '/admin/config/contact',
  '/admin/config/sender',
  '/admin/config/legal',
  '/admin/config/locales',
  '/admin/config/revisions',
  '/admin/config/revisions/1',
]

describe.each(locales)('in %s', (locale) => {
  test.each(screens)('axe finds nothing at %s, and nothing sticks out', async (path) => {
    await looksRight(await at(locale, path), locale)
  })

  test('nor in the plain list of blocks with one open, nor in what is asked about a page', async () => {
    const t = texts[locale].pages
    const page = await visitor(site.url)
    await enter(page, locale === 'fa' ? parisa : boss)
    await byOutline(page)
    await show(page, `/admin/pages/${pageId}/nl`)
    await page.locator('[data-page-field="body"]').getByRole('button', { expanded: false }).first().click()
    await looksRight(page, locale)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: t.plan.open }).click()
    await page.getByRole('dialog', { name: t.plan.title }).getByRole('switch').first().check()
    expect(await foundByAxe(page), 'a plan').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: t.plan.title }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: t.preview.make, exact: true }).click()
    await page.getByLabel(t.preview.link).waitFor()
    expect(await foundByAxe(page), 'a preview').toEqual([])
    await page.keyboard.press('Escape')

    await titleField(page).fill(`${locale} anders`)
    await page.getByText(t.draft.saved).waitFor()
    await page.reload()
    await page.getByRole('alertdialog').waitFor()
    await settled(page)
    expect(await foundByAxe(page), 'a draft').toEqual([])
  })
})
