import { describe, expect, test } from 'vitest'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { appointmentForm } from '../support/forms.ts'
import type { SiteFile } from '../support/site-file.ts'
import { as, json } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const answers = { moment: '2026-06-02T09:00', naam: 'Roya Karimi', email: 'roya@karimi.example' }
/** Tuesday to Thursday, on Thursday until nine. */
const openingHours = {
  monday: null,
  tuesday: { opens: '09:00', closes: '17:30' },
  wednesday: { opens: '09:00', closes: '12:15' },
  thursday: { opens: '13:00', closes: '21:00' },
  friday: null,
  saturday: null,
  sunday: null,
}

async function aSite(database: DatabaseKind, now: () => Date, hours: object = openingHours) {
  const site = await aTestApp({
    database,
    now,
    site(config: SiteFile) {
      config.forms = [appointmentForm]
      config.business.openingHours = hours as never
      const content = {
        title: 'Afspraak',
        description: '',
        body: [{ type: 'form', title: 'Afspraak', form: 'afspraak' }],
      }
      config.pages.push({ slug: 'afspraak', updated: '2026-01-01', content: { nl: content, fa: content } })
    },
  })
  const send = (more: object = {}) => site.request('/api/forms/afspraak', json('POST', { ...answers, ...more }))
  return { ...site, send }
}

const monday = () => new Date('2026-06-01T09:00:00Z')
const offered = (html: string) =>
  [...html.matchAll(/<option value="(2[^"]*)"[^>]*>([^<]*)</g)].map(([, value, text]) => [value, text])
const unfolded = (ics: string) => ics.replaceAll('\r\n ', '')

describe.each(databases)('a proposed appointment, on %s', (database) => {
  test('goes with its calendar file to the company, to the visitor, and with the reply', async () => {
    const site = await aSite(database, monday)
    const brand = 'Maaslicht'
    const sent = await (await site.send({ taal: 'nl' })).json()
    await waitUntil(async () => (await site.writtenEmails()).length === 1, 'the email')
    const [email] = await site.writtenEmails()
    expect(email?.text).toContain('dinsdag 2 juni 2026, 09:00–12:00')
    const [attached] = email?.attachments ?? []
    expect([attached?.contentType, attached?.filename]).toEqual(['text/calendar', `${sent.id}.ics`])
    const toCompany = unfolded(attached?.content.toString() ?? '')
    expect(toCompany).toContain('SUMMARY:Voorstel voor een afspraak: Roya Karimi\r\n')

    const response = await site.request(sent.calendar)
    expect(response.headers.get('content-type')).toContain('text/calendar')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${sent.id}.ics"`)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const toVisitor = unfolded(await response.text())
    expect(toVisitor).toContain(`SUMMARY:Voorstel voor een afspraak met ${brand}\r\n`)
    for (const line of ['DTSTART:20260602T070000Z', 'DTEND:20260602T100000Z', 'STATUS:TENTATIVE']) {
      expect([toCompany, toVisitor].map((ics) => ics.includes(`\r\n${line}\r\n`))).toEqual([true, true])
    }
    const uidOf = (ics: string) => /\r\nUID:(.*)\r\n/.exec(ics)?.[1]
    expect(uidOf(toVisitor)).toMatch(new RegExp(`^${sent.id}@`))
    expect(uidOf(toCompany)).toBe(uidOf(toVisitor))
    const forged = sent.calendar.replace(/\.([\w-])/, (_: string, first: string) => (first === 'x' ? '.y' : '.x'))
    expect((await site.request(forged)).status).toBe(404)
    expect((await site.request('/api/forms/appointments/1.ics')).status).toBe(404)

    const admin = await as(site, 'beheerder')
    await admin.post(`/api/messages/${sent.id}/reply`, { text: 'Dat schikt, tot dinsdag om tien uur.' })
    await waitUntil(async () => (await site.writtenEmails()).length === 2, 'the reply')
    const reply = (await site.writtenEmails()).find(({ subject }) => subject?.startsWith('Re: '))
    expect(unfolded(reply?.attachments[0]?.content.toString() ?? '')).toBe(toVisitor)
  })

  test('without JavaScript the thank-you page has the calendar file', async () => {
    const site = await aSite(database, monday)
    const post = (fields: object) =>
      site.request('/api/forms/afspraak', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
        body: new URLSearchParams({ ...answers, pagina: '/afspraak', taal: 'nl', ...fields }).toString(),
      })
    const refused = await post({ naam: '' })
    expect(refused.status).toBe(422)
    expect(await refused.text(), 'the choice is kept').toMatch(/<option value="2026-06-02T09:00" selected="">/)
    const thanks = await (await site.request((await post({})).headers.get('location') ?? '')).text()
    const [, path = ''] = /<a href="(\/api\/forms\/appointments\/[^"]+)"/.exec(thanks) ?? []
    expect((await site.request(path)).status).toBe(200)
  })
})

