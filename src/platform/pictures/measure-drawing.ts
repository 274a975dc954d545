/** How much there is to a drawing. */
export interface DrawingSize {
  /** Elements, comments and whatever else stands between `<` and `>`. */
  parts: number
  /** Attributes of the element that has most. */
  attributes: number
  /** Elements in each other. */
  levels: number
}

/** What is passed over as a whole, and with what it ends. */
const passages: [start: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/** Measures a drawing by one walk through its text: what is made of it in memory costs the square of some of these. */
export function measureDrawing(text: string): DrawingSize {
  const size = { parts: 0, attributes: 0, levels: 0 }
  let level = 0
  let at = text.indexOf('<')
  for (; at !== -1; at = text.indexOf('<', at)) {
    size.parts++
    const behind = behindPassage(text, at)
    if (behind !== undefined) {
      at = behind
    } else if (text.startsWith('<!', at)) {
      at = behindDeclaration(text, at + 2)
    } else if (text.startsWith('</', at)) {
      level--
      at += 2
    } else {
      const tag = behindTag(text, at + 1)
      size.attributes = Math.max(size.attributes, tag.attributes)
      size.levels = Math.max(size.levels, level + 1)
      if (text[tag.behind - 2] !== '/') level++
      at = tag.behind
    }
  }
  return size
}

/** Behind a comment or the like that begins here; undefined where none does. */
function behindPassage(text: string, at: number): number | undefined {
  const passage = passages.find(([start]) => text.startsWith(start, at))
  if (!passage) return undefined
  const [start, end] = passage
  const found = text.indexOf(end, at + start.length)
  return found === -1 ? text.length : found + end.length
}

/** Behind a tag: a `>` in a value does not end it. */
function behindTag(text: string, from: number): { behind: number; attributes: number } {
  let attributes = 0
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '>') return { behind: at + 1, attributes }
    if (sign !== '"' && sign !== "'") continue
    attributes++
    at = behindQuote(text, at) - 1
  }
  return { behind: text.length, attributes }
}

/** Behind `<!DOCTYPE … [ … ]>`, in which a `>` may end what is declared there. */
function behindDeclaration(text: string, from: number): number {
  let inside = false
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '[') inside = true
    else if (sign === ']') inside = false
    else if (sign === '>' && !inside) return at + 1
    else if (sign === '"' || sign === "'") at = behindQuote(text, at) - 1
    else if (sign === '<') at = (behindPassage(text, at) ?? at + 1) - 1
  }
  return text.length
}

const behindQuote = (text: string, at: number): number => {
  const end = text.indexOf(text[at] as string, at + 1)
  return end === -1 ? text.length : end + 1
}
