import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The languages of the delivered site, in which the journeys run. */
export const siteLocales = ['nl', 'fa'] as const
export type SiteLocale = (typeof siteLocales)[number]

// biome-ignore lint/suspicious/noExplicitAny: tests write valid and invalid configurations
export type SiteFile = any

/** The default configuration, as parsed JSON. */
export function deliveredSite(): SiteFile {
  return JSON.parse(readFileSync('site.config.json', 'utf8'))
}

/** The default configuration without collections and pages of forms, which would take time to store at each start. */
export function withoutCollections(): SiteFile {
  const { collections: _, ...config } = deliveredSite()
  config.pages = config.pages.filter(
    ({ collection, content }: SiteFile) =>
      collection === undefined && content.nl.body.every(({ type }: SiteFile) => type !== 'form'),
  )
  for (const locale of siteLocales) {
    const content = config.pages[0].content[locale]
    content.body = content.body.filter(({ type }: SiteFile) => type !== 'entry-list')
  }
  return config
}

/** @returns the path of a changed copy of the default configuration, which has no collections */
export function changedSite(folder: string, change: (config: SiteFile) => void): string {
  const config = withoutCollections()
  change(config)
  const path = join(folder, 'site.config.json')
  writeFileSync(path, JSON.stringify(config))
  return path
}

/** A configuration with each translated text changed. */
export function inEachText(value: SiteFile, to: (text: SiteFile) => SiteFile): SiteFile {
  if (Array.isArray(value)) return value.map((one) => inEachText(one, to))
  if (typeof value !== 'object' || value === null) return value
  const changed = 'nl' in value ? to(value) : value
  return Object.fromEntries(Object.entries(changed).map(([name, inner]) => [name, inEachText(inner, to)]))
}
