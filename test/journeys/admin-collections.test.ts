import { beforeAll, describe, expect, test } from 'vitest'
import { entryList } from '../../src/blocks/entry-list.tsx'
import type { Configuration } from '../../src/contract/configuration.ts'
import { languageName, localizedPath } from '../../src/contract/locales.ts'
import { blocks as faBlocks } from '../../src/i18n/fa/admin/blocks.ts'
import { config as faConfig } from '../../src/i18n/fa/admin/config.ts'
import { pages as faPages } from '../../src/i18n/fa/admin/pages.ts'
import { form as faForm } from '../../src/i18n/fa/admin.ts'
import { blocks as nlBlocks } from '../../src/i18n/nl/admin/blocks.ts'
import { config as nlConfig } from '../../src/i18n/nl/admin/config.ts'
import { pages as nlPages } from '../../src/i18n/nl/admin/pages.ts'
import { form as nlForm } from '../../src/i18n/nl/admin.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  pressSave,
  roya,
  setChecked,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aCtaBlock, bodyField } from '../support/canvas.ts'
import { aSavedPage, draftOf, openForm, saveForm, switchToBlockList, titleField } from '../support/page-editor.ts'
import { siteFileWithoutCollections } from '../support/site-file.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await addPersianAdministrator(site)
})

const people = {
  nl: {
    who: administrator,
    config: nlConfig,
    pages: nlPages,
    blocks: nlBlocks,
    form: nlForm,
    name: 'Winkels',
    slug: 'winkels',
    field: 'Jaar',
    title: 'Een webwinkel',
    path: '/winkels/een-webwinkel',
    shown: '2026',
    start: { title: 'Wat wij maken', path: '/wat-wij-maken' },
  },
  fa: {
    who: roya,
    config: faConfig,
    pages: faPages,
    blocks: faBlocks,
    form: faForm,
    name: 'فروشگاه‌ها',
    slug: 'فروشگاه‌ها',
    field: 'سال',
    title: 'فروشگاه',
    path: '/فروشگاه‌ها/فروشگاه',
    shown: '۲۰۲۶',
    start: { title: 'شروع', path: '/شروع' },
  },
} as const

const html = async (path: string) => (await fetch(encodeURI(site.url + path))).text()

