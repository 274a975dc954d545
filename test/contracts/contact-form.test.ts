import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { importConfiguration } from '../../src/domain/configuration/import-configuration.ts'
import { referenceNumber } from '../../src/i18n/dates.ts'
import { translator } from '../../src/i18n/translate.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { quoteAnswers, quoteForm } from '../support/forms.ts'
import { aMessageOf } from '../support/people.ts'
import { defaultSiteFile, type SiteFile } from '../support/site-file.ts'
import { as, json } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const urlencoded = 'application/x-www-form-urlencoded'
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** The site for a browser without JavaScript: forms are posted, responses are pages. */
async function aSite(database: DatabaseKind, different: Parameters<typeof aTestApp>[0] = {}) {
  const site = await aTestApp({ database, ...different })
  return {
    ...site,
    send: (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      site.request('/api/contact', {
        method: 'POST',
        headers: { 'Content-Type': urlencoded, Accept: accept, ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    /** The target of a redirect, as the browser requests it. */
    follow: async (response: Response) => {
      const address = new URL(response.headers.get('location') ?? '', 'http://localhost')
      return (await site.request(address.pathname + address.search)).text()
    },
    messages: () => site.db.selectFrom('message').selectAll().orderBy('id').execute(),
    emails: () => site.db.selectFrom('outbox').select(['recipient', 'state']).execute(),
  }
}

/** The value of a field in the returned page. */
function shown(html: string, name: string): string | undefined {
  const [field] = new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>(?:[^<]*</textarea>)?`).exec(html) ?? ['']
  const text = field.startsWith('<textarea') ? />([^<]*)</.exec(field)?.[1] : / value="([^"]*)"/.exec(field)?.[1]
  return text?.replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
}
const errorOf = (html: string, name: string) =>
  new RegExp(`<p class="error" id="e-${name}">([^<]*)</p>`).exec(html)?.[1]
const failure = (html: string) => /<div class="failed"[^>]*>(.*?)<\/div>/s.exec(html)?.[0] ?? ''

describe.each(databases)('a form without JavaScript, on %s', (database) => {
  test('spec 8 success: redirects with 303 to the page with the texts and the number; a reload sends nothing again', async () => {
    const site = await aSite(database)
    const response = await site.send({ ...aMessageOf('roya'), pagina: '/', taal: 'nl', website: '' })
    expect(response.status).toBe(303)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('location')).toMatch(/^\/\?verzonden=\d+\.[\w-]{16}#contact$/)

    for (let reload = 0; reload < 3; reload++) {
      const html = await site.follow(response)
      expect(html).toContain('Dank voor uw bericht!')
      expect(html).toContain('We zullen z.s.m contact met u opnemen.')
      expect(html).toContain(`Uw referentienummer is ${(await site.messages())[0]?.reference}.`)
      expect(html).toContain('<a href="/#contact">Nog een bericht sturen</a>')
      expect(html).not.toContain('action="/api/contact"')
    }
    expect(await site.messages()).toHaveLength(1)
    expect(await site.emails()).toHaveLength(2)
  })

  test('redirects only within this site, whatever page it names', async () => {
    const site = await aSite(database)
    for (const pagina of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/nergens',
      'javascript:x',
      '',
    ]) {
      const response = await site.send({ ...aMessageOf('roya'), pagina })
      expect([pagina, response.headers.get('location')?.replace(/=.*/, '')]).toEqual([pagina, '/?verzonden'])
    }
  })

  test('spec 8 contact failure: an error shows the texts, keeps the submitted values and reveals no details', async () => {
    allowErrors(/not stored|outbox/)
    const site = await aSite(database)
    await site.db.schema.dropTable('outbox').execute()
    const response = await site.send(aMessageOf('roya'))
    const html = await response.text()
    expect(response.status).toBe(500)
    expect(failure(html)).toContain('Uw bericht is niet verstuurd!')
    expect(failure(html)).toContain('Er is een fout opgetreden bij het verzenden van uw bericht.')
    expect(shown(html, 'tel')).toBe('043 325 1234')
    expect(html).not.toMatch(/outbox|sqlite|SQL|relation/)
    expect(await site.messages()).toEqual([])
  })
})

// What they show does not depend on the database.
describe('a form without JavaScript', () => {
  test('in Persian returns to the Persian page, also as multipart', async () => {
    const site = await aSite('sqlite')
    const body = new FormData()
    for (const [name, text] of Object.entries({ ...aMessageOf('parisa'), pagina: '/', taal: 'fa' }))
      body.set(name, text)
    const response = await site.request('/api/contact', { method: 'POST', headers: { Accept: accept }, body })
    expect(response.headers.get('location')).toMatch(/^\/fa\?verzonden=/)
    const html = await site.follow(response)
    expect(html).toContain('<html lang="fa" dir="rtl">')
    expect(html).toContain('از پیام شما سپاسگزاریم!')
    expect(html).toContain('<a href="/fa#contact">ارسال پیامی دیگر</a>')
    const [message] = await site.messages()
    expect(html, 'the digits of the email').toContain(
      `شمارهٔ پیگیری شما ${referenceNumber(Number(message?.reference), 'fa')} است.`,
    )
    expect(await site.messages()).toMatchObject([{ locale: 'fa', naam: 'پریسا احمدی' }])
  })

  test('from a bot gets the normal response, is stored as spam with the reason, and is not mailed', async () => {
    const site = await aSite('sqlite')
    const response = await site.send({ ...aMessageOf('roya'), website: 'https://casino.example' })
    expect(response.status).toBe(303)
    expect(await site.follow(response)).toContain('Dank voor uw bericht!')
    expect(await site.messages()).toMatchObject([{ folder: 'spam', spam_reason: 'honeypot', naam: 'Roya Karimi' }])
    expect(await site.emails()).toEqual([])
  })

  test('the confirmation cannot be forged: another number or signature shows the form', async () => {
    const site = await aSite('sqlite')
    const address = (await site.send(aMessageOf('roya'))).headers.get('location') ?? ''
    const [, id, signature] = /verzonden=(\d+)\.(.+)#/.exec(address) ?? []
    for (const made of [
      `${Number(id) + 1}.${signature}`,
      `${id}.${'a'.repeat(16)}`,
      `${id}.`,
      `0${id}.${signature}x`,
    ]) {
      const answer = await (await site.request(`/?verzonden=${made}`)).text()
      // What is in a template is not shown.
      const html = answer.replace(/<template>.*?<\/template>/gs, '')
      expect(html, made).not.toContain('class="alert-title">Dank voor uw bericht!')
      expect(html, made).toContain('action="/api/contact"')
    }
  })

  test('spec 5 returns with the errors beside the fields and the submitted values', async () => {
    const site = await aSite('sqlite')
    const typed = { naam: "Sanne d'Hondt & zn", email: 'sanne@bakkerij', tel: ' ', bericht: 'Eén\ntwee' }
    const response = await site.send(typed)
    const html = await response.text()
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(['naam', 'email', 'tel', 'bericht'].map((name) => errorOf(html, name))).toEqual([
      '',
      'Dit e-mailadres is niet geldig!',
      'Dit is een verplicht veld!',
      '',
    ])
    for (const name of ['naam', 'email', 'bericht'] as const) expect(shown(html, name)).toBe(typed[name])
    expect(failure(html)).toContain('hidden=""')
    expect(await site.messages()).toEqual([])

    const persian = await (await site.send({ taal: 'fa', bericht: 'سلام' })).text()
    expect(persian).toContain('<html lang="fa" dir="rtl">')
    expect(errorOf(persian, 'naam')).toBe('پر کردن این فیلد الزامی است!')
    expect(shown(persian, 'bericht')).toBe('سلام')
  })

  test('shows an error without a field above the form', async () => {
    const site = await aSite('sqlite')
    const html = await (await site.send({ ...aMessageOf('roya'), onderwerp: 'Loterij' })).text()
    expect(failure(html)).toContain('Uw bericht is niet verstuurd!')
    expect(failure(html)).toContain('onderwerp: Dit veld bestaat niet.')
    expect(shown(html, 'naam')).toBe('Roya Karimi')
  })

  test('over the rate limit returns with the submitted values, and says when to try again', async () => {
    const at = Date.UTC(2026, 2, 2, 9)
    const site = await aSite('sqlite', { now: () => new Date(at), startJobs: false })
    for (let count = 0; count < 20; count++) {
      expect((await site.send(aMessageOf('daan', { bericht: `Vraag ${count}` }))).status).toBe(303)
    }
    const refused = async (fields: Record<string, string>, title: string) => {
      const response = await site.send({ ...fields, bericht: 'Nog een vraag' })
      const html = await response.text()
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('600')
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(failure(html)).toContain(title)
      expect(failure(html)).not.toContain('hidden')
      expect(shown(html, 'bericht')).toBe('Nog een vraag')
      return html
    }
    const html = await refused(aMessageOf('daan'), 'Uw bericht is niet verstuurd!')
    expect(failure(html)).toContain(translator('nl')('errors.too_many.detail'))
    // Posts in any format count.
    for (let count = 21; count < 100; count++) await site.request('/api/contact', json('POST', {}))
    await refused({ ...aMessageOf('parisa'), taal: 'fa' }, translator('fa')('contact.failureTitle'))
    expect(await site.messages()).toHaveLength(20)
  })
})

test('a form that is sent while the database is down returns with the submitted values, as 503', async () => {
  allowErrors(/./)
  const site = await aSite('sqlite', {
    site(config) {
      config.locales = ['nl', 'fa', 'en', 'de', 'fr']
      config.texts = { de: { 'contact.title': 'Schreiben Sie uns' } }
    },
  })
  await site.send(aMessageOf('roya'))
  await site.db.schema.dropTable('page_text').execute()
  for (const [taal, heading, title] of [
    ['nl', 'Neem contact op', 'Uw bericht is niet verstuurd!'],
    ['fa', 'با ما تماس بگیرید', translator('fa')('contact.failureTitle')],
    ['en', 'Contact us', 'Your message has not been sent!'],
    ['de', 'Schreiben Sie uns', 'Uw bericht is niet verstuurd!'],
    ['fr', 'Neem contact op', 'Uw bericht is niet verstuurd!'],
  ] as const) {
    const response = await site.send({ ...aMessageOf('sanne'), taal })
    const html = await response.text()
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30'])
    expect(html).toContain(`<h1>${heading}</h1>`)
    expect(html).toContain(`<h2>${heading}</h2>`)
    expect(failure(html)).toContain(title)
    expect(shown(html, 'naam')).toBe(aMessageOf('sanne').naam)
    expect(shown(html, 'bericht')).toBe(aMessageOf('sanne').bericht)
  }
})

test('the stored version of the privacy statement follows its text, its language, the brand and the legal identity', async () => {
  const site = await aSite('sqlite')
  const versionShown = async (taal: string, bericht: string) => {
    await site.send({ ...aMessageOf('roya', { bericht: `${bericht} ${taal}` }), taal })
    return (await site.messages()).at(-1)?.privacy_version ?? ''
  }
  const put = (change: (config: SiteFile) => void) => {
    const config = defaultSiteFile()
    change(config)
    return importConfiguration(site.app.context(), { text: JSON.stringify(config), note: 'test' })
  }
  const inForce = (id: number) => waitUntil(() => site.app.source() === `revision ${id}`, 'new configuration')

  const first = await versionShown('nl', 'een')
  expect(first).toMatch(/^\d{4}-\d\d-\d\d-[\da-f]{8}$/)
  expect(await versionShown('nl', 'twee'), 'the same text').toBe(first)
  const persian = await versionShown('fa', 'drie')
  await put((config) => {
    config.pages.find((page: { slug: string }) => page.slug === 'disclaimer').content.nl.title = 'Anders'
  })
  await inForce(1)
  expect(await versionShown('nl', 'vier'), 'another page').toBe(first)
  await put((config) => {
    config.pages.find((page: { slug: string }) => page.slug === 'privacy-verklaring').content.nl.body[0].content +=
      '<p>Anders</p>'
  })
  await inForce(2)
  const changed = await versionShown('nl', 'vijf')
  await put((config) => {
    config.contact.retentionDays = 30
  })
  await inForce(3)
  const shorter = await versionShown('nl', 'zes')
  await put((config) => {
    config.contact.retentionDays = 30
    config.brand = 'Bakkerij Hondt'
  })
  await inForce(4)
  const ofAnother = await versionShown('nl', 'zeven')
  await put((config) => {
    config.contact.retentionDays = 30
    config.brand = 'Bakkerij Hondt'
    config.legal.address.street = 'Bakkerstraat 1'
  })
  await inForce(5)
  expect(new Set([first, persian, changed, shorter, ofAnother, await versionShown('nl', 'acht')]).size).toBe(6)
})

test('when the page of a form is gone and the home page has no form, the answer still confirms or shows what was typed', async () => {
  const site = await aSite('sqlite', {
    site: (config) => {
      const { content } = config.pages[0]
      for (const text of Object.values<SiteFile>(content))
        text.body = text.body.filter(({ type }: SiteFile) => type !== 'contact-form')
    },
  })
  const bente = await as(site, 'beheerder')
  for (const headers of [{}, { cookie: bente.cookie }] as Record<string, string>[]) {
    const wrong = await site.send({ ...aMessageOf('roya', { email: 'roya' }), pagina: '/weg' }, headers)
    const refused = await wrong.text()
    expect(wrong.status).toBe(422)
    expect([shown(refused, 'email'), errorOf(refused, 'email')]).toEqual(['roya', expect.any(String)])

    const right = await site.send({ ...aMessageOf('roya'), pagina: '/weg' }, headers)
    const [message] = await site.messages()
    expect([right.status, right.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(await right.text()).toContain(`Uw referentienummer is ${message?.reference}.`)
  }
})

test('a visitor who was signed out meanwhile reads the answer to a form that only signed-in users see', async () => {
  const site = await aSite('sqlite', {
    site: (config) => {
      config.forms = [quoteForm]
      for (const text of Object.values<SiteFile>(config.pages[0].content)) {
        const others = text.body.filter(({ type }: SiteFile) => type !== 'contact-form')
        text.body = [
          ...others,
          { type: 'contact-form', title: 'Vraag', intro: '', note: '', showIf: 'logged-in' },
          { type: 'form', title: 'Offerte', intro: '', form: 'offerte', showIf: 'logged-in' },
        ]
      }
    },
  })
  const wrong = await (await site.send(aMessageOf('roya', { email: 'roya' }))).text()
  expect([shown(wrong, 'email'), errorOf(wrong, 'email')]).toEqual(['roya', expect.any(String)])
  expect(await (await site.send(aMessageOf('roya'))).text()).toContain('Uw referentienummer is')

  const form = await site.request('/api/forms/offerte', {
    method: 'POST',
    headers: { 'Content-Type': urlencoded, Accept: accept },
    body: new URLSearchParams(Object.entries({ ...quoteAnswers, extra: 'Logo' })).toString(),
  })
  expect(await form.text()).toContain('Bedankt voor uw aanvraag!')
})

test('a post that cannot be read is refused in the language of the site that the browser asks for', async () => {
  const site = await aTestApp({
    site: (config) => {
      Object.assign(config, { locales: ['nl', 'fa', 'de'], rootLocale: 'fa', forms: [quoteForm] })
    },
  })
  for (const path of ['/api/contact', '/api/forms/offerte', '/api/forms/nergens'])
    for (const [asked, locale] of [
      ['de', 'de'],
      ['fr', 'fa'],
    ] as const) {
      const headers = { 'Content-Type': 'text/plain', 'Accept-Language': asked }
      const { headers: answered, status } = await site.request(path, { method: 'POST', headers, body: 'x' })
      expect([path, status, answered.get('content-language')]).toEqual([path, /nergens/.test(path) ? 404 : 415, locale])
    }
})

test('a stored message is confirmed, also when its page cannot be found afterwards', async () => {
  allowErrors(/the page for a confirmation was not found/)
  const site = await aSite('sqlite', {
    site: (config) => {
      config.forms = [quoteForm]
    },
  })
  await sql`create trigger lose_pages after insert on message begin
    update page_text set live_slug = 'weg-' || page_id; end`.execute(site.db)
  const posted = await site.send(aMessageOf('roya'))
  const [message] = await site.messages()
  expect([posted.status, await posted.text()]).toEqual([200, expect.stringContaining(String(message?.reference))])

  const form = await site.request('/api/forms/offerte', {
    method: 'POST',
    headers: { 'Content-Type': urlencoded, Accept: accept },
    body: new URLSearchParams(Object.entries({ ...quoteAnswers, extra: 'Logo' })).toString(),
  })
  expect([form.status, await form.text()]).toEqual([200, expect.stringContaining('Bedankt voor uw aanvraag!')])
  expect(await site.messages()).toHaveLength(2)
})

describe('a form post', () => {
  const post = (site: TestApp, headers: Record<string, string>) =>
    site.request('http://www.maaslicht.example/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': urlencoded, Host: 'www.maaslicht.example', ...headers },
      body: new URLSearchParams(aMessageOf('roya')).toString(),
    })

  test('from another site is refused', async () => {
    const site = await aTestApp()
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://www.maaslicht.example' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'https://www.maaslicht.example.evil.example' },
    ] as Record<string, string>[])
      expect([headers, (await post(site, headers)).status]).toEqual([headers, 403])
    expect(await site.db.selectFrom('message').select('id').execute()).toEqual([])
  })

  test('from this site, or without a header that names its site, is accepted', async () => {
    const site = await aTestApp()
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'http://www.maaslicht.example' },
      { Origin: 'https://www.maaslicht.example' },
      { Origin: 'https://maaslicht.example' },
    ] as Record<string, string>[])
      expect([headers, (await post(site, headers)).status]).toEqual([headers, 303])
  })
})

test('many large bodies that arrive slowly do not fill the memory, and keep nobody from sending a message', async () => {
  const site = await aTestApp({ settings: { rateLimited: false } })
  const send = (body: BodyInit, bytes: number) =>
    site.request('/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': String(bytes) },
      body,
      duplex: 'half',
    } as RequestInit)
  const slow: ReadableStreamDefaultController<Uint8Array>[] = []
  const fitting = Math.floor(limits.largeBodiesBytes / 1_000_000)
  const open = Array.from({ length: fitting }, () =>
    // Without a buffer, so that a body is in `slow` once all but its end was read.
    send(
      new ReadableStream(
        {
          start: (one) => one.enqueue(Buffer.alloc(999_999)),
          pull: (one) => new Promise(() => slow.push(one)),
        },
        { highWaterMark: 0 },
      ),
      1_000_000,
    ),
  )
  await waitUntil(() => slow.length === fitting, 'all bodies to be read')
  const large = JSON.stringify({ ...aMessageOf('roya'), bericht: 'a'.repeat(500_000) })
  const refused = await send(large, large.length)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  const small = JSON.stringify(aMessageOf('roya'))
  expect((await send(small, small.length)).status).toBe(201)

  for (const one of slow) one.error(new Error('disconnected'))
  expect(new Set((await Promise.all(open)).map(({ status }) => status))).toEqual(new Set([400]))
  expect((await send(large, large.length)).status).toBe(422)
})
