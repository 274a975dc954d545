import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { countFilledBytes, leastFilledTo, type Placeholders, placeholdersOf } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { overfillsSections } from '../sections/shown-sections.ts'
import { findLiveTextsFrom } from './live-page.queries.ts'

/** The longest possible name of a signed-in user. */
const longestName = 'x'.repeat(limits.nameChars)
const longestPlaceholders = (site: SiteConfig, locale: Locale) => placeholdersOf(site, locale, new Date(0), longestName)
const isTooLarge = (value: unknown, placeholders: Placeholders) =>
  countFilledBytes(value, placeholders) > limits.filledPageBytes

/**
 * Limits the size after filling, because a short text with many placeholders could exhaust memory when it is rendered.
 * @throws {Refusal} `invalid` at `text.body`
 */
export function refuseOverfilledText(site: SiteConfig, locale: Locale, text: PageText): void {
  if (!isTooLarge(text, longestPlaceholders(site, locale))) return
  throw new Refusal('invalid', { problems: [{ path: 'text.body', key: 'filledPageTooLarge' }] })
}

/**
 * Whether a change of the configuration makes its own blocks, a section or a live page larger than allowed once
 * placeholders are filled.
 */
export async function overfillsPages(tx: Transaction, before: SiteConfig | undefined, site: SiteConfig) {
  const grows = (locale: Locale) =>
    !before || isLonger(longestPlaceholders(before, locale), longestPlaceholders(site, locale))
  if (site.locales.some(grows) && (await overfillsSections(tx, site))) return true
  for (const locale of site.locales) {
    const placeholders = longestPlaceholders(site, locale)
    if (isTooLarge(site.branding, placeholders)) return true
    if (!grows(locale)) continue
    const least = Math.floor(leastFilledTo(limits.filledPageBytes, placeholders))
    for await (const text of findLiveTextsFrom(tx, locale, least)) if (isTooLarge(text, placeholders)) return true
  }
  return false
}

const isLonger = (before: Placeholders, now: Placeholders): boolean =>
  Object.entries(now).some(([name, text]) => text.length > (before[name] ?? `[${name}]`).length)
