import { JSDOM } from 'jsdom'

/** Well-known payloads that run where text is not escaped (OWASP filter evasion and PortSwigger). */
export const scriptsInText = [
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
  '\u003cscript\u003ealert(1)\u003c/script\u003e',
  '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '<a href="javascript:alert(1)">x</a>',
  ']]><script>alert(1)</script>',
] as const

/** URLs that run a script, or hide their destination. */
export const forbiddenUrls = [
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

/** Anything on a page that would run: scripts beside the own scripts of the page, event handlers, and javascript: URLs. */
export function whatRuns(html: string): string[] {
  const { document } = new JSDOM(html).window
  const all = [...document.querySelectorAll('*')]
  const handlers = all.flatMap((element) =>
    [...element.attributes]
      .filter(
        ({ name, value }) =>
          name.startsWith('on') || name === 'srcdoc' || /^\s*(javascript|vbscript):/i.test(value.replace(/\s/g, '')),
      )
      .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  )
  const scripts = [...document.querySelectorAll('script')]
    .filter(
      (script) =>
        script.textContent?.includes('alert(1)') && !['application/ld+json', 'application/json'].includes(script.type),
    )
    .map((script) => script.outerHTML)
  const strange = all
    .filter((one) => ['IFRAME', 'OBJECT', 'EMBED', 'MATH', 'BASE'].includes(one.tagName))
    .map((one) => one.outerHTML)
  return [...handlers, ...scripts, ...strange]
}
