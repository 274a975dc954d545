import { describe, expect, test } from 'vitest'
import { deliveredCollections } from '../../src/contract/delivered-collections.ts'
import { limits } from '../../src/contract/limits.ts'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { translator } from '../../src/i18n/translate.ts'
import { purge } from '../../src/jobs/purge.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { quoteAnswers, quoteForm } from '../support/forms.ts'
import { aMailbox } from '../support/mailbox.ts'
import { parseHtml } from '../support/parse-html.ts'
import { aMessageOf } from '../support/people.ts'
import type { SiteFile } from '../support/site-file.ts'
import { as, json, password } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const urlencoded = 'application/x-www-form-urlencoded'
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** A site with the form on its page `/offerte`. */
async function aSite(database: DatabaseKind, more: { now?: () => Date; form?: object; smtpUrl?: string } = {}) {
  const { now, form = {}, smtpUrl } = more
  const site = await aTestApp({
    database,
    ...(now && { now }),
    ...(smtpUrl && { settings: { smtpUrl, rateLimited: false } }),
    site(config: SiteFile) {
      config.forms = [{ ...quoteForm, ...form }]
      if (smtpUrl) config.spam = { ...defaultSpamSettings, threshold: 100 }
      const body = (title: string) => [{ type: 'form', title, form: 'offerte', anchor: 'aanvraag' }]
      config.pages.push({
        slug: 'offerte',
        updated: '2026-01-01',
        content: {
          nl: { title: 'Offerte', description: '', body: body('Vraag een offerte aan') },
          fa: { title: 'پیش‌فاکتور', description: '', body: body('درخواست پیش‌فاکتور') },
        },
      })
    },
  })
  return {
    ...site,
    /** With JavaScript, or a program. */
    send: (answers: object) => site.request('/api/forms/offerte', json('POST', answers)),
    /** Without JavaScript. */
    post: (answers: Record<string, string | string[]>, at = '/api/forms/offerte') =>
      site.request(at, {
        method: 'POST',
        headers: { 'Content-Type': urlencoded, Accept: accept },
        body: new URLSearchParams(
          Object.entries({ pagina: '/offerte', taal: 'nl', website: '', ...answers }).flatMap(([name, value]) =>
            [value].flat().map((one) => [name, one]),
          ),
        ).toString(),
      }),
    messages: () => site.db.selectFrom('message').selectAll().orderBy('id').execute(),
    emails: () => site.db.selectFrom('outbox').select(['recipient', 'template', 'data']).orderBy('id').execute(),
  }
}

const answersOf = ({ answers }: { answers: string }) =>
  Object.fromEntries(JSON.parse(answers).map(({ label, text }: { label: string; text: string }) => [label, text]))

