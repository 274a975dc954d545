import type { Page } from 'playwright-core'
import { waitForNetworkIdle } from './network-idle.ts'

/** What the router of the admin puts on the window, as far as it is used here. */
interface AdminRouter {
  navigate(to: { to: string; ignoreBlocker: true }): Promise<void>
  options: {
    context: {
      queries: {
        removeQueries(which: {
          type: 'inactive'
          predicate: (query: { queryKey: readonly unknown[] }) => boolean
        }): void
        setQueryData(key: ['me'], value: unknown): void
      }
      initialData: { me: unknown }
    }
  }
}

/** A path of the admin that no screen has. */
export const emptyScreen = '/admin/left'

/**
 * Goes to an empty screen of the admin, so that nothing is left of the one that is shown: no form, dialog, notification
 * or data that was read.
 * @returns false where only loading the page can do so
 */
export async function leaveScreen(page: Page): Promise<boolean> {
  const left = await page.evaluate(async (to) => {
    const router = (window as unknown as { __TSR_ROUTER__?: AdminRouter }).__TSR_ROUTER__
    if (!router) return false
    if (location.pathname === to) return true
    // A link under the mouse would load its screen ahead.
    document.documentElement.inert = true
    for (const part of document.querySelectorAll('main > *')) part.setAttribute('data-old', '')
    void router.navigate({ to, ignoreBlocker: true })
    const isShown = () => document.querySelector('main h1') && !document.querySelector('main > [data-old]')
    for (const end = Date.now() + 5_000; !isShown() && Date.now() < end; ) await new Promise(requestAnimationFrame)
    return Boolean(isShown())
  }, emptyScreen)
  // A test may hold an answer back for ever.
  if (!left || !(await waitForNetworkIdle(page, 5_000))) return false
  return page.evaluate(async (empty) => {
    const { context } = (window as unknown as { __TSR_ROUTER__: AdminRouter }).__TSR_ROUTER__.options
    const isOfPage = (key: unknown) => key === 'me' || key === 'site-languages'
    context.queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => !isOfPage(queryKey[0]) })
    context.queries.setQueryData(['me'], context.initialData.me)
    const nextFrame = () => new Promise(requestAnimationFrame)
    const notifications = () => document.querySelectorAll<HTMLElement>('.mantine-Notification-closeButton')
    for (const end = Date.now() + 3_000; notifications().length > 0 && Date.now() < end; await nextFrame()) {
      for (const button of notifications()) button.click()
    }
    document.querySelector('h1')?.setAttribute('data-left', '')
    return (
      location.pathname === empty &&
      document.querySelector('h1') !== null &&
      notifications().length === 0 &&
      document.querySelector('[role=dialog], [role=alertdialog], dialog[open]') === null
    )
  }, emptyScreen)
}
