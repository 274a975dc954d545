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
import { isReusablePort } from './free-port.ts'
import { trackRequests } from './network-idle.ts'
import { recordError } from './test-log.ts'
import { patienceMs } from './wait-until.ts'

export const widths = { phone: 390, desktop: 1440 } as const
type Width = keyof typeof widths
export const heights = { phone: 844, desktop: 900 } as const

export interface BrowserOptions {
  /** Defaults to true. */
  javaScript?: boolean
  /** In px, or that of a kind of device; defaults to `desktop`. */
  width?: Width | number
  /** Prefers the dark colour scheme; defaults to false. */
  dark?: boolean
  /** By default motion is reduced, so that there are no animations to wait for. */
  motion?: boolean
  /** Defaults to `nl-NL`. */
  locale?: string
  /** Defaults to the time zone of this machine. */
  timeZone?: string
  /** True: nothing of the site is in the browser's cache. */
  firstVisit?: boolean
}

/** The Chromium processes of this worker by their flags, shared by all test files. */
const browsers = new Map<string, Promise<Browser>>()

/**
 * Turns off V8's optimizing compilers, which take more time than they save in the short life of a page of the tests: the
 * journeys take a fifth less processor time without them.
 */
const testFlags = [...chromiumFlags, '--js-flags=--no-turbofan --no-maglev']

/** @returns the process of this worker with these flags, which is started the first time */
function launch(flags: string[]): Promise<Browser> {
  const running =
    browsers.get(flags.join()) ??
    chromium.launch({ executablePath: findChromium() ?? '', args: [...testFlags, ...flags] })
  browsers.set(flags.join(), running)
  return running
}

/** A page in a profile of its own, and what a test has changed in it, to reset it for a later test. */
interface Tab {
  page: Page
  /** Its flags and options as JSON: tabs of the same kind are interchangeable. */
  kind: string
  options: BrowserContextOptions
  /** Gives a page the visitor's width, colour scheme and motion, which can be changed without another profile. */
  applyAppearance: (page: Page) => Promise<void>
  initScripts: Disposable[]
  devTools: CDPSession
  /** A test exposed a function to it, installed a clock, or may have changed it by the DevTools protocol. */
  cannotBeReset: boolean
}

/**
 * The reset tabs of ended tests, oldest first, for later tests to use. The process of such a tab has compiled the admin, so a
 * screen opens in it for half the processor time.
 */
const idleTabs: Tab[] = []

/** An idle tab is a process of about 100 MB. */
const maxIdle = 8

/** Takes the newest tab of a kind out of `idleTabs`. */
function takeIdle(kind: string): Tab | undefined {
  const index = idleTabs.findLastIndex((tab) => tab.kind === kind)
  return index === -1 ? undefined : idleTabs.splice(index, 1)[0]
}

/**
 * A Chromium in which each `visitor` gets a page in a separate profile, without cookies and stored data, until the test ends.
 * Chromium starts at the first visitor. Errors in the page and in the browser's console fail the test.
 * @param flags extra flags of Chromium
 * @param commonOptions of all visitors
 */
export function aBrowser(
  flags: string[] = [],
  commonOptions: BrowserOptions = {},
): { visitor: (baseURL: string, ownOptions?: BrowserOptions) => Promise<Page> } {
  return {
    async visitor(baseURL, ownOptions = {}) {
      const {
        javaScript = true,
        width = 'desktop',
        dark = false,
        motion = false,
        locale = 'nl-NL',
        timeZone,
        firstVisit,
      } = {
        ...commonOptions,
        ...ownOptions,
      }
      const options: BrowserContextOptions = {
        baseURL,
        javaScriptEnabled: javaScript,
        viewport: { width: widths.desktop, height: heights.desktop },
        reducedMotion: 'reduce',
        locale,
        ...(timeZone && { timezoneId: timeZone }),
      }
      const kind = JSON.stringify([flags, options])
      const tab = (!firstVisit && takeIdle(kind)) || (await aNewTab(await launch(flags), { kind, options }))
      tab.applyAppearance = async (page) => {
        await page.setViewportSize(
          typeof width === 'number' ? { width, height: 900 } : { width: widths[width], height: heights[width] },
        )
        await page.emulateMedia({
          media: null,
          colorScheme: dark ? 'dark' : 'light',
          reducedMotion: motion ? 'no-preference' : 'reduce',
        })
      }
      await tab.applyAppearance(tab.page)
      watchPage(tab.page)
      closeAfterTest(async () => {
        if (await resetTab(tab).catch(() => false)) await offerForReuse(tab)
        else await tab.page.context().close()
      })
      return tab.page
    },
  }
}