describe.each(databases)('a form of the configuration, on %s', (database) => {
  test('stores the answers with their labels, emails its own recipients, and is in the privacy export', async () => {
    const site = await aSite(database)
    const response = await site.send(quoteAnswers)
    expect(response.status).toBe(201)
    const sent = await response.json()
    expect(sent).toMatchObject({ title: 'Bedankt voor uw aanvraag!', text: 'U krijgt binnen twee dagen een offerte.' })
    const [message] = await site.messages()
    expect(message).toMatchObject({
      reference: sent.id,
      form_id: 'offerte',
      form_name: 'Offerte aanvragen',
      naam: 'Roya Karimi',
      email: 'roya@karimi.example',
      tel: '0612345678',
      folder: 'inbox',
    })
    expect(answersOf(message as never)).toEqual({
      Naam: 'Roya Karimi',
      'E-mailadres': 'roya@karimi.example',
      Telefoon: '0612345678',
      'Wat zoekt u?': 'Webwinkel',
      'Hoeveel producten?': '120',
      'Wat hoort erbij?': 'Hosting\nLogo',
      'Wanneer klaar?': '2026-12-01',
      Toelichting: 'Twee talen,\nen snel.',
      'Ik ga akkoord': 'Ja',
    })
    await waitUntil(async () => (await site.writtenEmails()).length === 1, 'the email')
    const [email] = await site.writtenEmails()
    expect(email?.subject).toBe('Nieuwe offerteaanvraag via Maaslicht')
    expect(email?.to).toMatchObject({ text: 'verkoop@maaslicht.example' })
    expect(email?.replyTo?.value).toEqual([{ name: 'Roya Karimi', address: 'roya@karimi.example' }])
    expect(email?.text).toContain('Hoeveel producten?: 120')
    expect(email?.text).toContain('Wanneer klaar?: 1 december 2026')
    expect(message?.bericht).toContain('Wanneer klaar?: 1 december 2026')
    expect(email?.text).toContain(String(sent.id))

    const admin = await as(site, 'beheerder')
    const found = await admin.post('/api/privacy/export', { email: 'roya@karimi.example', password })
    const { messages } = await found.json()
    expect(messages).toMatchObject([{ form: 'Offerte aanvragen' }])
    expect(messages[0].answers).toContainEqual({ label: 'Wat zoekt u?', text: 'Webwinkel' })
  })

  test('reads a date on a Persian page in the solar calendar, and emails it in that calendar', async () => {
    const site = await aSite(database)
    const wrong = await site.post({ ...quoteAnswers, taal: 'fa', wanneer: '1600-1-1' })
    expect(await wrong.text()).toContain(translator('fa')('validation.formDateYear'))
    expect((await site.post({ ...quoteAnswers, taal: 'fa', wanneer: '1405-10-15' })).status).toBe(303)
    const [message] = await site.messages()
    expect(answersOf(message as never)).toMatchObject({ 'کی آماده باشد؟': '2027-01-05' })
    await waitUntil(async () => (await site.writtenEmails()).length === 1, 'the email')
    expect((await site.writtenEmails())[0]?.text).toContain('۱۵ دی ۱۴۰۵')
  })

  test('reference numbers do not reveal how many messages there are, and the same answers are stored once', async () => {
    const site = await aSite(database)
    const ids = []
    for (const naam of ['Roya', 'Daan', 'Roya'])
      ids.push((await (await site.send({ ...quoteAnswers, naam })).json()).id)
    expect(ids[2]).toBe(ids[0])
    expect(await site.messages()).toHaveLength(2)
    for (const id of ids) expect(String(id)).toMatch(/^[1-9]\d{8}$/)
    expect(Math.abs(ids[1] - ids[0])).toBeGreaterThan(1)
  })

  test('without JavaScript answers with the thank-you text on the page of the form, and that cannot be forged', async () => {
    const site = await aSite(database)
    const page = await (await site.request('/offerte')).text()
    expect(page).toContain('action="/api/forms/offerte"')
    expect(page).toContain('Uw wensen')
    expect(page).toContain('Alleen als u bij ‘Wat zoekt u?’ kiest voor ‘Webwinkel’.')
    const persian = await (await site.request('/fa/offerte')).text()
    expect(persian).toContain('دنبال چه هستید؟')
    expect(persian, 'the value means the same in each language').toMatch(/value="Webwinkel"[^>]*\/><span>فروشگاه/)

    const response = await site.post(quoteAnswers)
    expect(response.status).toBe(303)
    const address = response.headers.get('location') ?? ''
    expect(address).toMatch(/^\/offerte\?verzonden=\d{9}\.[\w-]{16}&formulier=offerte#aanvraag$/)
    const counted = site.db.selectFrom('visit_total').select(['value', 'count']).where('kind', '=', 'message')
    expect((await counted.execute()).map((row) => ({ ...row }))).toEqual([{ value: '/offerte', count: 1 }])
    const html = await (await site.request(address)).text()
    expect(html).toContain('Bedankt voor uw aanvraag!')
    expect(html).toContain('<a href="/offerte#aanvraag">Nog een bericht sturen</a>')
    const [{ reference } = { reference: 0 }] = await site.messages()
    expect(html).toContain(`Uw referentienummer is ${reference}.`)
    const forged = await (await site.request(address.replace(/=\d/, '=0'))).text()
    expect(forged).not.toMatch(/Uw referentienummer is \d/)
  })

  test('refuses crafted requests, each with a clear answer, and stores nothing', async () => {
    const site = await aSite(database)
    const cases: [Record<string, unknown>, string][] = [
      [{ onbekend: 'x' }, 'onbekend'],
      [{ 'stap-wensen': 'x' }, 'stap-wensen'],
      [{ soort: 'Vliegtuig' }, 'soort'],
      [{ soort: ['Website', 'Webwinkel'] }, 'soort'],
      [{ soort: { $ne: 1 } }, 'soort'],
      [{ extra: ['Logo', 'Anders'] }, 'extra'],
      [{ naam: ['Roya', 'Daan'] }, 'naam'],
      [{ naam: 'Roya\r\nBcc: iedereen@example.nl' }, 'naam'],
      [{ naam: 'x'.repeat(201) }, 'naam'],
      [{ email: 'roya@karimi.example\nBcc: x@y.example' }, 'email'],
      [{ wanneer: '31-2-2026' }, 'wanneer'],
      [{ wanneer: '1405-10-15' }, 'wanneer'],
      [{ akkoord: 'nee' }, 'akkoord'],
      [{ toelichting: 'x'.repeat(10_001) }, 'toelichting'],
      [{ toelichting: 'a\u0000b' }, 'toelichting'],
    ]
    for (const [wrong, path] of cases) {
      const response = await site.send({ ...quoteAnswers, ...wrong })
      expect([wrong, response.status]).toEqual([wrong, 422])
      expect((await response.json()).errors.map((one: { path: string }) => one.path)).toEqual([path])
    }
    expect((await site.send({})).status).toBe(422)
    expect((await site.request('/api/forms/bestaat-niet', json('POST', quoteAnswers))).status).toBe(404)
    expect((await site.request('/api/forms/contact', json('POST', quoteAnswers))).status).toBe(404)
    expect((await site.request("/api/forms/%25'", json('POST', quoteAnswers))).status).toBe(404)
    expect((await site.request('/api/forms/offerte')).status).toBe(405)
    expect(await site.messages()).toEqual([])
  })

  test('no answer, choice, subject or file name adds a header or a recipient to an email', async () => {
    const mailbox = await aMailbox()
    const header = 'Bcc: eve@evil.example'
    const hidden = `=?utf-8?Q?x=0D=0A${header.replace(' ', '_')}?=`
    const choice = `${hidden}, ${header}`
    const fields = [
      ...quoteForm.fields.map((field) =>
        field.id === 'soort' ? { ...field, options: { nl: [choice, `Website\r\n${header}`] } } : field,
      ),
      { id: 'bijlagen', kind: 'files', label: { nl: `Bijlagen\r\n${header}` } },
    ].filter(({ id }) => id !== 'producten')
    // Of what staff write, only the subject is refused with line ends: nothing else is in a header.
    const form = { fields, name: { nl: `Offerte\r\n${header}` }, subject: `Offerte ${hidden} via [brand]` }
    const site = await aSite(database, { smtpUrl: mailbox.url, form })
    const admin = await as(site, 'beheerder')
    const smuggled = `Dag\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\nDATA\r\n${header}\r\n\r\nx`
    const { producten: _, ...answers } = { ...quoteAnswers, soort: choice, toelichting: smuggled }
    const lineEnds = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\u0000']
    for (const end of lineEnds) {
      const { version } = await (await admin.get('/api/config')).json()
      const forms = [{ ...quoteForm, subject: `Offerte${end}${header}` }]
      const saved = await admin.put('/api/config', { version, config: { forms } })
      expect([end, saved.status, (await saved.json()).errors?.[0].path]).toEqual([end, 422, 'forms.0.subject'])
      for (const field of ['naam', 'email', 'telefoon', 'soort'] as const) {
        const refused = await site.send({ ...answers, [field]: `${answers[field]}${end}${header}` })
        expect([field, end, refused.status]).toEqual([field, end, 422])
        expect((await refused.json()).errors.map(({ path }: { path: string }) => path)).toEqual([field])
      }
    }

    const names = [
      `Roya" <eve@evil.example>, "`,
      hidden,
      `Roya%0D%0A${header}`,
      'eve@evil.example, daan@voorbeeld.example',
      'Roya: eve@evil.example;',
      'Roya Karimi',
    ]
    for (const naam of names) {
      const body = new FormData()
      for (const [name, value] of Object.entries({ ...answers, naam }))
        for (const one of [value].flat()) body.append(name, one)
      if (naam === names[0]) {
        body.set('soort', `Website\r\n${header}`)
        const files = [...lineEnds.map((end) => `plan${end}${header}.pdf`), `${hidden}.pdf`]
        for (const name of files) body.append('bijlagen', new Blob(['%PDF-1.4\n%%EOF']), name)
      }
      const headers = { Accept: 'application/json' }
      const sent = await site.request('/api/forms/offerte', { method: 'POST', headers, body })
      expect([naam, sent.status, await sent.clone().text()]).toEqual([naam, 201, expect.anything()])
    }
    const emails = await mailbox.received(names.length)
    const wanted = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'reply-to']
    for (const { raw, to, parsed } of emails) {
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
      expect(head.replaceAll('\r\n', ''), 'no other line ends').not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      const found = head.split(/\r\n(?![ \t])/).map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
      expect(found.sort()).toEqual([...wanted, 'subject', 'to'])
      expect(to).toEqual(['verkoop@maaslicht.example'])
      expect(parsed.to).toMatchObject({ text: 'verkoop@maaslicht.example' })
      expect(parsed.subject).toBe(`Offerte ${hidden.replace('=?', '= ?')} via Maaslicht`)
      expect(parsed.replyTo?.value).toMatchObject([{ address: 'roya@karimi.example' }])
      expect(parsed.replyTo?.value).toHaveLength(1)
    }
    const replyNames = emails.map(({ parsed }) => parsed.replyTo?.value[0]?.name)
    expect(replyNames.sort()).toEqual(names.map((naam) => naam.replace('=?', '= ?')).sort())
    expect(mailbox.emails).toHaveLength(names.length)
  })

  test('answers to a form that was deleted meanwhile still arrive, for a day', async () => {
    let at = Date.UTC(2026, 5, 1, 9)
    const site = await aSite(database, { now: () => new Date(at) })
    const admin = await as(site, 'beheerder')
    const { version } = await (await admin.get('/api/config')).json()
    expect((await admin.put('/api/config', { version, config: { forms: [] } })).status).toBe(200)
    expect(await (await site.request('/offerte')).text()).not.toContain('/api/forms/')

    const response = await site.post(quoteAnswers)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Bedankt voor uw aanvraag!')
    const wrong = await site.post({ ...quoteAnswers, email: '' })
    expect(wrong.status).toBe(422)
    expect(await wrong.text()).toMatch(/name="naam"[^>]* value="Roya Karimi"/)
    expect(await site.messages()).toMatchObject([{ form_id: 'offerte', form_name: 'Offerte aanvragen' }])
    const emails = (await site.emails()).filter(({ template }) => template !== 'contactChange')
    expect(emails.map(({ recipient }) => recipient)).toEqual(['verkoop@maaslicht.example'])
    at += 25 * 60 * 60_000
    expect((await site.post(quoteAnswers)).status).toBe(404)
  })

  test('answers to a form that was deleted meanwhile arrive, however often other forms are saved after it', async () => {
    const site = await aSite(database)
    const admin = await as(site, 'beheerder')
    const { recipients: _, ...other } = { ...quoteForm, id: 'anders' }
    let { version } = await (await admin.get('/api/config')).json()
    const save = async (forms: object[]) => {
      const saved = await admin.put('/api/config', { version, config: { forms } })
      expect(saved.status).toBe(200)
      version = (await saved.json()).version
    }
    await save([])
    for (let saves = 1; saves <= 20; saves++) await save([{ ...other, name: { nl: `Anders ${saves}` } }])

    expect((await site.send(quoteAnswers)).status).toBe(201)
    expect(await site.messages()).toMatchObject([{ form_id: 'offerte', form_name: 'Offerte aanvragen' }])
  })

  test('answers to a form that was changed meanwhile are stored with the questions as they were asked, for a day', async () => {
    let at = Date.UTC(2026, 5, 1, 9)
    const site = await aSite(database, { now: () => new Date(at) })
    const admin = await as(site, 'beheerder')
    const { version } = await (await admin.get('/api/config')).json()
    const fields = quoteForm.fields
      .filter(({ id }) => id !== 'toelichting')
      .map((field) => (field.id === 'extra' ? { ...field, options: { nl: ['Webhosting', 'Teksten'] } } : field))
    expect((await admin.put('/api/config', { version, config: { forms: [{ ...quoteForm, fields }] } })).status).toBe(
      200,
    )
    expect((await site.send({ ...quoteAnswers, onbekend: 'x' })).status, 'never asked').toBe(422)
    expect((await site.send({ ...quoteAnswers, email: 'roya@' })).status).toBe(422)
    expect((await site.send(quoteAnswers)).status).toBe(201)
    const [message] = await site.messages()
    expect(answersOf(message as never)).toMatchObject({
      'Wat hoort erbij?': 'Hosting\nLogo',
      Toelichting: 'Twee talen,\nen snel.',
    })
    at += 25 * 60 * 60_000
    expect((await site.send({ ...quoteAnswers, naam: 'Daan' })).status).toBe(422)
  })

  test('staff see the answers in the inbox, filter by form, and export its columns', async () => {
    const site = await aSite(database)
    const { id: reference } = await (await site.send({ ...quoteAnswers, toelichting: '=HYPERLINK("x")' })).json()
    await site.request(
      '/api/contact',
      json('POST', { naam: 'Daan', email: 'daan@example.nl', tel: '1', bericht: 'Hallo' }),
    )
    const admin = await as(site, 'beheerder')
    const inbox = await (await admin.get('/api/messages/inbox')).json()
    expect(inbox.forms).toEqual([
      { id: 'contact', name: '', retentionDays: inbox.retentionDays },
      { id: 'offerte', name: 'Offerte aanvragen', retentionDays: 90 },
    ])
    const list = await (await admin.get('/api/messages?form=offerte')).json()
    expect(list.data).toMatchObject([{ naam: 'Roya Karimi', form: { id: 'offerte', name: 'Offerte aanvragen' } }])
    expect((await (await admin.get('/api/messages?form=contact')).json()).data).toMatchObject([{ naam: 'Daan' }])
    expect((await (await admin.get(`/api/messages?search=${reference}`)).json()).data).toMatchObject([{ reference }])
    expect((await (await admin.get('/api/messages?search=webwinkel')).json()).data).toHaveLength(1)
    const one = await (await admin.get(`/api/messages/${list.data[0].id}`)).json()
    expect(one.answers[3]).toEqual({ field: 'soort', kind: 'choice', label: 'Wat zoekt u?', text: 'Webwinkel' })
    expect(one.keptUntil.slice(0, 10)).toBe(
      new Date(Date.parse(one.createdAt) + 90 * 86_400_000).toISOString().slice(0, 10),
    )

    const reply = { text: 'Dat kan voor € 1.800.', version: one.version }
    expect((await admin.post(`/api/messages/${one.id}/reply`, reply)).status).toBe(201)
    expect(one.replyTo).toEqual(quoteForm.recipients)
    expect(JSON.parse((await site.emails()).at(-1)?.data ?? '')).toMatchObject({ replyTo: one.replyTo })

    const csv = await (await admin.get('/api/messages/export?form=offerte')).text()
    const [, head, row] = csv.split('\r\n')
    expect(head).toBe(
      '"Referentienummer";"Ontvangen";"Naam";"E-mailadres";"Telefoon";"Wat zoekt u?";"Hoeveel producten?";"Wat hoort erbij?";"Wanneer klaar?";"Toelichting";"Ik ga akkoord";"Map";"Beantwoord";"Notitie"',
    )
    expect(row).toContain(`"${reference}"`)
    expect(row, 'no formula').toContain('"\'=HYPERLINK(""x"")"')
  })

  test('a message keeps its answers and labels when the form changes, and is deleted after the period of its form', async () => {
    let at = Date.UTC(2026, 5, 1, 9)
    const site = await aSite(database, { now: () => new Date(at) })
    await site.send(quoteAnswers)
    const admin = await as(site, 'beheerder')
    const { version } = await (await admin.get('/api/config')).json()
    const fields = quoteForm.fields.slice(0, 2).map((field) => ({ ...field, label: { nl: 'Anders' } }))
    const changed = await admin.put('/api/config', {
      version,
      config: { forms: [{ ...quoteForm, fields, retentionDays: 30 }] },
    })
    expect(changed.status).toBe(200)
    const [message] = await site.messages()
    expect(answersOf(message as never)).toMatchObject({ 'Wat zoekt u?': 'Webwinkel' })
    at += 29 * 86_400_000
    expect((await purge(site.app.context())).messages).toBe(0)
    at += 2 * 86_400_000
    expect((await purge(site.app.context())).messages).toBe(1)
  })
})

