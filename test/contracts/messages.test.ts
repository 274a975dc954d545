import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dayMs } from '../../src/contract/limits.ts'
import { databases } from '../support/databases.ts'
import { sendMessage } from '../support/messages.ts'
import { aMessageOf, people } from '../support/people.ts'
import { aRole } from '../support/roles.ts'
import { as, aUser, json, signInWithPassword, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

/** A user who may read messages and nothing else. */
async function aReader(site: TestApp) {
  const roleId = await aRole(site, 'Lezer', ['messages.read'])
  await aUser(site, { name: 'Lies Lezer', email: 'lies@example.nl', roleId })
  return signInWithPassword(site, 'lies@example.nl')
}

const idsOf = async (answer: Response): Promise<number[]> =>
  (await answer.json()).data.map(({ id }: { id: number }) => id)

describe.each(databases)('messages, on %s', (database) => {
  test('are listed, newest first, with their identifying fields and retention date', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const first = await sendMessage(site, 'roya')
    const second = await sendMessage(site, 'parisa', { taal: 'fa' })

    const answer = await bente.get('/api/messages')
    expect(answer.status).toBe(200)
    const { data, meta } = await answer.json()
    expect(meta).toEqual({ page: 1, pageSize: 25, total: 2 })
    expect(data.map(({ id }: { id: number }) => id)).toEqual([second, first])
    expect(data[0]).toMatchObject({
      naam: people.parisa.naam,
      email: 'parisa@ahmadi.example',
      tel: '0612345678',
      locale: 'fa',
      folder: 'inbox',
      readAt: null,
      answeredAt: null,
      hasNote: false,
      can: { change: true },
    })
    expect(data[1].excerpt, 'one line').toMatch(/^Ik wil een website voor mijn atelier\. Kunt u mij bellen\? \(\d+\)$/)
    const { retentionDays } = site.app.context().site.contact
    expect(Date.parse(data[0].keptUntil) - Date.parse(data[0].createdAt)).toBe(retentionDays * dayMs)
    expect(await idsOf(await bente.get('/api/messages?sort=createdAt'))).toEqual([first, second])
  })

  test('are found by any part of a name, an address, a number or the text, with and without accents', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const sanne = await sendMessage(site, 'sanne')
    const parisa = await sendMessage(site, 'parisa', { taal: 'fa' })
    const find = async (words: string) => idsOf(await bente.get(`/api/messages?search=${encodeURIComponent(words)}`))

    expect(await find('gubbels')).toEqual([sanne])
    expect(await find('HONDT.example')).toEqual([sanne])
    expect(await find('12345678')).toEqual([parisa, sanne])
    expect(await find('webwinkel bakkerij')).toEqual([sanne])
    expect(await find('"sa" „webwinkel” «bakkerij»')).toEqual([sanne])
    // The Arabic forms of two characters, as another keyboard types them.
    expect(await find('فروشگاهم يک')).toEqual([parisa])
    expect(await find('casino')).toEqual([])
    expect(await find(`100% ' ; drop table "message" *`)).toEqual([])
  })

  test('spec 8: spam is stored separately with its reason, and restored as a normal message', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const spam = await sendMessage(site, 'daan', { website: 'https://casino.example' })
    const good = await sendMessage(site, 'roya')
    const emails = () => site.db.selectFrom('outbox').select('about').where('about', '=', `message:${spam}`).execute()

    expect(await idsOf(await bente.get('/api/messages'))).toEqual([good])
    expect((await (await bente.get('/api/messages?folder=spam')).json()).data).toMatchObject([
      { id: spam, folder: 'spam', spamReason: 'honeypot' },
    ])
    expect(await emails()).toEqual([])

    const back = await bente.post('/api/messages/spam', { ids: [spam], spam: false })
    expect((await back.json()).data).toMatchObject([{ id: spam, folder: 'inbox', spamReason: null }])
    expect(await emails(), 'one for each recipient').toHaveLength(2)

    await bente.post('/api/messages/spam', { ids: [spam, good], spam: true })
    expect(await idsOf(await bente.get('/api/messages'))).toEqual([])
    await bente.post('/api/messages/spam', { ids: [spam, good], spam: false })
    expect(await emails(), 'it was mailed before').toHaveLength(2)
  })

  test('are read, to be answered or answered: each can be filtered and undone', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const [a, b, c] = [
      await sendMessage(site, 'roya'),
      await sendMessage(site, 'daan'),
      await sendMessage(site, 'sanne'),
    ]
    const inState = async (state: string) => idsOf(await bente.get(`/api/messages?state=${state}`))

    expect(await inState('unread')).toEqual([c, b, a])
    await bente.post('/api/messages/read', { ids: [a, b], read: true })
    expect(await inState('unread')).toEqual([c])
    await bente.post('/api/messages/read', { ids: [b], read: false })
    expect(await inState('unread')).toEqual([c, b])

    const marked = await bente.post('/api/messages/answered', { ids: [c], answered: true })
    expect((await marked.json()).data).toMatchObject([{ id: c, answeredAt: expect.any(String) }])
    expect([await inState('open'), await inState('answered')]).toEqual([[b, a], [c]])
    await bente.post('/api/messages/answered', { ids: [c], answered: false })
    expect(await inState('answered')).toEqual([])

    expect(await (await bente.get('/api/messages/inbox')).json()).toMatchObject({
      unread: 2,
      open: 3,
      spam: 0,
      retentionDays: site.app.context().site.contact.retentionDays,
      sender: { name: 'Maaslicht', email: site.app.context().site.sender.email },
      replyTo: site.app.context().site.contact.recipients,
    })
  })

  test('one message can be read without marking it as read', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await sendMessage(site, 'roya')

    const shown = await (await bente.get(`/api/messages/${id}`)).json()
    expect(shown).toMatchObject({ id, note: '', replies: [], privacyVersion: expect.any(String) })
    expect(shown.bericht).toContain('Ik wil een website voor mijn atelier.\nKunt u mij bellen?')
    expect((await (await bente.get(`/api/messages/${id}`)).json()).readAt).toBeNull()
    expect((await bente.get('/api/messages/99999')).status).toBe(404)
    expect((await bente.get('/api/messages/x')).status).toBe(404)
  })

  test('a note is stored, may be emptied, and an outdated version is refused', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await sendMessage(site, 'roya')
    const { version } = await (await bente.get(`/api/messages/${id}`)).json()

    const written = await bente.put(`/api/messages/${id}`, { note: ' Bellen na 15:00\r\nزنگ بزنید ', version })
    expect(await written.json()).toMatchObject({
      note: 'Bellen na 15:00\nزنگ بزنید',
      hasNote: true,
      version: version + 1,
    })

    const late = await bente.put(`/api/messages/${id}`, { note: 'Iets anders', version })
    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({ code: 'stale', current: { note: 'Bellen na 15:00\nزنگ بزنید' } })
    expect(await (await bente.put(`/api/messages/${id}`, { note: '' })).json()).toMatchObject({
      note: '',
      hasNote: false,
    })
    expect((await bente.put(`/api/messages/${id}`, { note: 'x'.repeat(5_001) })).status).toBe(422)
    expect((await bente.put(`/api/messages/${id}`, { note: 'Goed', bericht: 'vervalst' })).status).toBe(422)
  })

  test('are deleted with their replies and queued emails', async () => {
    const site = await aTestApp({ database, settings: { smtpUrl: 'smtp://127.0.0.1:9' } })
    const bente = await as(site, 'beheerder')
    const [a, b, c] = [
      await sendMessage(site, 'roya'),
      await sendMessage(site, 'daan'),
      await sendMessage(site, 'sanne'),
    ]
    await bente.post(`/api/messages/${a}/reply`, { text: 'Wij bellen u.' })
    // It cannot be removed: files are, not folders.
    mkdirSync(join(site.settings.dataDir, 'mail', '999999-roya.eml'), { recursive: true })

    expect((await bente.delete(`/api/messages/${a}`)).status).toBe(204)
    expect((await bente.delete(`/api/messages/${a}`)).status).toBe(404)
    expect(await (await bente.post('/api/messages/delete', { ids: [a, b] })).json()).toEqual({ deleted: 1 })

    expect(await idsOf(await bente.get('/api/messages'))).toEqual([c])
    expect(await site.db.selectFrom('message_reply').select('id').execute()).toEqual([])
    const left = await site.db.selectFrom('outbox').select('about').distinct().execute()
    expect(left).toEqual([{ about: `message:${c}` }])
  })

  test('every change is in the audit log with the reference of the message, without sender or text', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await sendMessage(site, 'roya')
    const ids = [id]
    await bente.post('/api/messages/read', { ids, read: true })
    await bente.put(`/api/messages/${id}`, { note: 'Roya Karimi belt terug' })
    await bente.post(`/api/messages/${id}/reply`, { text: 'Dag Roya' })
    await bente.post('/api/messages/answered', { ids, answered: true })
    await bente.post('/api/messages/answered', { ids, answered: false })
    await bente.post('/api/messages/spam', { ids, spam: true })
    await bente.post('/api/messages/spam', { ids, spam: false })
    const { reference } = await (await bente.get(`/api/messages/${id}`)).json()
    expect(reference).not.toBe(id)
    await bente.get('/api/messages/export?search=Karimi')
    await bente.delete(`/api/messages/${id}`)

    const rows = await site.db
      .selectFrom('audit')
      .select(['action', 'subject_name', 'actor_name', 'before', 'after'])
      .orderBy('id')
      .execute()
    expect(rows.map(({ action, subject_name }) => `${action} ${subject_name}`)).toEqual([
      `message.noted ${reference}`,
      `message.replied ${reference}`,
      `message.answered ${reference}`,
      `message.unanswered ${reference}`,
      `message.spam ${reference}`,
      `message.not_spam ${reference}`,
      'messages.exported ',
      `message.deleted ${reference}`,
    ])
    expect(rows.every((row) => row.actor_name === 'Bente de Beheerder')).toBe(true)
    expect(JSON.stringify(rows)).not.toMatch(/roya|karimi/i)
    expect((await (await bente.get(`/api/audit?search=${reference}`)).json()).meta.total).toBe(7)
  })

  test('a user who may only read can mark as read, and change nothing else', async () => {
    const site = await aTestApp({ database })
    const lies = await aReader(site)
    const id = await sendMessage(site, 'roya')

    expect((await (await lies.get('/api/messages')).json()).data).toMatchObject([{ id, can: { change: false } }])
    expect((await lies.post('/api/messages/read', { ids: [id], read: true })).status).toBe(200)
    for (const refused of [
      lies.post('/api/messages/spam', { ids: [id], spam: true }),
      lies.post('/api/messages/answered', { ids: [id], answered: true }),
      lies.post(`/api/messages/${id}/reply`, { text: 'Dag' }),
      lies.put(`/api/messages/${id}`, { note: 'x' }),
      lies.delete(`/api/messages/${id}`),
    ]) {
      expect((await refused).status).toBe(403)
    }
    expect((await (await lies.get(`/api/messages/${id}`)).json()).version).toBe(1)
  })

  test('are exported like the list, for a spreadsheet, without formulas', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await sendMessage(site, 'daan')
    await sendMessage(site, 'roya', {
      naam: '=HYPERLINK("evil";"klik")',
      tel: '+31 43 1',
      bericht: '@SUM(1)\n-1',
    })

    const answer = await bente.get('/api/messages/export?search=evil')
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(answer.headers.get('content-disposition')).toMatch(
      /filename="messages-[\d-]+\.csv"; filename\*=UTF-8''berichten-/,
    )
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [separator, head, ...lines] = new TextDecoder().decode(bytes).split('\r\n')
    expect(separator).toBe('sep=;')
    expect(head).toBe(
      '"Referentienummer";"Ontvangen";"Naam";"E-mail";"Telefoon";"Bericht";"Map";"Beantwoord";"Notitie";"Formulier"',
    )
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(`"'=HYPERLINK(""evil"";""klik"")"`)
    expect(lines[0]).toContain(`"'+31 43 1"`)
    expect(lines[0]).toContain(`"'@SUM(1)\n-1"`)
    const persian = await bente.request('/api/messages/export', { headers: { 'Accept-Language': 'fa' } })
    expect(decodeURIComponent(persian.headers.get('content-disposition') ?? '')).toContain('پیام‌ها-')
  })

  test('invalid queries and bodies are refused at their field', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    for (const query of ['folder=trash', 'state=seen', 'sort=naam', 'page=0', 'pageSize=101', 'unread=true']) {
      const answer = await bente.get(`/api/messages?${query}`)
      expect([query, answer.status]).toEqual([query, 422])
    }
    for (const body of [{}, { ids: [] }, { ids: ['1'], read: true }, { ids: [1], read: 'ja' }, { ids: [1] }]) {
      expect((await bente.post('/api/messages/read', body)).status).toBe(422)
    }
    const many = { ids: Array.from({ length: 501 }, (_, index) => index + 1), read: true }
    expect((await bente.post('/api/messages/read', many)).status).toBe(422)
    expect((await bente.post('/api/messages/read', { ids: [4_000_000_000], read: true })).status).toBe(422)
  })

  test('malicious input is stored, found and returned as plain text', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const evil = '<img src=x onerror=alert(1)><script>alert(1)</script> [klik](javascript:alert(1))'
    const sent = await site.request('/api/contact', json('POST', aMessageOf('roya', { naam: evil, bericht: evil })))
    const { id: reference } = await sent.json()

    const answer = await bente.get(`/api/messages/${reference}`)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const message = await answer.json()
    expect(message).toMatchObject({ reference, naam: evil, bericht: evil, excerpt: evil })
    expect(await idsOf(await bente.get(`/api/messages?search=${encodeURIComponent('<script>')}`))).toEqual([message.id])
  })
})

