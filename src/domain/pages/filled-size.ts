import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { countFilledBytes, maxUnfilledBytes, type Placeholders, placeholdersOf } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { overfillsSections } from '../sections/shown-sections.ts'
import { iterateLongLiveTexts } from './live-page.queries.ts'

/** Stands for the name of any signed-in user, because none is longer. */
const longestName = 'x'.repeat(limits.nameChars)
const longestPlaceholders = (site: SiteConfig, locale: Locale) => placeholdersOf(site, locale, new Date(0), longestName)
const isTooLarge = (value: unknown, placeholders: Placeholders) =>
  countFilledBytes(value, placeholders) > limits.filledPageBytes

/**
 * Refuses a text that is too large once placeholders are filled: one with very many could exhaust memory when rendered.
 * @throws {Refusal} `invalid` at `text.body`
 */
export function refuseOverfilledText(site: SiteConfig, locale: Locale, text: PageText): void {
  if (!isTooLarge(text, longestPlaceholders(site, locale))) return
  throw new Refusal('invalid', { problems: [{ path: 'text.body', key: 'filledPageTooLarge' }] })
}

/**
 * Whether a new configuration makes its header and footer, a section or a live page too large once placeholders are
 * filled. Without `before`, the replaced one, everything is checked.
 */
export async function overfillsPages(tx: Transaction, before: SiteConfig | undefined, site: SiteConfig) {
  const placeholdersGrow = (locale: Locale) =>
    !before || isAnyLonger(longestPlaceholders(before, locale), longestPlaceholders(site, locale))
  if (site.locales.some(placeholdersGrow) && (await overfillsSections(tx, site))) return true
  for (const locale of site.locales) {
    const placeholders = longestPlaceholders(site, locale)
    if (isTooLarge(site.branding, placeholders)) return true
    if (!placeholdersGrow(locale)) continue
    const minChars = Math.floor(maxUnfilledBytes(limits.filledPageBytes, placeholders))
    for await (const text of iterateLongLiveTexts(tx, locale, minChars)) if (isTooLarge(text, placeholders)) return true
  }
  return false
}

/** Whether any value becomes longer; an unknown placeholder is shown as `[name]`. */
const isAnyLonger = (before: Placeholders, after: Placeholders): boolean =>
  Object.entries(after).some(([name, text]) => text.length > (before[name] ?? `[${name}]`).length)
