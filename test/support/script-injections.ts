import { parseHtml } from './parse-html.ts'

/**
 * Well-known payloads that run where text is not escaped (OWASP filter evasion and PortSwigger). `script-payloads.ts` has a
 * longer list; this one is for tests that try each payload in many places.
 */
export const scriptInjections = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><svg onload=alert(1)>",
  '<img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  '<svg><script>alert&#40;1)</script></svg>',
  '<math><mtext></p><style><img src=x onerror=alert(1)></style>',
  '<details open ontoggle=alert(1)>',
  '<body onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '" autofocus onfocus=alert(1) x="',
  "' onmouseover='alert(1)",
  '{{constructor.constructor("alert(1)")()}}',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '<a href="javascript:alert(1)">x</a>',
  ']]><script>alert(1)</script>',
] as const

/** URLs that run a script, or hide their destination. */
export const commonForbiddenUrls = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.nl/x',
  '//evil.example',
  '/\\evil.example',
] as const

/**
 * Finds what an injected payload left on a page that would run: scripts that call `alert(1)`, event handlers, `srcdoc`,
 * `javascript:` URLs, and elements that the site itself never uses.
 */
export function findInjectedScripts(page: string | Document): string[] {
  const document = typeof page === 'string' ? parseHtml(page) : page
  const allElements = [...document.querySelectorAll('*')]
  const handlers = allElements.flatMap((element) =>
    element
      .getAttributeNames()
      .map((name) => [name, element.getAttribute(name) ?? ''] as const)
      .filter(
        ([name, value]) =>
          name.startsWith('on') || name === 'srcdoc' || /^\s*(javascript|vbscript):/i.test(value.replace(/\s/g, '')),
      )
      .map(([name, value]) => `${element.tagName} ${name}=${value}`),
  )
  const scripts = [...document.querySelectorAll('script')]
    .filter(
      (script) =>
        script.textContent?.includes('alert(1)') && !['application/ld+json', 'application/json'].includes(script.type),
    )
    .map((script) => script.outerHTML)
  const unexpectedElements = allElements
    .filter((element) => ['IFRAME', 'OBJECT', 'EMBED', 'MATH', 'BASE'].includes(element.tagName))
    .map((element) => element.outerHTML)
  return [...handlers, ...scripts, ...unexpectedElements]
}
