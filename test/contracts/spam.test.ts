import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { receiveMessage } from '../../src/domain/messages/receive-message.ts'
import { scoreMessage, sumPoints } from '../../src/domain/messages/spam-check.ts'
import { purge } from '../../src/jobs/purge.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { appointmentForm } from '../support/forms.ts'
import { aMessageOf } from '../support/people.ts'
import type { SiteFile } from '../support/site-file.ts'
import { spamCorpus } from '../support/spam-corpus.ts'
import { as, json } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { allowErrors } from '../support/test-log.ts'

/** Five points without a script: two words of two, and the missing moment. */
const suspected = {
  naam: 'Eric',
  email: 'eric@voorbeeld.example',
  tel: '0612345678',
  bericht: 'Meer bezoekers met een gratis analyse.',
}
/** Words of eight points: no proof brings it into the inbox. */
const certain = { ...suspected, bericht: 'Online gokken in ons casino.' }

async function aSite(database: DatabaseKind, now?: () => Date, locales?: SiteFile['locales']) {
  const site = await aTestApp({
    database,
    ...(now && { now }),
    settings: { trustProxy: 1 },
    site(config: SiteFile) {
      if (locales) config.locales = locales
      config.forms = [
        { ...appointmentForm, fields: appointmentForm.fields.filter(({ kind }) => kind !== 'appointment') },
      ]
    },
  })
  const send = async (message: object) => {
    const response = await site.request('/api/contact', json('POST', message))
    return { status: response.status, ...(await response.json()) }
  }
  return {
    ...site,
    send,
    /** As a browser with JavaScript. */
    async sendFrom(message: object) {
      const { moment } = await (await site.request('/api/checks?form=contact')).json()
      return send({ ...message, _begin: moment })
    },
    post: (path: string, fields: Record<string, string>) =>
      site.request(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
        body: new URLSearchParams(fields).toString(),
      }),
    messages: async () =>
      (
        await site.db.selectFrom('message').select(['folder', 'spam_reason', 'spam_reasons']).orderBy('id').execute()
      ).map(({ folder, spam_reason, spam_reasons }) => ({
        folder,
        spam_reason,
        rules: JSON.parse(spam_reasons).map(({ rule }: { rule: string }) => rule),
      })),
    emails: async () =>
      (await site.db.selectFrom('outbox').select('template').execute()).filter(
        ({ template }) => template === 'contactMessage',
      ).length,
    counted: async () =>
      Number(
        (
          await site.db
            .selectFrom('visit_total')
            .select((eb) => eb.fn.sum('count').as('sum'))
            .where('kind', '=', 'message')
            .executeTakeFirst()
        )?.sum ?? 0,
      ),
  }
}

const sumIn = (html: string): string => {
  const [, one, other] = /Hoeveel is (\d) plus (\d)\?/.exec(html) ?? []
  return String(Number(one) + Number(other))
}
const solutionOf = async (challenge: never) => ({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })

