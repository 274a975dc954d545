import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { deliveredCollections } from '../../src/contract/delivered-collections.ts'
import type { StoredFile } from '../../src/contract/files.ts'
import { defaultSpamSettings } from '../../src/contract/spam.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  signInByApi,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { sendMessage } from '../support/messages.ts'
import { parseHtml } from '../support/parse-html.ts'
import { scriptPayloads } from '../support/script-payloads.ts'
import { signInAsAdministrator } from '../support/session-cookies.ts'
import { json } from '../support/staff.ts'
import { aPdf } from '../support/uploads.ts'
import { waitUntil } from '../support/wait-until.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
const messages: number[] = []
const files: number[] = []

beforeAll(async () => {
  site = await aProgramWithAdministrator({ CONTACT_RATE: 'off' })
  const cookie = await signInAsAdministrator(site.url)
  // Links in names are suspicious, and every message has to be emailed.
  const { version } = await site.call<Configuration>('GET', '/api/config')
  const spam = { ...defaultSpamSettings, threshold: 100, words: [{ points: 1, words: lines.slice(0, 40) }] }
  await site.call('PUT', '/api/config', {
    version,
    config: { spam, forms: [formOf(lines)], collections: [...deliveredCollections, collectionOf(lines)] },
  })
  const answers = Object.fromEntries(lines.slice(0, 40).map((line, index) => [`vraag-${index}`, line]))
  const answered = await fetch(
    `${site.url}/api/forms/aanval`,
    json('POST', { ...answers, email: 'gast@voorbeeld.example' }),
  )
  expect(answered.status).toBe(201)
  messages.push((await answered.json()).id)
  for (const [index, text] of scriptPayloads.entries()) {
    const payload = lines[index] as string
    const id = await sendMessage({ request: (path, init) => fetch(site.url + path, init) }, 'roya', {
      naam: payload,
      tel: payload.slice(0, 50),
      bericht: text,
    })
    messages.push(id)
    await site.call('PUT', `/api/messages/${id}`, { note: text })
    await site.addUser({ name: payload, email: `gast${index}@voorbeeld.example` })
    await site.addRole(`${payload.slice(0, 90)} ${index}`, ['messages.read'])
  }
  const answer = await fetch(`${site.url}/api/files?${new URLSearchParams({ name: `${lines[0]}.pdf` })}`, {
    method: 'POST',
    headers: { cookie },
    body: aPdf(),
  })
  const file = (await answer.json()) as StoredFile
  files.push(file.id, ...(await copiesOf(file, lines.slice(1))))
  for (const [index, id] of files.entries()) {
    const payload = lines[index] as string
    await site.call('PUT', `/api/files/${id}`, { folder: payload.slice(0, 60), alt: { nl: payload, fa: payload } })
  }
})

/** Files with these names. Each upload starts a probe process, so only the row is copied. @returns their ids */
async function copiesOf({ id }: StoredFile, names: string[]): Promise<number[]> {
  const { db } = await openDatabase({ dataDir: site.dataDir })
  const row = await db
    .selectFrom('file')
    .select(['kind', 'type', 'bytes', 'content_hash', 'blob_id', 'state', 'added_by', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const copies = names.map((name, index) => ({ ...row, name: `${name}.pdf`, public_id: `kopie-${index}` }))
  const added = await db.insertInto('file').values(copies).returning('id').execute()
  await db.destroy()
  return added.map((one) => one.id)
}

/** A single-line field refuses control characters. */
const lines = scriptPayloads.map((text) => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim())

const formOf = (texts: readonly string[]) => ({
  id: 'aanval',
  name: { nl: texts[0] },
  subject: 'Aanval',
  retentionDays: 30,
  fields: [
    { id: 'email', kind: 'email', label: { nl: 'E-mail' }, required: true },
    ...texts.slice(0, 40).map((text, index) => ({
      id: `vraag-${index}`,
      kind: 'text',
      label: { nl: text },
      help: { nl: text },
    })),
    { id: 'keus', kind: 'choice', label: { nl: 'Keus' }, options: { nl: [...new Set(texts.slice(0, 40))] } },
  ],
})

const collectionOf = (texts: readonly string[]) => ({
  id: 'aanval',
  name: { nl: texts[0] },
  slug: { nl: 'aanval' },
  intro: { nl: texts[1] },
  fields: texts.slice(0, 30).map((text, index) => ({ id: `veld-${index}`, name: { nl: text }, type: 'text' })),
})

/** Anything in a document that could run, and that is not part of the admin. */
const couldRun = (document: Document): string[] =>
  [...document.querySelectorAll('*')].flatMap((element) => {
    const attributes = [...element.attributes].filter(
      ({ name, value }) => /^on/i.test(name) || /^\s*(javascript|data:text)/i.test(value.replace(/[\t\n\r]/g, '')),
    )
    return attributes
      .filter(({ name }) => !['value', 'title', 'aria-label', 'alt', 'label', 'placeholder'].includes(name))
      .map(({ name, value }) => `<${element.localName} ${name}="${value}">`)
  })

const strange = (page: Page) =>
  page.evaluate(
    `(${couldRun})(document).concat([...document.querySelectorAll('main :is(script, iframe, object, embed, base, meta, marquee, template, math)')].map((one) => one.outerHTML))`,
  )

test('no stored script runs in the admin, or becomes more than text', async () => {
  const page = await visitor(site.url)
  const ran: string[] = []
  page.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  await signInByApi(page)
  const screens = [
    '/user',
    ...[1, 2, 3].flatMap((number) => ['messages', 'users', 'files'].map((list) => `/admin/${list}?page=${number}`)),
    '/admin/roles',
    '/admin/users/new',
    '/admin/audit',
    '/admin/mail',
    ...['forms', 'collections', 'spam'].map((part) => `/admin/config/${part}`),
    // The answers to the form, then one payload of each kind, in a screen of its own.
    ...[0, 1, 12, 15, 23, 27, 51].map((index) => `/admin/messages/${messages[index]}`),
    ...[0, 12, 24, 36, 48].map((index) => `/admin/files/${files[index]}`),
  ]
  for (const path of screens) {
    await goToScreen(page, path)
    expect([path, await strange(page)]).toEqual([path, []])
  }
  expect(ran).toEqual([])
})

test('no stored script runs in the emails with the messages', async () => {
  const folder = join(site.dataDir, 'mail')
  const names = await waitUntil(() => {
    const found = readdirSync(folder).filter((name) => name.endsWith('.eml'))
    // Each message brings two.
    return found.length >= 2 * scriptPayloads.length && found
  }, 'letters of all messages')
  // Every recipient gets the same letter.
  const letters = new Map<string, string>()
  for (const name of names) letters.set((await simpleParser(readFileSync(join(folder, name)))).html || '', name)
  for (const [html, name] of letters) {
    const document = parseHtml(html)
    expect(document.body.textContent?.length).toBeGreaterThan(100)
    expect([name, couldRun(document)]).toEqual([name, []])
    expect(document.querySelectorAll('script, iframe, object, embed, base, svg, math, form, input, video').length).toBe(
      0,
    )
  }
})