// What it asks and shows does not depend on the database.
describe('a form of the configuration', () => {
  test('a field that depends on an answer is required only after that answer, and left out otherwise', async () => {
    const site = await aSite('sqlite')
    const { producten: _, ...rest } = quoteAnswers
    const missing = await site.send(rest)
    expect((await missing.json()).errors).toEqual([{ path: 'producten', message: 'Dit is een verplicht veld!' }])
    expect((await site.send({ ...quoteAnswers, soort: 'Website', producten: '=1+1' })).status).toBe(201)
    const [message] = await site.messages()
    expect(Object.keys(answersOf(message as never))).not.toContain('Hoeveel producten?')
  })

  test.each(['fa', 'en'])(
    'on a page that is only in Dutch answers in the language of the reader, in %s',
    async (locale) => {
      const site = await aTestApp({
        site(config: SiteFile) {
          config.locales = ['nl', 'fa', 'en']
          config.forms = [quoteForm]
          const form = { type: 'form', title: 'Offerte', form: 'offerte', anchor: 'aanvraag' }
          const body = [form, { type: 'contact-form', title: 'Schrijf ons', anchor: 'contact' }]
          const nl = { title: 'Offerte', description: '', body }
          config.pages.push({ slug: 'alleen-nederlands', updated: '2026-01-01', content: { nl } })
        },
      })
      const t = translator(locale as 'fa' | 'en')
      const path = '/alleen-nederlands'
      const at = async (address: string) => parseHtml(await (await site.request(address)).text())
      const post = (answers: object, to = '/api/forms/offerte') =>
        site.request(to, {
          method: 'POST',
          headers: { 'Content-Type': urlencoded, Accept: accept },
          body: new URLSearchParams({ pagina: path, taal: locale, website: '', ...answers }).toString(),
        })
      /** The language of an element, by its own attribute or that of one around it. */
      const languageOf = (element: Element | null | undefined) => [
        element?.closest('[lang]')?.getAttribute('lang'),
        element?.closest('[dir=ltr], [dir=rtl]')?.getAttribute('dir'),
      ]
      const [readers, dutch] = [
        [locale, locale === 'fa' ? 'rtl' : 'ltr'],
        ['nl', 'ltr'],
      ]

      // With JavaScript: what the script fills in has its place and its language.
      const page = await at(`/${locale}${path}`)
      for (const form of page.querySelectorAll<HTMLElement>('form[data-busy]')) {
        expect(languageOf(form.querySelector('label'))).toEqual(dutch)
        for (const place of form.querySelectorAll('.error, .failed')) expect(languageOf(place)).toEqual(readers)
        expect(form.dataset.failureTitle).toBe(t('contact.failureTitle'))
        const sent = form.parentElement?.querySelector('template')?.content.firstElementChild
        expect([sent?.getAttribute('lang'), sent?.getAttribute('dir')]).toEqual(readers)
        expect(sent?.lastElementChild?.textContent).toBe(t('contact.another'))
      }
      const [quote, contact] = [...page.querySelectorAll('template')].map(
        ({ content }) => content.querySelector('.alert-title') as Element,
      )
      const thanks = locale === 'fa' ? quoteForm.thanks.title.fa : quoteForm.thanks.title.nl
      expect([quote?.textContent, contact?.textContent]).toEqual([thanks, t('contact.successTitle')])
      // A form that has no English thanks in Dutch, and says that it is Dutch.
      expect(languageOf(quote?.firstElementChild)).toEqual(locale === 'fa' ? [undefined, undefined] : dutch)

      // Without JavaScript.
      const refused = parseHtml(await (await post({ ...quoteAnswers, email: '' })).text())
      const problem = refused.querySelector('#e-f-offerte-email')
      expect([problem?.textContent, ...languageOf(problem)]).toEqual([t('contact.required'), ...readers])
      const accepted = await post({ ...quoteAnswers, extra: 'Logo' })
      const sent = (await at(accepted.headers.get('location') ?? '')).querySelector('.sent')
      expect([sent?.getAttribute('lang'), sent?.getAttribute('dir')]).toEqual(readers)
      expect(sent?.querySelector('.alert-title')?.textContent).toBe(thanks)
      expect(sent?.lastElementChild?.textContent).toBe(t('contact.another'))
      const suspected = { naam: 'Eric', email: 'eric@voorbeeld.example', tel: '0612345678' }
      const asked = await post({ ...suspected, bericht: 'Meer bezoekers met een gratis analyse.' }, '/api/contact')
      const question = (await at(asked.headers.get('location') ?? '')).querySelector('label[for=f-answer]')
      expect(languageOf(question)).toEqual(readers)
      expect(question?.closest('form')?.textContent).toContain(t('contact.almostText'))
    },
  )

  test('without JavaScript shows each problem at its field, and keeps what was typed', async () => {
    const site = await aSite('sqlite')
    const response = await site.post({
      ...quoteAnswers,
      email: 'roya@',
      producten: 'veel',
      extra: ['Logo'],
      akkoord: [],
    })
    const html = await response.text()
    expect(response.status).toBe(422)
    const errorOf = (id: string) => new RegExp(`id="e-f-offerte-${id}">([^<]*)<`).exec(html)?.[1]
    expect(['naam', 'email', 'producten', 'extra', 'akkoord'].map(errorOf)).toEqual([
      '',
      'Dit e-mailadres is niet geldig!',
      'Vul een getal in, zoals 12 of 12,5.',
      '',
      'Dit is een verplicht veld!',
    ])
    expect(html).toMatch(/name="naam"[^>]* value="Roya Karimi"/)
    expect(html).toMatch(
      /name="soort" checked=""[^>]* value="Webwinkel"|value="Webwinkel"[^>]* checked=""|checked="" value="Webwinkel"/,
    )
    expect(await site.messages()).toEqual([])
  })
})

