/** Replaced at build time. */
declare const enhanceUrl: string

/**
 * Inlined in the head of every page. It defers what the first paint does not need: the lower part of the page, the web
 * fonts (fallback fonts of the same width are shown first) and the enhancements. A visitor who navigates within the
 * site has the fonts cached, and one who opens a fragment or goes back needs the whole page, so for them nothing is
 * deferred.
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
  // A background tab is not painted.
  setTimeout(resolve, 1_000)
})

const showAll = () => {
  const show = () => classList.remove('early')
  // Some browsers lay out what stands below a stylesheet before it has arrived.
  const link = document.querySelector<HTMLLinkElement>('main>link')
  if (!link || link.sheet || document.readyState === 'complete') show()
  else link.onload = window.onload = show
}

painted.then(async () => {
  // One layout in the final fonts, if they load quickly.
  setTimeout(showAll, 150)
  import(enhanceUrl)
  // The first rules of the stylesheet are the fonts, which apply only without JavaScript.
  const [fonts] = document.styleSheets[0]?.cssRules ?? []
  const faces = [...(fonts as CSSMediaRule).cssRules].map((rule) => {
    const property = (name: string) => (rule as CSSFontFaceRule).style.getPropertyValue(name)
    const ranges = property('unicode-range')
    // CSS quotes the family name; FontFace does not.
    return new FontFace(property('font-family').replaceAll('"', ''), property('src'), {
      weight: property('font-weight'),
      ...(ranges && { unicodeRange: ranges }),
    }).load()
  })
  // Added together, so that the page is laid out once.
  for (const face of await Promise.allSettled(faces)) if (face.status === 'fulfilled') document.fonts.add(face.value)
  requestAnimationFrame(() => setTimeout(showAll))
})
