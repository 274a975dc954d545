import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumFlags, findChromium } from '../../scripts/setup/chromium.mjs'
import { closeAfterTest } from './close-after-test.ts'
import { trackRequests } from './network-idle.ts'
import { noteError } from './test-log.ts'

export const widths = { phone: 390, desktop: 1440 } as const
export type Width = keyof typeof widths
const heights = { phone: 844, desktop: 900 } as const

export interface BrowserOptions {
  javaScript?: boolean
  width?: Width | number
  dark?: boolean
  /** With reduced motion there are no animations to wait for. */
  motion?: boolean
  locale?: string
  /** Defaults to the time zone of this machine. */
  timeZone?: string
}

/** The Chromium processes of this worker by their flags, shared by all test files. */
const browsers = new Map<string, Promise<Browser>>()

function launch(flags: string[]): Promise<Browser> {
  const running =
    browsers.get(flags.join()) ??
    chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumFlags, ...flags] })
  browsers.set(flags.join(), running)
  return running
}

/**
 * A Chromium in which each visitor has a separate profile.
 * @param flags extra flags, for all visitors
 */
export function aBrowser(flags: string[] = []): { visitor: (at: string, look?: BrowserOptions) => Promise<Page> } {
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
      const context = await (await launch(flags)).newContext(options)
      closeAfterTest(() => context.close())
      baseUrls.set(context, baseURL)
      // Tabs that are opened later too.
      context.on('page', trackRequests)
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      if (javaScript) waitForEnhancements(page)
      page.on('pageerror', (error) => noteError(`in the page: ${error.stack ?? error.message}`))
      page.on('console', (message) => {
        // A refused draft is merged and sent again, which is no error.
        const isDraftConflict = /status of 409/.test(message.text()) && /\/draft(\?|$)/.test(message.location().url)
        if (message.type() === 'error' && !isDraftConflict) noteError(`in the browser's console: ${message.text()}`)
      })
      return page
    },
  }
}

const baseUrls = new WeakMap<BrowserContext, string>()

/** The site for which the visitor was made. */
export const baseUrlOf = (page: Page): string | undefined => baseUrls.get(page.context())

/** The load event comes before the enhancements; the last of them links the manifest. */
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

/** The URL of every request that the page makes from now on. */
export function requestsOf(page: Page): string[] {
  const urls: string[] = []
  page.context().on('request', (request) => urls.push(request.url()))
  return urls
}
