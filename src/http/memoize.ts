/** No real header value is longer, so longer ones are not remembered as the latest. */
const latestChars = 512

/**
 * Caches the results of a function by its argument, for values of headers: browsers send a limited number of different ones.
 * Made-up ones only clear the cache.
 * @param max how many results are cached
 */
export function memoize<Result>(max: number, compute: (text: string) => Result): (text: string) => Result {
  interface Known {
    text: string
    result: Result
  }
  const results = new Map<string, Known>()
  /** The latest by length, because comparing a text with another costs a fifth of hashing it for the map. */
  const latest: (Known | undefined)[] = []
  return (text) => {
    const before = latest[text.length]
    if (before?.text === text) return before.result
    let known = results.get(text)
    if (!known) {
      if (results.size >= max) results.clear()
      known = { text, result: compute(text) }
      results.set(text, known)
    }
    if (text.length <= latestChars) latest[text.length] = known
    return known.result
  }
}
