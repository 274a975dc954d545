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
import { findPublicationDates, listIndexableRows, listNewestRows } from './entry.queries.ts'
import { findRevisionText } from './live-page.queries.ts'

type ReadContext = Pick<Context, 'db' | 'site'>

/**
 * Fills the `entry-list` blocks of a page, also within sections. Without any it returns the same array, and no query
 * runs.
 * @param locale the language of the page around the lists
 * @returns `tags`: the cache tags of the listed pages, and of addresses that were looked up
 */
export async function fillEntryLists(
  ctx: ReadContext,
  locale: Locale,
  body: StoredBlock[],
): Promise<{ body: StoredBlock[]; tags: string[] }> {
  if (!hasEntryList(body)) return { body, tags: [] }
  const tags: string[] = []
  const fill = async (blocks: readonly StoredBlock[]): Promise<StoredBlock[]> => {
    const filled: StoredBlock[] = []
    // Sequential, here and below: parallel queries for hundreds of lists would take all database connections.
    for (const block of blocks) {
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

const hasEntryList = (body: readonly StoredBlock[]): boolean =>
  body.some((block) => block.type === 'entry-list' || hasEntryList(contentOf(block)?.body ?? []))

/** The content of a `section` block. Other blocks may have a field with the name `content`, so the type is checked. */
const contentOf = (block: StoredBlock) => (block.type === 'section' ? (block as ShownSection).content : undefined)

/** The published pages at `urls`, or without any the newest entries of a collection or category, with cache tags. */
export async function listEntries(
  ctx: ReadContext,
  locale: Locale,
  { from, urls, count }: EntryListRequest,
): Promise<{ entries: ListedEntry[]; tags: string[] }> {
  const tags: string[] = []
  const entries: ListedEntry[] = []
  if (urls.length > 0) {
    for (const url of new Set(urls)) {
      const entry = await findPageAsListedEntry(ctx, url, locale, tags)
      if (entry) entries.push(entry)
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

/** An entry in a feed; the dates are `yyyy-mm-dd`. */
interface FeedEntry extends ListedEntry {
  pageId: number
  description: string
  /** The name of the author, if the page of the entry shows it. */
  author: string | undefined
  /** The value of its date field, or its publication date. */
  date: string
  /** When the text was last published. */
  updated: string
}

/** The newest entries of a collection that search engines may show, with the cache tags of the feed. */
export async function loadFeed(
  ctx: ReadContext,
  collection: Collection,
  locale: Locale,
): Promise<{ entries: FeedEntry[]; tags: string[] }> {
  const tags = [collectionTag(collection.id)]
  const rows = await listIndexableRows(ctx.db, { collection: collection.id, locale }, limits.feedEntries)
  const publicationDates = await findPublicationDates(ctx.db, rows)
  const entries: FeedEntry[] = []
  for (const row of rows) {
    const text = await findRevisionText(ctx.db, row.revisionId)
    if (!text) continue
    const listed = await toListedEntry(ctx, collection, row, locale, tags)
    const { pageId, date } = row
    const { description, fields } = text
    const author = authorOfEntry(collection, fields)
    entries.push({ ...listed, pageId, description, author, date, updated: publicationDates.get(pageId) || date })
  }
  return { entries, tags: [...new Set(tags)] }
}
