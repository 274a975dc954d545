import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

/** The requests of each tracked page that are not answered. */
const pendingRequests = new WeakMap<Page, Set<Request>>()

/** Tracks the requests of a page from now on, for the two functions below. */
export function trackRequests(page: Page): void {
  const pending = new Set<Request>()
  pendingRequests.set(page, pending)
  page.on('request', (request) => {
    // Requests of the previous document are cancelled without an event.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear()
    pending.add(request)
  })
  page.on('requestfinished', (request) => void pending.delete(request))
  page.on('requestfailed', (request) => void pending.delete(request))
}

/** Waits until every request of the page but GET is answered: leaving the page would cancel it. */
export async function waitForWrites(page: Page): Promise<void> {
  const writes = () => [...(pendingRequests.get(page) ?? [])].filter((request) => request.method() !== 'GET')
  while (writes().length > 0) await pause(10)
}

/**
 * Waits until no request of a tracked page is pending, and still none is after the page has rendered. Playwright's own wait for
 * this takes half a second longer each time.
 */
export async function waitForNetworkIdle(page: Page): Promise<void> {
  const pending = pendingRequests.get(page)
  if (!pending) throw new Error('the requests of this page are not watched')
  for (let idleChecks = 0; idleChecks < 2; ) {
    if (pending.size > 0) {
      idleChecks = 0
      await pause(10)
    } else {
      await page.evaluate(
        () =>
          new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
      )
      idleChecks++
    }
  }
}
