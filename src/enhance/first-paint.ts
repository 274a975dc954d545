/** Filled in by the build. */
declare const enhanceUrl: string

/**
 * Stands in the head of every page. What a visitor can do without comes after the first paint: the lower part of the
 * page, the fonts, whose place is held by faces as wide as they are, and the enhancements. Who comes from another page
 * has the fonts already, and who goes to a part of the page or back to it needs all of it: they get everything at once.
 */
const { classList } = document.documentElement
const seen = new Promise<unknown>((resolve) => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const { hash, origin } = location
  if (hash || visit?.type !== 'navigate' || document.referrer.startsWith(`${origin}/`)) return resolve(visit)
  classList.add('early')
  new PerformanceObserver(() => {
    if (document.readyState !== 'loading') return resolve(visit)
    // What was painted is the beginning of a page that is still on its way.
    document.addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }).observe({ type: 'paint', buffered: true })
  // A page in the background is not painted.
  setTimeout(resolve, 1_000)
})

const showAll = () => classList.remove('early')

seen.then(async () => {
  // Laid out once, in its own fonts, when those are quick.
  setTimeout(showAll, 150)
  import(enhanceUrl)
  // The first rules of the stylesheet hold the fonts, and count only where there is no script.
  const [fonts] = document.styleSheets[0]?.cssRules ?? []
  const faces = [...(fonts as CSSMediaRule).cssRules].map((rule) => {
    const say = (name: string) => (rule as CSSFontFaceRule).style.getPropertyValue(name)
    const ranges = say('unicode-range')
    // A rule gives its family in quotes, which would be part of the name here.
    return new FontFace(say('font-family').replaceAll('"', ''), say('src'), {
      weight: say('font-weight'),
      ...(ranges && { unicodeRange: ranges }),
    }).load()
  })
  // All at once, so that the page changes once.
  for (const face of await Promise.all(faces)) document.fonts.add(face)
  requestAnimationFrame(() => setTimeout(showAll))
})
