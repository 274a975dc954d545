import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { type Locale, localizedPath } from '../../src/contract/locales.ts'
import * as nl from '../../src/i18n/nl/site.ts'
import { translator } from '../../src/i18n/translate.ts'
import { aBrowser, recordRequests } from '../support/browser.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { waitForNetworkIdle } from '../support/network-idle.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const { visitor } = aBrowser()
let site: Program
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await aMailbox()
  site = await aProgram({ SMTP_URL: mailbox.url })
})

const { contact, sender } = defaultSiteFile()
const { recipients, fields } = contact
const fieldNames = ['naam', 'email', 'tel', 'bericht'] as const
type Message = Record<(typeof fieldNames)[number], string>

const field = (page: Page, name: string) => page.locator(`#contact form [name="${name}"]`)
const send = (page: Page) => page.locator('#contact form button[type=submit]').click()
const errorsOf = (page: Page) =>
  page.locator('#contact .error').evaluateAll((all) => all.map((one) => one.textContent?.trim() ?? ''))

async function open(page: Page, locale: Locale) {
  await page.goto(`${localizedPath('/', locale, {})}#contact`)
}

async function fill(page: Page, message: Partial<Message>) {
  for (const [name, text] of Object.entries(message)) await field(page, name).fill(text)
}

async function typed(page: Page): Promise<Message> {
  const values = await Promise.all(fieldNames.map(async (name) => [name, await field(page, name).inputValue()]))
  return Object.fromEntries(values)
}

const isFormInView = () => {
  const { top = -1 } = document.querySelector('#contact form')?.getBoundingClientRect() ?? {}
  return top >= 0 && top < innerHeight
}

/** Each visitor writes another text, because a repetition is not sent again. */
let count = 0
const aNewMessage = (name: Parameters<typeof aMessageOf>[0]): Message => {
  const message = aMessageOf(name)
  count++
  return { ...message, bericht: `${message.bericht} (${count})` }
}

/** The emails about one message: those about earlier ones may still arrive. */
const emailsOf = ({ bericht }: Message) =>
  mailbox.emails.filter(({ parsed }) => parsed.text?.includes(bericht.split('\n').at(-1) ?? bericht))

test('spec 3 contact form: the fields, their types, placeholders and autocomplete; the honeypot stays hidden, visually and by keyboard', async () => {
  const page = await visitor(site.url)
  await open(page, 'nl')
  const form = page.locator('#contact form')
  await expect.poll(() => form.getAttribute('action')).toBe('/api/contact')
  await expect.poll(() => form.getAttribute('method')).toBe('post')
  const found = await Promise.all(
    fieldNames.map(async (name) => [
      await field(page, name).evaluate((one) => one.tagName),
      await field(page, name).getAttribute('placeholder'),
      await field(page, name).getAttribute('autocomplete'),
    ]),
  )
  expect(found).toEqual([
    ['INPUT', 'Naam', 'name'],
    ['INPUT', 'E-Mail', 'email'],
    ['INPUT', 'Tel', 'tel'],
    ['TEXTAREA', 'Bericht', null],
  ])

  const all = page.locator('#contact form :is(input, textarea):not([type=hidden])')
  const names = await all.evaluateAll((inputs) =>
    inputs
      .filter(
        (one) =>
          one.getBoundingClientRect().width > 2 &&
          one.checkVisibility({ opacityProperty: true }) &&
          (one as HTMLInputElement).tabIndex >= 0,
      )
      .map((one) => one.getAttribute('name')),
  )
  expect(names).toEqual(fields.map((one: { name: string }) => one.name))
})