test('an answer of several lines cannot pass for another row of the email', async () => {
  const site = await aSite('sqlite')
  const toelichting = 'Twee talen.\nE-mailadres: bank@evil.example\u2028Telefoon: 0900'
  expect((await site.send({ ...quoteAnswers, toelichting })).status).toBe(201)
  await waitUntil(async () => (await site.writtenEmails()).length === 1, 'the email')
  const [email] = await site.writtenEmails()
  const rows = email?.text?.split(/[\n\u2028]/).filter((line) => /^(E-mailadres|Telefoon):/.test(line))
  expect(rows).toEqual(['E-mailadres: roya@karimi.example', 'Telefoon: 0612345678'])
  expect(email?.text).toContain('Wat hoort erbij?:\n    Hosting\n    Logo\n')
  const shown = 'Toelichting:\n    Twee talen.\n    E-mailadres: bank@evil.example\n    Telefoon: 0900\n'
  expect(email?.text).toContain(shown)
})

test('a form in the footer, sent without JavaScript, is refused and confirmed on the page that it was sent from', async () => {
  const site = await aTestApp({
    site(config: SiteFile) {
      config.forms = [quoteForm]
      config.branding.footer.left = {
        nl: [
          { type: 'form', title: 'Offerte', form: 'offerte', anchor: 'aanvraag' },
          { type: 'contact-form', title: 'Schrijf ons', anchor: 'contact' },
        ],
      }
    },
  })
  const post = (answers: object, to = '/api/forms/offerte') =>
    site.request(to, {
      method: 'POST',
      headers: { 'Content-Type': urlencoded, Accept: accept },
      body: new URLSearchParams({ pagina: '/disclaimer', website: '', ...answers }).toString(),
    })
  const quote = { ...quoteAnswers, extra: 'Logo' }
  const refused = await post({ ...quote, taal: 'nl', email: 'roya@' })
  const page = parseHtml(await refused.text())
  expect([refused.status, page.querySelector('main')?.textContent]).toEqual([
    422,
    expect.stringContaining('Disclaimer'),
  ])
  expect(page.querySelector('footer #e-f-offerte-email')?.textContent).toBe('Dit e-mailadres is niet geldig!')

  for (const [to, taal, address] of [
    ['/api/forms/offerte', 'nl', /^\/disclaimer\?verzonden=[^&]+&formulier=offerte#aanvraag$/],
    ['/api/forms/offerte', 'fa', /^\/fa\/disclaimer\?verzonden=[^&]+&formulier=offerte#aanvraag$/],
    ['/api/contact', 'nl', /^\/disclaimer\?verzonden=[^&]+#contact$/],
  ] as const) {
    const accepted = await post({ taal, ...(to === '/api/contact' ? aMessageOf('roya') : quote) }, to)
    const location = accepted.headers.get('location') ?? ''
    expect([accepted.status, location]).toEqual([303, expect.stringMatching(address)])
    const confirmed = parseHtml(await (await site.request(location)).text())
    expect(confirmed.querySelectorAll('footer .sent')).toHaveLength(1)
  }
})

describe.each(databases)('a form in the footer without JavaScript, on %s', (database) => {
  const aSiteWithForms = async () => {
    const site = await aTestApp({
      database,
      site(config: SiteFile) {
        config.forms = [quoteForm]
        config.collections = deliveredCollections
        config.branding.footer.left = {
          nl: [
            { type: 'form', title: 'Offerte', form: 'offerte', anchor: 'aanvraag' },
            { type: 'contact-form', title: 'Schrijf ons', anchor: 'contact' },
          ],
        }
      },
    })
    return {
      ...site,
      at: async (address: string) => parseHtml(await (await site.request(address)).text()),
      /** Posts a form as the page has it, with these answers. */
      post: (page: ReturnType<typeof parseHtml>, action: string, answers: object) => {
        const hidden = page.querySelectorAll(`form[action="${action}"] input[type="hidden"]`)
        const fields = [...hidden].map((field) => [field.getAttribute('name'), field.getAttribute('value')] as const)
        return site.request(action, {
          method: 'POST',
          headers: { 'Content-Type': urlencoded, Accept: accept },
          body: new URLSearchParams({ website: '', ...Object.fromEntries(fields), ...answers }).toString(),
        })
      },
    }
  }
  const forms = [
    ['/api/forms/offerte', { ...quoteAnswers, extra: 'Logo' }, '#f-offerte-naam'],
    ['/api/contact', aMessageOf('roya'), '#f-naam'],
  ] as const
  const queryOf = (page: ReturnType<typeof parseHtml>) =>
    page.querySelector('main input[type="search"]')?.getAttribute('value')
  const resultsOf = (page: ReturnType<typeof parseHtml>) =>
    [...page.querySelectorAll('main .results h2 a')].map((link) => link.getAttribute('href'))

  test('on a page of search results is refused and confirmed on that page', async () => {
    const site = await aSiteWithForms()
    for (const [address, lang] of [
      ['/zoeken', 'nl'],
      ['/zoeken?q=privacy+%26+cookies', 'nl'],
      ['/fa/zoeken?q=%D9%88%D8%A8', 'fa'],
    ] as const) {
      const searched = await site.at(address)
      for (const [action, answers, name] of forms) {
        const refused = await site.post(searched, action, { ...answers, email: 'roya@' })
        const again = parseHtml(await refused.text())
        expect([refused.status, again.documentElement.lang, queryOf(again)]).toEqual([422, lang, queryOf(searched)])
        expect(resultsOf(again)).toEqual(resultsOf(searched))
        expect(again.querySelector(`footer ${name}`)?.getAttribute('value')).toBe('Roya Karimi')

        const accepted = await site.post(again, action, answers)
        const location = accepted.headers.get('location') ?? ''
        expect(
          [accepted.status, location.startsWith(`${address}${address.includes('?') ? '&' : '?'}verzonden=`)],
          location,
        ).toEqual([303, true])
        const confirmed = await site.at(location)
        expect([queryOf(confirmed), resultsOf(confirmed)]).toEqual([queryOf(searched), resultsOf(searched)])
        expect(confirmed.querySelectorAll('footer .sent')).toHaveLength(1)
        const another = confirmed.querySelector('footer .sent a')
        expect(another?.getAttribute('href')).toBe(`${address}#${another?.closest('.contact')?.id}`)
      }
    }
  })

  test('is confirmed on a search page whose address has only the parameters of a search', async () => {
    const site = await aSiteWithForms()
    const searched = await site.at('/zoeken?q=kaas')
    const long = 'x'.repeat(5_000)
    for (const [action, answers] of forms)
      for (const [query, read] of [
        [`q=kaas&verzonden=1.x&formulier=anders&locale=fa&x=${long}`, { q: 'kaas' }],
        [`q=kaas&pagina=2&pagina=3&q=brood`, { q: 'kaas', pagina: '2' }],
        [`q=${long}`, { q: 'x'.repeat(limits.searchChars) }],
      ] as const) {
        const accepted = await site.post(searched, action, { ...answers, pagina: `/zoeken?${query}` })
        const { pathname, searchParams } = new URL(accepted.headers.get('location') ?? '', 'http://localhost')
        const ours = action === '/api/contact' ? {} : { formulier: 'offerte' }
        expect([accepted.status, pathname, [...searchParams]]).toEqual([
          303,
          '/zoeken',
          Object.entries({ ...read, verzonden: expect.stringMatching(/^\d+\.[\w-]{16}$/), ...ours }),
        ])
      }
  })

  test('on a page of search results asks a suspected sender the question on that page', async () => {
    const site = await aSiteWithForms()
    const searched = await site.at('/zoeken?q=privacy')
    const suspected = { ...aMessageOf('daan'), bericht: 'Meer bezoekers met een gratis analyse.' }
    const sent = await site.post(searched, '/api/contact', suspected)
    const asked = await site.at(sent.headers.get('location') ?? '')
    expect([queryOf(asked), asked.querySelectorAll('footer #f-answer').length]).toEqual(['privacy', 1])
    const action = asked.querySelector('footer form[action$="/answer"]')?.getAttribute('action') ?? ''
    const wrong = await site.post(asked, action, { antwoord: '0' })
    const again = parseHtml(await wrong.text())
    expect([wrong.status, queryOf(again), resultsOf(again)]).toEqual([422, 'privacy', resultsOf(searched)])
  })

  test('is refused on the search page without results, when too many searches wait or the search fails', async () => {
    const site = await aSiteWithForms()
    const searched = await site.at('/zoeken?q=privacy')
    const [[action, answers, name]] = forms
    const logged = () => site.lines.filter(({ msg }) => msg === 'the search around a refused form failed').length
    const refusedWithoutResults = async () => {
      const refused = await site.post(searched, action, { ...answers, email: 'roya@' })
      const again = parseHtml(await refused.text())
      expect([refused.status, queryOf(again), resultsOf(again)]).toEqual([422, 'privacy', []])
      expect(again.querySelector(`footer ${name}`)?.getAttribute('value')).toBe('Roya Karimi')
    }
    expect(resultsOf(searched)).not.toEqual([])

    const { runSearch } = site.app.context()
    const held = Promise.withResolvers<void>()
    const crowd = Array.from({ length: limits.siteSearchesAtOnce + limits.siteSearchesWaiting }, () =>
      runSearch(() => held.promise),
    )
    await refusedWithoutResults()
    expect(logged()).toBe(0)
    held.resolve()
    await Promise.all(crowd)

    allowErrors(/page_search/)
    await site.db.schema.alterTable('page_search').renameTo('elsewhere').execute()
    await refusedWithoutResults()
    expect(logged()).toBe(1)
  })

  test('on an overview is refused and confirmed on that overview', async () => {
    const site = await aSiteWithForms()
    const overview = await site.at('/projecten')
    for (const [action, answers, name] of forms) {
      const refused = await site.post(overview, action, { ...answers, email: 'roya@' })
      const again = parseHtml(await refused.text())
      expect([refused.status, again.querySelector('h1')?.textContent]).toEqual([422, 'Projecten'])
      expect(again.querySelector(`footer ${name}`)?.getAttribute('value')).toBe('Roya Karimi')
      const accepted = await site.post(again, action, answers)
      expect(accepted.headers.get('location')).toMatch(/^\/projecten\?verzonden=/)
    }
  })

  test('on a page that does not exist is refused and confirmed in the same language, with what was typed', async () => {
    const site = await aSiteWithForms()
    for (const [address, lang] of [
      ['/bestaat-niet', 'nl'],
      ['/fa/bestaat-niet?q=1', 'fa'],
    ] as const)
      for (const [action, answers, name] of forms) {
        const refused = await site.post(await site.at(address), action, { ...answers, email: 'roya@' })
        const again = parseHtml(await refused.text())
        expect([refused.status, again.documentElement.lang]).toEqual([422, lang])
        expect(again.querySelector(`footer ${name}`)?.getAttribute('value')).toBe('Roya Karimi')
        const accepted = await site.post(again, action, answers)
        const confirmed = await site.at(accepted.headers.get('location') ?? '')
        expect(confirmed.documentElement.lang).toBe(lang)
        expect(confirmed.querySelectorAll('footer .sent')).toHaveLength(1)
      }
  })
})

test('the former recipients of a form get an email that names the new recipients, after the password was confirmed', async () => {
  const site = await aSite('sqlite')
  const admin = await as(site, 'beheerder')
  const { version } = await (await admin.get('/api/config')).json()
  const forms = [{ ...quoteForm, recipients: ['anders@voorbeeld.example'] }]
  expect((await admin.put('/api/config', { version, config: { forms } })).status).toBe(200)
  const emails = await site.emails()
  expect(emails.map(({ recipient, template }) => [recipient, template])).toEqual([
    ['verkoop@maaslicht.example', 'contactChange'],
  ])
  expect(JSON.parse(emails[0]?.data ?? '')).toMatchObject({
    form: 'Offerte aanvragen',
    recipients: ['anders@voorbeeld.example'],
  })
})

test.each(databases)(
  'a form that is removed and added again with other recipients needs the password and notifies the former ones, on %s',
  async (database) => {
    const site = await aSite(database)
    const admin = await as(site, 'beheerder')
    const own = { ...quoteForm, recipients: ['anders@voorbeeld.example'] }
    const { recipients: _, ...shared } = quoteForm
    const save = async (forms: object[]) => {
      const { version } = await (await admin.get('/api/config')).json()
      return (await admin.put('/api/config', { version, config: { forms } })).status
    }
    const confirm = (minutesAgo: number) =>
      site.db
        .updateTable('session')
        .set({ confirmed_at: new Date(Date.now() - minutesAgo * 60_000).toISOString() })
        .execute()
    await confirm(11)
    expect(await save([])).toBe(403)
    await confirm(0)
    expect(await save([])).toBe(200)
    await confirm(11)
    expect(await save([own])).toBe(403)
    expect(await save([shared]), 'for the recipients of the contact form').toBe(200)
    expect(await save([]), 'without recipients of its own').toBe(200)
    await confirm(0)
    expect(await save([own])).toBe(200)
    const emails = (await site.emails()).map(({ recipient, data }) => [recipient, JSON.parse(data).recipients])
    expect(emails[0]).toEqual(['verkoop@maaslicht.example', []])
    expect(emails.length).toBeGreaterThan(1)
    for (const [, now] of emails.slice(1)) expect(now).toEqual(['anders@voorbeeld.example'])
    await waitUntil(
      async () => (await site.writtenEmails()).some(({ text }) => text?.includes('het formulier is verwijderd')),
      'the email about the removed form',
    )
  },
)

test('a condition that names an option in another language refers to the value of that option', async () => {
  const fields = quoteForm.fields.map((field) =>
    field.id === 'producten' ? { ...field, showIf: { field: 'soort', is: 'فروشگاه' } } : field,
  )
  const site = await aSite('sqlite', { form: { fields } })
  const document = parseHtml(await (await site.request('/offerte')).text())
  const values = [...document.querySelectorAll('[name=soort]')].map((option) => option.getAttribute('value'))
  expect(document.querySelector('[data-if=soort]')?.getAttribute('data-is')).toBe(values[1])
})

test('a form in the settings is checked as a whole, each problem at its field', async () => {
  const site = await aSite('sqlite')
  const admin = await as(site, 'beheerder')
  const { version } = await (await admin.get('/api/config')).json()
  const [naam, email] = quoteForm.fields
  const problemsOf = async (fields: unknown[], more: object = {}) => {
    const response = await admin.put('/api/config', { version, config: { forms: [{ ...quoteForm, ...more, fields }] } })
    expect(response.status).toBe(422)
    return ((await response.json()).errors as { path: string }[]).map(({ path }) => path)
  }
  const choice = { id: 'keus', kind: 'choice', label: { nl: 'Keus' } }
  const options = { nl: ['A', 'B'] }
  expect(await problemsOf([naam])).toEqual(['forms.0.fields'])
  expect(await problemsOf([naam, { ...email, required: false }])).toEqual(['forms.0.fields'])
  expect(await problemsOf([email, choice])).toEqual(['forms.0.fields.1.options'])
  expect(await problemsOf([email, { ...choice, options: { nl: ['A', 'B'], fa: ['الف'] } }])).toEqual([
    'forms.0.fields.1.options',
  ])
  expect(await problemsOf([email, { ...choice, options: { nl: ['A', 'A'] } }])).toEqual(['forms.0.fields.1.options'])
  expect(await problemsOf([email, email])).toEqual(['forms.0.fields.1.id'])
  expect(await problemsOf([email, { ...naam, id: 'taal' }])).toEqual(['forms.0.fields.1.id'])
  const dependent = { ...naam, showIf: { field: 'keus', is: 'A' } }
  expect(await problemsOf([email, dependent, { ...choice, options }]), 'a later field').toEqual([
    'forms.0.fields.1.showIf',
  ])
  expect(
    await problemsOf([email, { ...choice, options }, { ...dependent, showIf: { field: 'keus', is: 'C' } }]),
  ).toEqual(['forms.0.fields.2.showIf'])
  expect(await problemsOf([email], { id: 'contact' })).toEqual(['forms.0.id'])
  expect(await problemsOf([email], { subject: 'x\r\nBcc: y@z.nl' })).toEqual(['forms.0.subject'])
})
