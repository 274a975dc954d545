import { isbot } from 'isbot'
import type { Locale } from '../contract/locales.ts'

/** How often a page was looked at, in one language. */
export interface ViewedPage {
  /** Without the language: `/disclaimer`. */
  path: string
  locale: Locale
  views: number
}

/** How a reader shows itself: two headers, as they were sent. */
export interface Reader {
  agent: string | null | undefined
  /** `Sec-Purpose` or `Purpose`: a browser that fetches a page before anybody wants it says so. */
  purpose: string | null | undefined
}

/**
 * Counts in memory how often people look at pages, until somebody takes the counts. Nothing is known of who looked:
 * neither address, nor browser, nor cookie.
 */
export class PageViews {
  readonly #viewed = new Set<ViewedPage>()

  /** Counts once for a person. It stands on the path of every visit, so the page brings its own counter. */
  count(page: ViewedPage, { agent, purpose }: Reader): void {
    if (!agent || purpose || !isPerson(agent)) return
    if (page.views++ === 0) this.#viewed.add(page)
  }

  /** What was counted since the last time, each page once. */
  take(): ViewedPage[] {
    const taken = new Map<string, ViewedPage>()
    for (const page of this.#viewed) {
      const { path, locale, views } = page
      const key = `${locale} ${path}`
      taken.set(key, { path, locale, views: views + (taken.get(key)?.views ?? 0) })
      page.views = 0
    }
    this.#viewed.clear()
    return [...taken.values()]
  }

  /** What was taken and could not be stored is counted with the next. */
  giveBack(pages: readonly ViewedPage[]): void {
    for (const page of pages) this.#viewed.add(page)
  }
}

/** Browsers name themselves in a handful of ways, so each is judged once. */
const judged = new Map<string, boolean>()
const judgedMost = 500
/** No browser's name is longer; judging a very long one would take long. */
const agentChars = 512

function isPerson(agent: string): boolean {
  const known = judged.get(agent)
  if (known !== undefined) return known
  if (agent.length > agentChars) return false
  const person = !isbot(agent)
  if (judged.size >= judgedMost) judged.clear()
  judged.set(agent, person)
  return person
}
