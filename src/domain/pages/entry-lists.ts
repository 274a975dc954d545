import {
  categoryOf,
  collectionIdOf,
  type EntryListRequest,
  entryListRequestOf,
  type ShownEntryList,
} from '../../blocks/entry-list.tsx'
import type { ShownSection } from '../../blocks/section.tsx'
import { type Collection, findCollection, type ListedEntry } from '../../contract/collections.ts'
import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import { authorOfEntry, findPageAsListedEntry, toListedEntry } from './collection-view.ts'
import { collectionTag } from './entries.ts'
import { findUpdates, listIndexedRows, listNewestRows } from './entry.queries.ts'
import { findRevisionText } from './live-page.queries.ts'

type ReadContext = Pick<Context, 'db' | 'site'>

/**
 * Fills the entry lists of a page, including those within sections. Without lists it returns the same array, and runs no
 * query.
 * @param locale the language of the page around them
 * @returns `tags`: the cache tags of the listed pages, and of the pages that were looked up
 */
export async function showEntryLists(
  ctx: ReadContext,
  locale: Locale,
  body: StoredBlock[],
): Promise<{ body: StoredBlock[]; tags: string[] }> {
  if (!hasLists(body)) return { body, tags: [] }
  const tags: string[] = []
  const fill = async (list: readonly StoredBlock[]): Promise<StoredBlock[]> => {
    const filled: StoredBlock[] = []
    // One after the other: a page may have hundreds of lists, which would take all connections.
    for (const block of list) {
      const content = contentOf(block)
      const request = entryListRequestOf(block)
      if (content) filled.push({ ...block, content: { ...content, body: await fill(content.body) } } as ShownSection)
      else if (request) {
        const listed = await listEntries(ctx, locale, request)
        tags.push(...listed.tags)
        filled.push({ ...block, entries: listed.entries } as ShownEntryList)
      } else filled.push(block)
    }
    return filled
  }
  return { body: await fill(body), tags: [...new Set(tags)] }
}

const hasLists = (body: readonly StoredBlock[]): boolean =>
  body.some((block) => block.type === 'entry-list' || hasLists(contentOf(block)?.body ?? []))

/** The blocks of a section; other blocks may have a field of that name. */
const contentOf = (block: StoredBlock) => (block.type === 'section' ? (block as ShownSection).content : undefined)

/** The chosen pages that are published, or else the newest entries of the collection. */
export async function listEntries(
  ctx: ReadContext,
  locale: Locale,
  { from, urls, count }: EntryListRequest,
): Promise<{ entries: ListedEntry[]; tags: string[] }> {
  const tags: string[] = []
  const entries: ListedEntry[] = []
  // Sequential, here and below: parallel queries for a whole list would take all database connections.
  if (urls.length > 0) {
    for (const url of new Set(urls)) {
      const found = await findPageAsListedEntry(ctx, url, locale, tags)
      if (found) entries.push(found)
    }
    return { entries, tags }
  }
  const collection = findCollection(ctx.site, collectionIdOf(from))
  if (!collection) return { entries, tags }
  tags.push(collectionTag(collection.id))
  const filter = { collection: collection.id, locale, category: categoryOf(from) }
  const rows = await listNewestRows(ctx.db, filter, count)
  for (const row of rows) entries.push(await toListedEntry(ctx, collection, row, locale, tags))
  return { entries, tags }
}

/** An entry in a feed, with ISO dates. */
export interface FeedEntry extends ListedEntry {
  pageId: number
  description: string
  /** The name of its author, where its page shows one. */
  author: string | undefined
  date: string
  updated: string
}

/** The newest entries of a collection that search engines may show. */
export async function loadFeed(
  ctx: ReadContext,
  collection: Collection,
  locale: Locale,
): Promise<{ entries: FeedEntry[]; tags: string[] }> {
  const tags = [collectionTag(collection.id)]
  const rows = await listIndexedRows(ctx.db, { collection: collection.id, locale }, limits.feedEntries)
  const updates = await findUpdates(ctx.db, rows)
  const entries: FeedEntry[] = []
  for (const row of rows) {
    const text = await findRevisionText(ctx.db, row.revisionId)
    if (!text) continue
    const listed = await toListedEntry(ctx, collection, row, locale, tags)
    const { pageId, date } = row
    const { description, fields } = text
    const author = authorOfEntry(collection, fields)
    entries.push({ ...listed, pageId, description, author, date, updated: updates.get(pageId) || date })
  }
  return { entries, tags: [...new Set(tags)] }
}
