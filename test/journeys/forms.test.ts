import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { type Locale, localizedPath } from '../../src/contract/locales.ts'
import type { ListedPage } from '../../src/contract/pages.ts'
import { translator } from '../../src/i18n/translate.ts'
import {
  aProgramWithAdministrator,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { getPageIn, savePage } from '../support/drafts.ts'
import { quoteForm } from '../support/forms.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator({ CONTACT_RATE: 'off' })
  const { version } = await site.call<Configuration>('GET', '/api/config')
  await site.call('PUT', '/api/config', { version, config: { forms: [quoteForm] } })
  const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: 'Offerte' })
  for (const locale of ['nl', 'fa'] as const) {
    const body = [{ type: 'form', id: 'vraag', title: 'Offerte', anchor: 'aanvraag', form: 'offerte' }]
    const text = { title: locale === 'nl' ? 'Offerte' : 'پیش‌فاکتور', slug: 'offerte', body } as never
    await savePage(site, await getPageIn(site, id, locale), text, true)
  }
})

const field = (page: Page, name: string) => page.locator(`.form-panel form [name="${name}"]`)

test.each(['nl', 'fa'] as const)('a visitor fills in a form in steps, in %s', async (locale: Locale) => {
  // The answer that names the missing field.
  allowErrors(/status of 422/)
  const t = translator(locale)
  const page = await visitor(site.url)
  await page.goto(localizedPath('/offerte', locale, {}))
  const next = page.getByRole('button', { name: t('contact.next') })
  await next.waitFor()
  expect(await field(page, 'soort').first().isVisible(), 'the second step').toBe(false)
  expect(await axeViolations(page)).toEqual([])

  await next.click()
  await page.getByText(t('contact.required')).first().waitFor()
  await field(page, 'naam').fill(locale === 'nl' ? 'Sanne Stap' : 'سارا گام')
  await field(page, 'email').fill(`sanne-${locale}@voorbeeld.example`)
  await field(page, 'email').press('Enter')
  await field(page, 'soort').first().waitFor()
  expect(await field(page, 'naam').isVisible()).toBe(false)
  expect(await axeViolations(page)).toEqual([])

  expect(await field(page, 'producten').isVisible(), 'asked after an answer only').toBe(false)
  const shop = locale === 'nl' ? 'Webwinkel' : 'فروشگاه'
  await page.getByLabel(shop, { exact: true }).check()
  await field(page, 'producten').waitFor()
  await page.locator('.form-panel button[type=submit]').click()
  await page.getByText(t('contact.required')).first().waitFor()
  await field(page, 'producten').fill(locale === 'nl' ? '120' : '۱۲۰')
  await field(page, 'akkoord').check()
  await page.locator('.form-panel button[type=submit]').click()
  await page.getByText(quoteForm.thanks.title[locale as 'nl' | 'fa']).waitFor()
})

test('staff make a form, and read its messages with the answers', async () => {
  const page = await visitor(site.url)
  await signInByApi(page)
  await openScreen(page, '/admin/config/forms')
  await page.getByRole('button', { name: 'Formulier toevoegen' }).click()
  await page.getByLabel('Naam van het formulier (Nederlands)').fill('Proefles')
  await page.getByLabel('Onderwerp van de e-mail').fill('Nieuwe proefles')
  await page.getByRole('button', { name: 'Vraag toevoegen' }).click()
  await page.getByLabel('Vraag (Nederlands)').fill('Welk niveau?')
  await page.getByLabel('Soort').selectOption('choice')
  await page.getByLabel('Keuzes (Nederlands)').fill('Begin\nGevorderd')
  expect(await axeViolations(page)).toEqual([])
  await page.locator('main').getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('De instellingen zijn opgeslagen').first().waitFor()
  const { config } = await site.call<Configuration>('GET', '/api/config')
  const made = config.forms?.at(-1)
  expect(made).toMatchObject({ name: { nl: 'Proefles' }, subject: 'Nieuwe proefles', retentionDays: 365 })
  expect(made?.fields.map(({ id, kind }) => [id, kind])).toEqual([
    ['naam', 'text'],
    ['email', 'email'],
    ['bericht', 'longText'],
    ['vraag-4', 'choice'],
  ])

  const sent = await fetch(`${site.url}/api/forms/offerte`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      naam: 'Roya Offerte',
      email: 'roya@karimi.example',
      soort: 'Website',
      toelichting: 'Graag snel.',
      akkoord: 'ja',
    }),
  })
  expect(sent.status).toBe(201)
  await openScreen(page, '/admin/messages')
  await page.getByLabel('Formulier', { exact: true }).selectOption('offerte')
  await page.waitForURL(/form=offerte/)
  await page.getByRole('link', { name: 'Roya Offerte' }).click()
  await page.getByRole('heading', { name: 'Ingevuld: Offerte aanvragen' }).waitFor()
  await page.getByText('Graag snel.').waitFor()
  expect(await page.getByText('Wat zoekt u?').count()).toBe(1)
})
