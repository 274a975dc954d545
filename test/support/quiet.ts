import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

const underWay = new WeakMap<Page, Set<Request>>()

/** Keeps in sight what a page asks for, from now on. */
export function watchRequests(page: Page): void {
  const open = new Set<Request>()
  underWay.set(page, open)
  page.on('request', (request) => {
    // What the page before asked for ends with it, and nobody is told.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear()
    open.add(request)
  })
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
}

/**
 * Waits until a page has all that it asked for, and asks for nothing more once that is shown. Playwright's own wait for
 * this takes half a second longer each time.
 */
export async function untilQuiet(page: Page): Promise<void> {
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
