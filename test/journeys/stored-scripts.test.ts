import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JSDOM } from 'jsdom'
import { simpleParser } from 'mailparser'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import { aStaffedProgram, boss, enter, type StaffedProgram, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { aStoredMessage } from '../support/messages.ts'
import { scriptPayloads } from '../support/script-payloads.ts'
import { until } from '../support/until.ts'
import { aPdf } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
const messages: number[] = []
const files: number[] = []

beforeAll(async () => {
  site = await aStaffedProgram({ CONTACT_RATE: 'off' })
  const cookie = await signedInCookie()
  for (const [index, text] of scriptPayloads.entries()) {
    // A field of one line takes nothing that is not to be seen.
    const payload = text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim()
    const id = await aStoredMessage({ request: (path, init) => fetch(site.url + path, init) }, 'roya', {
      naam: payload,
      tel: payload.slice(0, 50),
      bericht: text,
    })
    messages.push(id)
    await site.call('PUT', `/api/messages/${id}`, { note: text })
    await site.addUser({ name: payload, email: `gast${index}@voorbeeld.example` })
    await site.addRole(`${payload.slice(0, 90)} ${index}`, ['messages.read'])
    // Each upload is looked at by a program of its own: every third will do.
    if (index % 3 > 0) continue
    const answer = await fetch(`${site.url}/api/files?${new URLSearchParams({ name: `${payload}.pdf` })}`, {
      method: 'POST',
      headers: { cookie },
      body: aPdf(`Nummer ${index}`),
    })
    const file = (await answer.json()) as StoredFile
    files.push(file.id)
    const folder = payload.slice(0, 60)
    await site.call('PUT', `/api/files/${file.id}`, { folder, alt: { nl: payload, fa: payload } })
  }
})

async function signedInCookie(): Promise<string> {
  const answer = await fetch(`${site.url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier: boss.email, password: boss.password }),
  })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Anything in a document that could run, and that we did not put there. */
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

test('no script that somebody stored runs in the admin, or becomes more than text', async () => {
  const page = await visitor(site.url)
  const ran: string[] = []
  page.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  await enter(page)
  const screens = [
    '/user',
    ...[1, 2, 3].flatMap((number) => ['messages', 'users', 'files'].map((list) => `/admin/${list}?page=${number}`)),
    '/admin/roles',
    '/admin/users/new',
    '/admin/audit',
    '/admin/mail',
    // Each kind of evil once, by itself.
    ...[0, 11, 14, 22, 26, 50].map((index) => `/admin/messages/${messages[index]}`),
    ...[0, 4, 8, 12, 16].map((index) => `/admin/files/${files[index]}`),
  ]
  for (const path of screens) {
    await show(page, path)
    expect([path, await strange(page)]).toEqual([path, []])
  }
  expect(ran).toEqual([])
})

test('nor in the letters that bring the messages', async () => {
  const folder = join(site.dataDir, 'mail')
  const names = await until(
    () => {
      const found = readdirSync(folder).filter((name) => name.endsWith('.eml'))
      return found.length >= scriptPayloads.length && found
    },
    'letters of all messages',
    60_000,
  )
  for (const name of names) {
    const { html } = await simpleParser(readFileSync(join(folder, name)))
    const { document } = new JSDOM(html || '').window
    expect(document.body.textContent?.length).toBeGreaterThan(100)
    expect([name, couldRun(document)]).toEqual([name, []])
    expect(document.querySelectorAll('script, iframe, object, embed, base, svg, math, form, input, video').length).toBe(
      0,
    )
  }
})
