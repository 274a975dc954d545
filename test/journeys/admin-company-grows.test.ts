import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { form as formBlock } from '../../src/blocks/form.tsx'
import type { Configuration } from '../../src/contract/configuration.ts'
import { languageName } from '../../src/contract/locales.ts'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { blocks as faBlocks } from '../../src/i18n/fa/admin/blocks.ts'
import { config as faConfig } from '../../src/i18n/fa/admin/config.ts'
import { pages as faPages } from '../../src/i18n/fa/admin/pages.ts'
import { form as faForm } from '../../src/i18n/fa/admin.ts'
import { config as nlConfig } from '../../src/i18n/nl/admin/config.ts'
import { pages as nlPages } from '../../src/i18n/nl/admin/pages.ts'
import { form as nlForm } from '../../src/i18n/nl/admin.ts'
import { translator } from '../../src/i18n/translate.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  pressSave,
  roya,
  setChecked,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { openForm, saveForm, switchToBlockList, titleField } from '../support/page-editor.ts'
import { aPdf } from '../support/uploads.ts'

// A bakery that came with pages alone gets news, another language and a form with files, all on the screens.

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator({ SITE_CONFIG: 'samples/bakery/site.config.json', CONTACT_RATE: 'off' })
  await addPersianAdministrator(site)
  // Without the rules that depend on the speed of the visitor.
  const spam = { ...defaultSpamSettings, points: { ...defaultSpamSettings.points, fast: 0, noMoment: 0 } }
  const { version } = await site.call<Configuration>('GET', '/api/config')
  await site.call('PUT', '/api/config', { version, config: { spam } })
})

/** So narrow that the settings have no preview: each change would load the site in it, and axe would check that too. */
const withoutPreview = { width: 1200 }
/** Leaves the admin for a file of the site, which asks for nothing, and the session with it. */
async function becomeVisitor(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.context().clearCookies()
}
const html = async (path: string) => (await fetch(encodeURI(site.url + path))).text()

test('a Dutch baker adds English, and news in both languages', async () => {
  const words = nlConfig
  const page = await visitor(site.url, withoutPreview)
  await switchToBlockList(page)
  await signInByApi(page)
  const save = async () => {
    await pressSave(page, page.locator('main').getByRole('button', { name: nlForm.save }), /^\/api\/config$/)
    await page.getByText(words.saved).first().waitFor()
  }
  await openScreen(page, '/admin/config/locales')
  await page.getByLabel(words.locales.add, { exact: true }).fill('en')
  await page.getByRole('button', { name: words.locales.addButton, exact: true }).click()
  await page.getByText('(en)', { exact: true }).waitFor()
  await save()

  await goToScreen(page, '/admin/config/collections')
  await page.getByRole('button', { name: 'Nieuws toevoegen' }).click()
  const english = page.getByLabel(`${words.collections.name} (${languageName('en')})`, { exact: true })
  await expect.poll(() => english.inputValue()).toBe('News')
  expect(await axeViolations(page)).toEqual([])
  await save()
  await expect.poll(() => html('/nieuws')).toContain('<h1>Nieuws</h1>')

  await openScreen(page, '/admin/pages/new')
  await setChecked(page.getByRole('radio', { name: 'Nieuws' }))
  await page.getByLabel(nlPages.fields.title).fill('Een nieuwe oven')
  await page.getByRole('button', { name: nlPages.create }).click()
  await expect.poll(() => titleField(page).inputValue()).toBe('Een nieuwe oven')
  await page.getByLabel('Samenvatting', { exact: true }).fill('Vanaf maandag bakken wij op hout.')
  await page.getByLabel('Auteur', { exact: true }).fill('Marit Vos')
  await saveForm(page, nlPages.saveAndPublish)
  await page.getByText(nlPages.saved).first().waitFor()
  const [, id] = /\/admin\/pages\/(\d+)\//.exec(page.url()) ?? []

  await openForm(page, Number(id), 'en')
  await titleField(page).fill('A new oven')
  await page.getByRole('button', { name: 'news/a-new-oven' }).click()
  await page.getByLabel('Samenvatting', { exact: true }).fill('From Monday on we bake on wood.')
  await page.getByLabel('Auteur', { exact: true }).fill('Marit Vos')
  await saveForm(page, nlPages.saveAndPublish)
  await expect.poll(() => html('/nieuws')).toContain('Vanaf maandag bakken wij op hout.')
  await expect.poll(() => html('/en/news')).toMatch(/<html[^>]* lang="en".*<h1>News<\/h1>.*>A new oven<\/a>/s)
  await expect.poll(() => html('/en/news/a-new-oven')).toContain('"author":{"@type":"Person","name":"Marit Vos"}')
  expect(await html('/en/news/feed.xml')).toContain('From Monday on we bake on wood.')
  await becomeVisitor(page)
  await page.goto('/en/news')
  expect(await axeViolations(page)).toEqual([])
})