describe.each(['nl', 'fa'] as const)('a collection, in %s,', (locale) => {
  const { who, config, pages, blocks, form, name, slug, field, title, path, shown, start } = people[locale]
  const words = config.collections

  test('is made in the settings, gets an entry with its fields, and has an overview', async () => {
    const page = await visitor(site.url)
    await switchToBlockList(page)
    await signInAndOpen(page, '/admin/config/collections', who)
    const both = async (label: string, text: string) => {
      for (const one of ['nl', 'fa'] as const) {
        await page
          .getByLabel(`${label} (${languageName(one)})`, { exact: true })
          .last()
          .fill(text)
      }
    }
    await page.getByRole('button', { name: words.add }).click()
    await both(words.name, name)
    await both(words.slug, slug)
    await page.getByRole('button', { name: words.addField }).click()
    await both(words.fieldName, field)
    await page.getByLabel(words.type, { exact: true }).selectOption('number')
    // axe looks at this form in Persian, at the entry and at the list in Dutch.
    if (locale === 'fa') expect(await axeViolations(page)).toEqual([])
    await pressSave(page, page.locator('main').getByRole('button', { name: form.save }), /^\/api\/config$/)
    await page.getByText(config.saved).first().waitFor()
    await expect.poll(() => html(localizedPath(`/${slug}`, locale, {}))).toContain(`<h1>${name}</h1>`)

    await goToScreen(page, '/admin/pages/new')
    await setChecked(page.getByRole('radio', { name }))
    await page.getByLabel(pages.fields.title).fill(title)
    await page.getByRole('button', { name: pages.create }).click()
    await expect.poll(() => titleField(page).inputValue()).toBe(title)
    await page.getByLabel(field, { exact: true }).fill(shown)
    await saveForm(page, pages.saveAndPublish)
    await page.getByText(pages.saved).first().waitFor()
    await expect.poll(() => html(localizedPath(path, locale, {}))).toMatch(new RegExp(`<dd><bdi>${shown}</bdi></dd>`))
    await expect.poll(() => html(localizedPath(`/${slug}`, locale, {}))).toContain(`>${title}</a>`)

    const list = entryList.labels[locale]
    await goToScreen(page, '/admin/pages/new')
    await page.getByLabel(pages.fields.title).fill(start.title)
    await page.getByRole('button', { name: pages.create }).click()
    await expect.poll(() => titleField(page).inputValue()).toBe(start.title)
    await page.getByRole('button', { name: blocks.add }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`^${list.name}`) })
      .click()
    await page
      .locator('[data-page-field="body"]')
      .getByLabel(list.fields.from, { exact: true })
      .selectOption({ label: name })
    if (locale === 'nl') expect(await axeViolations(page)).toEqual([])
    await saveForm(page, pages.saveAndPublish)
    await expect
      .poll(() => html(localizedPath(start.path, locale, {})))
      .toMatch(
        new RegExp(`<ul class="works">.*<h3><a href="${encodeURI(localizedPath(path, locale, {}))}">${title}</a>`, 's'),
      )

    const saved = await site.call<Configuration>('GET', '/api/config')
    await goToScreen(page, `/admin/pages?collection=${saved.config.collections?.at(-1)?.id}`)
    await page.getByRole('link', { name: title, exact: true }).waitFor()
    const reader = await visitor(site.url)
    const entryAndList = locale === 'nl' ? [path, start.path] : []
    for (const shownPath of [...entryAndList, `/${slug}`]) {
      await reader.goto(encodeURI(localizedPath(shownPath, locale, {})))
      expect(await axeViolations(reader), shownPath).toEqual([])
    }
    // On the overview, the trail begins where the heading does.
    const edgeOf = (selector: string) =>
      reader.locator(selector).evaluate((one) => {
        const { left, right } = one.getBoundingClientRect()
        return Math.round(document.dir === 'rtl' ? right : left)
      })
    expect(await edgeOf('.breadcrumbs li:first-child')).toBe(await edgeOf('main h1'))

    // Before it is saved, the screen says what a removal hides.
    await goToScreen(page, '/admin/config/collections')
    await page.getByRole('button', { name: config.sort.remove.replace('{{name}}', name), exact: true }).click()
    await page.getByText(words.hiddenText).waitFor()
    const one = config.locales.pages_one.replace('{{count, number}}', locale === 'nl' ? '1' : '۱')
    await page
      .getByRole('listitem')
      .filter({ hasText: `${name}: ${one}` })
      .waitFor()
    // The rest is shown in Dutch alone.
    if (locale === 'fa') return
    expect(await axeViolations(page)).toEqual([])

    // So do the list of pages and the editor once it is saved.
    await pressSave(page, page.locator('main').getByRole('button', { name: form.save }), /^\/api\/config$/)
    await goToScreen(page, '/admin/pages')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) })
    await row.getByText(pages.hidden.withoutCollection).waitFor()
    await row.getByRole('link', { name: title, exact: true }).click()
    await page.getByText(pages.hidden.collection).waitFor()

    // And what is imported: a file without the collections and without Persian.
    await goToScreen(page, '/admin/config')
    await page.getByLabel(config.file.choose).setInputFiles({
      name: 'klein.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ ...siteFileWithoutCollections(), locales: ['nl'] })),
    })
    const report = page.getByRole('dialog', { name: config.file.report })
    await report.getByText(config.file.hidden).waitFor()
    await report.getByText(config.file.hiddenLanguages).waitFor()
    await report
      .getByRole('listitem')
      .filter({ hasText: /^Perzisch: / })
      .waitFor()
  })
})

test('a link and a menu item are chosen from the overviews of the collections too', async () => {
  const id = await aSavedPage(site, 'Met een link', { body: [aCtaBlock('Lees verder', 'a')] as never })
  const page = await visitor(site.url)
  await switchToBlockList(page)
  await signInByApi(page)
  await openForm(page, id)
  await bodyField(page)
    .getByRole('button', { name: /^Oproep/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Pagina kiezen/ })
    .first()
    .click()
  const chooseOverview = async () => {
    await page.getByRole('dialog').getByLabel('Zoek op titel of adres').fill('nieuws')
    const overviews = page.getByRole('dialog').getByRole('button', { name: /Overzicht van een verzameling/ })
    await expect.poll(() => overviews.count()).toBe(1)
    await overviews.click()
  }
  await chooseOverview()
  await expect.poll(async () => (await draftOf(site, id))?.text.body[0]).toMatchObject({ button: { url: '/nieuws' } })

  await goToScreen(page, '/admin/config/menu')
  await page.getByRole('button', { name: 'Pagina toevoegen' }).click()
  await chooseOverview()
  await page.getByRole('button', { name: 'Link toevoegen' }).click()
  await page.getByLabel('Tekst', { exact: true }).fill('Wat wij melden')
  await page.getByRole('button', { name: 'Aan een pagina koppelen' }).click()
  await chooseOverview()
  await pressSave(page, page.locator('main').getByRole('button', { name: 'Opslaan' }), /^\/api\/config$/)
  const config = await site.call<Configuration>('GET', '/api/config')
  expect(config.config.menus?.main.nl?.slice(-2)).toMatchObject([
    { title: 'Nieuws', url: '/nieuws' },
    { title: 'Wat wij melden', url: '/nieuws' },
  ])
})
