import { readFile, writeFile } from 'node:fs/promises'
import type { Config } from 'dompurify'
import { ImageRejected, type ImageTask, type ProbedImage } from './image-tasks.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
/** Data URLs of raster images. An embedded SVG is not allowed, because it would not be sanitized. */
const rasterDataUrl = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i

const config: Config & { IN_PLACE: true } = {
  IN_PLACE: true,
  USE_PROFILES: { svg: true, svgFilters: true },
  // Drawing programs repeat shapes with `use`; the attribute hook restricts it to references within the file.
  ADD_TAGS: ['use'],
  FORBID_TAGS: ['foreignObject', 'animate', 'animateMotion', 'animateTransform', 'set'],
}

/** Writes the SVG to `task.to` without scripts, animations and references to other files. @throws {ImageRejected} */
export async function sanitizeSvg(task: Extract<ImageTask, { kind: 'sanitize' }>): Promise<ProbedImage> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(task.file))
  const { nodes, attributes, depth } = measureSvg(text)
  if (nodes > task.svg.nodes) throw new ImageRejected('nodes')
  if (attributes > task.svg.attributes) throw new ImageRejected('attributes')
  if (depth > task.svg.depth) throw new ImageRejected('depth')
  // The libraries are imported only now, because importing takes longer than refusing an oversized SVG.
  const [{ JSDOM }, { default: createDOMPurify }, { default: sharp }] = await Promise.all([
    import('jsdom'),
    import('dompurify'),
    import('sharp'),
  ])
  const { window } = new JSDOM('')
  // Parsed as XML, as browsers parse the file; entities that it declares are not expanded.
  const { documentElement: root } = new window.DOMParser().parseFromString(text, 'image/svg+xml')
  if (root.namespaceURI !== svgNamespace || root.localName !== 'svg') throw new ImageRejected('unreadable')

  const purify = createDOMPurify(window)
  purify.addHook('uponSanitizeAttribute', (_node, attribute) => {
    const { attrName, attrValue } = attribute
    if (attrName === 'href' || attrName === 'xlink:href') {
      attribute.keepAttr = attrValue.startsWith('#') || rasterDataUrl.test(attrValue)
    } else if (canLoadFile(attrValue)) attribute.keepAttr = false
  })
  purify.addHook('uponSanitizeElement', (node, { tagName }) => {
    if (tagName === 'style' && canLoadFile(node.textContent ?? '')) node.parentNode?.removeChild(node)
  })
  purify.sanitize(root, config)
  const sanitized = Buffer.from(new window.XMLSerializer().serializeToString(root))

  const { width, height } = await sharp(sanitized, { limitInputPixels: false }).metadata()
  if (width * height > task.maxPixels) throw new ImageRejected('pixels')
  // Renders it once: an SVG whose nested references grow exponentially exceeds the time limit of this process here.
  await sharp(sanitized).resize(64, 64, { fit: 'inside' }).png().toBuffer()
  await writeFile(task.to, sanitized, { flush: true })
  return { width, height, frames: 1, placeholder: null, previewBytes: null }
}

/** Whether a style may load another file. It is checked with comments too, because `/*` within a string does not begin one. */
const canLoadFile = (style: string): boolean =>
  hasFileReference(style) || hasFileReference(style.replace(/\/\*.*?(?:\*\/|$)/gs, ''))

/** Escapes (`u\72l(`) are decoded first, as a browser does: one white space after the digits belongs to the escape. */
function hasFileReference(style: string): boolean {
  const decoded = style.replace(/\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(.))/gis, (_, code, character) =>
    code ? decodeEscape(code) : character,
  )
  return (
    /@import|@font-face|expression\s*\(/i.test(decoded) ||
    /\b(?:src|image|image-set|cross-fade|element|paint)\(/i.test(decoded) ||
    /url\((?!\s*(?:["']\s*)?#)/i.test(decoded)
  )
}

const decodeEscape = (hexCode: string) => {
  const code = Number.parseInt(hexCode, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

interface SvgComplexity {
  /** The number of tags, comments and other markup that begins with `<`. */
  nodes: number
  /** The number of attributes of the element that has the most. */
  attributes: number
  /** The greatest depth of nested elements. */
  depth: number
}

/** Markup that contains no elements, by its start and end. */
const skippedSections: [start: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/** Measures an SVG in one linear scan before it is parsed, because parsing takes quadratic time in some of these numbers. */
function measureSvg(text: string): SvgComplexity {
  const complexity: SvgComplexity = { nodes: 0, attributes: 0, depth: 0 }
  let level = 0
  let index = text.indexOf('<')
  for (; index !== -1; index = text.indexOf('<', index)) {
    complexity.nodes++
    const end = endOfSection(text, index)
    if (end !== undefined) {
      index = end
    } else if (text.startsWith('<!', index)) {
      index = endOfDoctype(text, index + 2)
    } else if (text.startsWith('</', index)) {
      level--
      index += 2
    } else {
      const tag = endOfTag(text, index + 1)
      complexity.attributes = Math.max(complexity.attributes, tag.attributes)
      complexity.depth = Math.max(complexity.depth, level + 1)
      const isSelfClosing = text[tag.end - 2] === '/'
      if (!isSelfClosing) level++
      index = tag.end
    }
  }
  return complexity
}

// The ends below are exclusive; markup that is not closed ends with the text.

/** The end of a skipped section that begins at `index`; undefined if none does. */
function endOfSection(text: string, index: number): number | undefined {
  const section = skippedSections.find(([start]) => text.startsWith(start, index))
  if (!section) return undefined
  const [start, end] = section
  const endIndex = text.indexOf(end, index + start.length)
  return endIndex === -1 ? text.length : endIndex + end.length
}

/** The end of a tag, and its number of quoted attribute values; a `>` within one does not end the tag. */
function endOfTag(text: string, start: number): { end: number; attributes: number } {
  let attributes = 0
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === '>') return { end: index + 1, attributes }
    if (character !== '"' && character !== "'") continue
    attributes++
    index = endOfQuote(text, index) - 1
  }
  return { end: text.length, attributes }
}

/** The end of `<!DOCTYPE … [ … ]>`; a `>` between the brackets does not end it. */
function endOfDoctype(text: string, start: number): number {
  let inBrackets = false
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === '[') inBrackets = true
    else if (character === ']') inBrackets = false
    else if (character === '>' && !inBrackets) return index + 1
    else if (character === '"' || character === "'") index = endOfQuote(text, index) - 1
    else if (character === '<') index = (endOfSection(text, index) ?? index + 1) - 1
  }
  return text.length
}

/** @param index that of the opening quote */
const endOfQuote = (text: string, index: number): number => {
  const end = text.indexOf(text[index] as string, index + 1)
  return end === -1 ? text.length : end + 1
}
