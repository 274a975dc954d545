/** A string, or one of the characters that structure JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * The line of a value in a JSON text, from 1; of its nearest parent when it is missing.
 * @param path keys and indexes, joined by full stops
 */
export function lineOf(text: string, path: string): number | undefined {
  const wanted = path === '' ? [] : path.split('.')
  /** The keys down to the current place; of an array its index. */
  const at: (string | number)[] = []
  const kinds: ('object' | 'array')[] = []
  let [best, bestDepth] = [undefined as number | undefined, -1]
  let key: string | undefined
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '}' || token === ']') {
      kinds.pop()
      at.pop()
      continue
    }
    if (token === ',') {
      if (kinds.at(-1) === 'array') at.push((at.pop() as number) + 1)
      continue
    }
    if (token === ':') continue
    const inObject = kinds.at(-1) === 'object'
    if (inObject && key === undefined && token.startsWith('"')) {
      key = JSON.parse(token) as string
      at.pop()
      at.push(key)
    } else key = undefined
    const depth = at.length
    const isOnPath = depth <= wanted.length && at.every((part, level) => String(part) === wanted[level])
    if (isOnPath && depth > bestDepth) {
      best = text.slice(0, index).split('\n').length
      bestDepth = depth
    }
    if (token === '{' || token === '[') {
      kinds.push(token === '{' ? 'object' : 'array')
      at.push(token === '{' ? '' : 0)
      key = undefined
    }
  }
  return best
}
