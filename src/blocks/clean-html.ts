import sanitizeHtml from 'sanitize-html'
import { isLinkUrl } from '../contract/url.ts'

/** The allowed tags of rich text and their attributes. Other tags are removed, scripts and styles with their text. */
const allowedAttributes: Record<string, string[]> = {
  p: [],
  br: [],
  strong: [],
  em: [],
  a: ['href'],
  h2: [],
  h3: [],
  h4: [],
  ul: [],
  ol: ['start'],
  li: [],
  blockquote: [],
  code: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['scope'],
  td: [],
  hr: [],
}

const options: sanitizeHtml.IOptions = {
  allowedTags: Object.keys(allowedAttributes),
  allowedAttributes,
  transformTags: {
    b: 'strong',
    i: 'em',
    h1: 'h2',
    a: allowAttribute('href', isLinkUrl),
    ol: allowAttribute('start', (start) => /^\d{1,4}$/.test(start)),
    th: allowAttribute('scope', (scope) => scope === 'col' || scope === 'row'),
  },
  // The list above decides; the library's own check would refuse `#prijzen` and allow `//elsewhere`.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 30,
  // No style attributes are allowed, so parsing them is off; the browser bundle omits that package.
  parseStyleAttributes: false,
}

/** Two rounds suffice for all known input; the limit guards against the rest. */
const maxRounds = 8

/** No editor nests deeper, and parsing time is quadratic in the depth. */
const maxLevels = 100

/** Thrown for HTML with more than 100 nested elements, before the rest of it is parsed. */
export class NestedTooDeep extends Error {}

/** Sanitizes untrusted HTML for storage and display. It is idempotent. @throws {NestedTooDeep} */
export function cleanHtml(html: string): string {
  let levels = 0
  let cleaned = sanitizeHtml(html, {
    ...options,
    onOpenTag() {
      levels++
      if (levels > maxLevels) throw new NestedTooDeep()
    },
    onCloseTag() {
      levels--
    },
  })
  // Removing a tag can leave elements nested as a browser would not, such as a table in a paragraph.
  for (let before = html, rounds = 0; cleaned !== before && rounds < maxRounds; rounds++) {
    before = cleaned
    cleaned = sanitizeHtml(before, options)
  }
  return cleaned
}

/** A function declaration, because the list above uses it before this line. */
function allowAttribute(name: string, isFine: (value: string) => boolean): sanitizeHtml.Transformer {
  return (tagName, attributes) => {
    const value = attributes[name]
    const attribs: sanitizeHtml.Attributes = value !== undefined && isFine(value) ? { [name]: value } : {}
    return { tagName, attribs }
  }
}