describe.each(databases)('a suspected message, on %s', (database) => {
  test('is answered like any other and stored with its reasons; one click of staff sends and counts it', async () => {
    const site = await aSite(database)
    const usual = await site.send({ ...suspected, bericht: 'Wat kost een website?' })
    const answer = await site.send(suspected)
    expect(Object.keys(answer)).toEqual(Object.keys(usual))
    expect(answer).toMatchObject({ status: 201, title: usual.title, text: usual.text })
    expect((await site.send(suspected)).id, 'the same message once').toBe(answer.id)
    expect([await site.emails(), await site.counted()]).toEqual([2, 1])

    const admin = await as(site, 'beheerder')
    const { data } = await (await admin.get('/api/messages?folder=spam')).json()
    expect(data).toMatchObject([
      {
        reference: answer.id,
        spamReason: 'suspected',
        spamReasons: [
          { rule: 'noMoment', points: 1 },
          { rule: 'word', points: 2, text: 'meer bezoekers' },
          { rule: 'word', points: 2, text: 'gratis analyse' },
        ],
      },
    ])
    const move = (spam: boolean) => admin.post('/api/messages/spam', { ids: [data[0].id], spam })
    expect((await move(false)).status).toBe(200)
    expect([await site.emails(), await site.counted()]).toEqual([4, 2])
    await move(true)
    expect(await site.counted()).toBe(1)
    await move(false)
    expect([await site.emails(), await site.counted()], 'emailed once').toEqual([4, 2])
  })

  test('moves to the inbox when the browser solves the proof of work, for this message only', async () => {
    const now = new Date()
    const site = await aSite(database, () => now)
    const fast = { ...suspected, bericht: 'Meer bezoekers met een gratis analyse!' }
    const first = await site.sendFrom(fast)
    const other = await site.sendFrom({ ...fast, naam: 'Anna' })
    expect((await site.messages()).map(({ folder }) => folder)).toEqual(['spam', 'spam'])
    const prove = async (url: string, body: object) => (await site.request(url, json('POST', body))).json()
    const solved = await solutionOf(first.check.challenge as never)
    expect(await prove(other.check.url, solved)).toEqual({ passed: false })
    const wrong = { ...solved, solution: { counter: 0, derivedKey: '00'.repeat(32) } }
    expect(await prove(first.check.url, wrong)).toEqual({ passed: false })
    const easy = structuredClone(solved) as { challenge: { parameters: { cost: number } } }
    easy.challenge.parameters.cost = 1
    expect(await prove(first.check.url, easy)).toEqual({ passed: false })
    expect(await site.emails()).toBe(0)

    for (let again = 0; again < 2; again++) expect(await prove(first.check.url, solved)).toEqual({ passed: true })
    expect(await site.messages()).toMatchObject([
      { folder: 'inbox', spam_reason: null, rules: ['fast', 'word', 'word', 'proof'] },
      { folder: 'spam' },
    ])
    expect([await site.emails(), await site.counted()]).toEqual([2, 1])
    const repeated = await site.sendFrom(fast)
    expect([repeated.id, repeated.check]).toEqual([first.id, undefined])
    expect((await site.request('/api/checks/1.x', json('POST', solved))).status).toBe(404)
    expect((await site.request(first.check.url, json('POST', { challenge: 1 }))).status).toBe(422)
  })

  test('without JavaScript a question is asked, and another after a wrong answer', async () => {
    const site = await aSite(database)
    const asked = await site.post('/api/contact', { ...suspected, pagina: '/', taal: 'nl' })
    expect(asked.status).toBe(303)
    expect(await site.messages(), 'stored before the answer').toMatchObject([{ folder: 'spam' }])
    const html = await (await site.request(asked.headers.get('location') ?? '')).text()
    const [, action = ''] = /action="(\/api\/checks\/[^"]+)"/.exec(html) ?? []
    const refused = await site.post(action, { antwoord: '99', poging: '0', pagina: '/', taal: 'nl' })
    expect(refused.status).toBe(422)
    const again = await refused.text()
    expect(again).toContain('Dat klopt niet.')
    expect(await site.emails()).toBe(0)
    const passed = await site.post(action, { antwoord: sumIn(again), poging: '1', pagina: '/', taal: 'nl' })
    expect(passed.status).toBe(303)
    expect(await (await site.request(passed.headers.get('location') ?? '')).text()).toMatch(/Uw referentienummer is \d/)
    expect(await site.messages()).toMatchObject([{ folder: 'inbox' }])
    expect(await site.emails()).toBe(2)

    const form = { naam: 'Backlinks', email: 'a@b.example', pagina: '/', taal: 'fa', website: '' }
    const persian = await site.post('/api/forms/afspraak', form)
    const page = await (await site.request(persian.headers.get('location') ?? '')).text()
    expect(page).toMatch(/حاصل [۱-۹] به‌علاوهٔ [۱-۹] چند است؟/)
  })

  test('is deleted after the retention period of spam', async () => {
    let at = Date.UTC(2026, 5, 1, 9)
    const site = await aSite(database, () => new Date(at))
    await site.send(suspected)
    const admin = await as(site, 'beheerder')
    const { data } = await (await admin.get('/api/messages?folder=spam')).json()
    expect(data[0].keptUntil).toBe(new Date(at + 90 * 86_400_000).toISOString())
    at += 89 * 86_400_000
    expect((await purge(site.app.context())).messages).toBe(0)
    at += 2 * 86_400_000
    expect((await purge(site.app.context())).messages).toBe(1)
  })

  test('keeps the retention period of its form when only staff marked it as spam, however late', async () => {
    const start = Date.UTC(2026, 5, 1, 9)
    let at = start
    const site = await aSite(database, () => new Date(at))
    for (const bericht of ['Wat kost een website?', suspected.bericht]) await site.send({ ...suspected, bericht })
    at += 80 * 86_400_000
    const admin = await as(site, 'beheerder')
    const ids = (await site.db.selectFrom('message').select('id').execute()).map(({ id }) => id)
    const move = async (spam: boolean) => (await admin.post('/api/messages/spam', { ids, spam })).status
    expect([await move(false), await move(true)]).toEqual([200, 200])
    at += 20 * 86_400_000
    expect((await purge(site.app.context())).messages).toBe(0)
    const { data } = await (await (await as(site, 'beheerder')).get('/api/messages?folder=spam')).json()
    const keptUntil = new Date(start + site.app.context().site.contact.retentionDays * 86_400_000).toISOString()
    expect(data).toMatchObject([
      { spamReason: 'staff', keptUntil },
      { spamReason: 'staff', keptUntil },
    ])
  })
})

