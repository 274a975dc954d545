import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { limits } from '../../src/contract/limits.ts'
import { type Locale, localizedPath } from '../../src/contract/locales.ts'
import type { ListedPage } from '../../src/contract/pages.ts'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { toLatinDigits } from '../../src/contract/text.ts'
import { config as faConfig } from '../../src/i18n/fa/admin/config.ts'
import { messages as faMessages } from '../../src/i18n/fa/admin/messages.ts'
import { form as faForm } from '../../src/i18n/fa/admin.ts'
import { translator } from '../../src/i18n/translate.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  pressSave,
  roya,
  signInAndOpen,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { appointmentForm, quoteForm } from '../support/forms.ts'
import { getPageIn, savePage } from '../support/page-editor.ts'
import { allowErrors } from '../support/test-log.ts'

/** The second step asks only those who choose a website. */
const choiceForm = {
  ...quoteForm,
  id: 'keuze',
  fields: [
    { id: 'naam', kind: 'text', label: { nl: 'Naam' }, required: true },
    { id: 'email', kind: 'email', label: { nl: 'E-mail' }, required: true },
    { id: 'soort', kind: 'choice', label: { nl: 'Soort' }, required: true, options: { nl: ['Website', 'Anders'] } },
    { id: 'stap-website', kind: 'step', label: { nl: 'Uw website' } },
    { id: 'adres', kind: 'text', label: { nl: 'Adres' }, showIf: { field: 'soort', is: 'Website' } },
    { id: 'stap-slot', kind: 'step', label: { nl: 'Tot slot' } },
    { id: 'akkoord', kind: 'consent', label: { nl: 'Ik ga akkoord' }, required: true },
  ],
}

/** Every form that staff make begins with these fields; scripts must not take the name of one for a property of the form. */
const questionForm = {
  ...quoteForm,
  id: 'vraag',
  fields: [
    { id: 'naam', kind: 'text', label: { nl: 'Naam' }, required: true },
    { id: 'email', kind: 'email', label: { nl: 'E-mail' }, required: true },
    { id: 'bericht', kind: 'longText', label: { nl: 'Bericht' } },
    ...['action', 'append', 'contains'].map((id) => ({ id, kind: 'text', label: { nl: id } })),
  ],
}

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
/** Without the rules that depend on the speed of the visitor. */
const spam = { ...defaultSpamSettings, points: { ...defaultSpamSettings.points, fast: 0, noMoment: 0 } }
beforeAll(async () => {
  site = await aProgramWithAdministrator({ CONTACT_RATE: 'off' })
  await addPersianAdministrator(site)
  const { version } = await site.call<Configuration>('GET', '/api/config')
  await site.call('PUT', '/api/config', {
    version,
    config: { forms: [quoteForm, appointmentForm, choiceForm, questionForm], spam },
  })
  const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: 'Offerte' })
  for (const locale of ['nl', 'fa'] as const) {
    const body = [
      { type: 'form', id: 'vraag', title: 'Offerte', anchor: 'aanvraag', form: 'offerte' },
      { type: 'form', id: 'moment', title: 'Afspraak', anchor: 'afspraak', form: 'afspraak' },
    ]
    const text = { title: locale === 'nl' ? 'Offerte' : 'پیش‌فاکتور', slug: 'offerte', body } as never
    await savePage(site, await getPageIn(site, id, locale), text, true)
  }
  const dutch = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: 'Moment' })
  const body = [{ type: 'form', id: 'moment', title: 'Afspraak', anchor: 'afspraak', form: 'afspraak' }]
  await savePage(site, await getPageIn(site, dutch.id, 'nl'), { title: 'Moment', slug: 'moment', body } as never, true)
  const choice = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: 'Keuze' })
  const choices = [{ type: 'form', id: 'keuze', title: 'Keuze', anchor: 'aanvraag', form: 'keuze' }]
  const text = { title: 'Keuze', slug: 'keuze', body: choices } as never
  await savePage(site, await getPageIn(site, choice.id, 'nl'), text, true)
  const prices = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: 'Tarieven' })
  const blocks = [
    { type: 'pricing', id: 'prijzen', title: 'Tarieven', anchor: 'tarieven', button: 'Kies' },
    { type: 'form', id: 'vraag', title: 'Vraag', anchor: 'aanvraag', form: 'vraag' },
    { type: 'contact-form', id: 'contact', title: 'Contact', anchor: 'contact' },
  ]
  const inDutch = { title: 'Tarieven', slug: 'tarieven', body: blocks } as never
  await savePage(site, await getPageIn(site, prices.id, 'nl'), inDutch, true)
})

