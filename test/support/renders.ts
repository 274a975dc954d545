import type { Page } from 'playwright-core'

/** What React keeps of a component. */
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
interface Watched {
  rendered?: Set<string>
}

/**
 * Notes of which of these items something is rendered: the keys or ids of the components around what React rendered.
 * For a page that was not opened yet.
 * @returns a function that gives those since it was called last
 */
export async function watchRenders(page: Page, ids: readonly string[]): Promise<() => Promise<string[]>> {
  await page.addInitScript((known) => {
    const watched = window as Watched
    watched.rendered = new Set()
    // Functions, also those in `memo` and `forwardRef`.
    const components = new Set([0, 11, 14, 15])
    const performedWork = 1
    const idOf = (fiber: Fiber | null): string | undefined => {
      for (let one = fiber; one; one = one.return) {
        const id = [one.key, one.memoizedProps?.id].find((name) => known.includes(String(name)))
        if (id) return String(id)
      }
      return undefined
    }
    const visit = (fiber: Fiber, before: Fiber | null) => {
      if (components.has(fiber.tag) && (!before || (before !== fiber && (fiber.flags & performedWork) > 0))) {
        const id = idOf(fiber)
        if (id) watched.rendered?.add(id)
      }
      // What React skipped is still the same object.
      if (before && fiber.child === before.child) return
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
      const watched = window as Watched
      const found = [...(watched.rendered ?? [])].sort()
      watched.rendered = new Set()
      return found
    })
}
