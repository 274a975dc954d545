import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { admin as fa } from '../../src/i18n/fa/admin.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import { aStaffedProgram, enter, type StaffedProgram, settled } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram()
})

interface Sent {
  path: string
  bytes: number
  text: string
}

/** What the server sends for one screen, scripts and styles, packed as the first visitor gets it. */
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
  await settled(page)
  return (await Promise.all(sent)).filter((one) => one !== undefined)
}

test('the first screen of the admin is 200 KB of scripts and styles at most, and holds nothing of the others', async () => {
  const page = await visitor(site.url)
  await enter(page)
  const sent = await sentFor(page, '/user')
  const bytes = sent.reduce((sum, one) => sum + one.bytes, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(200_000)

  // One language, no schemas of the server, no field, no table.
  const holds = (text: string) => sent.some((one) => one.text.includes(text))
  expect(holds(nl.home.may)).toBe(true)
  for (const absent of [fa.home.may, 'ZodError', 'mantine-Table', 'mantine-PasswordInput']) {
    expect(holds(absent), absent).toBe(false)
  }
})

test('another screen brings what it needs alone, and the frame is not sent again', async () => {
  const page = await visitor(site.url)
  await enter(page)
  const first = (await sentFor(page, '/user')).map((one) => one.path)
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

test('the page itself says that it is nobody else’s, and lets no script in but its own', async () => {
  const page = await visitor(site.url)
  await enter(page)
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
})

test('every font, script and picture is our own', async () => {
  const page = await visitor(site.url)
  await enter(page)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url) && !request.url().startsWith('data:')) elsewhere.push(request.url())
  })
  for (const path of ['/user', '/admin/users', '/admin/profile']) {
    await page.goto(path)
    await settled(page)
  }
  expect(elsewhere).toEqual([])
})