test('staff change the rules by which a message is suspected', async () => {
  const site = await aSite('sqlite')
  const admin = await as(site, 'beheerder')
  const { version } = await (await admin.get('/api/config')).json()
  const spam = { ...defaultSpamSettings, threshold: 4, words: [{ points: 4, words: ['Tulpen'] }] }
  expect((await admin.put('/api/config', { version, config: { spam } })).status).toBe(200)
  const wrong = { ...spam, threshold: 0, words: [{ points: 99, words: [''] }] }
  const next = await (await admin.get('/api/config')).json()
  expect((await admin.put('/api/config', { version: next.version, config: { spam: wrong } })).status).toBe(422)
  await site.send({ ...suspected, bericht: 'Wilt u TULPEN kopen?' })
  await site.send(suspected)
  expect((await site.messages()).map(({ folder }) => folder)).toEqual(['spam', 'inbox'])
})

test('opening the form too recently or too long ago, or at an unsigned time, makes a message suspect, and never refuses it', async () => {
  let at = Date.UTC(2026, 5, 1, 9)
  const site = await aSite('sqlite', () => new Date(at))
  const { moment } = await (await site.request('/api/checks?form=contact')).json()
  const rulesAfter = async (ms: number, _begin: string) => {
    at = Date.UTC(2026, 5, 1, 9) + ms
    expect((await site.send({ ...suspected, bericht: `Wat kost het? ${ms} ${_begin.length}`, _begin })).status).toBe(
      201,
    )
    return (await site.messages()).at(-1)?.rules
  }
  expect(await rulesAfter(1_000, moment)).toEqual(['fast'])
  expect(await rulesAfter(10_000, moment)).toEqual([])
  expect(await rulesAfter(25 * 60 * 60_000, moment)).toEqual(['old'])
  const { moment: ofAnother } = await (await site.request('/api/checks?form=offerte')).json()
  const useless = ['', 'x', `9${moment}`, `${at}.${'x'.repeat(22)}`, ofAnother]
  for (const [index, forged] of useless.entries()) {
    expect(await rulesAfter(30_000 + index, forged)).toEqual(['noMoment'])
  }
  expect((await (await site.request('/api/checks?form=contact')).headers.get('cache-control')) ?? '').toContain(
    'no-store',
  )
})

test.each(databases)(
  'on %s a message that a browser sends again is stored once, however much later, until the visitor opens the form anew',
  async (kind) => {
    let at = Date.UTC(2026, 5, 1, 9)
    const site = await aSite(kind, () => new Date(at))
    const ids: unknown[] = []
    const send = async (message: object) => ids.push((await site.send(message)).id)
    const { moment, waiting } = await (await site.request('/api/checks?form=contact&taal=nl')).json()
    expect(waiting).toBe('Laat deze pagina open: uw bericht wordt vanzelf verstuurd zodra het weer kan.')
    const message = { ...aMessageOf('sanne'), _begin: moment }
    at += 60_000
    await send(message)
    at += 3 * 60 * 60_000
    await send(message)
    expect(ids).toEqual([ids[0], ids[0]])
    // Who opens the form anew may write the same again.
    await send({ ...message, _begin: (await (await site.request('/api/checks?form=contact')).json()).moment })
    expect(ids[2]).not.toBe(ids[0])
    at += 60 * 60_000
    // The same answers of somebody else are another message.
    const other = json('POST', message)
    const headers = { ...other.headers, 'X-Forwarded-For': '203.0.113.9' }
    ids.push((await (await site.request('/api/contact', { ...other, headers })).json()).id)
    expect(ids[3]).not.toBe(ids[2])
  },
)

test('a message in the script of a language of the site is not suspect, whatever script subtag that language has', async () => {
  const now = new Date()
  const site = await aSite('sqlite', () => now, ['nl', 'ur-Aran', 'ja-Hrkt', 'de-Latf', 'tlh-Piqd'])
  const texts = {
    urdu: 'ہمیں اپنی دکان کے لیے ایک ویب سائٹ چاہیے۔',
    japanese: 'ウェブサイトはいくらですか、おしえてください',
    german: 'Was kostet eine Website?',
    russian: 'Сколько стоит сайт для магазина?',
  }
  for (const bericht of Object.values(texts)) expect((await site.sendFrom({ ...suspected, bericht })).status).toBe(201)
  expect((await site.messages()).map(({ rules }) => rules)).toEqual([
    ['fast'],
    ['fast'],
    ['fast'],
    ['otherScript', 'fast'],
  ])
})

