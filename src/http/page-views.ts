import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { isbot } from 'isbot'
import { truncateText } from '../contract/text.ts'
import { type Device, directSource, otherValue } from '../contract/visits.ts'
import type { CountedViews, PageViewCount, VisitKind } from '../domain/views/views.ts'
import { memoize } from './memoize.ts'

/** The input of a page view's count: request headers, and the URL with its query. */
interface ViewRequest {
  /** `User-Agent`. */
  agent: string | null | undefined
  /** `Sec-Purpose` or `Purpose`: set when a browser prefetches a page. */
  purpose: string | string[] | null | undefined
  referrer: string | null | undefined
  host: string | null | undefined
  url: string
}

/** The number of distinct values of one kind that are counted in memory; further values count as `otherValue`. */
const maxValues = 1_000

/** Counts page views, and visits (views that come from elsewhere), in memory. Nothing is stored about the visitor. */
export class PageViewCounter {
  readonly #viewed = new Set<PageViewCount>()
  readonly #visits: Record<VisitKind, Map<string, number>> = {
    source: new Map(),
    campaign: new Map(),
    device: new Map(),
  }
  readonly #ownHost: string | undefined
  #bots = 0

  /** @param ownHost the host of this site, where a proxy changes the `Host` header */
  constructor(ownHost?: string) {
    this.#ownHost = ownHost
  }

  /** Counts a view by a person and its visit, or a bot. This is a hot path, so the page passes its own counter. */
  count(page: PageViewCount, { agent, purpose, referrer, host, url }: ViewRequest): void {
    if (purpose) return
    const device = agent ? deviceOf(agent) : 'bot'
    if (device === 'bot') {
      this.#bots++
      return
    }
    if (page.views++ === 0) this.#viewed.add(page)

    const source = referrer ? referrerOf(referrer) : undefined
    if (source && (source.host === host || source.host === this.#ownHost)) return
    this.#add('device', device)
    this.#add('source', source?.name ?? directSource)
    const campaign = campaignOf(url)
    if (campaign !== undefined) this.#add('campaign', campaign)
  }

  #add(kind: VisitKind, value: string, count = 1): void {
    const counts = this.#visits[kind]
    const current = counts.get(value)
    if (current !== undefined) counts.set(value, current + count)
    else if (counts.size < maxValues) counts.set(value, count)
    else counts.set(otherValue, (counts.get(otherValue) ?? 0) + count)
  }

  /** Returns the counts since the previous call, one entry for each page and value, and resets them. */
  takeCounts(): CountedViews {
    const pages = new Map<string, PageViewCount>()
    for (const page of this.#viewed) {
      const { path, locale, views } = page
      const key = `${locale} ${path}`
      pages.set(key, { path, locale, views: views + (pages.get(key)?.views ?? 0) })
      page.views = 0
    }
    this.#viewed.clear()
    const visits = Object.entries(this.#visits).flatMap(([kind, counts]) =>
      [...counts].map(([value, count]) => ({ kind: kind as VisitKind, value, count })),
    )
    for (const counts of Object.values(this.#visits)) counts.clear()
    const bots = this.#bots
    this.#bots = 0
    return { pages: [...pages.values()], visits, bots }
  }

  /** Adds counts that could not be stored to the next ones. */
  restoreCounts({ pages, visits, bots }: CountedViews): void {
    for (const page of pages) this.#viewed.add(page)
    for (const { kind, value, count } of visits) this.#add(kind, value, count)
    this.#bots += bots
  }
}

/** No browser has a longer user agent, and matching a very long one is slow: it counts as a bot. */
const maxAgentChars = 512
const tabletPattern = /iPad|Tablet|PlayBook|Silk|Kindle|Android(?!.*Mobile)/i
const phonePattern = /Mobi|iPhone|iPod|Android/i

const detectDevice = memoize(500, (agent): Device | 'bot' => {
  if (isbot(agent)) return 'bot'
  if (tabletPattern.test(agent)) return 'tablet'
  return phonePattern.test(agent) ? 'phone' : 'desktop'
})
const deviceOf = (agent: string) => (agent.length > maxAgentChars ? 'bot' : detectDevice(agent))

/** Only the beginning of a header or query is read. */
const maxReadChars = 2_000
/** A longer host name is not stored. */
const maxHostChars = 100

/** The host and port of a referrer, and the name by which its site is counted. */
const parseReferrer = memoize(1_000, (referrer) => {
  const url = URL.parse(referrer)
  const isSite = url && ['http:', 'https:', 'android-app:'].includes(url.protocol)
  if (!isSite) return { host: '', name: otherValue }
  const name = (domainToUnicode(url.hostname) || url.hostname).replace(/^www\./, '')
  const isHostName =
    name.includes('.') && !isIP(name) && name.length <= maxHostChars && /^[\p{L}\p{N}\p{M}.\-_\u200c]+$/u.test(name)
  return { host: url.host, name: isHostName ? name : otherValue }
})
const referrerOf = (referrer: string) => parseReferrer(referrer.slice(0, maxReadChars))

const campaignTags = ['utm_source', 'utm_medium', 'utm_campaign']
const maxTagChars = 60

const parseCampaign = memoize(500, (query) => {
  const parameters = new URLSearchParams(query)
  const values = campaignTags.map((tag) => tagText(parameters.get(tag) ?? ''))
  return values.some((value) => value !== '') ? JSON.stringify(values) : undefined
})

/** The campaign tags in the query of a URL as a JSON list, in the order of `campaignTags`; undefined without any. */
function campaignOf(url: string): string | undefined {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('utm_', start)) return undefined
  return parseCampaign(url.slice(start + 1, start + 1 + maxReadChars))
}

/** The value of a tag on one line; '' for a value with an email address, which says who the visitor is. */
function tagText(value: string): string {
  if (value.includes('@')) return ''
  const line = value.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  return truncateText(line.trim(), maxTagChars).trim()
}
