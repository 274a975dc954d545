import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { admin as fa } from '../../src/i18n/fa/admin.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import {
  aProgramWithAdministrator,
  disablePreloading,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { canvasOf, waitForCanvas } from '../support/canvas.ts'
import { aSavedPage, getPageIn, keepSettingsOpen, savePage, titleField } from '../support/page-editor.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
})

interface Sent {
  path: string
  bytes: number
  text: string
}

/** The scripts and styles that the server sends for one screen, compressed as for the first visitor. */
async function sentFor(page: Page, path: string): Promise<Sent[]> {
  const sent: Promise<Sent | undefined>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!/\.(js|css)$/.test(pathname)) return
    sent.push(
      (async () => {
        const bytes = Number(await response.headerValue('content-length'))
        return { path: pathname, bytes, text: await response.text() }
      })(),
    )
  })
  await page.goto(path)
  await waitUntilLoaded(page)
  return (await Promise.all(sent)).filter((one) => one !== undefined)
}

test('the first screen of the admin is at most 200 KB of scripts and styles, without code of other screens; another screen loads only what it needs, and not the shared code again', async () => {
  const page = await visitor(site.url, { firstVisit: true })
  await signInByApi(page)
  const sent = await sentFor(page, '/user')
  const bytes = sent.reduce((sum, one) => sum + one.bytes, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(200_000)

  // One language, no schemas of the server, no form field, no table.
  const holds = (text: string) => sent.some((one) => one.text.includes(text))
  expect(holds(nl.home.news)).toBe(true)
  for (const absent of [fa.home.news, 'ZodError', 'mantine-Table', 'mantine-PasswordInput']) {
    expect(holds(absent), absent).toBe(false)
  }

  const first = sent.map((one) => one.path)
  const more: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\.(js|css)$/.test(pathname)) more.push(pathname)
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Rollen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rollen' }).waitFor()
  expect(more).not.toEqual([])
  expect(more.filter((path) => first.includes(path))).toEqual([])
})

test('the list of pages loads the editor, so that a page opens at once, with what others have just saved', async () => {
  const id = await aSavedPage(site, 'Werk')
  const page = await visitor(site.url, { firstVisit: true })
  await disablePreloading(page)
  await signInByApi(page)
  const code: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/assets\/.*\.(js|css)$/.test(pathname)) code.push(pathname)
  })
  const editor = page.waitForResponse(/\/assets\/body-editor-/)
  await openScreen(page, '/admin/pages')
  await editor
  await waitUntilLoaded(page)

  const link = page.getByRole('link', { name: 'Werk', exact: true })
  const fetched = page.waitForResponse(`**/api/pages/${id}/nl`)
  await link.hover()
  await (await fetched).finished()
  await waitUntilLoaded(page)
  await savePage(site, await getPageIn(site, id), { title: 'Ons werk' })
  code.length = 0
  await link.click()
  await canvasOf(page).getByText('Welkom bij ons.').first().waitFor()
  await expect.poll(() => titleField(page).inputValue()).toBe('Ons werk')
  expect(code).toEqual([])
})

test('the editor requests the preview data of a page once, in the language of the page', async () => {
  const id = await aSavedPage(site, 'Twee talen')
  await savePage(site, await getPageIn(site, id, 'fa'), { title: 'دو زبان', slug: 'do-zaban' })
  const page = await visitor(site.url)
  await signInByApi(page)
  await keepSettingsOpen(page)
  const locales: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/scene') && locales.push(request.postDataJSON().locale))
  await openScreen(page, `/admin/pages/${id}/fa`)
  await waitForCanvas(page)
  await waitUntilLoaded(page)
  expect(locales).toEqual(['fa'])
})

test('the HTML of the admin is not cached, and allows only its own scripts; every font, script and image is our own', async () => {
  const page = await visitor(site.url)
  await signInByApi(page)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url) && !request.url().startsWith('data:')) elsewhere.push(request.url())
  })
  const response = await page.goto('/user')
  const headers = response?.headers() ?? {}
  expect(headers['cache-control']).toBe('private, no-store')
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'self'(;|$)/)
  expect(policy).toContain("style-src 'self' 'unsafe-inline'")
  const inline = await page.evaluate(() =>
    [...document.scripts]
      .filter(({ src, type }) => !src && type !== 'application/json')
      .map(({ outerHTML }) => outerHTML),
  )
  expect(inline).toEqual([])

  await waitUntilLoaded(page)
  for (const path of ['/admin/users', '/admin/profile']) await goToScreen(page, path)
  expect(elsewhere).toEqual([])
})
