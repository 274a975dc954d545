import { type Locale, localized, localizedPath, type SiteLanguages } from './locales.ts'
import type { SiteConfig } from './site-config.ts'

export type Collection = NonNullable<SiteConfig['collections']>[number]
export type EntryField = Collection['fields'][number]
type Site = Pick<SiteConfig, 'collections'>

/** The values of an entry, by the id of their field; the collection defines which values are valid. */
export type EntryValues = Record<string, string | number>

export const findCollection = ({ collections }: Site, id: string | null): Collection | undefined =>
  collections?.find((one) => one.id === id)

/** Whether an entry is of a collection that the site lacks: it stays stored, but hidden, until the collection is back. */
export const isHiddenEntry = (site: Site, collection: string | null): boolean =>
  collection !== null && findCollection(site, collection) === undefined

/** The path of an overview without its first slash, with which the paths of its entries begin. */
export const collectionSlug = (collection: Collection, locale: Locale): string =>
  localized(collection.slug, locale).value

/** The collection whose overview has a path, given without its first slash. */
export const collectionAt = ({ collections }: Site, slug: string, locale: Locale): Collection | undefined =>
  collections?.find((one) => collectionSlug(one, locale) === slug)

/** Whether a path is one of an entry, below the overview. */
export const isEntrySlug = (collection: Collection, slug: string, locale: Locale): boolean =>
  slug.startsWith(`${collectionSlug(collection, locale)}/`)

/** The field by which an overview can be narrowed: the first one with choices. */
export const categoryField = ({ fields }: Collection): EntryField | undefined =>
  fields.find(({ type, options = [] }) => type === 'choice' && options.length > 0)

/** The field with the date of an entry; without one, it is the date of publication. */
export const dateField = ({ fields }: Collection): EntryField | undefined => fields.find(({ type }) => type === 'date')

/** The query parameters of the site: those of an overview (page number, category), and those of every page. */
export const urlParameters = {
  locale: 'locale',
  /** The id of the sent message, with its signature. */
  sent: 'verzonden',
  /** The product or service that a message is about: an item of an offer block. */
  offer: 'onderwerp',
  page: 'pagina',
  category: 'rubriek',
} as const

/** The path of an overview, of one of its pages, or of a category. */
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

/** The feeds of a collection, by the ending of their path. */
export const feedTypes = { xml: 'application/atom+xml', json: 'application/feed+json' } as const
export type FeedType = keyof typeof feedTypes

/** The path of a feed, as in the address bar. */
export const feedPath = (
  site: Pick<SiteLanguages, 'rootLocale'>,
  collection: Collection,
  locale: Locale,
  type: FeedType,
): string => `${overviewPath(site, collection, locale)}/feed.${type}`

/** The feed at a path, given without its language prefix: `/nieuws/feed.xml`. */
export function feedAt(
  site: Site & Pick<SiteLanguages, 'locales'>,
  path: string,
  locale: Locale,
): { collection: Collection; type: FeedType } | undefined {
  const [, slug, type] = /^\/(.+)\/feed\.(xml|json)$/.exec(path) ?? []
  const collection = slug && site.locales.includes(locale) ? collectionAt(site, slug, locale) : undefined
  return collection && { collection, type: type as FeedType }
}

/** A value as it is shown. */
export interface ShownValue {
  field: EntryField
  value: string | number
  /** The title of the page that a link leads to; it is undefined for other addresses. */
  linkTitle?: string | undefined
}

/** An entry in a list. */
export interface ListedEntry {
  /** As in the address bar. */
  path: string
  title: string
  /** The language of its text. */
  locale: Locale
  values: ShownValue[]
}
