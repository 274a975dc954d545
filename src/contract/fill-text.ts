import { latinDigits } from './digits.ts'
import { inDigitsOf, intlTag, type Locale } from './locales.ts'
import { openingLine } from './opening-hours.ts'
import type { SiteConfig } from './site-config.ts'

import { isSafeUrl } from './url.ts'

/** The placeholders that any text of the configuration may hold, and what each becomes. */
export type Placeholders = Record<string, string>

/** Replaces `[name]` by what stands for it; brackets that mean nothing here stay as they are. */
export function fillText(text: string, placeholders: Placeholders): string {
  if (!text.includes('[')) return text
  return text.replace(placeholder, (whole, name) => standsFor(name, placeholders) ?? whole)
}

/** `[constructor]` stands for nothing, though every object has one. */
const standsFor = (name: string, placeholders: Placeholders): string | undefined =>
  Object.hasOwn(placeholders, name) ? placeholders[name] : undefined

/** A name in brackets, as `fillText` and `fillUrl` find it. */
export const placeholder = /\[([a-zA-Z0-9.]+)\]/g

/**
 * Fills an address. A placeholder at its start is the whole of it (`[url]`, `[sameAs.1]`); anywhere else it is a part
 * that cannot change where the address leads.
 * @returns undefined when that leads nowhere: the configuration has no such profile or telephone number
 */
export function fillUrl(url: string, placeholders: Placeholders): string | undefined {
  if (!url.includes('[')) return url
  const filled = url.replace(placeholder, (whole, name, at) => {
    const value = standsFor(name, placeholders)
    if (value === undefined || at === 0) return value ?? whole
    return url.startsWith('tel:')
      ? latinDigits(value).replace(/[^+\d]/g, '')
      : encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@')
  })
  return isSafeUrl(filled) ? filled : undefined
}

/** `[user]` is left out when nobody is signed in. Words, numbers and dates are those of the language of the text. */
export function placeholdersOf(site: SiteConfig, locale: Locale, now: Date, user?: string): Placeholders {
  const { year, number } = formatsOf(locale)
  const brand = site.brand
  return {
    brand,
    url: site.url,
    ...Object.fromEntries(site.business.sameAs.map((profile, index) => [`sameAs.${index + 1}`, profile])),
    year: year
      .formatToParts(now)
      .filter((part) => part.type === 'year')
      .map((part) => part.value)
      .join(''),
    ...(user === undefined ? {} : { user }),
    'legal.name': fillText(site.legal.name, { brand }),
    'legal.street': site.legal.address.street,
    'legal.postalCode': site.legal.address.postalCode,
    'legal.city': site.legal.address.city,
    'legal.email': site.legal.email,
    'legal.telephone': inDigitsOf(locale, site.legal.telephone ?? ''),
    'legal.kvk': site.legal.kvk,
    'legal.vat': site.legal.vat,
    retentionDays: number.format(site.contact.retentionDays),
    openingHours: openingLine(site.business.openingHours, locale),
  }
}

/** Making one of these takes longer than all the rest of a page's placeholders, so a language has its own from its first page on. */
function formatsOf(locale: Locale) {
  formats[locale] ??= {
    year: new Intl.DateTimeFormat(intlTag[locale], { year: 'numeric', timeZone: 'Europe/Amsterdam' }),
    number: new Intl.NumberFormat(intlTag[locale]),
  }
  return formats[locale]
}
const formats: Partial<Record<Locale, { year: Intl.DateTimeFormat; number: Intl.NumberFormat }>> = {}
