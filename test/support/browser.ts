import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { chromiumFlags, findChromium } from '../../scripts/setup/chromium.mjs'
import { closeAtEnd } from './closing.ts'
import { noteError } from './logged.ts'
import { watchRequests } from './quiet.ts'

export const widths = { phone: 390, desktop: 1440 } as const
export type Width = keyof typeof widths
const heights = { phone: 844, desktop: 900 } as const

export interface Look {
  javaScript?: boolean
  width?: Width | number
  dark?: boolean
  /** Who asked for less motion gets none, and a test need not wait for it. */
  motion?: boolean
  locale?: string
  /** Left out: that of this machine. */
  timeZone?: string
}

/** One Chromium for a file of journeys; each visitor has a profile of its own. */
export function aBrowser(): { visitor: (at: string, look?: Look) => Promise<Page> } {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags })
  })
  afterAll(() => browser?.close())
  return {
    async visitor(baseURL, look = {}) {
      const { javaScript = true, width = 'desktop', dark = false, motion = false, locale = 'nl-NL', timeZone } = look
      const options: BrowserContextOptions = {
        baseURL,
        javaScriptEnabled: javaScript,
        viewport: typeof width === 'number' ? { width, height: 900 } : { width: widths[width], height: heights[width] },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: motion ? 'no-preference' : 'reduce',
        locale,
        ...(timeZone && { timezoneId: timeZone }),
      }
      if (!browser) throw new Error('the browser is started in beforeAll')
      const context = await browser.newContext(options)
      closeAtEnd(() => context.close())
      // Tabs that are opened later too.
      context.on('page', watchRequests)
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      if (javaScript) waitForEnhancements(page)
      page.on('pageerror', (error) => noteError(`in the page: ${error.stack ?? error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error') noteError(`in the browser's console: ${message.text()}`)
      })
      return page
    },
  }
}

/** A page is loaded before its enhancements have come; their last work is to link the manifest. */
function waitForEnhancements(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (...address) => {
    const response = await goto(...address)
    await page.waitForFunction(
      () => !document.querySelector('.foot') || document.querySelector(':root:not(.early) link[rel=manifest]'),
    )
    return response
  }
}

/** The address of every request that the page makes from now on. */
export function requestsOf(page: Page): string[] {
  const urls: string[] = []
  page.context().on('request', (request) => urls.push(request.url()))
  return urls
}
