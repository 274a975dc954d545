import { setTimeout as pause } from 'node:timers/promises'

/** How long tests wait for background work, which a busy machine may leave without a processor for half a minute. */
export const patienceMs = 120_000

/** How long tests wait for a process of low priority, such as a backup, or for a whole program to start. */
export const slowMs = 300_000

/**
 * Polls for something that happens in the background: the longer it takes, the less often, when `find` is asynchronous and
 * so takes time of the program that it waits for.
 * @returns the first result that is not undefined, false or null
 * @throws when there is none within `withinMs`
 */
export async function waitUntil<T>(
  find: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  what: string,
  withinMs = patienceMs,
): Promise<T> {
  const begin = performance.now()
  for (;;) {
    const finding = find()
    const found = await finding
    if (found !== undefined && found !== false && found !== null) return found
    const waited = performance.now() - begin
    if (waited > withinMs) throw new Error(`After ${withinMs} ms there is still no ${what}`)
    await pause(finding instanceof Promise ? Math.min(Math.max(10, waited / 10), 500) : 20)
  }
}
