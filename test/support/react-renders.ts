import type { Page } from 'playwright-core'

/** The used part of the object that React stores for each component of a page. */
interface Fiber {
  tag: number
  flags: number
  key: string | null
  memoizedProps: { id?: unknown } | null
  alternate: Fiber | null
  child: Fiber | null
  sibling: Fiber | null
  return: Fiber | null
}

/** The window, with the ids that were rendered since the last call. */
interface WatchedWindow {
  rendered?: Set<string>
}

/**
 * Records which of these ids React renders: those that are the key or the property `id` of a rendered component, or of one
 * around it. Call it before the page is opened.
 * @returns a function that returns the ids since its last call, sorted
 */
export async function watchRenders(page: Page, ids: readonly string[]): Promise<() => Promise<string[]>> {
  await page.addInitScript((watchedIds) => {
    const watched = window as WatchedWindow
    watched.rendered = new Set()
    // The tags of function components, also those in `memo` and `forwardRef`.
    const componentTags = new Set([0, 11, 14, 15])
    // The flag of a fiber whose component was rendered.
    const performedWork = 1
    const idOf = (fiber: Fiber | null): string | undefined => {
      for (let ancestor = fiber; ancestor; ancestor = ancestor.return) {
        const id = [ancestor.key, ancestor.memoizedProps?.id].find((name) => watchedIds.includes(String(name)))
        if (id) return String(id)
      }
      return undefined
    }
    const visit = (fiber: Fiber, previous: Fiber | null) => {
      if (componentTags.has(fiber.tag) && (!previous || (previous !== fiber && (fiber.flags & performedWork) > 0))) {
        const id = idOf(fiber)
        if (id) watched.rendered?.add(id)
      }
      // React skipped the children when they are still the same object.
      if (previous && fiber.child === previous.child) return
      for (let child = fiber.child; child; child = child.sibling) visit(child, child.alternate)
    }
    const hook = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount() {},
      onCommitFiberRoot: (_renderer: number, { current }: { current: Fiber }) => visit(current, current.alternate),
    }
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
  }, ids)
  return () =>
    page.evaluate(() => {
      const watched = window as WatchedWindow
      const rendered = [...(watched.rendered ?? [])].sort()
      watched.rendered = new Set()
      return rendered
    })
}
