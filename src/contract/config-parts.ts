import type { SiteConfig } from './site-config.ts'

/** What staff change in the admin; the first pages are changed as pages. */
export const configParts = [
  'brand',
  'tagline',
  'url',
  'seo',
  'business',
  'legal',
  'sender',
  'logo',
  'palette',
  'locales',
  'contact',
  'offer',
  'branding',
] as const satisfies (keyof SiteConfig)[]
export type ConfigPart = (typeof configParts)[number]
export type SiteParts = Pick<SiteConfig, ConfigPart>

export const partsOf = (site: SiteConfig): SiteParts =>
  Object.fromEntries(configParts.map((part) => [part, site[part]])) as SiteParts
