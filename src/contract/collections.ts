import { type Locale, localized, localizedPath, type SiteLanguages } from './locales.ts'
import type { SiteConfig } from './site-config.ts'

export type Collection = NonNullable<SiteConfig['collections']>[number]
export type EntryField = Collection['fields'][number]
type Site = Pick<SiteConfig, 'collections'>

/** The values of an entry by field id; the type of the field in the collection decides which are valid. */
export type EntryValues = Record<string, string | number>

export const findCollection = ({ collections }: Site, id: string | null): Collection | undefined =>
  collections?.find((collection) => collection.id === id)

/** Whether a page is an entry of a collection that the site no longer has: it is stored, but hidden from visitors. */
export const isHiddenEntry = (site: Site, collection: string | null): boolean =>
  collection !== null && findCollection(site, collection) === undefined

/** The path of the overview without its first slash; the paths of entries begin with it. */
export const collectionSlug = (collection: Collection, locale: Locale): string =>
  localized(collection.slug, locale).value

/** The collection whose overview has this path, without its first slash; undefined when there is none. */
export const collectionAt = ({ collections }: Site, slug: string, locale: Locale): Collection | undefined =>
  collections?.find((collection) => collectionSlug(collection, locale) === slug)

/** Whether a path, without its first slash, is below that of the overview. */
export const isEntrySlug = (collection: Collection, slug: string, locale: Locale): boolean =>
  slug.startsWith(`${collectionSlug(collection, locale)}/`)

/** The field by which visitors can filter the overview: the first `choice` field with options, if any. */
export const categoryField = ({ fields }: Collection): EntryField | undefined =>
  fields.find(({ type, options = [] }) => type === 'choice' && options.length > 0)

/** The first `date` field, which has the date of an entry; undefined: entries have their date of publication. */
export const dateField = ({ fields }: Collection): EntryField | undefined => fields.find(({ type }) => type === 'date')

/** The names of the query parameters of the site's pages. */
export const urlParameters = {
  locale: 'locale',
  /** The id of the sent message, with its signature. */
  sent: 'verzonden',
  /** The product or service that a message is about: an item of an offer block. */
  offer: 'onderwerp',
  /** The page number and the category of an overview. */
  page: 'pagina',
  category: 'rubriek',
} as const

/** The path and query of an overview, as in the address bar. */
export function overviewPath(
  site: Pick<SiteLanguages, 'rootLocale'>,
  collection: Collection,
  locale: Locale,
  { page = 1, category }: { page?: number; category?: string | undefined } = {},
): string {
  const query = new URLSearchParams({
    ...(category !== undefined && { [urlParameters.category]: category }),
    ...(page > 1 && { [urlParameters.page]: String(page) }),
  }).toString()
  const path = encodeURI(localizedPath(`/${collectionSlug(collection, locale)}`, locale, site))
  return query ? `${path}?${query}` : path
}

/** The media types of a collection's feeds, by the extension of their path. */
export const feedTypes = { xml: 'application/atom+xml', json: 'application/feed+json' } as const
export type FeedType = keyof typeof feedTypes

/** The path of a feed, as in the address bar. */
export const feedPath = (
  site: Pick<SiteLanguages, 'rootLocale'>,
  collection: Collection,
  locale: Locale,
  type: FeedType,
): string => `${overviewPath(site, collection, locale)}/feed.${type}`

/** The feed at a path without its language prefix, such as `/nieuws/feed.xml`; undefined when it is no feed. */
export function feedAt(
  site: Site & Pick<SiteLanguages, 'locales'>,
  path: string,
  locale: Locale,
): { collection: Collection; type: FeedType } | undefined {
  const [, slug, type] = /^\/(.+)\/feed\.(xml|json)$/.exec(path) ?? []
  const collection = slug && site.locales.includes(locale) ? collectionAt(site, slug, locale) : undefined
  return collection && { collection, type: type as FeedType }
}

/** A value of an entry with its field. */
export interface ShownValue {
  field: EntryField
  value: string | number
  /** Of a `link` to a page: the title of that page; otherwise undefined. */
  linkTitle?: string | undefined
}

/** An entry in a list. */
export interface ListedEntry {
  /** The path as in the address bar. */
  path: string
  title: string
  /** The language of its text. */
  locale: Locale
  values: ShownValue[]
}
