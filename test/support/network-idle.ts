import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

const underWay = new WeakMap<Page, Set<Request>>()

/** Tracks the requests of a page from now on. */
export function trackRequests(page: Page): void {
  const open = new Set<Request>()
  underWay.set(page, open)
  page.on('request', (request) => {
    // Requests of the previous document are cancelled without an event.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear()
    open.add(request)
  })
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
}

/** Waits until everything that the page has sent to the server is answered: leaving the page would cancel it. */
export async function waitForWrites(page: Page): Promise<void> {
  const writes = () => [...(underWay.get(page) ?? [])].filter((request) => request.method() !== 'GET')
  while (writes().length > 0) await pause(10)
}

/**
 * Waits until all requests of a page are done, and no new ones start after rendering. Playwright's own wait for
 * this takes half a second longer each time.
 */
export async function waitForNetworkIdle(page: Page): Promise<void> {
  const open = underWay.get(page)
  if (!open) throw new Error('the requests of this page are not watched')
  for (let shown = 0; shown < 2; ) {
    if (open.size > 0) {
      shown = 0
      await pause(10)
    } else {
      await page.evaluate(
        () =>
          new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
      )
      shown++
    }
  }
}
