import type { Locale } from './locales.ts'
import type { SiteConfig } from './site-config.ts'

/** The placeholders that any text of the configuration may hold, and what each becomes. */
export type Placeholders = Record<string, string>

/** Replaces `[name]` by what stands for it; brackets that mean nothing here stay as they are. */
export function fillText(text: string, placeholders: Placeholders): string {
  return text.includes('[') ? text.replace(/\[([a-zA-Z.]+)\]/g, (whole, name) => placeholders[name] ?? whole) : text
}

/** `[user]` is left out when nobody is signed in. Numbers and dates are in the reader's digits. */
export function placeholdersOf(site: SiteConfig, locale: Locale, now: Date, user?: string): Placeholders {
  const { year, number } = formats[locale]
  const brand = site.brand
  return {
    brand,
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
    'legal.telephone': site.legal.telephone ?? '',
    'legal.kvk': site.legal.kvk,
    'legal.vat': site.legal.vat,
    retentionDays: number.format(site.contact.retentionDays),
  }
}

/** Making one of these takes longer than all the rest of a page's placeholders. */
const formatsOf = (tag: string) => ({
  year: new Intl.DateTimeFormat(tag, { year: 'numeric', timeZone: 'Europe/Amsterdam' }),
  number: new Intl.NumberFormat(tag),
})
const formats = { nl: formatsOf('nl-NL'), fa: formatsOf('fa-IR') } satisfies Record<Locale, unknown>
