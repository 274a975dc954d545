import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHtml } from './clean-html.ts'

const attacks: Record<string, string> = {
  'a script': '<p>Hoi<script>alert(1)</script></p>',
  'a script in pieces': '<scr<script>ipt>alert(1)</scr</script>ipt>',
  'a handler': '<p onclick="alert(1)">Hoi</p><img src=x onerror=alert(1)>',
  'a script in a link': '<a href="javascript:alert(1)">Hoi</a>',
  'a script in a link, in entities': '<a href="&#106;avascript&colon;alert(1)">Hoi</a>',
  'a script in a link, with a tab': '<a href="java\tscript:alert(1)">Hoi</a>',
  'a script in a link, in capitals': '<a href=" JaVaScRiPt:alert(1)">Hoi</a>',
  'data in a link': '<a href="data:text/html,<script>alert(1)</script>">Hoi</a>',
  'an address without a scheme': '<a href="//kwaad.example/">Hoi</a>',
  'an svg': '<svg><a href="javascript:alert(1)"><circle r="9"/></a></svg>',
  'an svg with a style that holds a tag': '<svg><style><img src=x onerror=alert(1)></style></svg>',
  'a comment that ends early': '<!--><img src=x onerror=alert(1)>-->',
  'math that changes how text is read':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  'a frame': '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  'a form': '<form action="https://kwaad.example"><input name="naam"><button>Hoi</button></form>',
  'a style': '<p style="background:url(javascript:alert(1))">Hoi</p><style>*{display:none}</style>',
  'a base': '<base href="https://kwaad.example/">',
  'an attribute that ends early': '<a href="/&quot; onclick=&quot;alert(1)">Hoi</a>',
}

const allowedTag =
  /^<\/?(?:p|br|strong|em|a|h2|h3|h4|ul|ol|li|blockquote|code|table|thead|tbody|tr|th|td|hr)(?: (?:href|start|scope)="[^"<>]*")?(?: \/)?>$/
const allowedLink = /^(?:https?:\/\/[^/]|mailto:|tel:|\/(?!\/)|#)/

/** Whether HTML contains only the allowed tags, each with at most its one attribute, and only allowed links. */
function isClean(html: string): boolean {
  const tags = html.match(/<[^>]*>?/g) ?? []
  const links = [...html.matchAll(/ href="([^"]*)"/g)].map(([, link]) => (link ?? '').replaceAll('&amp;', '&'))
  return tags.every((tag) => allowedTag.test(tag)) && links.every((link) => allowedLink.test(link))
}

test.each(Object.entries(attacks))('%s does not get through', (_, attack) => {
  expect(cleanHtml(attack)).toSatisfy(isClean)
})

test('markup of the editor is unchanged', () => {
  const written =
    '<h2>Kop</h2><p>Een <strong>vette</strong> en <em>schuine</em> tekst met een <a href="/privacy-verklaring">link</a>.</p><ul><li>een</li></ul><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>'

  expect(cleanHtml(written)).toBe(written)
})

test('a page has one main heading, so h1 in a text becomes h2', () => {
  expect(cleanHtml('<h1>Groot</h1>')).toBe('<h2>Groot</h2>')
})

const scrap = fc.oneof(
  fc.constantFrom(...Object.values(attacks)),
  fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '&lt;',
    '&#x3c;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '/',
    '=',
    '\0',
    '\u2028',
  ),
  fc.constantFrom(
    '<a href="',
    '<p ',
    ' on',
    'onload=',
    'style=',
    'src=',
    'javascript:',
    'vbscript:',
    'data:',
    'xlink:href=',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

test('sanitized HTML contains nothing executable, and sanitizing twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 12 }), (scraps) => {
      const cleaned = cleanHtml(scraps.join(''))

      expect(cleaned).toSatisfy(isClean)
      expect(cleanHtml(cleaned)).toBe(cleaned)
    }),
    { numRuns: 500 },
  )
})
