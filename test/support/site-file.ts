import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The languages of the default configuration, in which the journeys run. */
export const siteLocales = ['nl', 'fa'] as const
export type SiteLocale = (typeof siteLocales)[number]

/** A configuration (the content of `site.config.json`), or a part of one, as parsed JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests write valid and invalid configurations
export type SiteFile = any

/** Reads the default configuration. */
export function defaultSiteFile(): SiteFile {
  return JSON.parse(readFileSync('site.config.json', 'utf8'))
}

/**
 * The default configuration without collections, their entries and pages with a form, which would take time to store at each
 * start.
 */
export function siteFileWithoutCollections(): SiteFile {
  const { collections: _, ...config } = defaultSiteFile()
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

/**
 * Writes `site.config.json` into a folder: the default configuration without collections and pages with a form, as changed
 * by `change`.
 * @returns its path
 */
export function writeSiteFile(folder: string, change: (config: SiteFile) => void): string {
  const config = siteFileWithoutCollections()
  change(config)
  const path = join(folder, 'site.config.json')
  writeFileSync(path, JSON.stringify(config))
  return path
}

/** A copy of a configuration in which `change` replaced each translated text: an object with texts by language. */
export function changeEachText(value: SiteFile, change: (text: SiteFile) => SiteFile): SiteFile {
  if (Array.isArray(value)) return value.map((item) => changeEachText(item, change))
  if (typeof value !== 'object' || value === null) return value
  const changed = 'nl' in value ? change(value) : value
  return Object.fromEntries(Object.entries(changed).map(([name, inner]) => [name, changeEachText(inner, change)]))
}
