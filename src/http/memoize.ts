/** Longer texts are not cached in `latest`; no real header value is as long. */
const maxLatestChars = 512

/**
 * Caches the results of a function by its argument, for values of headers: browsers send a limited number of different ones.
 * @param max the maximum number of cached results; when it is reached, the cache is cleared
 */
export function memoize<Result>(max: number, compute: (text: string) => Result): (text: string) => Result {
  interface Entry {
    text: string
    result: Result
  }
  const results = new Map<string, Entry>()
  /** The latest entry by the length of its text: comparing texts takes a fifth of the time of hashing one. */
  const latest: (Entry | undefined)[] = []
  return (text) => {
    const candidate = latest[text.length]
    if (candidate?.text === text) return candidate.result
    let entry = results.get(text)
    if (!entry) {
      if (results.size >= max) results.clear()
      entry = { text, result: compute(text) }
      results.set(text, entry)
    }
    if (text.length <= maxLatestChars) latest[text.length] = entry
    return entry.result
  }
}
