import { beforeAll, expect, test } from 'vitest'
import type { ListedPage } from '../../src/contract/pages.ts'
import type { Section } from '../../src/contract/sections.ts'
import { blocks as text } from '../../src/i18n/nl/admin/blocks.ts'
import { aProgramWithAdministrator, goToScreen, openScreen, signInByApi } from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aTempFolder } from '../support/databases.ts'
import { getPageIn, savePage } from '../support/page-editor.ts'
import { aProgram, type Program } from '../support/program.ts'
import { changeEachText, writeSiteFile } from '../support/site-file.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

const dayS = 86_400

// Each width, and each way of working, is there once.
test.each([
  ['phone', true],
  ['desktop', false],
] as const)(
  'spec 9 language cookie: choosing sets it for 365 days, SameSite=Lax (on a %s, JavaScript %s)',
  async (width, javaScript) => {
    const page = await visitor(site.url, { width, javaScript })
    await page.goto('/disclaimer')
    await expect.poll(() => page.context().cookies()).toEqual([])

    await page.getByRole('link', { name: 'فارسی' }).click()

    await page.waitForURL('**/fa/disclaimer')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fa')
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
    const [cookie, ...more] = await page.context().cookies()
    expect(more).toEqual([])
    expect(cookie).toMatchObject({ name: 'locale', value: 'fa', path: '/', sameSite: 'Lax' })
    const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / dayS
    expect(days).toBeGreaterThan(364.9)
    expect(days).toBeLessThanOrEqual(365)
  },
)

test('the language of the browser alone does not redirect; a visitor who chose Persian is redirected to Persian from /, and can choose Dutch again', async () => {
  const page = await visitor(site.url, { locale: 'fa-IR' })
  await page.goto('/')
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('nl')
  await expect.poll(() => page.context().cookies()).toEqual([])
  await page.getByRole('link', { name: 'فارسی' }).click()
  await page.goto('/')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/fa')

  await page.getByRole('link', { name: 'Nederlands' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  await page.goto('/')
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('nl')
  await expect
    .poll(async () => (await page.context().cookies()).map(({ name, value }) => [name, value]))
    .toEqual([['locale', 'nl']])
})

test('the admin of a site in German alone asks for German descriptions of images, and opens German pages', async () => {
  const SITE_CONFIG = writeSiteFile(aTempFolder(), (config) => {
    Object.assign(
      config,
      changeEachText(config, ({ nl }) => ({ de: nl })),
      { locales: ['de'] },
    )
  })
  const german = await aProgramWithAdministrator({ SITE_CONFIG })
  const page = await visitor(german.url)
  await signInByApi(page)

  const photo = { data: Buffer.from(await aPhoto(50, 40)) }
  const { id: file } = await (await page.context().request.post('/api/files?name=gevel.jpg', photo)).json()
  await openScreen(page, '/admin/files')
  const card = page.locator('main ul a').filter({ hasText: 'gevel.jpg' })
  await card.getByText('Nog zonder beschrijving').waitFor()
  await german.call('PUT', `/api/files/${file}`, { alt: { de: 'Fassade' } })
  await openScreen(page, '/admin/files')
  await card.waitFor()
  await expect.poll(() => card.getByText('Nog zonder beschrijving').count()).toBe(0)

  const { id: section } = await german.call<Section>('POST', '/api/sections', {
    name: 'Zeiten',
    texts: { de: [{ type: 'line' }] },
  })
  const { id } = await german.call<ListedPage>('POST', '/api/pages', { locale: 'de', title: 'Laden', slug: 'laden' })
  await savePage(german, await getPageIn(german, id, 'de'), { body: [{ type: 'section', section }] as never })
  await goToScreen(page, `/admin/sections/${section}`)
  await page.getByRole('button', { name: text.sections.about }).click()
  await expect.poll(() => page.getByRole('link', { name: 'Laden' }).getAttribute('href')).toBe(`/admin/pages/${id}/de`)
})
