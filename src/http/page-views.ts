import { isbot } from 'isbot'
import type { PageViewCount } from '../domain/views/views.ts'

/** Two request headers that tell people from bots and prefetches. */
export interface ViewerHints {
  agent: string | null | undefined
  /** `Sec-Purpose` or `Purpose`: set when a browser prefetches a page. */
  purpose: string | null | undefined
}

/** Counts page views in memory until `takeCounts`. Nothing is stored about the visitor: no address, browser or cookie. */
export class PageViewCounter {
  readonly #viewed = new Set<PageViewCount>()

  /** Counts a view by a person. This is a hot path, so the page passes its own counter. */
  count(page: PageViewCount, { agent, purpose }: ViewerHints): void {
    if (!agent || purpose || !isPerson(agent)) return
    if (page.views++ === 0) this.#viewed.add(page)
  }

  /** The counts since the previous call, one entry for each page. */
  takeCounts(): PageViewCount[] {
    const taken = new Map<string, PageViewCount>()
    for (const page of this.#viewed) {
      const { path, locale, views } = page
      const key = `${locale} ${path}`
      taken.set(key, { path, locale, views: views + (taken.get(key)?.views ?? 0) })
      page.views = 0
    }
    this.#viewed.clear()
    return [...taken.values()]
  }

  /** Adds counts that could not be stored to the next ones. */
  restoreCounts(pages: readonly PageViewCount[]): void {
    for (const page of pages) this.#viewed.add(page)
  }
}

/** Results by user agent: browsers send a limited number of different ones. */
const personByAgent = new Map<string, boolean>()
const personByAgentMax = 500
/** No browser has a longer user agent, and matching a very long one is slow. */
const agentChars = 512

function isPerson(agent: string): boolean {
  const known = personByAgent.get(agent)
  if (known !== undefined) return known
  if (agent.length > agentChars) return false
  const person = !isbot(agent)
  if (personByAgent.size >= personByAgentMax) personByAgent.clear()
  personByAgent.set(agent, person)
  return person
}
