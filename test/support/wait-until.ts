import { setTimeout as pause } from 'node:timers/promises'

/** How long tests wait for background work, which may get no processor time for half a minute on a busy machine. */
export const patienceMs = 120_000

/** How long tests wait for a process of low priority, such as a backup, or for a whole program to start. */
export const slowMs = 300_000

/**
 * Calls `find` until it finds something. An asynchronous `find` takes time of the program that it waits for, so it is called
 * less often the longer it takes.
 * @param what is waited for: the error message says that there is still no such thing
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
    const result = await finding
    if (result !== undefined && result !== false && result !== null) return result
    const waited = performance.now() - begin
    if (waited > withinMs) throw new Error(`After ${withinMs} ms there is still no ${what}`)
    await pause(finding instanceof Promise ? Math.min(Math.max(10, waited / 10), 500) : 20)
  }
}
