import { JSDOM } from 'jsdom'
import { beforeAll, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { isCleanText } from '../../src/contract/text.ts'
import { anEntry, news } from '../support/collections.ts'
import { publishedPage, savePageIn } from '../support/pages.ts'
import { parseHtml } from '../support/parse-html.ts'
import { findInjectedScripts, scriptInjections } from '../support/script-injections.ts'
import { as, json, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

let site: TestApp
let bente: SignedIn
let entry: number
beforeAll(async () => {
  site = await aTestApp({
    settings: { rateLimited: false },
    site(config) {
      config.forms = [formWith('Vraag')]
      config.collections = [collectionWith('Nieuws')]
    },
  })
  bente = await as(site, 'beheerder')
  entry = await anEntry(bente, 'Een', { soort: 'tip' })
  await publishedPage(bente, { title: 'Vraag', body: [{ type: 'form', title: 'Vraag', form: 'vraag' }] })
  await publishedPage(bente, { title: 'Lijst', body: [{ type: 'entry-list', title: 'Lijst', from: 'nieuws' }] })
})

const inBoth = <T>(text: T) => ({ nl: text, fa: text })

/** A form with one text in all that visitors see of it. */
function formWith(text: string) {
  const shown = { label: inBoth(text), help: inBoth(text) }
  const options = inBoth([text, 'Anders'])
  return {
    id: 'vraag',
    name: inBoth(text),
    subject: text,
    retentionDays: 30,
    button: inBoth(text),
    thanks: { title: inBoth(text), text: inBoth(text) },
    fields: [
      { id: 'stap', kind: 'step', ...shown },
      { id: 'naam', kind: 'text', ...shown, required: true },
      { id: 'email', kind: 'email', ...shown, required: true },
      { id: 'keus', kind: 'choice', ...shown, options },
      { id: 'meer', kind: 'several', ...shown, options },
      { id: 'uitleg', kind: 'longText', ...shown, showIf: { field: 'keus', is: text } },
      { id: 'akkoord', kind: 'consent', ...shown },
      { id: 'bijlagen', kind: 'files', ...shown },
    ],
  }
}

const collectionWith = (text: string) => ({
  ...news,
  kind: 'news',
  name: inBoth(text),
  intro: inBoth(text),
  fields: news.fields.map((field) => ({
    ...field,
    name: inBoth(text),
    inList: true,
    inDetail: true,
    ...(field.options && { options: field.options.map((option) => ({ ...option, name: inBoth(text) })) }),
  })),
})

async function saveSettings(text: string): Promise<Response> {
  const { version }: Configuration = await (await bente.get('/api/config')).json()
  const spam = { ...defaultSpamSettings, threshold: 100, words: [{ points: 20, words: [text] }] }
  return bente.put('/api/config', {
    version,
    config: { forms: [formWith(text)], collections: [collectionWith(text)], spam },
  })
}

const saveEntry = (text: string) =>
  savePageIn(
    bente,
    entry,
    { fields: { samenvatting: text, uitleg: `<p>Tekst</p>${text}`, soort: 'tip' } },
    { publish: true },
  )

/** A page without the rules of its own styles, which take long to parse; a style with a `<` in it stays. */
const withoutRules = (html: string) => html.replace(/<style>[^<]*<\/style>/g, '<style></style>')

const clean = scriptInjections.filter(isCleanText)

test('a form, a collection, an entry and a spam word refuse control characters', async () => {
  const [text = ''] = scriptInjections.filter((one) => !isCleanText(one))
  expect([(await saveSettings(text)).status, (await saveEntry(text)).status]).toEqual([422, 422])
})

test('a script in a form, a collection, an entry or a spam word is shown as text, and never runs', async () => {
  for (const text of clean) {
    expect((await saveEntry(text)).status, text).toBe(200)
    const saved = await saveSettings(text)
    expect(saved.status, await saved.clone().text()).toBe(200)
    await waitUntil(() => site.app.context().site.forms?.[0]?.subject === text, 'the new configuration')

    for (const path of [
      '/vraag',
      '/fa/vraag',
      '/nieuws',
      '/nieuws?rubriek=tip',
      '/nieuws/een',
      '/fa/nieuws/een',
      '/lijst',
    ]) {
      const response = await site.request(path)
      const html = await response.text()
      const document = parseHtml(withoutRules(html))
      expect([path, response.status, findInjectedScripts(document)], text).toEqual([path, 200, []])
      expect(document.querySelector('main')?.textContent, `${path}: ${text}`).toContain(text)
      for (const [, data = ''] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
        expect(() => JSON.parse(data), path).not.toThrow()
      }
    }
    const atom = await (await site.request('/nieuws/feed.xml')).text()
    const { document: feed } = new JSDOM(atom, { contentType: 'application/xml' }).window
    // A summary is HTML in Atom.
    const summaries = [...feed.querySelectorAll('summary')].map(({ textContent }) => parseHtml(textContent ?? ''))
    expect(summaries.map(({ body }) => body.textContent)).toEqual([text])
    const { items } = await (await site.request('/nieuws/feed.json')).json()
    expect(items.flatMap((item: { content_html: string }) => findInjectedScripts(item.content_html))).toEqual([])
  }
})

test('a script in an answer is stored as text, and never runs in the refused form, the thank-you page or the email', async () => {
  expect((await saveSettings('Vraag')).status).toBe(200)
  await waitUntil(() => site.app.context().site.forms?.[0]?.subject === 'Vraag', 'the new configuration')
  for (const text of clean) {
    const answers = { naam: text, email: 'roya@karimi.example', keus: 'Vraag', uitleg: text }
    const post = (more: Record<string, string>) =>
      site.request('/api/forms/vraag', {
        method: 'POST',
        headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...answers, pagina: '/vraag', ...more }).toString(),
      })
    const refused = await post({ email: text })
    const html = await refused.text()
    const document = parseHtml(withoutRules(html))
    expect([refused.status, findInjectedScripts(document)], text).toEqual([422, []])
    const value = (name: string) => (document.querySelector(`main [name=${name}]`) as HTMLInputElement).value
    expect([value('naam'), value('uitleg')]).toEqual([text, text])
    const unknown = await post({ [text]: text })
    expect([unknown.status, findInjectedScripts(withoutRules(await unknown.text()))], text).toEqual([422, []])

    expect((await site.request('/api/forms/vraag', json('POST', answers))).status, text).toBe(201)
  }
  const rows = await site.db.selectFrom('message').select('answers').orderBy('id').execute()
  const stored = rows.map(({ answers }) => JSON.parse(answers).map((one: { text: string }) => one.text))
  expect(stored).toEqual(clean.map((text) => [text, 'roya@karimi.example', 'Vraag', text]))
  const recipients = site.app.context().site.contact.recipients.length
  await waitUntil(async () => (await site.writtenEmails()).length === clean.length * recipients, 'the emails')
  for (const { html, text } of await site.writtenEmails()) {
    expect(findInjectedScripts(html || '')).toEqual([])
    expect(clean.filter((one) => text?.includes(one)).length).toBeGreaterThan(0)
  }
})