/** Opens a page in a new profile. Its methods that change it are wrapped, so that the tab knows what is to be reset. */
async function aNewTab(browser: Browser, { kind, options }: Pick<Tab, 'kind' | 'options'>): Promise<Tab> {
  const context = await browser.newContext(options)
  baseUrls.set(context, options.baseURL ?? '')
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  if (options.javaScriptEnabled) waitForEnhancements(page)

  const devTools = await context.newCDPSession(page)
  const tab: Tab = {
    page,
    kind,
    options,
    applyAppearance: async () => {},
    initScripts: [],
    devTools,
    cannotBeReset: false,
  }
  const { addInitScript, exposeFunction } = page
  const { newCDPSession, newPage } = context
  context.newPage = async () => {
    const other = await newPage.call(context)
    await tab.applyAppearance(other)
    return other
  }
  page.addInitScript = async (...script: Parameters<Page['addInitScript']>) => {
    const scriptHandle = await addInitScript.apply(page, script)
    tab.initScripts.push(scriptHandle)
    return scriptHandle
  }
  page.exposeFunction = (...args) => {
    tab.cannotBeReset = true
    return exposeFunction.apply(page, args)
  }
  const { clock } = page
  const { install } = clock
  clock.install = (...time) => {
    tab.cannotBeReset = true
    return install.apply(clock, time)
  }
  context.newCDPSession = (of) => {
    tab.cannotBeReset = true
    return newCDPSession.call(context, of)
  }
  return tab
}

/**
 * Adds a reset tab to `idleTabs`. On a reusable port a later program has the same origin; any other origin is never used again
 * by another file, so such a tab is closed when this file ends.
 */
async function offerForReuse(tab: Tab): Promise<void> {
  idleTabs.push(tab)
  if (!isReusablePort(Number(new URL(tab.options.baseURL ?? '').port))) closeAfterFile(() => closeIdle(tab))
  if (idleTabs[0] && idleTabs.length > maxIdle) await closeIdle(idleTabs[0])
}

async function closeIdle(tab: Tab): Promise<void> {
  const index = idleTabs.indexOf(tab)
  if (index === -1) return
  idleTabs.splice(index, 1)
  await tab.page.context().close()
}

/** Tracks the requests of a page, and reports its errors and those in the console to the test. */
function watchPage(page: Page): void {
  trackRequests(page)
  // Tabs that are opened later too.
  page.context().on('page', trackRequests)
  page.on('pageerror', (error) => recordError(`in the page: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // A refused draft is merged and sent again, which is no error.
    const isDraftConflict = /status of 409/.test(message.text()) && /\/draft(\?|$)/.test(message.location().url)
    if (message.type() === 'error' && !isDraftConflict) recordError(`in the browser's console: ${message.text()}`)
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

/**
 * Removes everything that a test left in a page and its profile, except the cached files of the site, and leaves the page on
 * `/robots.txt`.
 * @returns false when that is not possible
 */
async function resetTab({ page, options, initScripts, devTools, cannotBeReset }: Tab): Promise<boolean> {
  const context = page.context()
  if (cannotBeReset || page.isClosed()) return false
  for (const event of pageEvents) page.removeAllListeners(event)
  for (const event of ['page', 'request'] as const) context.removeAllListeners(event)
  for (const other of context.pages()) if (other !== page) await other.close()
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
    ...initScripts.splice(0).map((script) => script.dispose()),
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

/** The base URL with which the visitor was made. */
export const baseUrlOf = (page: Page): string | undefined => baseUrls.get(page.context())

/**
 * Makes `page.goto` wait for the enhancements too, which come after the load event; the last of them links the manifest.
 * Pages without the footer of the site have none.
 */
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

/** @returns a list to which the URL of every request is added that the page, or a tab opened from it, makes from now on */
export function recordRequests(page: Page): string[] {
  const urls: string[] = []
  page.context().on('request', (request) => urls.push(request.url()))
  return urls
}
