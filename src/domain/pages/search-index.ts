import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { extractBlockTexts, htmlToText, toSingleLine } from '../../blocks/block-texts.ts'
import { readEntryValue } from '../../blocks/entry-values.ts'
import { type EntryValues, findCollection, isHiddenEntry } from '../../contract/collections.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, localized, mainLocaleOf } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { fillPlaceholders, type Placeholders, placeholdersOf } from '../../contract/placeholders.ts'
import { truncateText } from '../../contract/text.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { isDatabaseUnavailable } from '../../platform/db/dialect/unavailable.ts'
import { foldWords, spacedWords, withPiecesOfLongWords } from '../../platform/db/text-search.ts'
import { lockPaths } from '../redirects/redirects.ts'
import { fillSections } from '../sections/shown-sections.ts'
import { findRevisionText } from './live-page.queries.ts'
import { deleteSearchRow, findLiveRevision, listOutdatedTexts, upsertSearchRow } from './search.queries.ts'

type IndexContext = Pick<Context, 'site' | 'now'>

/** Increment this version when the extraction of texts changes, so that all pages are reindexed. */
const extractionVersion = 6

/** A hash of everything besides the page that affects its indexed text: placeholders, prices, forms, collection fields. */
export function indexFingerprint({ site, now }: IndexContext): string {
  const fields = (site.collections ?? []).map((collection) => [
    collection.id,
    collection.fields.map(({ id, type, inList, inDetail, options }) => [id, type, inList, inDetail, options]),
  ])
  const placeholders = site.locales.map((locale) => placeholdersOf(site, locale, now(), ''))
  const forms = site.forms?.map(({ id }) => id)
  // The main language counts, because sections that a language lacks are indexed in it.
  const values = [extractionVersion, mainLocaleOf(site), ...placeholders, site.offer, forms, fields]
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
}

/** Updates the search index for a page in one language. @param page.live undefined: it is not published */
export async function indexPage(
  tx: Transaction,
  ctx: IndexContext,
  page: {
    pageId: number
    collection: string | null
    locale: Locale
    live: { id: number; text: PageText } | undefined
  },
): Promise<void> {
  const { pageId, collection, locale, live } = page
  if (!live || live.text.noindex) return deleteSearchRow(tx, pageId, locale)
  // A hidden entry has an empty row, which counts as up to date until the collection is back.
  const isHidden = isHiddenEntry(ctx.site, collection)
  const { title, text } = isHidden
    ? { title: '', text: '' }
    : await extractPageText(tx, ctx, { locale, collection }, live.text)
  const words = foldWords(title)
  await upsertSearchRow(tx, {
    page_id: pageId,
    locale,
    revision_id: live.id,
    filled_with: indexFingerprint(ctx),
    title,
    search_title: spacedWords(words),
    search_text: spacedWords(withPiecesOfLongWords(`${words} ${foldWords(text)}`)),
    text,
  })
}

/** The title and the text of a page as an anonymous visitor reads them, without markup; each field is a line. */
export async function extractPageText(
  db: Db,
  { site, now }: IndexContext,
  { locale, collection }: { locale: Locale; collection: string | null },
  page: PageText,
): Promise<{ title: string; text: string }> {
  const cache: Partial<Record<Locale, Placeholders>> = {}
  const placeholdersIn = (language: Locale) => {
    cache[language] ??= placeholdersOf(site, language, now(), '')
    return cache[language]
  }
  const { body } = await fillSections(db, { locale, main: mainLocaleOf(site) }, page.body)
  const text = [
    ...textsOfValues(site, { locale, collection }, page.fields),
    ...extractBlockTexts(body, { site, locale, placeholdersIn }),
  ].join('\n')
  return {
    title: toSingleLine(fillPlaceholders(page.title, placeholdersIn(locale))),
    text: truncateText(text, limits.siteSearchTextChars),
  }
}

/** The texts of the fields of an entry that visitors see, without addresses, dates and numbers. */
function textsOfValues(
  site: IndexContext['site'],
  { locale, collection }: { locale: Locale; collection: string | null },
  values: EntryValues = {},
): string[] {
  const fields = findCollection(site, collection)?.fields ?? []
  return fields.flatMap((field) => {
    const value = field.inList || field.inDetail ? readEntryValue(field, values[field.id]) : undefined
    if (typeof value !== 'string') return []
    const option = field.type === 'choice' && field.options?.find(({ id }) => id === value)
    if (option) return [toSingleLine(localized(option.name, locale).value)]
    if (field.type === 'richText') return [toSingleLine(htmlToText(value))].filter(Boolean)
    return field.type === 'text' || field.type === 'author' ? [toSingleLine(value)].filter(Boolean) : []
  })
}

/**
 * Reindexes outdated texts: those with a changed section or changed placeholder values, or published by an older
 * release. Each page has its own short transaction, and is indexed at most once per run: two instances with different
 * placeholder values would otherwise reindex endlessly.
 * @throws {Error} when any failed, after all others were indexed; at once when the database is unavailable
 */
export async function refreshSearchIndex(
  ctx: Pick<Context, 'db' | 'transaction' | 'dialect' | 'site' | 'now'>,
  stopping: AbortSignal,
): Promise<void> {
  const current = indexFingerprint(ctx)
  const pageIds = new Set((await listOutdatedTexts(ctx.db, current)).map(({ page_id }) => page_id))
  const failures: { pageId: number; error: unknown }[] = []
  for (const pageId of pageIds) {
    if (stopping.aborted) return
    try {
      await ctx.transaction(async (tx) => {
        // No page or section changes between reading and writing.
        await lockPaths(tx, ctx)
        for (const { locale } of await listOutdatedTexts(tx, current, { pageId })) {
          const { liveId: id, collection = null } = (await findLiveRevision(tx, pageId, locale)) ?? {}
          const text = id ? await findRevisionText(tx, id) : undefined
          await indexPage(tx, ctx, { pageId, collection, locale, live: id && text ? { id, text } : undefined })
        }
      })
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // One page that fails must not block the others.
      failures.push({ pageId, error })
    }
    await nextTurn()
  }
  if (failures.length === 0) return
  const failedIds = failures.map(({ pageId }) => pageId).slice(0, 20)
  throw new Error(`pages that cannot be read for the search: ${failedIds.join(', ')}`, { cause: failures[0]?.error })
}
