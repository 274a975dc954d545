import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { isbot } from 'isbot'
import { truncateText } from '../contract/text.ts'
import { type Device, directSource, otherValue } from '../contract/visits.ts'
import type { CountedViews, PageViewCount, VisitKind } from '../domain/views/views.ts'
import { memoize } from './memoize.ts'

/** The input of a page view's count: the request headers, and the URL with its query. */
export interface ViewRequest {
  agent: string | null | undefined
  /** `Sec-Purpose` or `Purpose`: set when a browser prefetches a page. */
  purpose: string | string[] | null | undefined
  referrer: string | null | undefined
  host: string | null | undefined
  url: string
}

/** Distinct values of one kind in memory, until they are stored. */
const valuesMax = 1_000

/** Counts page views in memory until `takeCounts`. Nothing is stored about the visitor: no address, browser or cookie. */
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

  /** Counts a view by a person. This is a hot path, so the page passes its own counter. */
  count(page: PageViewCount, { agent, purpose, referrer, host, url }: ViewRequest): void {
    if (purpose) return
    const device = agent ? deviceOf(agent) : 'bot'
    if (device === 'bot') {
      this.#bots++
      return
    }
    if (page.views++ === 0) this.#viewed.add(page)

    const from = referrer ? referrerOf(referrer) : undefined
    if (from && (from.host === host || from.host === this.#ownHost)) return
    this.#add('device', device)
    this.#add('source', from?.name ?? directSource)
    const campaign = campaignOf(url)
    if (campaign !== undefined) this.#add('campaign', campaign)
  }

  #add(kind: VisitKind, value: string, count = 1): void {
    const counts = this.#visits[kind]
    const known = counts.get(value)
    if (known !== undefined) counts.set(value, known + count)
    else if (counts.size < valuesMax) counts.set(value, count)
    else counts.set(otherValue, (counts.get(otherValue) ?? 0) + count)
  }

  /** The counts since the previous call, one entry for each page and value. */
  takeCounts(): CountedViews {
    const taken = new Map<string, PageViewCount>()
    for (const page of this.#viewed) {
      const { path, locale, views } = page
      const key = `${locale} ${path}`
      taken.set(key, { path, locale, views: views + (taken.get(key)?.views ?? 0) })
      page.views = 0
    }
    this.#viewed.clear()
    const visits = Object.entries(this.#visits).flatMap(([kind, counts]) =>
      [...counts].map(([value, count]) => ({ kind: kind as VisitKind, value, count })),
    )
    for (const counts of Object.values(this.#visits)) counts.clear()
    const bots = this.#bots
    this.#bots = 0
    return { pages: [...taken.values()], visits, bots }
  }

  /** Adds counts that could not be stored to the next ones. */
  restoreCounts({ pages, visits, bots }: CountedViews): void {
    for (const page of pages) this.#viewed.add(page)
    for (const { kind, value, count } of visits) this.#add(kind, value, count)
    this.#bots += bots
  }
}

/** No browser has a longer user agent, and matching a very long one is slow. */
const agentChars = 512
const tablet = /iPad|Tablet|PlayBook|Silk|Kindle|Android(?!.*Mobile)/i
const phone = /Mobi|iPhone|iPod|Android/i

const knownDevice = memoize(500, (agent): Device | 'bot' => {
  if (isbot(agent)) return 'bot'
  if (tablet.test(agent)) return 'tablet'
  return phone.test(agent) ? 'phone' : 'desktop'
})
const deviceOf = (agent: string) => (agent.length > agentChars ? 'bot' : knownDevice(agent))

/** The part of a header or query that is read. */
const readChars = 2_000
/** A host name that is stored. */
const hostChars = 100

/** The host of a referrer with its port, and the name by which its site is counted. */
const knownReferrer = memoize(1_000, (referrer) => {
  const url = URL.parse(referrer)
  const isSite = url && ['http:', 'https:', 'android-app:'].includes(url.protocol)
  if (!isSite) return { host: '', name: otherValue }
  const name = (domainToUnicode(url.hostname) || url.hostname).replace(/^www\./, '')
  const isName =
    name.includes('.') && !isIP(name) && name.length <= hostChars && /^[\p{L}\p{N}\p{M}.\-_\u200c]+$/u.test(name)
  return { host: url.host, name: isName ? name : otherValue }
})
const referrerOf = (referrer: string) => knownReferrer(referrer.slice(0, readChars))

const tags = ['utm_source', 'utm_medium', 'utm_campaign']
const tagChars = 60

const knownCampaign = memoize(500, (query) => {
  const parameters = new URLSearchParams(query)
  const values = tags.map((tag) => tagText(parameters.get(tag) ?? ''))
  return values.some((value) => value !== '') ? JSON.stringify(values) : undefined
})

/** The campaign tags in the query of a URL, as JSON. */
function campaignOf(url: string): string | undefined {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('utm_', start)) return undefined
  return knownCampaign(url.slice(start + 1, start + 1 + readChars))
}

/** One line. A tag with an email address says who the visitor is, so it is left out. */
function tagText(value: string): string {
  if (value.includes('@')) return ''
  const line = value.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  return truncateText(line.trim(), tagChars).trim()
}
