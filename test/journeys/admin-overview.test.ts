import { beforeAll, describe, expect, test } from 'vitest'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import {
  aProgramWithAdministrator,
  type ProgramWithAdministrator,
  signInAndOpen,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { sendMessage } from '../support/messages.ts'
import { waitUntil } from '../support/wait-until.ts'

const { visitor } = aBrowser()
const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const editor = { email: 'rik@example.nl', password: 'geheim-rik' }
const reader = { email: 'lotte@example.nl', password: 'geheim-lotte' }
const parisa = { email: 'parisa@example.nl', password: 'geheim-parisa' }
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'Rik Redacteur', ...editor, roleId: 3 })
  const { id } = await site.addRole('Postbus', ['messages.read'])
  await site.addUser({ name: 'Lotte Lezer', ...reader, roleId: id })
  await site.addUser({ name: 'پریسا احمدی', ...parisa, roleId: 2, locale: 'fa' })
})

const heading = (name: string) => ({ level: 2, name, exact: true })

test('the dashboard of a new site says that there is nothing yet, and when there will be', async () => {
  const page = await signInAndOpen(await visitor(site.url), '/user')
  await page.getByText(nl.home.noMessages).waitFor()
  await page.getByText(nl.home.noViews).waitFor()
  // What stays on the screen is not announced on each visit.
  await page.getByRole('note', { name: nl.form.noMail.title }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('an open draft is on the dashboard of its author, and not on that of an editor, who sees page views and no messages', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title: 'Ons werk' })
  const { text } = await site.call<{ text: object }>('GET', `/api/pages/${id}/nl`)
  await site.call('PUT', `/api/pages/${id}/nl/draft`, {
    text: { ...text, title: 'Ons werk in Limburg' },
    baseVersion: 1,
    revision: 0,
  })
  const page = await signInAndOpen(await visitor(site.url), '/user')
  const draft = page.getByRole('link', { name: 'Ons werk in Limburg' })
  await expect.poll(() => draft.getAttribute('href')).toBe(`/admin/pages/${id}/nl`)

  await signInAndOpen(page, '/user', editor)
  await page.getByText(nl.home.firstVisit).waitFor()
  await page.getByRole('link', { name: 'eigen concepten' }).waitFor()
  await expect.poll(() => draft.count()).toBe(0)
  await page.getByRole('heading', heading(nl.home.views)).waitFor()
  await expect.poll(() => page.getByRole('heading', heading(nl.home.messagesPerDay)).count()).toBe(0)
})

describe('after visits', () => {
  beforeAll(async () => {
    const look = (path: string) => fetch(site.url + path, { headers: { 'user-agent': agent } })
    for (const path of ['/', '/', '/', '/disclaimer', '/fa/disclaimer']) expect((await look(path)).status).toBe(200)
    await sendMessage({ request: (path: string, init: RequestInit) => fetch(site.url + path, init) }, 'sanne')
    await waitUntil(async () => {
      const { days } = await site.call<{ days: { count: number }[] }>('GET', '/api/dashboard/views')
      return days.at(-1)?.count === 5
    }, 'five views')
  })

  test('page views and messages are on the dashboard, as text, as a chart and as a table', async () => {
    const page = await signInAndOpen(await visitor(site.url), '/user')
    await page.getByText('Vandaag 1, gisteren 0. In de laatste 30 dagen samen 1.').waitFor()
    await page.getByText('Vandaag 5, gisteren 0. In de laatste 30 dagen samen 5.').waitFor()
    const most = page.getByRole('heading', { name: nl.home.mostViewed }).locator('xpath=..').getByRole('listitem')
    await expect.poll(() => most.count()).toBe(3)
    await expect.poll(() => most.first().innerText()).toMatch(/\s3\s+keer bekeken/)
    await expect.poll(() => most.first().getByRole('link').getAttribute('href')).toBe('/')

    // The period by keyboard; it is in the URL.
    await page.getByRole('radio', { name: '30 dagen' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('In de laatste 90 dagen samen 5.').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?days=90')
    await page.reload()
    await waitUntilLoaded(page)
    await expect.poll(() => page.getByRole('radio', { name: '90 dagen' }).isChecked()).toBe(true)

    const tables = page.getByText(nl.home.asTable)
    await tables.last().focus()
    await page.keyboard.press('Enter')
    const rows = page.getByRole('table').getByRole('row')
    await expect.poll(() => rows.count()).toBe(91)
    await expect.poll(() => rows.nth(1).getByRole('cell').innerText()).toBe('5')
    expect(await axeViolations(page)).toEqual([])
  })

  test('in Persian the chart runs from right to left, with Persian digits', async () => {
    const page = await signInAndOpen(await visitor(site.url, { width: 'phone' }), '/user', parisa)
    await page.getByText('امروز ۵، دیروز ۰.').waitFor()
    // Today is the only day with views: its bar is the last, at the far left.
    const bar = await page.locator('[data-some]').last().boundingBox()
    const all = await page.locator('figure').last().boundingBox()
    expect((bar?.x ?? 0) - (all?.x ?? 0)).toBeLessThan(5)
  })

  test('a user who may only read messages sees no page views', async () => {
    const page = await signInAndOpen(await visitor(site.url), '/user', reader)
    await page.getByRole('heading', heading(nl.home.messagesPerDay)).waitFor()
    await expect.poll(() => page.getByRole('heading', heading(nl.home.views)).count()).toBe(0)
  })
})
