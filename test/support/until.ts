import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits for something that happens in the background, looking often.
 * @returns the first answer that is not undefined, false or null
 * @throws when it has not come after `withinMs`
 */
export async function until<T>(
  look: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  what: string,
  withinMs = 10_000,
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false && found !== null) return found
    if (Date.now() > end) throw new Error(`After ${withinMs} ms there is still no ${what}`)
    await pause(20)
  }
}
