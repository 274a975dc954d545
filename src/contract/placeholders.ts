import { dialledNumber } from './contact.ts'
import { siteZone } from './day.ts'
import { dateFormat, numberFormat } from './intl-formats.ts'
import { type Locale, localizeDigits } from './locales.ts'
import { openingLine } from './opening-hours.ts'
import { defaultRetention } from './retention.ts'
import type { SiteConfig } from './site-config.ts'
import { isSafeUrl } from './url.ts'

/** The values of placeholders, by the name between the square brackets. */
export type Placeholders = Record<string, string>

/** Replaces `[name]` by its value; unknown names in brackets stay unchanged. */
export function fillPlaceholders(text: string, placeholders: Placeholders): string {
  if (!text.includes('[')) return text
  return text.replace(placeholderPattern, (whole, name) => findValue(name, placeholders) ?? whole)
}

/**
 * The size of a value as JSON in UTF-8 bytes once its placeholders are filled, whose values are counted without JSON
 * escapes.
 */
export function countFilledBytes(value: unknown, placeholders: Placeholders): number {
  const json = JSON.stringify(value)
  const addedBytes = new Map<string, number>()
  let bytes = utf8.encode(json).length
  for (const [whole, name = ''] of json.matchAll(placeholderPattern)) {
    let added = addedBytes.get(name)
    if (added === undefined) {
      added = utf8.encode(findValue(name, placeholders) ?? whole).length - whole.length
      addedBytes.set(name, added)
    }
    bytes += added
  }
  return bytes
}

/** The number of bytes up to which a text certainly stays below `maxBytes` when filled: a quick check. */
export function maxUnfilledBytes(maxBytes: number, placeholders: Placeholders): number {
  // The two brackets count too.
  const factors = Object.entries(placeholders).map(([name, text]) => utf8.encode(text).length / (name.length + 2))
  return maxBytes / Math.max(1, ...factors)
}

const utf8 = new TextEncoder()

/** The value of a placeholder. Only own properties count, so that `[constructor]` is no placeholder. */
const findValue = (name: string, placeholders: Placeholders): string | undefined =>
  Object.hasOwn(placeholders, name) ? placeholders[name] : undefined

/** `[name]`. */
export const placeholderPattern = /\[([a-zA-Z0-9.]+)\]/g

/**
 * Fills the placeholders of a URL. The value of one at the start (`[url]`, `[sameAs.1]`) is inserted as it is; elsewhere it is
 * percent-encoded, or dialled as a number after `tel:`, so that it cannot change the target.
 * @returns undefined when the filled URL is not safe to link to, for example because a placeholder has no value; a URL without
 * placeholders is returned unchecked
 */
export function fillUrlPlaceholders(url: string, placeholders: Placeholders): string | undefined {
  if (!url.includes('[')) return url
  const filled = url.replace(placeholderPattern, (whole, name, index) => {
    const value = findValue(name, placeholders)
    if (value === undefined || index === 0) return value ?? whole
    return url.startsWith('tel:')
      ? dialledNumber(value)
      : encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@')
  })
  return isSafeUrl(filled) ? filled : undefined
}

/** The placeholders of a site, in a language. `user`: the name of the signed-in user, if any. */
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
