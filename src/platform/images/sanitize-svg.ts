import { readFile, writeFile } from 'node:fs/promises'
import type { Config } from 'dompurify'
import { ImageRejected, type ImageTask, type ProbedImage } from './image-tasks.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
/** Embedded raster images; an embedded SVG could embed the next one. */
const embeddedImage = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i

const config: Config & { IN_PLACE: true } = {
  IN_PLACE: true,
  USE_PROFILES: { svg: true, svgFilters: true },
  // Drawing programs repeat shapes with `use`; the attribute hook restricts it to references within the file.
  ADD_TAGS: ['use'],
  FORBID_TAGS: ['foreignObject', 'animate', 'animateMotion', 'animateTransform', 'set'],
}

/**
 * Writes the SVG to `task.to` without scripts and references to other files.
 * @throws {ImageRejected} when it exceeds a limit or is no SVG
 */
export async function sanitizeSvg(task: Extract<ImageTask, { kind: 'sanitize' }>): Promise<ProbedImage> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(task.file))
  const { nodes, attributes, depth } = measureSvg(text)
  if (nodes > task.svg.nodes) throw new ImageRejected('nodes')
  if (attributes > task.svg.attributes) throw new ImageRejected('attributes')
  if (depth > task.svg.depth) throw new ImageRejected('depth')
  // Loaded after the measuring: the libraries take longer to load than an oversized SVG takes to refuse.
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
      attribute.keepAttr = attrValue.startsWith('#') || embeddedImage.test(attrValue)
    } else if (loadsOtherFile(attrValue)) attribute.keepAttr = false
  })
  purify.addHook('uponSanitizeElement', (node, { tagName }) => {
    if (tagName === 'style' && loadsOtherFile(node.textContent ?? '')) node.parentNode?.removeChild(node)
  })
  purify.sanitize(root, config)
  const clean = Buffer.from(new window.XMLSerializer().serializeToString(root))

  const { width, height } = await sharp(clean, { limitInputPixels: false }).metadata()
  if (width * height > task.maxPixels) throw new ImageRejected('pixels')
  // Rendered once at a small size: an SVG whose nested references grow exponentially exceeds the time limit here.
  await sharp(clean).resize(64, 64, { fit: 'inside' }).png().toBuffer()
  await writeFile(task.to, clean, { flush: true })
  return { width, height, frames: 1, placeholder: null, previewBytes: null }
}

/**
 * Whether a style loads another file, by an at-rule or by a function with a URL other than `url(#…)`. It is checked with
 * and without comments, because `/*` within a string does not begin a comment.
 */
const loadsOtherFile = (style: string): boolean =>
  namesOtherFile(style) || namesOtherFile(style.replace(/\/\*.*?(?:\*\/|$)/gs, ''))

/** Escapes (`u\72l(`) are resolved first, as a browser does: one space or line end after the digits is part of it. */
function namesOtherFile(style: string): boolean {
  const plain = style.replace(/\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(.))/gis, (_, code, character) =>
    code ? characterOf(code) : character,
  )
  return (
    /@import|@font-face|expression\s*\(/i.test(plain) ||
    /\b(?:src|image|image-set|cross-fade|element|paint)\(/i.test(plain) ||
    /url\((?!\s*(?:["']\s*)?#)/i.test(plain)
  )
}

const characterOf = (hexCode: string) => {
  const code = Number.parseInt(hexCode, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

interface SvgSize {
  /** Elements, comments and everything else between `<` and `>`. */
  nodes: number
  /** Attributes of the element with the most. */
  attributes: number
  /** Depth of nested elements. */
  depth: number
}

/** Sections that contain no elements, by how they start and end. */
const skippedSections: [start: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/** Measures an SVG in one linear scan before it is parsed: parsing takes quadratic time in some of these numbers. */
function measureSvg(text: string): SvgSize {
  const size: SvgSize = { nodes: 0, attributes: 0, depth: 0 }
  let level = 0
  let at = text.indexOf('<')
  for (; at !== -1; at = text.indexOf('<', at)) {
    size.nodes++
    const end = endOfSection(text, at)
    if (end !== undefined) {
      at = end
    } else if (text.startsWith('<!', at)) {
      at = endOfDoctype(text, at + 2)
    } else if (text.startsWith('</', at)) {
      level--
      at += 2
    } else {
      const tag = endOfTag(text, at + 1)
      size.attributes = Math.max(size.attributes, tag.attributes)
      size.depth = Math.max(size.depth, level + 1)
      if (text[tag.end - 2] !== '/') level++
      at = tag.end
    }
  }
  return size
}

/** The end of a skipped section that begins here; undefined if none does. */
function endOfSection(text: string, at: number): number | undefined {
  const section = skippedSections.find(([start]) => text.startsWith(start, at))
  if (!section) return undefined
  const [start, end] = section
  const found = text.indexOf(end, at + start.length)
  return found === -1 ? text.length : found + end.length
}

/** The end of a tag; a `>` within an attribute value does not end it. */
function endOfTag(text: string, from: number): { end: number; attributes: number } {
  let attributes = 0
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '>') return { end: at + 1, attributes }
    if (sign !== '"' && sign !== "'") continue
    attributes++
    at = endOfQuote(text, at) - 1
  }
  return { end: text.length, attributes }
}

/** The end of `<!DOCTYPE … [ … ]>`; a `>` between the brackets does not end it. */
function endOfDoctype(text: string, from: number): number {
  let inside = false
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '[') inside = true
    else if (sign === ']') inside = false
    else if (sign === '>' && !inside) return at + 1
    else if (sign === '"' || sign === "'") at = endOfQuote(text, at) - 1
    else if (sign === '<') at = (endOfSection(text, at) ?? at + 1) - 1
  }
  return text.length
}

const endOfQuote = (text: string, at: number): number => {
  const end = text.indexOf(text[at] as string, at + 1)
  return end === -1 ? text.length : end + 1
}
