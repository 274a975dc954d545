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
import { appointmentForm, quoteForm } from '../support/forms.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator({ CONTACT_RATE: 'off' })
  const { version } = await site.call<Configuration>('GET', '/api/config')
  await site.call('PUT', '/api/config', { version, config: { forms: [quoteForm, appointmentForm] } })
  const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: 'Offerte' })
  for (const locale of ['nl', 'fa'] as const) {
    const body = [
      { type: 'form', id: 'vraag', title: 'Offerte', anchor: 'aanvraag', form: 'offerte' },
      { type: 'form', id: 'moment', title: 'Afspraak', anchor: 'afspraak', form: 'afspraak' },
    ]
    const text = { title: locale === 'nl' ? 'Offerte' : 'پیش‌فاکتور', slug: 'offerte', body } as never
    await savePage(site, await getPageIn(site, id, locale), text, true)
  }
})

const field = (page: Page, name: string) => page.locator(`#aanvraag form [name="${name}"]`)

test.each(['nl', 'fa'] as const)('a visitor fills in a form in steps, in %s', async (locale: Locale) => {
  // The answer that names the missing field.
  allowErrors(/status of 422/)
  const t = translator(locale)
  const page = await visitor(site.url)
  await page.goto(localizedPath('/offerte', locale))
  const next = page.getByRole('button', { name: t('contact.next') })
  await next.waitFor()
  await expect.poll(() => field(page, 'soort').first().isVisible(), { message: 'the second step' }).toBe(false)
  expect(await axeViolations(page)).toEqual([])

  await next.click()
  await page.getByText(t('contact.required')).first().waitFor()
  await field(page, 'naam').fill(locale === 'nl' ? 'Sanne Stap' : 'سارا گام')
  await field(page, 'email').fill(`sanne-${locale}@voorbeeld.example`)
  await field(page, 'email').press('Enter')
  await field(page, 'soort').first().waitFor()
  await expect.poll(() => field(page, 'naam').isVisible()).toBe(false)
  expect(await axeViolations(page)).toEqual([])

  await expect.poll(() => field(page, 'producten').isVisible(), { message: 'asked after an answer only' }).toBe(false)
  const shop = locale === 'nl' ? 'Webwinkel' : 'فروشگاه'
  await page.getByLabel(shop, { exact: true }).check()
  await field(page, 'producten').waitFor()
  await page.locator('#aanvraag button[type=submit]').click()
  await page.getByText(t('contact.required')).first().waitFor()
  await field(page, 'producten').fill(locale === 'nl' ? '120' : '۱۲۰')
  await field(page, 'akkoord').check()
  await page.locator('#aanvraag button[type=submit]').click()
  await page.getByText(quoteForm.thanks.title[locale as 'nl' | 'fa']).waitFor()
})

test.each(['nl', 'fa'] as const)(
  'a visitor proposes an appointment and gets its calendar file, in %s',
  async (locale) => {
    const t = translator(locale)
    const page = await visitor(site.url)
    await page.goto(localizedPath('/offerte', locale))
    const part = page.locator('#afspraak')
    const moment = part.getByLabel(appointmentForm.fields[0]?.label[locale] as string)
    const first = await moment.locator('option').nth(1).getAttribute('value')
    await moment.selectOption(first)
    await part.locator('[name=naam]').fill(locale === 'nl' ? 'Daan Moment' : 'دانا زمان')
    await part.locator('[name=email]').fill(`moment-${locale}@voorbeeld.example`)
    await part.locator('button[type=submit]').click()
    const link = part.getByRole('link', { name: t('contact.calendar') })
    await link.waitFor()
    expect(await axeViolations(page)).toEqual([])
    const file = await page.request.get((await link.getAttribute('href')) ?? '')
    expect(await file.text()).toContain(`DTSTART:${(first ?? '').slice(0, 10).replaceAll('-', '')}T`)
  },
)

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
  await expect.poll(() => page.getByText('Wat zoekt u?').count()).toBe(1)
})