test('users who move, mark and delete the same messages at once cause no deadlock', async () => {
  const site = await aTestApp({ database: 'postgres', settings: { rateLimited: false } })
  const bente = await as(site, 'beheerder')
  const ids: number[] = []
  for (let count = 0; count < 30; count++) ids.push(await sendMessage(site, 'roya'))
  const backwards = [...ids].reverse()
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all([
      bente.post('/api/messages/spam', { ids, spam: round % 2 === 0 }),
      bente.post('/api/messages/spam', { ids: backwards, spam: round % 2 === 0 }),
      bente.post('/api/messages/answered', { ids, answered: round % 2 === 0 }),
      bente.post('/api/messages/read', { ids: backwards, read: round % 2 === 0 }),
      bente.post('/api/messages/spam', { ids: backwards, spam: round % 2 === 1 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  }
  const deleted = await Promise.all([
    bente.post('/api/messages/delete', { ids }),
    bente.post('/api/messages/delete', { ids: backwards }),
  ])
  const counts = await Promise.all(deleted.map((answer) => answer.json()))
  expect(counts.map((one) => one.deleted).sort((a, b) => a - b)).toEqual([0, 30])
})

test('a user is limited to six hundred changes a minute, and can still read', async () => {
  let at = Date.UTC(2026, 2, 2, 9)
  const site = await aTestApp({ now: () => new Date(at) })
  const [bente, rik] = [await as(site, 'beheerder'), await as(site, 'redacteur')]
  const write = () => bente.post('/api/messages/read', { ids: [1], read: true })
  let last = await write()
  for (let count = 1; count < 601; count++) last = await write()
  expect([last.status, (await last.json()).code, last.headers.get('retry-after')]).toEqual([429, 'too_many', '60'])
  expect((await bente.get('/api/messages')).status).toBe(200)
  expect((await rik.put('/api/profile', { name: 'Rik', email: staff.redacteur.email, locale: 'nl' })).status).toBe(200)
  at += 60_000
  expect((await write()).status).toBe(200)
})
