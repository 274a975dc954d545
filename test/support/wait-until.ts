import { setTimeout as pause } from 'node:timers/promises'

/**
 * Polls for something that happens in the background.
 * @returns the first result that is not undefined, false or null
 * @throws when there is none within `withinMs`
 */
export async function waitUntil<T>(
  find: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  what: string,
  withinMs = 30_000,
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false && found !== null) return found
    if (Date.now() > end) throw new Error(`After ${withinMs} ms there is still no ${what}`)
    await pause(20)
  }
}