/** Each language, each way of working and each width is there once. */
describe.each([
  ['nl', true, 'phone'],
  ['fa', false, 'desktop'],
] as const)('in %s, with JavaScript %s, on a %s', (locale, javaScript, width) => {
  const t = translator(locale)

  test('spec 5 required and e-mail: each empty field has an error, the first is focused; then an invalid address, and the values are kept', async () => {
    allowErrors(/status of 422/)
    const page = await visitor(site.url, { javaScript, width })
    await open(page, locale)
    await send(page)
    await page.locator('#contact .error:not(:empty)').first().waitFor()
    const text = locale === 'nl' ? 'Dit is een verplicht veld!' : t('validation.required')
    await expect.poll(() => errorsOf(page)).toEqual([text, text, text, text])
    await expect.poll(() => field(page, 'naam').evaluate((one) => one === document.activeElement)).toBe(true)
    for (const name of fieldNames) await expect.poll(() => field(page, name).getAttribute('aria-invalid')).toBe('true')

    const message = { ...aNewMessage('sanne'), email: 'sanne@bakkerij' }
    await fill(page, message)
    await send(page)
    const invalid = locale === 'nl' ? 'Dit e-mailadres is niet geldig!' : t('validation.email')
    await expect.poll(() => errorsOf(page)).toEqual(['', invalid, '', ''])
    await expect.poll(() => typed(page)).toEqual(message)
    expect(emailsOf(message)).toEqual([])
  })

  test('spec 3 and 8 success: the texts, the email at both recipients with the visitor as Reply-To, and a reload sends nothing again', async () => {
    const page = await visitor(site.url, { javaScript, width })
    const posted = recordRequests(page)
    const message = aNewMessage(locale === 'fa' ? 'parisa' : 'sanne')
    await open(page, locale)
    await fill(page, message)
    await send(page)

    const sent = page.locator('#contact .sent')
    await sent.waitFor()
    const { successTitle, successText } =
      locale === 'nl'
        ? { successTitle: 'Dank voor uw bericht!', successText: 'We zullen z.s.m contact met u opnemen.' }
        : { successTitle: t('contact.successTitle'), successText: t('contact.successText') }
    await expect.poll(() => sent.innerText()).toContain(successTitle)
    await expect.poll(() => sent.innerText()).toContain(successText)
    const reference = /\p{Nd}+/u.exec(await sent.innerText())?.[0] ?? ''
    expect(reference).toMatch(locale === 'fa' ? /^[۰-۹]+$/ : /^[0-9]+$/)
    await expect.poll(() => page.locator('#contact form').count()).toBe(0)

    const emails = await waitUntil(() => emailsOf(message).length >= 2 && emailsOf(message), 'both emails')
    expect(emails.flatMap((email) => email.to).sort()).toEqual([...recipients].sort())
    for (const { parsed } of emails) {
      if (locale === 'nl') expect(parsed.subject).toBe('Nieuw contactbericht via Maaslicht')
      expect(parsed.replyTo?.value).toMatchObject([{ address: message.email, name: message.naam }])
      expect(parsed.from?.value).toMatchObject([{ address: sender.email }])
      expect(parsed.text).toContain(message.naam)
      expect(parsed.text, 'the same number as on the page').toMatch(
        new RegExp(`(?<!\\p{Nd})${reference}(?!\\p{Nd})`, 'u'),
      )
      for (const line of message.bericht.split('\n')) expect(parsed.text).toContain(line)
      expect(parsed.html).toBeTruthy()
    }

    await page.reload()
    await page.reload()
    if (javaScript) await waitForNetworkIdle(page)
    expect(posted.filter((url) => url.endsWith('/api/contact'))).toHaveLength(1)
    expect(emailsOf(message)).toHaveLength(2)

    if (javaScript) {
      await fill(page, aNewMessage('sanne'))
      await send(page)
    }
    await page.getByRole('link', { name: t('contact.another') }).click()
    await field(page, 'naam').waitFor()
    await expect.poll(() => typed(page)).toEqual({ naam: '', email: '', tel: '', bericht: '' })
    await expect.poll(() => page.evaluate(isFormInView)).toBe(true)
  })
})

test('with JavaScript the button shows a busy state, and a second click sends nothing more', async () => {
  const locale = 'fa'
  const page = await visitor(site.url)
  let posts = 0
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/contact', async (route) => {
    posts++
    await held
    await route.continue()
  })
  await open(page, locale)
  await fill(page, aNewMessage('roya'))
  await send(page)
  const button = page.locator('#contact form button[type=submit]')
  await expect.poll(() => button.innerText()).toBe(translator(locale)('contact.busy'))
  await field(page, 'naam').press('Enter')
  release()
  await page.locator('#contact .sent').waitFor()
  expect(posts).toBe(1)
})

