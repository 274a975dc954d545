import { createHash } from 'node:crypto'
import { fillText, placeholdersOf } from '../../contract/fill-text.ts'
import { type Locale, localized } from '../../contract/locales.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'

export interface FoundPage {
  /** Path without language prefix: `/`, `/disclaimer`. */
  path: string
  slug: string
  updated: string
  title: string
  description: string
  body: SitePage['content']['nl']['body']
  /** The language the content was found in; Dutch where a translation is missing. */
  contentLocale: Locale
  /** The languages that this page has a text of its own in. */
  translatedTo: Locale[]
}

/** The published page at a path such as `/disclaimer`, in one language. */
export function findPage(site: SiteConfig, path: string, locale: Locale): FoundPage | undefined {
  const page = site.pages.find((one) => `/${one.slug}` === path)
  if (!page) return undefined
  const { value, locale: contentLocale } = localized(page.content, locale)
  return {
    path,
    slug: page.slug,
    updated: page.updated,
    ...value,
    contentLocale,
    translatedTo: site.locales.filter((one) => page.content[one] !== undefined),
  }
}

/** Every published page, for the sitemap. */
export function listPages(site: SiteConfig): { path: string; updated: string; locales: Locale[] }[] {
  return site.pages.map((page) => ({
    path: `/${page.slug}`,
    updated: page.updated,
    locales: site.locales.filter((locale) => page.content[locale] !== undefined),
  }))
}

const versions = new WeakMap<SiteConfig, Partial<Record<Locale, string>>>()

/**
 * Date and short hash of the privacy statement as one language shows it: `2026-11-21-3f9c0a12`. It changes when the text
 * does, the names that are filled into it included.
 */
export function privacyVersion(site: SiteConfig, locale: Locale): string {
  const known = versions.get(site) ?? {}
  versions.set(site, known)
  const version = known[locale]
  if (version) return version
  const page = findPage(site, '/privacy-verklaring', locale)
  // The year on the page turns by itself, and says nothing new.
  const { year: _, ...placeholders } = placeholdersOf(site, locale, new Date(0))
  const shown = fillText(JSON.stringify(page?.body ?? null), placeholders)
  const hash = createHash('sha256').update(JSON.stringify([shown, site.brand, site.legal, site.contact.retentionDays]))
  const made = `${page?.updated}-${hash.digest('hex').slice(0, 8)}`
  known[locale] = made
  return made
}
