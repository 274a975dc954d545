import { beforeAll, describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { aBrowser, recordRequests } from '../support/browser.ts'
import { findHtmlErrors } from '../support/html-errors.ts'
import { waitForNetworkIdle } from '../support/network-idle.ts'
import { parseHtml } from '../support/parse-html.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser([], { firstVisit: true })
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

const paths = ['/', '/privacy-verklaring', '/disclaimer'] as const
const entries = ['/projecten', '/projecten/notariskantoor', '/nieuws/zelf-bijwerken', '/vacatures/webontwikkelaar']
const lost = '/bestaat-niet'
const sizes = [320, 360, 390, 768, 1024, 1440, 1920, 2560] as const

describe.each(['nl', 'fa'] as const)('in %s', (locale) => {
  const at = (path: string) => localizedPath(path, locale, {})

  test('every page is valid HTML', async () => {
    for (const path of [...paths, ...entries, lost]) {
      expect(await findHtmlErrors(await (await fetch(site.url + at(path))).text()), path).toEqual([])
    }
  })

  test('the response to a form without JavaScript is valid HTML', async () => {
    const send = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({ ...fields, taal: locale })
      const response = await fetch(`${site.url}/api/contact`, { method: 'POST', body })
      return { status: response.status, found: await findHtmlErrors(await response.text()) }
    }
    expect(await send({}), 'with messages').toEqual({ status: 422, found: [] })
    expect(await send({ ...aMessageOf('sanne'), meer: '"<b>' }), 'with a failure').toEqual({ status: 422, found: [] })
    expect(await send(aMessageOf('sanne')), 'with thanks').toEqual({ status: 200, found: [] })
  })

  test('no page scrolls sideways at any width, asks anything of a third party or stores anything', async () => {
    allowErrors(/status of 404/)
    const page = await visitor(site.url)
    const urls = recordRequests(page)
    for (const path of [...paths, lost]) {
      const response = await page.goto(at(path))
      expect(await response?.headerValue('set-cookie')).toBe(null)
      // Some images load when they come into view, in the size that fits the width.
      const seeLowerImages = async () => {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        await waitForNetworkIdle(page)
      }
      await page.setViewportSize({ width: sizes[0], height: 900 })
      await seeLowerImages()
      for (const width of sizes) {
        await page.setViewportSize({ width, height: 900 })
        const { inner, wide } = await page.evaluate(() => {
          const reach = [...document.querySelectorAll('body *')].filter((one) => {
            const { left, right } = one.getBoundingClientRect()
            const hidden = one.closest('.view, .visually-hidden, .honey, .skip, [hidden], [aria-hidden=true]')
            return !hidden && (right > innerWidth + 1 || left < -1)
          })
          const { scrollWidth, clientWidth } = document.documentElement
          return {
            inner: scrollWidth - clientWidth,
            wide: reach.map((one) => `${one.tagName}.${one.className}: ${one.textContent?.slice(0, 40)}`),
          }
        })
        expect({ path, width, inner, wide }).toEqual({ path, width, inner: 0, wide: [] })
      }
      await seeLowerImages()
      expect(await page.context().cookies(), path).toEqual([])
      expect(await page.evaluate(() => localStorage.length + sessionStorage.length), path).toBe(0)
    }
    expect(urls.length).toBeGreaterThan(3)
    expect(urls.filter((url) => !url.startsWith(`${site.url}/`) && !url.startsWith('data:'))).toEqual([])
  })
})

test('every internal link works, and every anchor exists', async () => {
  const seen = new Map<string, { status: number; ids: string[] }>()
  const wanted: { from: string; address: string }[] = [{ from: 'start', address: '/' }]
  const broken: string[] = []
  for (const { from, address } of wanted) {
    const { pathname, search, hash } = new URL(address, site.url)
    if (!seen.has(pathname + search)) {
      const response = await fetch(site.url + pathname + search)
      // The language link sets a cookie and redirects to the page itself.
      if (response.redirected) wanted.push({ from: pathname, address: response.url })
      const isPage = response.headers.get('content-type')?.startsWith('text/html')
      const found = { status: response.status, ids: [] as string[] }
      if (isPage && !search.includes('locale=')) {
        const document = parseHtml(await response.text())
        found.ids = [...document.querySelectorAll('[id]')].map((one) => one.id)
        const links = [...document.querySelectorAll('[href], [src]')].map(
          (one) => new URL(one.getAttribute('href') ?? one.getAttribute('src') ?? '', response.url).href,
        )
        for (const link of links.filter((one) => one.startsWith(`${site.url}/`)))
          wanted.push({ from: pathname, address: link })
      }
      seen.set(pathname + search, found)
    }
    const { status, ids } = seen.get(pathname + search) ?? { status: 0, ids: [] }
    const anchor = decodeURIComponent(hash.slice(1))
    // `#dicht` closes the mobile menu because no element has that id.
    if (status !== 200 || (anchor && anchor !== 'dicht' && !ids.includes(anchor)))
      broken.push(`${from} → ${address} (${status})`)
  }
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['/', '/fa', '/disclaimer', '/fa/privacy-verklaring']))
  expect([...new Set(broken)]).toEqual([])
})