test('spec 8 contact failure: the server is down; the texts are shown, the values are kept, and are sent once it is back', async () => {
  allowErrors(/ERR_CONNECTION_REFUSED/)
  const page = await visitor(site.url)
  await page.clock.install()
  const message = aNewMessage('roya')
  const reached = page.waitForResponse((response) => response.url().includes('/api/checks?form=contact'))
  await open(page, 'nl')
  await fill(page, { ...message, naam: 'Roya' })
  await (await reached).finished()
  await site.stop()
  await send(page)

  const failed = page.locator('#contact .failed')
  const { waiting } = nl.contact
  await expect.poll(() => failed.innerText()).toContain('Uw bericht is niet verstuurd!')
  await expect.poll(() => failed.innerText()).toContain('Er is een fout opgetreden bij het verzenden van uw bericht.')
  await expect.poll(() => failed.innerText()).toContain(waiting)
  await field(page, 'naam').fill(message.naam)
  // What is being edited does not wait to be sent.
  await failed.waitFor({ state: 'hidden' })
  await send(page)
  await expect.poll(() => failed.innerText()).toContain(waiting)
  await expect.poll(() => typed(page)).toEqual(message)

  await site.start()
  await page.clock.fastForward(60_000)
  await page.locator('#contact .sent').waitFor()
  // An email that was being sent when the server was stopped may arrive twice, with one Message-ID.
  const to = () => [...new Set(emailsOf(message).flatMap((email) => email.to))].sort()
  await expect.poll(to).toEqual([...recipients].sort())
})

test('a message that waits is sent again after an answer that breaks off or asks to wait, and while a price is opened in another tab', async () => {
  allowErrors(/status of (503|429)/)
  const page = await visitor(site.url)
  await page.clock.install()
  const answers = [
    { status: 503 },
    { status: 429, headers: { 'Retry-After': '1' } },
    { status: 201, contentType: 'application/json', body: '{"id":4' },
  ]
  const posts: string[] = []
  await page.route('**/api/contact', async (route) => {
    posts.push(route.request().postData() ?? '')
    const answer = answers.shift()
    await (answer ? route.fulfill(answer) : route.continue())
  })
  await page.route('**/api/checks?*', (route) => route.fulfill({ status: 503 }), { times: 1 })
  const checked = (status: number) =>
    page.waitForResponse((response) => response.url().includes('/api/checks?') && response.status() === status)
  const refused = checked(503)
  await open(page, 'nl')
  const message = aNewMessage('parisa')
  await fill(page, { naam: message.naam })
  await (await refused).finished()
  const reached = checked(200)
  await fill(page, message)
  await (await reached).finished()
  await send(page)
  const failed = page.locator('#contact .failed')
  await expect.poll(() => failed.innerText()).toContain(nl.contact.waiting)

  const opened = page.context().waitForEvent('page')
  await page
    .locator('[data-subject]')
    .first()
    .click({ modifiers: ['ControlOrMeta'] })
  await (await opened).close()
  await expect
    .poll(async () => {
      await page.clock.fastForward(60_000)
      return page.locator('#contact .sent').isVisible()
    })
    .toBe(true)
  expect(posts.map((post) => /name="_begin"\r\n\r\n\d/.test(post))).toEqual([true, true, true, true])
})

/** The last test: after it this address may send nothing for ten minutes. */
test('over the rate limit: the visitor is asked to wait, and the values are kept', async () => {
  allowErrors(/status of 429/)
  let status = 201
  // The other tests sent some of the messages that are accepted.
  for (let at = 0; at <= limits.contactAcceptedPerAddress && status === 201; at++) {
    const body = new URLSearchParams({ ...aMessageOf('daan'), bericht: `Vraag ${at}` })
    const headers = { Accept: 'application/json' }
    status = (await fetch(`${site.url}/api/contact`, { method: 'POST', headers, body })).status
  }
  expect(status).toBe(429)
  const page = await visitor(site.url)
  const message = aNewMessage('roya')
  await open(page, 'nl')
  await fill(page, message)
  await send(page)
  const failed = page.locator('#contact .failed')
  await failed.waitFor({ state: 'visible' })
  await expect.poll(() => failed.innerText()).toContain(translator('nl')('errors.too_many.detail'))
  await expect.poll(() => typed(page)).toEqual(message)
  const button = page.locator('#contact form button[type=submit]')
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
})