test('a message whose spam check fails is received', async () => {
  const site = await aSite('sqlite')
  const ctx = site.app.context()
  const broken = { ...defaultSpamSettings, words: [{ points: 1, words: [null as never] }] }
  allowErrors(/a message was not judged/)
  await receiveMessage(
    { ...ctx, actor: undefined, site: { ...ctx.site, spam: broken } },
    { message: suspected, honeypot: false, locale: 'nl', address: '203.0.113.5' },
  )
  expect(await site.messages()).toEqual([{ folder: 'inbox', spam_reason: null, rules: [] }])
})

test('without JavaScript a check that is gone gets an error page, and after too many answers the question is shown again', async () => {
  const site = await aSite('sqlite')
  const asked = await site.post('/api/contact', { ...suspected, pagina: '/', taal: 'nl' })
  const html = await (await site.request(asked.headers.get('location') ?? '')).text()
  const [, action = ''] = /action="(\/api\/checks\/[^"]+)"/.exec(html) ?? []
  const answer = { antwoord: '99', poging: '0', pagina: '/', taal: 'nl' }
  const gone = [
    await site.post('/api/checks/1.x/answer', answer),
    await site.request('/api/checks/1.x', { headers: { Accept: 'text/html' } }),
  ]
  for (const response of gone) {
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain('Op dit adres staat niets.')
  }
  for (let count = 0; count < limits.contactAttemptsPerAddress; count++) {
    await site.request('/api/checks/1.x/answer', json('POST', {}))
  }
  const refused = await site.post(action, answer)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  const again = await refused.text()
  expect(again).toContain('Dat was te vaak in korte tijd.')
  expect(sumIn(again), 'the same question').toBe(sumIn(html))
})

test('a message that no proof could clear is asked for none, and stays in the spam folder', async () => {
  const site = await aSite('sqlite')
  expect(await site.sendFrom(certain)).not.toHaveProperty('check')
  expect(
    (await site.post('/api/contact', { ...certain, naam: 'Anna', pagina: '/', taal: 'nl' })).headers.get('location'),
  ).toContain('verzonden=')
  expect((await site.messages()).map(({ folder }) => folder)).toEqual(['spam', 'spam'])
})

test('most of a corpus of spam is found, and hardly any other message', () => {
  const verdicts = (['program', 'person'] as const).flatMap((sender) =>
    spamCorpus.map((one) => {
      const judged = { name: one.name, texts: [one.text], filledInMs: sender === 'person' ? 30_000 : undefined }
      const points = sumPoints(scoreMessage(defaultSpamSettings, judged, ['nl', 'fa', 'en']))
      return { ...one, sender, isSuspected: points >= defaultSpamSettings.threshold }
    }),
  )
  const rows = (['program', 'person'] as const).flatMap((sender) =>
    (['nl', 'en', 'fa'] as const).map((language) => {
      const some = verdicts.filter((one) => one.sender === sender && one.language === language)
      const share = (isSpam: boolean) => {
        const of = some.filter((one) => one.isSpam === isSpam)
        return `${of.filter(({ isSuspected }) => isSuspected).length}/${of.length}`
      }
      return { sender, language, caught: share(true), wronglySuspected: share(false) }
    }),
  )
  process.stdout.write(`${rows.map((row) => Object.values(row).join('  ')).join('\n')}\n`)
  const caught = verdicts.filter(({ isSpam, sender }) => isSpam && sender === 'program')
  expect(caught.filter(({ isSuspected }) => isSuspected).length / caught.length).toBeGreaterThan(0.7)
  const wrong = verdicts.filter(({ isSpam, isSuspected }) => !isSpam && isSuspected)
  expect(wrong.filter(({ sender }) => sender === 'person')).toEqual([])
  expect(wrong.length).toBeLessThanOrEqual(1)
})

test('the points of very long and strange texts are bounded', () => {
  const texts = [
    'a-'.repeat(15_000),
    'www.a '.repeat(5_000),
    '<a '.repeat(10_000),
    '[url'.repeat(7_500),
    '۱'.repeat(30_000),
  ]
  for (const text of [...texts, 'casino viagra cialis porno escort backlink '.repeat(700)]) {
    const judged = { name: text, texts: [text], filledInMs: undefined }
    expect(sumPoints(scoreMessage(defaultSpamSettings, judged, ['nl']))).toBeLessThanOrEqual(35)
  }
})
