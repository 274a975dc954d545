import { fontFaces } from 'virtual:site-fonts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { appearanceOptions } from '../../src/contract/config-choices.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { aBrowser, recordRequests } from '../support/browser.ts'
import { aProgram, type Program } from '../support/program.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const { visitor } = aBrowser([], { firstVisit: true })
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

const fonts = { nl: ['Site Display', 'Site Text'], fa: ['Site Display', 'Site Persian'] } as const
const parts = ['#diensten', '#prijzen', '#abonnementen', '#vragen', '#contact', '.foot']

/** The fonts that the page has loaded and uses. */
const loaded = (page: Page) =>
  page.evaluate(() =>
    [...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family.replaceAll('"', '')),
  )

/** How much of the page has moved since it was opened. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as unknown as { value: number }[]
          resolve(shifts.reduce((sum, { value }) => sum + value, 0))
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
      }),
  )

/** The images are all below the first view: browsers request them when they come near. */
const isImage = (url: string) => url.includes('/pictures/')

/** Of the response's head, as it is sent by HTTP/1.1. */
const bytesOf = (headers: Headers) =>
  [...headers].reduce(
    (sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length,
    'HTTP/1.1 200 OK\r\n\r\n'.length,
  )

describe.each(['nl', 'fa'] as const)('the first view in %s', (locale) => {
  const at = (path: string) => localizedPath(path, locale, {})

  test('requests nothing but the page and its lower styles until the first paint, weighs at most 60 KB with its headers, and its page fits into the first round trip', async () => {
    const page = await visitor(site.url, { width: 'phone' })
    await page.goto(at('/'))
    const own = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => !name.startsWith('data:'))
          .map(({ name, startTime }) => ({ name, startTime })),
      )
    await expect.poll(async () => (await own()).filter(({ name }) => name.endsWith('.woff2')).length).toBeGreaterThan(1)
    const painted = await page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime ?? 0)
    expect((await own()).filter(({ name }) => !isImage(name)).length).toBeLessThanOrEqual(5)
    // A page that is not painted within a second loads the rest anyway.
    const soonest = Math.min(painted, 1_000)
    const early = (await own()).filter(({ startTime }) => startTime < soonest)
    expect(early.filter(({ name }) => !/\/assets\/blocks-[\w-]+\.css$/.test(name))).toEqual([])

    await expect.poll(() => loaded(page)).toEqual(expect.arrayContaining([...fonts[locale]]))
    await page.waitForLoadState('networkidle')
    const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const weights = await Promise.all(
      [page.url(), ...urls.filter((url) => !url.startsWith('data:') && !isImage(url))].map((url) =>
        waitUntil(async () => {
          const { headers } = await fetch(url, { headers: { 'Accept-Encoding': 'br' } })
          const isReady = headers.get('Content-Encoding') === 'br' || url.endsWith('.woff2')
          return isReady && Number(headers.get('Content-Length')) + bytesOf(headers)
        }, `${url} in brotli`).then(Number),
      ),
    )
    // Ten packets of 1,460 bytes.
    expect(weights[0]).toBeLessThanOrEqual(14_600)
    expect(weights.length).toBeLessThanOrEqual(6)
    // Chromium counts up to 300 bytes more of headers than are counted here.
    expect(weights.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(60 * 1024 - 400)
  })

  // What shows the rest without JavaScript is the same in both languages.
  test.each(locale === 'nl' ? [true, false] : [true])(
    'does not wait for the styles of what is below it, and is followed by the whole page and its fonts, with JavaScript: %s',
    async (javaScript) => {
      const page = await visitor(site.url, { javaScript })
      const urls = recordRequests(page)
      const arrival = Promise.withResolvers<void>()
      await page.route('**/assets/blocks-*.css', async (route) => {
        await arrival.promise
        await route.continue()
      })
      const visit = page.goto(at('/'))
      const painted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
      await expect.poll(painted).toBe(1)
      await expect.poll(() => page.locator('h1').isVisible()).toBe(true)
      for (const part of parts) await expect.poll(() => page.locator(part).isVisible(), { message: part }).toBe(false)

      arrival.resolve()
      await visit
      for (const part of parts) await page.locator(part).waitFor()
      // The fonts that arrive meanwhile move some letters by less than a pixel.
      if (javaScript) expect(await layoutShift(page)).toBeLessThan(0.002)
      await expect.poll(() => urls.filter((url) => url.endsWith('.woff2')).length).toBeGreaterThan(1)
    },
  )

  test.each(appearanceOptions.fonts)(
    'has at most three fonts of 40 KB together with the font pair %s',
    async (pair) => {
      const faces = fontFaces[pair][locale]
      const files = [...faces.matchAll(/url\(([^)]+)\)/g)].map(([, url]) => url as string)
      expect(files.length).toBeLessThanOrEqual(3)
      expect(new Set(files).size).toBe(files.length)
      const sizes = await Promise.all(
        files.map(async (url) => {
          const { status, headers } = await fetch(site.url + url)
          expect(status, url).toBe(200)
          return Number(headers.get('Content-Length'))
        }),
      )
      expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(40 * 1024)
      expect(faces.includes('Persian')).toBe(locale === 'fa')
      for (const other of appearanceOptions.fonts) if (other !== pair) expect(faces).not.toContain(`/assets/${other}-`)
    },
  )
})

// The script that decides it is the same in both languages.
test('the first view is only the upper part, except for a visitor with a fragment, from another page or going back', async () => {
  const page = await visitor(site.url)
  await page.addInitScript(() => {
    const note = () => {
      if (document.documentElement?.classList.contains('early')) document.documentElement.dataset.wasEarly = ''
    }
    new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ['class'] })
  })
  const wasEarly = async () => {
    await page.waitForLoadState('networkidle')
    return page.evaluate(() => 'wasEarly' in document.documentElement.dataset)
  }
  await page.goto('/')
  expect(await wasEarly()).toBe(true)
  await page.reload()
  expect(await wasEarly(), 'loaded again').toBe(false)
  await page.locator('footer a[href="/disclaimer"]').click()
  await page.locator('header .lockup').first().click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  expect(await wasEarly(), 'from another page').toBe(false)

  await page.goto('about:blank')
  await page.goto('/#contact')
  expect(await wasEarly(), 'to a part').toBe(false)
})

test('a font that cannot be loaded leaves the others', async () => {
  allowErrors(/ERR_FAILED/)
  const page = await visitor(site.url)
  await page.route('**/*-display-*.woff2', (route) => route.abort())
  await page.goto(localizedPath('/', 'nl', {}))
  await expect.poll(() => loaded(page)).toContain('Site Text')
})
