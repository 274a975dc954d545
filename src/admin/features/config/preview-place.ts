/** What a form can be about, and how the site's pages call it. */
const places = { prices: '.pricing', subscriptions: '.subscriptions', contact: '.contact', footer: '.foot' } as const
export type PreviewPlace = keyof typeof places

/** What one sees of a page, told by one of its parts: what stands above that part may grow and shrink. */
export interface Sight {
  /** Where the part begins, below the upper edge; undefined: it is not on this page. */
  top: number | undefined
  scrolled: number
}

export const sightOf = (frame: HTMLIFrameElement, place: PreviewPlace | undefined): Sight => ({
  top: partIn(frame, place)?.getBoundingClientRect().top,
  scrolled: frame.contentWindow?.scrollY ?? 0,
})

/** Brings the part in sight that a form is about; a page without it stays as it is. */
export function showPlace(frame: HTMLIFrameElement, place: PreviewPlace | undefined): void {
  const page = frame.contentDocument
  if (!page || !partIn(frame, place)) return
  // Below the bar that stays when one scrolls.
  const bar = Number.parseFloat(getComputedStyle(page.documentElement).scrollPaddingBlockStart) || 0
  keepSight(frame, place, { top: bar, scrolled: 0 })
}

/** Shows the same of a page as was seen before; once more when the fonts have come, unless somebody scrolled meanwhile. */
export function keepSight(frame: HTMLIFrameElement, place: PreviewPlace | undefined, sight: Sight): void {
  const view = frame.contentWindow
  if (!view) return
  const scroll = () => {
    const top = partIn(frame, place)?.getBoundingClientRect().top
    // Not `scrollIntoView`: that would also move the screen that the frame stands in.
    const there = top === undefined || sight.top === undefined ? sight.scrolled : view.scrollY + top - sight.top
    view.scrollTo({ top: there, behavior: 'instant' })
  }
  scroll()
  const put = view.scrollY
  void view.document.fonts.ready.then(() => view.scrollY === put && scroll())
}

const partIn = (frame: HTMLIFrameElement, place: PreviewPlace | undefined): Element | null =>
  place ? (frame.contentDocument?.querySelector(places[place]) ?? null) : null