test('a Persian colleague makes a quote form with files, and reads what it brings', async () => {
  const words = faConfig.forms
  const label = faConfig.fields.form
  const page = await visitor(site.url, withoutPreview)
  await switchToBlockList(page)
  await signInByApi(page, roya)
  const fill = async (name: string, texts: { nl: string; fa: string }) => {
    for (const one of ['nl', 'fa'] as const) {
      await page.getByLabel(`${name} (${languageName(one)})`, { exact: true }).fill(texts[one])
    }
  }
  await openScreen(page, '/admin/config/forms')
  await page.getByRole('button', { name: words.add, exact: true }).click()
  await fill(label.name, { nl: 'Offerte voor een feest', fa: 'پیش‌فاکتور جشن' })
  await page.getByLabel(label.subject).fill('Nieuwe offerteaanvraag')
  await page.getByRole('button', { name: words.addField, exact: true }).click()
  await fill(label.label, { nl: 'Tekening van de taart', fa: 'طرح کیک' })
  await page.getByLabel(label.kind, { exact: true }).selectOption('files')
  expect(await axeViolations(page)).toEqual([])
  await pressSave(page, page.locator('main').getByRole('button', { name: faForm.save }), /^\/api\/config$/)
  await page.getByText(faConfig.saved).first().waitFor()

  const block = formBlock.labels.fa
  await openScreen(page, '/admin/pages/new')
  await page.getByLabel(faPages.fields.title).fill('جشن')
  await page.getByRole('button', { name: faPages.create }).click()
  await expect.poll(() => titleField(page).inputValue()).toBe('جشن')
  await page.getByRole('button', { name: faBlocks.add }).first().click()
  await page.getByRole('dialog').locator('strong').getByText(block.name, { exact: true }).click()
  const chosen = page.locator('[data-page-field="body"]').getByLabel(block.fields.form, { exact: true })
  await chosen.selectOption({ label: 'پیش‌فاکتور جشن' })
  await saveForm(page, faPages.saveAndPublish)
  await expect.poll(() => html('/fa/جشن')).toContain('طرح کیک')

  await becomeVisitor(page)
  await page.goto(encodeURI('/fa/جشن'))
  const form = page.locator('form').filter({ has: page.locator('input[type=file]') })
  await form.locator('[name=naam]').fill('سارا جشن')
  await form.locator('[name=email]').fill('sara@voorbeeld.example')
  const drawing = { name: 'taart.pdf', mimeType: 'application/pdf', buffer: Buffer.from(aPdf('Drie lagen')) }
  await form.locator('input[type=file]').setInputFiles(drawing)
  expect(await axeViolations(page)).toEqual([])
  await form.locator('button[type=submit]').click()
  await page.getByText(translator('fa')('contact.successTitle')).waitFor()

  await signInAndOpen(page, '/admin/messages', roya)
  await page.getByRole('link', { name: 'سارا جشن' }).click()
  await page.getByRole('link', { name: /taart\.pdf/ }).waitFor()
})
