import { readEntryValue } from '../../blocks/entry-values.ts'
import {
  type Collection,
  categoryField,
  collectionAt,
  type EntryField,
  type EntryValues,
  findCollection,
  type ListedEntry,
  type ShownValue,
  urlParameters,
} from '../../contract/collections.ts'
import {
  type Locale,
  localized,
  localizedPath,
  mainLocaleOf,
  pathForReader,
  rootLocaleOf,
  splitLocale,
} from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { findRedirectFrom } from '../redirects/redirect.queries.ts'
import { isReservedPath, normalizePath, splitTarget } from '../redirects/redirect-target.ts'
import { collectionTag } from './entries.ts'
import { countEntries, type EntryRow, findNeighbourRows, listEntryRows } from './entry.queries.ts'
import { findRevisionText, findVisibleLiveRow } from './live-page.queries.ts'

type ReadContext = Pick<Context, 'db' | 'site'>

/**
 * The data of a collection entry that is rendered around its blocks. `tags` are of the collection and of what `values`
 * link to.
 */
export interface EntryView {
  kind: 'entry'
  collection: Collection
  values: ShownValue[]
  /** The value of its date field, or its publication date; undefined for an unpublished text. */
  date: string | undefined
  previous: ListedEntry | undefined
  next: ListedEntry | undefined
  tags: string[]
}

/** One page of a collection's overview, which lists entries, with the cache tags of this data. `page` counts from 1. */
export interface OverviewView {
  kind: 'overview'
  collection: Collection
  entries: ListedEntry[]
  /** The ids of the categories that have published entries. */
  categories: string[]
  /** The id of the selected category. */
  category: string | undefined
  page: number
  pages: number
  tags: string[]
}

/** Undefined without a collection. @param entry.pageId omitted for an unpublished text, which has no neighbours */
export async function loadEntryView(
  ctx: ReadContext,
  entry: { collection: string | null; fields: EntryValues | undefined; locale: Locale; pageId?: number },
): Promise<EntryView | undefined> {
  const collection = findCollection(ctx.site, entry.collection)
  if (!collection) return undefined
  const { locale, pageId } = entry
  const filter = { collection: collection.id, locale }
  const { date, lower, higher } = pageId === undefined ? {} : await findNeighbourRows(ctx.db, filter, pageId)
  const toListed = async (row: EntryRow | undefined) => row && (await toListedEntry(ctx, collection, row, locale))
  const [previous, next] = collection.order === 'newest' ? [higher, lower] : [lower, higher]
  const tags: string[] = []
  const values = await loadValues(ctx, { collection, fields: entry.fields, locale, tags }, ({ inDetail }) => inDetail)
  return {
    kind: 'entry',
    collection,
    values,
    date,
    previous: await toListed(previous),
    next: await toListed(next),
    tags: [collectionTag(collection.id), ...tags],
  }
}

/**
 * One page of the overview at a path. Undefined when no collection has this path, or when the page number or the category
 * does not exist.
 */
export async function findOverview(
  ctx: ReadContext,
  path: string,
  locale: Locale,
  query: URLSearchParams,
): Promise<OverviewView | undefined> {
  const collection = ctx.site.locales.includes(locale) ? collectionAt(ctx.site, path.slice(1), locale) : undefined
  if (!collection) return undefined
  const field = categoryField(collection)
  const category = query.get(urlParameters.category) ?? undefined
  if (category !== undefined && !field?.options?.some(({ id }) => id === category)) return undefined
  const pageParameter = query.get(urlParameters.page) ?? '1'
  const filter = { collection: collection.id, locale, category }
  const { pageSize } = collection
  const counts = await countEntries(ctx.db, filter)
  const totalOfAll = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const total = category === undefined ? totalOfAll : (counts.get(category) ?? 0)
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const page = /^[1-9]\d{0,5}$/.test(pageParameter) ? Number(pageParameter) : undefined
  if (page === undefined || page > pages || (category !== undefined && total === 0)) return undefined
  const rows = await listEntryRows(ctx.db, filter, {
    descending: collection.order === 'newest',
    offset: (page - 1) * pageSize,
    limit: pageSize,
  })
  const tags = [collectionTag(collection.id)]
  const entries: ListedEntry[] = []
  for (const row of rows) entries.push(await toListedEntry(ctx, collection, row, locale, tags))
  return {
    kind: 'overview',
    collection,
    entries,
    categories: (field?.options ?? []).map(({ id }) => id).filter((id) => counts.has(id)),
    category,
    page,
    pages,
    tags,
  }
}

/** @param locale that of the list, not of the text @param tags gets the cache tags of what link fields refer to */
export async function toListedEntry(
  ctx: ReadContext,
  collection: Collection,
  row: EntryRow,
  locale: Locale,
  tags: string[] = [],
): Promise<ListedEntry> {
  const text = await findRevisionText(ctx.db, row.revisionId)
  return {
    path: encodeURI(pathForReader(row.slug, { textLocale: row.textLocale, reader: locale }, ctx.site)),
    title: text?.title ?? '',
    locale: row.textLocale,
    values: await loadValues(ctx, { collection, fields: text?.fields, locale, tags }, ({ inList }) => inList),
  }
}

