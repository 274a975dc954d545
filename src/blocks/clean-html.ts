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
  // `isLinkUrl` decides, above. The library alone would refuse `#prijzen` and by default allow `//example.com`.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 30,
  // No style attributes are allowed, so parsing them is off; the browser bundle omits that package.
  parseStyleAttributes: false,
}

/** Two rounds suffice for all known input; the limit prevents an endless loop for any other. */
const maxRounds = 8

/** Limits parsing time, which is quadratic in the depth. No editor nests elements deeper. */
const maxLevels = 100

/** Thrown for HTML with more than `maxLevels` nested elements, before the rest of it is parsed. */
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
  // Until nothing changes: a removed tag can leave elements nested as in no browser, such as a table in a paragraph.
  for (let previous = html, rounds = 0; cleaned !== previous && rounds < maxRounds; rounds++) {
    previous = cleaned
    cleaned = sanitizeHtml(previous, options)
  }
  return cleaned
}

/** Keeps only this attribute, if its value is allowed. A declaration, because `options` calls it earlier. */
function allowAttribute(name: string, isAllowed: (value: string) => boolean): sanitizeHtml.Transformer {
  return (tagName, attributes) => {
    const value = attributes[name]
    const attribs: sanitizeHtml.Attributes = value !== undefined && isAllowed(value) ? { [name]: value } : {}
    return { tagName, attribs }
  }
}
