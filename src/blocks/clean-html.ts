import sanitizeHtml from 'sanitize-html'
import { isLinkUrl } from '../contract/url.ts'

/** What rich text may hold, and what each tag may carry. Everything else is dropped; of scripts and styles also the text. */
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
    a: keep('href', isLinkUrl),
    ol: keep('start', (start) => /^\d{1,4}$/.test(start)),
    th: keep('scope', (scope) => scope === 'col' || scope === 'row'),
  },
  // The list above decides; this one would refuse `#prijzen` and let `//elsewhere` through.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 30,
  // No style passes, so none is read: the browser's copy comes without the package that would.
  parseStyleAttributes: false,
}

/** Two are enough for all that is known; the bound is for what is not. */
const mostRounds = 8

/** Makes html of unknown origin safe to store and to show. Cleaning twice changes nothing. */
export function cleanHtml(html: string): string {
  let cleaned = sanitizeHtml(html, options)
  // A tag that was dropped can leave others where a browser would part them, such as a table in a paragraph.
  for (let rounds = 0; rounds < mostRounds; rounds++) {
    const again = sanitizeHtml(cleaned, options)
    if (again === cleaned) break
    cleaned = again
  }
  return cleaned
}

/** A function declaration, for the list above is made before this line is reached. */
function keep(name: string, isFine: (value: string) => boolean): sanitizeHtml.Transformer {
  return (tagName, attributes) => {
    const value = attributes[name]
    const attribs: sanitizeHtml.Attributes = value !== undefined && isFine(value) ? { [name]: value } : {}
    return { tagName, attribs }
  }
}