/** The valid values of the fields that `isShown` accepts; links to missing pages of this site are left out. */
async function loadValues(
  ctx: ReadContext,
  entry: { collection: Collection; fields: EntryValues | undefined; locale: Locale; tags: string[] },
  isShown: (field: EntryField) => boolean,
): Promise<ShownValue[]> {
  const { fields = {}, locale, tags } = entry
  const values: ShownValue[] = []
  for (const field of entry.collection.fields.filter(isShown)) {
    const value = readCachedValue(field, fields)
    if (value === undefined) continue
    const isInternalLink = field.type === 'link' && String(value).startsWith('/')
    const target = isInternalLink ? await resolveInternalUrl(ctx, String(value), locale, tags) : {}
    if (target) values.push({ field, value, linkTitle: target.title })
  }
  return values
}

/** The author that the page of an entry shows; undefined when it shows none. */
export function authorOfEntry({ fields }: Collection, values: EntryValues = {}): string | undefined {
  const [author] = fields.flatMap((field) =>
    field.type === 'author' && field.inDetail ? [readCachedValue(field, values)] : [],
  )
  return author === undefined ? undefined : String(author)
}

type ParsedValue = ReturnType<typeof readEntryValue>
const cachedValues = new WeakMap<EntryValues, WeakMap<EntryField, { value: ParsedValue }>>()

/** Caches parsed values by the objects of the revision and the field, so that rich text is sanitized only once. */
function readCachedValue(field: EntryField, fields: EntryValues): ParsedValue {
  const cache = cachedValues.get(fields) ?? new WeakMap<EntryField, { value: ParsedValue }>()
  cachedValues.set(fields, cache)
  const cached = cache.get(field) ?? { value: readEntryValue(field, fields[field.id]) }
  cache.set(field, cached)
  return cached.value
}

const maxRedirects = 5

/**
 * What a URL of this site leads to, also through redirects. Undefined when there is nothing; without a title when it is
 * neither a page nor an overview; without `page` when it is no page.
 * @param tags gets the cache tags of the addresses and pages that were looked up
 */
async function resolveInternalUrl(
  ctx: ReadContext,
  url: string,
  locale: Locale,
  tags: string[],
): Promise<{ title?: string; page?: LinkedPage } | undefined> {
  let address = normalizePath(splitTarget(url).path)
  for (let redirects = 0; address !== undefined && redirects <= maxRedirects; redirects++) {
    const target = await findPageOrOverview(ctx, address, locale, tags)
    if (target) return target
    if (isReservedPath(address, ctx.site)) return {}
    const to: string | null | undefined = (await findRedirectFrom(ctx.db, address))?.to
    if (to && !to.startsWith('/')) return {}
    address = to ? splitTarget(to).path : undefined
  }
  return undefined
}

/** A published page to which a link leads, in the language of the reader or else in the main one. */
interface LinkedPage {
  collection: string | null
  /** The language of the text. */
  locale: Locale
  slug: string
  text: PageText
}

/** The page or overview at an address: in the language of the prefix, or without a prefix in that of the reader. */
async function findPageOrOverview(
  ctx: ReadContext,
  address: string,
  reader: Locale,
  tags: string[],
): Promise<{ title: string; page?: LinkedPage } | undefined> {
  const { site } = ctx
  const { path, locale: addressLocale } = splitLocale(address, site)
  const slug = path.slice(1)
  const isAtRoot = addressLocale === rootLocaleOf(site)
  const locale = isAtRoot ? reader : addressLocale
  const overview = collectionAt(site, slug, addressLocale)
  if (overview) return { title: localized(overview.name, locale).value }
  tags.push(`page:${path}`)
  const inAddressLocale = await findVisibleLiveRow(ctx, addressLocale, slug)
  const main = mainLocaleOf(site)
  // Links are written with paths in the main language, also when another is at the root.
  const mainOverview = !inAddressLocale && isAtRoot ? collectionAt(site, slug, main) : undefined
  if (mainOverview) return { title: localized(mainOverview.name, locale).value }
  // A page without a translation is shown at its path in the main language.
  const live = inAddressLocale ?? (await findVisibleLiveRow(ctx, main, slug))
  if (!live) return undefined
  tags.push(`page#${live.pageId}`)
  const translated = live.liveSlugs.find((row) => row.locale === locale)
  const text = translated && (await findVisibleLiveRow(ctx, locale, translated.slug))?.text
  const untranslated = { locale: inAddressLocale ? addressLocale : main, slug, text: live.text }
  const shown = text ? { locale, slug: text.slug, text } : untranslated
  const page: LinkedPage = { collection: live.collection, ...shown }
  return { title: page.text.title, page }
}

/**
 * The published page at a URL of this site as a list shows it, also through redirects; undefined when there is none.
 * @param tags gets the cache tags of what was looked up
 */
export async function findPageAsListedEntry(
  ctx: ReadContext,
  url: string,
  locale: Locale,
  tags: string[],
): Promise<ListedEntry | undefined> {
  const page = (await resolveInternalUrl(ctx, url, locale, tags))?.page
  if (!page) return undefined
  const { slug, locale: textLocale } = page
  const collection = findCollection(ctx.site, page.collection)
  const { fields } = page.text
  // Only a text in the main language is shown below the prefix of another.
  const path =
    textLocale === mainLocaleOf(ctx.site)
      ? pathForReader(slug, { textLocale, reader: locale }, ctx.site)
      : localizedPath(`/${slug}`, textLocale, ctx.site)
  return {
    path: encodeURI(path),
    title: page.text.title,
    locale: textLocale,
    values: collection ? await loadValues(ctx, { collection, fields, locale, tags }, ({ inList }) => inList) : [],
  }
}