const field = (page: Page, name: string) => page.locator(`#aanvraag form [name="${name}"]`)

test.each(['nl', 'fa'] as const)('a visitor fills in a form in steps, in %s', async (locale: Locale) => {
  // The answer that names the missing field.
  allowErrors(/status of 422/)
  const t = translator(locale)
  const page = await visitor(site.url)
  await page.goto(localizedPath('/offerte', locale, {}))
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
  const option = await page.locator('#aanvraag .option').first().boundingBox()
  expect(option?.height, 'large enough to press').toBeGreaterThanOrEqual(44)
  const step = page.locator('#aanvraag .step').first()
  expect(await step.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('0px')

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

test('a step is skipped while none of its fields is asked, and a chosen option ends the error of all options', async () => {
  const t = translator('nl')
  const page = await visitor(site.url)
  await page.goto(localizedPath('/keuze', 'nl', {}))
  const next = page.getByRole('button', { name: t('contact.next') })
  const back = page.getByRole('button', { name: t('contact.previous') })
  const invalidOptions = page.locator('#aanvraag [name=soort][aria-invalid=true]')
  await field(page, 'naam').fill('Sanne Keuze')
  await field(page, 'email').fill('keuze@voorbeeld.example')
  await next.click()
  await expect.poll(() => invalidOptions.count()).toBe(2)
  await page.getByLabel('Anders', { exact: true }).check()
  await expect.poll(() => invalidOptions.count()).toBe(0)
  // A number among the steps would count the one that is skipped.
  const numberOf = (number: number) => page.getByText(t('contact.step', { number, of: 3 }), { exact: true })
  await expect.poll(() => numberOf(1).isVisible()).toBe(false)

  await next.click()
  await field(page, 'akkoord').waitFor()
  await back.click()
  await page.getByLabel('Website', { exact: true }).check()
  await numberOf(1).waitFor()
  await next.click()
  await field(page, 'adres').waitFor()
  await next.click()
  await field(page, 'akkoord').check()
  await page.locator('#aanvraag button[type=submit]').click()
  await page.getByText(choiceForm.thanks.title.nl).waitFor()
})

test('a form that waits to be sent again is not sent, and does not change its step, after the visitor went back', async () => {
  allowErrors(/ERR_FAILED/)
  const t = translator('nl')
  const page = await visitor(site.url)
  await page.clock.install()
  const reached = page.waitForResponse((response) => response.url().includes('/api/checks?form=keuze'))
  await page.goto(localizedPath('/keuze', 'nl', {}))
  await field(page, 'naam').fill('Daan Terug')
  await (await reached).finished()
  await field(page, 'email').fill('terug@voorbeeld.example')
  await page.getByLabel('Anders', { exact: true }).check()
  const next = page.getByRole('button', { name: t('contact.next') })
  await next.click()
  await field(page, 'akkoord').check()
  await page.route('**/api/forms/keuze', (route) => route.abort())
  const submit = page.locator('#aanvraag button[type=submit]')
  await submit.click()
  const failed = page.locator('#aanvraag .failed')
  await expect.poll(() => failed.innerText()).toContain(t('contact.waiting'))

  await page.getByRole('button', { name: t('contact.previous') }).click()
  await failed.waitFor({ state: 'hidden' })
  await page.clock.fastForward(60_000)
  expect(await field(page, 'naam').isVisible()).toBe(true)
  await page.unroute('**/api/forms/keuze')
  await next.click()
  await submit.click()
  await page.getByText(choiceForm.thanks.title.nl).waitFor()
})

test('a visitor proposes an appointment and gets its calendar file', async () => {
  const t = translator('nl')
  const page = await visitor(site.url)
  await page.goto('/offerte')
  const part = page.locator('#afspraak')
  const moment = part.getByLabel(appointmentForm.fields[0]?.label.nl as string)
  const first = await moment.locator('option').nth(1).getAttribute('value')
  await moment.selectOption(first)
  await part.locator('[name=naam]').fill('Daan Moment')
  await part.locator('[name=email]').fill('moment@voorbeeld.example')
  await part.locator('button[type=submit]').click()
  const link = part.getByRole('link', { name: t('contact.calendar') })
  await link.waitFor()
  expect(await axeViolations(page)).toEqual([])
  const file = await page.request.get((await link.getAttribute('href')) ?? '')
  expect(await file.text()).toContain(`DTSTART:${(first ?? '').slice(0, 10).replaceAll('-', '')}T`)
})

test('choosing a price fills in the contact form only, and a form whose fields are named like properties of the form element is sent', async () => {
  const page = await visitor(site.url)
  const reached = page.waitForResponse((response) => response.url().includes('/api/checks?form=vraag'))
  await page.goto(localizedPath('/tarieven', 'nl', {}))
  await field(page, 'naam').fill('Sanne Prijs')
  await (await reached).finished()
  await page.locator('[data-subject]').first().click()
  const message = page.locator('#contact [name=bericht]')
  await expect.poll(() => message.inputValue()).not.toBe('')
  await expect.poll(() => message.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await field(page, 'bericht').inputValue()).toBe('')

  await field(page, 'email').fill('prijs@voorbeeld.example')
  await page.locator('#aanvraag button[type=submit]').click()
  await page.getByText(quoteForm.thanks.title.nl).waitFor()
  expect(new URL(page.url()).pathname).toBe('/tarieven')
})

test('on a page that is in Dutch alone, a Persian reader gets errors, thanks and the link to the calendar file in Persian', async () => {
  // The answer that names the missing fields.
  allowErrors(/status of 422/)
  const t = translator('fa')
  const page = await visitor(site.url)
  await page.goto(localizedPath('/moment', 'fa', {}))
  const part = page.locator('#afspraak')
  const isMarked = (place: ReturnType<Page['locator']>) =>
    place.evaluate((element) => element.matches('main[lang=nl] [lang=fa][dir=rtl]'))
  await part.locator('button[type=submit]').click()
  const problem = part
    .locator('.error')
    .filter({ hasText: t('contact.required') })
    .first()
  await problem.waitFor()
  expect(await isMarked(problem)).toBe(true)
  expect(await axeViolations(page)).toEqual([])

  await part.locator('select').selectOption({ index: 1 })
  await part.locator('[name=naam]').fill('دانا زمان')
  await part.locator('[name=email]').fill('dana@voorbeeld.example')
  await part.locator('button[type=submit]').click()
  const sent = part.locator('.sent')
  await sent.getByText(t('contact.successTitle')).waitFor()
  const calendar = await sent.getByRole('link', { name: t('contact.calendar') }).getAttribute('href')
  expect(await (await page.request.get(calendar ?? '')).text()).toContain('\r\nDTSTART:')
  expect(await isMarked(sent)).toBe(true)
  expect(await axeViolations(page)).toEqual([])
})

test('the browser of a suspected sender solves the proof of work, and the message arrives', async () => {
  const page = await visitor(site.url)
  const answered = page.waitForResponse((response) => response.url().includes('/api/checks?form=contact'))
  await page.goto(localizedPath('/', 'nl', {}))
  const form = page.locator('.form-panel form').first()
  await form.locator('[name=naam]').focus()
  await answered
  await form.locator('[name=naam]').fill('Erik Bewijs')
  await form.locator('[name=email]').fill('erik@voorbeeld.example')
  await form.locator('[name=tel]').fill('0612345678')
  await form.locator('[name=bericht]').fill('Ik wil meer bezoekers, dankzij SEO en een gratis analyse.')
  await form.locator('button[type=submit]').click()
  await page.getByText('Dank voor uw bericht!').waitFor()
  const { data } = await site.call<{ data: { folder: string; spamReasons: { rule: string }[] }[] }>(
    'GET',
    '/api/messages?search=Bewijs',
  )
  expect(data).toMatchObject([{ folder: 'inbox' }])
  expect(data[0]?.spamReasons.map(({ rule }) => rule)).toContain('proof')
})

test('without JavaScript a suspected sender answers a question, in Persian digits', async () => {
  const locale = 'fa'
  const t = translator(locale)
  const page = await visitor(site.url, { javaScript: false })
  await page.goto(localizedPath('/', locale, {}))
  const form = page.locator('.form-panel form').first()
  await form.locator('[name=naam]').fill('Erik Vraag')
  await form.locator('[name=email]').fill(`vraag-${locale}@voorbeeld.example`)
  await form.locator('[name=tel]').fill('0612345678')
  await form.locator('[name=bericht]').fill(`Meer bezoekers met SEO en een gratis analyse (${locale}).`)
  await form.locator('button[type=submit]').click()
  await page.getByText(t('contact.almostText')).waitFor()
  // axe needs a page with JavaScript.
  const copy = await visitor(site.url)
  await copy.goto('/robots.txt')
  await copy.setContent((await page.content()).replaceAll(/<script.*?<\/script>/gs, ''))
  expect(await axeViolations(copy)).toEqual([])
  const [one = 0, other = 0] = (
    toLatinDigits((await page.locator('label[for=f-answer]').textContent()) ?? '').match(/\d/g) ?? []
  ).map(Number)
  await page.locator('#f-answer').fill(new Intl.NumberFormat(locale).format(one + other))
  // The answer stands in the middle of its field.
  const [question, answer] = await Promise.all(
    ['label[for=f-answer]', '#f-answer'].map((one) => page.locator(one).boundingBox()),
  )
  const middle = (answer?.y ?? 0) + (answer?.height ?? 0) / 2
  expect((question?.y ?? 0) + (question?.height ?? 0), 'above the answer').toBeLessThanOrEqual(middle)
  await page.getByRole('button', { name: t('contact.answer') }).click()
  await page.getByText(t('contact.successTitle')).waitFor()
})

test('staff see why a message is suspected, mark it as no spam, and change the rules', async () => {
  const sent = await fetch(`${site.url}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      naam: 'Casino Karel',
      email: 'karel@voorbeeld.example',
      tel: '1',
      bericht: 'Online gokken in ons casino',
    }),
  })
  expect(sent.status).toBe(201)
  const page = await signInAndOpen(await visitor(site.url), '/admin/messages?view=spam', roya)
  await page.getByRole('link', { name: 'Casino Karel' }).click()
  await page.getByText(faMessages.spamReason.suspected.replace('{{count, number}}', '۸')).waitFor()
  // What this screen still asks for would be refused to another user.
  await waitUntilLoaded(page)
  await signInAndOpen(page, '/admin/messages?view=spam')
  await page.getByRole('link', { name: 'Casino Karel' }).click()
  await page.getByText('Het haalde 8 punten').waitFor()
  await page.getByText('online gokken', { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Geen spam' }).click()
  await page.getByText('staat weer in Postvak in').first().waitFor()

  await goToScreen(page, '/admin/config/spam')
  const threshold = page.getByLabel('Verdacht vanaf (punten)')
  await threshold.waitFor()
  await expect.poll(() => threshold.inputValue()).toBe('5')
  await threshold.fill('12')
  expect(await axeViolations(page)).toEqual([])
  await Promise.all([
    page.getByText('De instellingen zijn opgeslagen').first().waitFor(),
    pressSave(page, page.locator('main').getByRole('button', { name: 'Opslaan' }), /^\/api\/config$/),
  ])
  const { config } = await site.call<Configuration>('GET', '/api/config')
  expect(config.spam).toMatchObject({ threshold: 12, points: { proof: 3 } })
})

test('a form with the maximum of questions and steps gets no more, until one is removed', async () => {
  const { version, config } = await site.call<Configuration>('GET', '/api/config')
  const fields = Array.from({ length: limits.formFields - 2 }, (_, index) => ({
    id: `vraag-${index}`,
    kind: 'text',
    label: { nl: `Vraag ${index}` },
    required: false,
  }))
  const full = {
    ...questionForm,
    id: 'vol',
    name: { nl: 'Vol' },
    fields: [...questionForm.fields.slice(0, 2), ...fields],
  }
  await site.call('PUT', '/api/config', { version, config: { forms: [...(config.forms ?? []), full] } })
  const page = await signInAndOpen(await visitor(site.url), '/admin/config/forms')
  await page.getByRole('button', { name: 'Bewerken: Vol', exact: true }).click()
  const adders = ['Vraag toevoegen', 'Stap toevoegen'].map((name) => page.getByRole('button', { name }))
  for (const add of adders) await expect.poll(() => add.isDisabled()).toBe(true)
  await page.getByRole('button', { name: /Vraag 57.*verwijderen/ }).click()
  for (const add of adders) await expect.poll(() => add.isDisabled()).toBe(false)
})

test('staff make a form, which begins in the languages of the site, and read its messages with the answers', async () => {
  const { version } = await site.call<Configuration>('GET', '/api/config')
  await site.call('PUT', '/api/config', { version, config: { locales: ['nl', 'en', 'de'] } })
  const page = await signInAndOpen(await visitor(site.url), '/admin/config/forms')
  await page.getByRole('button', { name: 'Formulier toevoegen' }).click()
  await page.getByLabel('Naam van het formulier (Nederlands)').fill('Proefles')
  await page.getByLabel('Onderwerp van de e-mail').fill('Nieuwe proefles')
  await page.getByRole('button', { name: 'Vraag toevoegen' }).click()
  await page.getByLabel('Vraag (Nederlands)').fill('Welk niveau?')
  await page.getByLabel('Soort').selectOption('choice')
  await page.getByLabel('Keuzes (Nederlands)').fill('Begin\nGevorderd')
  expect(await axeViolations(page)).toEqual([])
  await Promise.all([
    page.getByText('De instellingen zijn opgeslagen').first().waitFor(),
    pressSave(page, page.locator('main').getByRole('button', { name: 'Opslaan' }), /^\/api\/config$/),
  ])
  const { config } = await site.call<Configuration>('GET', '/api/config')
  const made = config.forms?.at(-1)
  expect(made).toMatchObject({ name: { nl: 'Proefles' }, subject: 'Nieuwe proefles', retentionDays: 365 })
  expect(made?.fields.map(({ id, kind, label }) => [id, kind, label])).toEqual([
    ['naam', 'text', { nl: 'Naam', en: 'Name' }],
    ['email', 'email', { nl: 'E-mail', en: 'Email' }],
    ['bericht', 'longText', { nl: 'Bericht', en: 'Message' }],
    [expect.stringMatching(/^vraag-/), 'choice', { nl: 'Welk niveau?' }],
  ])

  const sent = await fetch(`${site.url}/api/forms/offerte`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      naam: 'Roya Offerte',
      email: 'roya@karimi.example',
      soort: 'Website',
      wanneer: '2027-01-05',
      toelichting: 'Graag snel.',
      akkoord: 'ja',
    }),
  })
  expect(sent.status).toBe(201)
  await goToScreen(page, '/admin/messages')
  await page.getByLabel('Formulier', { exact: true }).selectOption('offerte')
  await page.waitForURL(/form=offerte/)
  await page.getByRole('link', { name: 'Roya Offerte' }).click()
  await page.getByRole('heading', { name: 'Ingevuld: Offerte aanvragen' }).waitFor()
  await page.getByText('Graag snel.').waitFor()
  await page.getByText('5 januari 2027', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Wat zoekt u?').count()).toBe(1)

  await waitUntilLoaded(page)
  await signInAndOpen(page, '/admin/config/forms', roya)
  await page.getByText('Proefles', { exact: true }).waitFor()
  await page.getByRole('button', { name: faConfig.forms.add, exact: true }).click()
  const { name, subject, label } = faConfig.fields.form
  await page.getByLabel(`${name} (Nederlands)`).fill('Terugbellen')
  await page.getByLabel(subject).fill('Terugbelverzoek')
  await page.getByRole('button', { name: faConfig.forms.addField, exact: true }).click()
  await page.getByLabel(`${label} (Nederlands)`).fill('Hoe laat?')
  expect(await axeViolations(page)).toEqual([])
  const save = page.locator('main').getByRole('button', { name: faForm.save, exact: true })
  await Promise.all([page.getByText(faConfig.saved).first().waitFor(), pressSave(page, save, /^\/api\/config$/)])
  const after = await site.call<Configuration>('GET', '/api/config')
  const [before, last] = (after.config.forms ?? []).slice(-2)
  expect(before).toEqual(made)
  expect(last).toMatchObject({ name: { nl: 'Terugbellen' }, subject: 'Terugbelverzoek' })
  expect(last?.fields.at(-1)).toMatchObject({ kind: 'text', label: { nl: 'Hoe laat?' } })
})

test('a form in the footer has the colours and the width of the footer', async () => {
  // The answer that names the missing fields.
  allowErrors(/status of 422/)
  const { version, config } = await site.call<Configuration>('GET', '/api/config')
  const { branding } = config
  const block = { type: 'form', title: 'Vraag het ons', intro: 'Wij antwoorden.', anchor: 'vraag', form: 'vraag' }
  branding.footer.right.nl = [block as never]
  await site.call('PUT', '/api/config', { version, config: { branding } })
  const page = await visitor(site.url)
  await page.goto('/disclaimer')
  await page.locator('footer [type=submit]').click()
  await page.locator('footer').getByText(translator('nl')('contact.required')).first().waitFor()
  const background = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await background('footer .contact'), 'that of the footer, for which the texts have their colours').toBe(
    'rgba(0, 0, 0, 0)',
  )
  expect(await background('footer [name=naam]')).toBe(await background('footer'))
  expect(await axeViolations(page, { part: 'footer' })).toEqual([])
  const input = await page.locator('footer [name=naam]').boundingBox()
  expect(input?.width, 'in a column of the footer').toBeGreaterThan(240)
})
