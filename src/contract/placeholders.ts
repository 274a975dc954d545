import { dialledNumber } from './contact.ts'
import { siteZone } from './day.ts'
import { dateFormat, numberFormat } from './intl-formats.ts'
import { type Locale, localizeDigits } from './locales.ts'
import { openingLine } from './opening-hours.ts'
import { defaultRetention } from './retention.ts'
import type { SiteConfig } from './site-config.ts'
import { isSafeUrl } from './url.ts'

/** Placeholder values by name. */
export type Placeholders = Record<string, string>

/** Replaces `[name]` by its value; unknown names in brackets stay unchanged. */
export function fillPlaceholders(text: string, placeholders: Placeholders): string {
  if (!text.includes('[')) return text
  return text.replace(placeholderPattern, (whole, name) => standsFor(name, placeholders) ?? whole)
}

/** The size in bytes of a value's texts with placeholders filled, computed without filling them. */
export function countFilledBytes(value: unknown, placeholders: Placeholders): number {
  const json = JSON.stringify(value)
  const growth = new Map<string, number>()
  let bytes = utf8.encode(json).length
  for (const [whole, name = ''] of json.matchAll(placeholderPattern)) {
    let more = growth.get(name)
    if (more === undefined) {
      more = utf8.encode(standsFor(name, placeholders) ?? whole).length - whole.length
      growth.set(name, more)
    }
    bytes += more
  }
  return bytes
}

/** Texts shorter than this stay below `most` bytes when filled. */
export function leastFilledTo(maxBytes: number, placeholders: Placeholders): number {
  const factors = Object.entries(placeholders).map(([name, text]) => utf8.encode(text).length / (name.length + 2))
  return maxBytes / Math.max(1, ...factors)
}

const utf8 = new TextEncoder()

/** Own properties only, so that `[constructor]` is not a placeholder. */
const standsFor = (name: string, placeholders: Placeholders): string | undefined =>
  Object.hasOwn(placeholders, name) ? placeholders[name] : undefined

/** A placeholder, as the two fill functions match it. */
export const placeholderPattern = /\[([a-zA-Z0-9.]+)\]/g

/**
 * Fills the placeholders of a URL. One at its start must be the whole URL (`[url]`, `[sameAs.1]`); elsewhere its value
 * is percent-encoded, so that it cannot change the target.
 * @returns undefined when the configuration has no such profile or telephone number
 */
export function fillUrlPlaceholders(url: string, placeholders: Placeholders): string | undefined {
  if (!url.includes('[')) return url
  const filled = url.replace(placeholderPattern, (whole, name, at) => {
    const value = standsFor(name, placeholders)
    if (value === undefined || at === 0) return value ?? whole
    return url.startsWith('tel:')
      ? dialledNumber(value)
      : encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@')
  })
  return isSafeUrl(filled) ? filled : undefined
}

/** `[user]` is omitted when nobody is signed in. Words, numbers and dates are in the language of the text. */
export function placeholdersOf(site: SiteConfig, locale: Locale, now: Date, user?: string): Placeholders {
  const number = numberFormat(locale)
  const brand = site.brand
  return {
    brand,
    url: site.url,
    ...Object.fromEntries(site.business.sameAs.map((profile, index) => [`sameAs.${index + 1}`, profile])),
    year: dateFormat(locale, { year: 'numeric', timeZone: siteZone })
      .formatToParts(now)
      .filter((part) => part.type === 'year')
      .map((part) => part.value)
      .join(''),
    ...(user === undefined ? {} : { user }),
    'legal.name': fillPlaceholders(site.legal.name, { brand }),
    'legal.street': site.legal.address.street,
    'legal.postalCode': site.legal.address.postalCode,
    'legal.city': site.legal.address.city,
    'legal.email': site.legal.email,
    'legal.telephone': localizeDigits(locale, site.legal.telephone ?? ''),
    'legal.kvk': site.legal.kvk,
    'legal.vat': site.legal.vat,
    retentionDays: number.format(site.contact.retentionDays),
    ...Object.fromEntries(
      Object.entries(site.retention ?? defaultRetention).map(([name, days]) => [
        `retention.${name}`,
        number.format(days),
      ]),
    ),
    openingHours: openingLine(site.business.openingHours, locale),
  }
}
