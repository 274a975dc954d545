/** The URL of `main.ts`, replaced at build time. */
declare const enhanceUrl: string

/**
 * Inlined in the head of every page. It defers what the first paint does not need: the lower part of the page, the web
 * fonts (fallback fonts of the same width are shown first) and the enhancements. Nothing is deferred for a visitor who
 * navigates within the site (the fonts are cached), opens a fragment or goes back (the whole page is needed).
 */
const { classList } = document.documentElement
const painted = new Promise<unknown>((resolve) => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const { hash, origin } = location
  if (hash || visit?.type !== 'navigate' || document.referrer.startsWith(`${origin}/`)) return resolve(visit)
  classList.add('early')
  new PerformanceObserver(() => {
    if (document.readyState !== 'loading') return resolve(visit)
    // The first paint may show a page that is still loading.
    document.addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }).observe({ type: 'paint', buffered: true })
  // The fallback for a background tab, which is not painted.
  setTimeout(resolve, 1_000)
})

const showAll = () => {
  const show = () => classList.remove('early')
  // Some browsers lay out the content below a stylesheet link before the stylesheet is loaded.
  const link = document.querySelector<HTMLLinkElement>('main>link')
  if (!link || link.sheet || document.readyState === 'complete') show()
  else link.onload = window.onload = show
}

painted.then(async () => {
  // If the fonts load within this time, the page is laid out only once.
  setTimeout(showAll, 150)
  import(enhanceUrl)
  // The first rule of the stylesheet is a media query for pages without JavaScript, with the `@font-face` rules.
  const [fontRules] = document.styleSheets[0]?.cssRules ?? []
  const faces = [...(fontRules as CSSMediaRule).cssRules].map((rule) => {
    const property = (name: string) => (rule as CSSFontFaceRule).style.getPropertyValue(name)
    const unicodeRange = property('unicode-range')
    // CSS quotes the family name; FontFace does not.
    return new FontFace(property('font-family').replaceAll('"', ''), property('src'), {
      weight: property('font-weight'),
      ...(unicodeRange && { unicodeRange }),
    }).load()
  })
  // Added together, so that the page is laid out only once.
  for (const face of await Promise.allSettled(faces)) if (face.status === 'fulfilled') document.fonts.add(face.value)
  requestAnimationFrame(() => setTimeout(showAll))
})
