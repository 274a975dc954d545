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
import { isReservedPath, pathIn, splitTarget } from '../redirects/redirect-target.ts'
import { collectionTag } from './entries.ts'
import { countEntries, type EntryRow, findNeighbourRows, listEntryRows } from './entry.queries.ts'
import { findRevisionText, findShownRow } from './live-page.queries.ts'

type ReadContext = Pick<Context, 'db' | 'site'>

/** The data of a collection entry that is rendered around its blocks. */
export interface EntryView {
  kind: 'entry'
  collection: Collection
  values: ShownValue[]
  /** The value of its date field, or its publication date; undefined for a draft. */
  date: string | undefined
  previous: ListedEntry | undefined
  next: ListedEntry | undefined
  tags: string[]
}

/** One page of a collection's overview, which lists its entries. */
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

/** @param of.pageId omitted for an unpublished text, which has no previous and next entry */
export async function loadEntryView(
  ctx: ReadContext,
  of: { collection: string | null; fields: EntryValues | undefined; locale: Locale; pageId?: number },
): Promise<EntryView | undefined> {
  const collection = findCollection(ctx.site, of.collection)
  if (!collection) return undefined
  const { locale, pageId } = of
  const filter = { collection: collection.id, locale }
  const { date, lower, higher } = pageId === undefined ? {} : await findNeighbourRows(ctx.db, filter, pageId)
  const shown = async (row: EntryRow | undefined) => row && (await toListedEntry(ctx, collection, row, locale))
  const [first, last] = collection.order === 'newest' ? [higher, lower] : [lower, higher]
  const links: string[] = []
  const values = await valuesOf(ctx, { collection, fields: of.fields, locale, links }, ({ inDetail }) => inDetail)
  return {
    kind: 'entry',
    collection,
    values,
    date,
    previous: await shown(first),
    next: await shown(last),
    tags: [collectionTag(collection.id), ...links],
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
  const asked = query.get(urlParameters.page) ?? '1'
  const filter = { collection: collection.id, locale, category }
  const { pageSize } = collection
  const counts = await countEntries(ctx.db, filter)
  const total =
    category === undefined ? [...counts.values()].reduce((sum, one) => sum + one, 0) : (counts.get(category) ?? 0)
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const page = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 0
  if (page < 1 || page > pages || (category !== undefined && total === 0)) return undefined
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

/** @param locale the language of the list; texts in another language are linked by their path in this language */
export async function toListedEntry(
  ctx: ReadContext,
  collection: Collection,
  row: EntryRow,
  locale: Locale,
  links: string[] = [],
): Promise<ListedEntry> {
  const text = await findRevisionText(ctx.db, row.revisionId)
  return {
    path: encodeURI(pathForReader(row.slug, { textLocale: row.textLocale, reader: locale }, ctx.site)),
    title: text?.title ?? '',
    locale: row.textLocale,
    values: await valuesOf(ctx, { collection, fields: text?.fields, locale, links }, ({ inList }) => inList),
  }
}

/** The valid values of the fields that `isShown` accepts; links to missing pages of this site are left out. */
async function valuesOf(
  ctx: ReadContext,
  of: { collection: Collection; fields: EntryValues | undefined; locale: Locale; links: string[] },
  isShown: (field: EntryField) => boolean,
): Promise<ShownValue[]> {
  const { fields = {}, locale, links } = of
  const values: ShownValue[] = []
  for (const field of of.collection.fields.filter(isShown)) {
    const value = readOnce(field, fields)
    if (value === undefined) continue
    const isOwnLink = field.type === 'link' && String(value).startsWith('/')
    const target = isOwnLink ? await resolveInternalUrl(ctx, String(value), locale, links) : {}
    if (target) values.push({ field, value, linkTitle: target.title })
  }
  return values
}

/** The author that the page of an entry shows. */
export function authorOfEntry({ fields }: Collection, values: EntryValues = {}): string | undefined {
  const [author] = fields.flatMap((field) =>
    field.type === 'author' && field.inDetail ? [readOnce(field, values)] : [],
  )
  return author === undefined ? undefined : String(author)
}

type Read = ReturnType<typeof readEntryValue>
const valuesRead = new WeakMap<EntryValues, WeakMap<EntryField, { value: Read }>>()

/** Caches parsed values by the objects of the revision and the field, so that rich text is sanitized only once. */
function readOnce(field: EntryField, fields: EntryValues): Read {
  const known = valuesRead.get(fields) ?? new WeakMap<EntryField, { value: Read }>()
  valuesRead.set(fields, known)
  const read = known.get(field) ?? { value: readEntryValue(field, fields[field.id]) }
  known.set(field, read)
  return read.value
}

const maxRedirects = 5

/**
 * The target of a URL within this site, following redirects: without a title if it is not a page, undefined if missing.
 * @param tags gets the cache tags of what was looked for
 */
async function resolveInternalUrl(
  ctx: ReadContext,
  url: string,
  locale: Locale,
  tags: string[],
): Promise<{ title?: string; page?: FoundPage } | undefined> {
  let address = pathIn(splitTarget(url).path)
  for (let step = 0; address !== undefined && step <= maxRedirects; step++) {
    const found = await findPageOrOverview(ctx, address, locale, tags)
    if (found) return found
    if (isReservedPath(address, ctx.site)) return {}
    const to: string | null | undefined = (await findRedirectFrom(ctx.db, address))?.to
    if (to && !to.startsWith('/')) return {}
    address = to ? splitTarget(to).path : undefined
  }
  return undefined
}

/** A published page, in the language of a reader or else in the main one. */
interface FoundPage {
  collection: string | null
  /** The language of its text. */
  locale: Locale
  slug: string
  text: PageText
}

/** The page or overview at a path: in the language of its prefix, or for a path at the root in that of the reader. */
async function findPageOrOverview(
  ctx: ReadContext,
  address: string,
  reader: Locale,
  tags: string[],
): Promise<{ title: string; page?: FoundPage } | undefined> {
  const { site } = ctx
  const { path, locale: prefixed } = splitLocale(address, site)
  const slug = path.slice(1)
  const locale = prefixed === rootLocaleOf(site) ? reader : prefixed
  const overview = collectionAt(site, slug, prefixed)
  if (overview) return { title: localized(overview.name, locale).value }
  tags.push(`page:${path}`)
  const own = await findShownRow(ctx, prefixed, slug)
  const main = mainLocaleOf(site)
  const other = own || prefixed !== rootLocaleOf(site) ? undefined : collectionAt(site, slug, main)
  if (other) return { title: localized(other.name, locale).value }
  // A page without a translation is shown at its path in the main language.
  const live = own ?? (await findShownRow(ctx, main, slug))
  if (!live) return undefined
  tags.push(`page#${live.pageId}`)
  const translated = live.liveSlugs.find((one) => one.locale === locale)
  const text = translated && (await findShownRow(ctx, locale, translated.slug))?.text
  const page: FoundPage = {
    collection: live.collection,
    ...(text ? { locale, slug: text.slug, text } : { locale: own ? prefixed : main, slug, text: live.text }),
  }
  return { title: page.text.title, page }
}

/**
 * The published page at an address as it is listed, also through redirects.
 * @param tags gets the cache tags of what was looked for
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
    values: collection ? await valuesOf(ctx, { collection, fields, locale, links: tags }, ({ inList }) => inList) : [],
  }
}
