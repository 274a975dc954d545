import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Disposable,
  type Page,
} from 'playwright-core'
import { chromiumFlags, findChromium } from '../../scripts/setup/chromium.mjs'
import { closeAfterFile, closeAfterTest } from './close-after-test.ts'
import { isKept } from './free-port.ts'
import { trackRequests } from './network-idle.ts'
import { noteError } from './test-log.ts'
import { patienceMs } from './wait-until.ts'

export const widths = { phone: 390, desktop: 1440 } as const
export type Width = keyof typeof widths
export const heights = { phone: 844, desktop: 900 } as const

export interface BrowserOptions {
  javaScript?: boolean
  width?: Width | number
  dark?: boolean
  /** With reduced motion there are no animations to wait for. */
  motion?: boolean
  locale?: string
  /** Defaults to the time zone of this machine. */
  timeZone?: string
  /** With nothing of the site in the cache of the browser. */
  firstVisit?: boolean
}

/** The Chromium processes of this worker by their flags, shared by all test files. */
const browsers = new Map<string, Promise<Browser>>()

/**
 * A page of the tests is closed long before V8's optimizing compilers pay for themselves: without them the journeys take
 * a fifth less processor time.
 */
const testFlags = [...chromiumFlags, '--js-flags=--no-turbofan --no-maglev']

function launch(flags: string[]): Promise<Browser> {
  const running =
    browsers.get(flags.join()) ??
    chromium.launch({ executablePath: findChromium() ?? '', args: [...testFlags, ...flags] })
  browsers.set(flags.join(), running)
  return running
}

/** A page in a profile of its own, and what a test has changed in it. */
interface Tab {
  page: Page
  /** Its flags and options; of two equal tabs either will do. */
  kind: string
  options: BrowserContextOptions
  /** Gives a page the width, colour scheme and motion of the visitor, which can be changed without another profile. */
  show: (page: Page) => Promise<void>
  scripts: Disposable[]
  devTools: CDPSession
  /** Whether it has something that cannot be taken back: a function of the test, a clock, or a setting by the DevTools protocol. */
  altered: boolean
}

/**
 * What ended tests left, oldest first. The process of such a tab has compiled the admin, so a screen opens in it for half the
 * processor time.
 */
const idle: Tab[] = []

/** Each is a process with about 100 MB. */
const mostIdle = 8

/** The newest one of its kind. */
function takeIdle(kind: string): Tab | undefined {
  const index = idle.findLastIndex((tab) => tab.kind === kind)
  return index === -1 ? undefined : idle.splice(index, 1)[0]
}

/**
 * A Chromium in which each visitor has a separate profile, without cookies and stored data.
 * @param flags extra flags, for all visitors
 * @param all options of all visitors
 */
export function aBrowser(
  flags: string[] = [],
  all: BrowserOptions = {},
): { visitor: (at: string, look?: BrowserOptions) => Promise<Page> } {
  return {
    async visitor(baseURL, its = {}) {
      const look = { ...all, ...its }
      const { javaScript = true, width = 'desktop', dark = false, motion = false, locale = 'nl-NL', timeZone } = look
      const options: BrowserContextOptions = {
        baseURL,
        javaScriptEnabled: javaScript,
        viewport: { width: widths.desktop, height: heights.desktop },
        reducedMotion: 'reduce',
        locale,
        ...(timeZone && { timezoneId: timeZone }),
      }
      const kind = JSON.stringify([flags, options])
      const tab = (!look.firstVisit && takeIdle(kind)) || (await aNewTab(await launch(flags), { kind, options }))
      tab.show = async (page) => {
        await page.setViewportSize(
          typeof width === 'number' ? { width, height: 900 } : { width: widths[width], height: heights[width] },
        )
        await page.emulateMedia({
          media: null,
          colorScheme: dark ? 'dark' : 'light',
          reducedMotion: motion ? 'no-preference' : 'reduce',
        })
      }
      await tab.show(tab.page)
      listen(tab.page)
      closeAfterTest(async () => {
        if (await wasReset(tab).catch(() => false)) await keep(tab)
        else await tab.page.context().close()
      })
      return tab.page
    },
  }
}

async function aNewTab(browser: Browser, { kind, options }: Pick<Tab, 'kind' | 'options'>): Promise<Tab> {
  const context = await browser.newContext(options)
  baseUrls.set(context, options.baseURL ?? '')
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  if (options.javaScriptEnabled) waitForEnhancements(page)

  const devTools = await context.newCDPSession(page)
  const tab: Tab = { page, kind, options, show: async () => {}, scripts: [], devTools, altered: false }
  const { addInitScript, exposeFunction } = page
  const { newCDPSession, newPage } = context
  context.newPage = async () => {
    const other = await newPage.call(context)
    await tab.show(other)
    return other
  }
  page.addInitScript = async (...script: Parameters<Page['addInitScript']>) => {
    const added = await addInitScript.apply(page, script)
    tab.scripts.push(added)
    return added
  }
  page.exposeFunction = (...what) => {
    tab.altered = true
    return exposeFunction.apply(page, what)
  }
  const { clock } = page
  const { install } = clock
  clock.install = (...time) => {
    tab.altered = true
    return install.apply(clock, time)
  }
  context.newCDPSession = (of) => {
    tab.altered = true
    return newCDPSession.call(context, of)
  }
  return tab
}

/** For the next program on the same port; on other ports until the file ends. */
async function keep(tab: Tab): Promise<void> {
  idle.push(tab)
  if (!isKept(Number(new URL(tab.options.baseURL ?? '').port))) closeAfterFile(() => closeIdle(tab))
  if (idle[0] && idle.length > mostIdle) await closeIdle(idle[0])
}

async function closeIdle(tab: Tab): Promise<void> {
  const index = idle.indexOf(tab)
  if (index === -1) return
  idle.splice(index, 1)
  await tab.page.context().close()
}

function listen(page: Page): void {
  trackRequests(page)
  // Tabs that are opened later too.
  page.context().on('page', trackRequests)
  page.on('pageerror', (error) => noteError(`in the page: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // A refused draft is merged and sent again, which is no error.
    const isDraftConflict = /status of 409/.test(message.text()) && /\/draft(\?|$)/.test(message.location().url)
    if (message.type() === 'error' && !isDraftConflict) noteError(`in the browser's console: ${message.text()}`)
  })
}

const pageEvents = [
  'request',
  'requestfinished',
  'requestfailed',
  'response',
  'console',
  'pageerror',
  'dialog',
] as const

/** Takes everything away that a test left in a page and its profile, but the cached files of the site, where that is possible. */
async function wasReset({ page, options, scripts, devTools, altered }: Tab): Promise<boolean> {
  const context = page.context()
  if (altered || page.isClosed()) return false
  for (const event of pageEvents) page.removeAllListeners(event)
  for (const event of ['page', 'request'] as const) context.removeAllListeners(event)
  for (const other of context.pages()) if (other !== page) await other.close()
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
    ...scripts.splice(0).map((script) => script.dispose()),
  ])
  // A document of the site without scripts, so that nothing is stored after this.
  const { origin, href } = new URL('/robots.txt', options.baseURL)
  const response = await page.goto(href, { timeout: 20_000 })
  if (!response?.ok()) return false
  await Promise.all([
    context.clearCookies(),
    page.evaluate(() => sessionStorage.clear()),
    devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' }),
    devTools.send('Page.resetNavigationHistory'),
  ])
  return true
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