test('Persian text in the calendar file is folded between characters, and special characters are escaped', async () => {
  const site = await aSite('sqlite', monday)
  const naam = `${'سارا احمدی‌نژاد '.repeat(8)}؛ a,b;c\\d`
  expect((await site.send({ naam, taal: 'fa' })).status).toBe(201)
  await waitUntil(async () => (await site.writtenEmails()).length === 1, 'the email')
  const [email] = await site.writtenEmails()
  const bytes = email?.attachments[0]?.content as Buffer
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(line.isWellFormed()).toBe(true)
  }
  const summary = /\r\nSUMMARY:(.*)\r\n/.exec(unfolded(text))?.[1] ?? ''
  expect(summary).toBe(`پیشنهاد قرار ملاقات: ${naam.replaceAll(/[\\,;]/g, (one) => `\\${one}`)}`)
})

test('a time on a closed day, at another hour, in the past or too far away is refused at its field', async () => {
  const site = await aSite('sqlite', monday)
  const wrong = [
    ...['2026-06-01T09:00', '2026-06-05T09:00', '2026-06-02T10:00', '2026-06-04T09:00', '2026-05-26T09:00'],
    ...['2027-06-01T09:00', '2026-02-31T09:00', '2026-06-02', 'morgen', '2026-06-03T12:00'],
    // The eleventh open day.
    '2026-06-24T09:00',
  ]
  for (const moment of [...wrong, ['2026-06-02T09:00', '2026-06-02T12:00'], { $gt: '' }, 5]) {
    const response = await site.send({ moment })
    expect([moment, response.status]).toEqual([moment, 422])
    expect((await response.json()).errors).toEqual([
      { path: 'moment', message: 'Op dat moment zijn we niet open. Kies een van de getoonde momenten.' },
    ])
  }
  expect((await (await site.send({ moment: '' })).json()).errors).toMatchObject([{ path: 'moment' }])
})

test('a time that was offered yesterday is accepted, as long as it is not over', async () => {
  const site = await aSite('sqlite', () => new Date('2026-06-02T10:30:00Z'))
  const statusOf = async (moment: string) => (await site.send({ moment })).status
  expect(await statusOf('2026-06-02T12:00')).toBe(201)
  expect(await statusOf('2026-06-02T09:00')).toBe(422)
})

test('on the days on which the clock changes the local time is kept', async () => {
  const sunday = { ...openingHours, sunday: { opens: '09:00', closes: '12:00' } }
  const site = await aSite('sqlite', () => new Date('2026-10-20T09:00:00Z'), sunday)
  const { calendar } = await (await site.send({ moment: '2026-10-25T09:00' })).json()
  expect(await (await site.request(calendar)).text()).toContain('DTSTART:20261025T080000Z')
})

test('the form of a company that is never open asks for no appointment, and can still be sent', async () => {
  const hours = Object.fromEntries(Object.keys(openingHours).map((day) => [day, null]))
  const site = await aSite('sqlite', monday, hours)
  expect(await (await site.request('/afspraak')).text()).not.toContain('<select')
  const { moment: _, ...rest } = answers
  const response = await site.request('/api/forms/afspraak', json('POST', rest))
  expect(response.status).toBe(201)
  expect(await response.json()).not.toHaveProperty('calendar')
})

test('the days of a cached page are those of today', async () => {
  let at = Date.parse('2026-06-02T21:59:59.900Z')
  const site = await aSite('sqlite', () => new Date(at))
  const first = async () => offered(await (await site.request('/afspraak')).text())[0]?.[0]
  expect(await first()).toBe('2026-06-03T09:00')
  at += 200
  await expect.poll(first).toBe('2026-06-04T13:00')
})

test('the default appointment form offers the days on which the company is open', async () => {
  const site = await aTestApp()
  const { context } = site.app
  const delivered = context().site.forms?.find(({ id }) => id === 'afspraak')
  expect(delivered?.fields.map(({ kind }) => kind)).toContain('appointment')
  const wrong = await (await site.request('/api/forms/afspraak', json('POST', { moment: '2026-06-06T09:00' }))).json()
  expect(wrong.errors).toContainEqual({ path: 'moment', message: expect.stringContaining('niet open') })
})

test('the form offers the parts of open days as appointments, in the language of the page', async () => {
  const site = await aSite('sqlite', monday)
  const slots = offered(await (await site.request('/afspraak')).text())
  expect(slots.slice(0, 6)).toEqual([
    ['2026-06-02T09:00', 'dinsdag 2 juni 2026, 09:00–12:00'],
    ['2026-06-02T12:00', 'dinsdag 2 juni 2026, 12:00–17:30'],
    ['2026-06-03T09:00', 'woensdag 3 juni 2026, 09:00–12:00'],
    ['2026-06-04T13:00', 'donderdag 4 juni 2026, 13:00–18:00'],
    ['2026-06-04T18:00', 'donderdag 4 juni 2026, 18:00–21:00'],
    ['2026-06-09T09:00', 'dinsdag 9 juni 2026, 09:00–12:00'],
  ])
  expect(new Set(slots.map(([value = '']) => value.slice(0, 10))).size).toBe(10)
  const persian = offered(await (await site.request('/fa/afspraak')).text())
  expect(persian[0]).toEqual(['2026-06-02T09:00', 'سه‌شنبه ۱۲ خرداد ۱۴۰۵، ۰۹:۰۰ تا ۱۲:۰۰'])
})
