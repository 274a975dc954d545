import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { textOfHtml, textsOf, toLine } from '../../blocks/block-texts.ts'
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
import { showSections } from '../sections/shown-sections.ts'
import { findRevisionText } from './live-page.queries.ts'
import { deleteSearchRow, findLiveRevision, listOutdatedTexts, upsertSearchRow } from './search.queries.ts'

type Site = Pick<Context, 'site' | 'now'>

/** The version of the text extraction; increment it when the extraction changes, so that all pages are reindexed. */
const extraction = 6

/** A hash of everything besides the page that affects its indexed text: placeholders, prices, forms, collection fields. */
export function indexFingerprint({ site, now }: Site): string {
  const fields = (site.collections ?? []).map((collection) => [
    collection.id,
    collection.fields.map(({ id, type, inList, inDetail, options }) => [id, type, inList, inDetail, options]),
  ])
  const placeholders = site.locales.map((locale) => placeholdersOf(site, locale, now(), ''))
  // Shared sections that a language lacks are indexed in the main one.
  const forms = site.forms?.map(({ id }) => id)
  const values = [extraction, mainLocaleOf(site), ...placeholders, site.offer, forms, fields]
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
}

/** Updates the search index for a page in one language. @param at.live the published revision, if there is one */
export async function indexPage(
  tx: Transaction,
  ctx: Site,
  at: {
    pageId: number
    collection: string | null
    locale: Locale
    live: { id: number; text: PageText } | undefined
  },
): Promise<void> {
  const { pageId, collection, locale, live } = at
  if (!live || live.text.noindex) return deleteSearchRow(tx, pageId, locale)
  // An empty row of a hidden entry is up to date, until the collection is back.
  const isHidden = isHiddenEntry(ctx.site, collection)
  const { title, text } = isHidden
    ? { title: '', text: '' }
    : await readablePage(tx, ctx, { locale, collection }, live.text)
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

/** The title and text of a page as an anonymous visitor reads them now; the text has a line for each field. */
export async function readablePage(
  db: Db,
  { site, now }: Site,
  { locale, collection }: { locale: Locale; collection: string | null },
  page: PageText,
): Promise<{ title: string; text: string }> {
  const filled: Partial<Record<Locale, Placeholders>> = {}
  const placeholdersIn = (one: Locale) => {
    filled[one] ??= placeholdersOf(site, one, now(), '')
    return filled[one]
  }
  const { body } = await showSections(db, { locale, main: mainLocaleOf(site) }, page.body)
  const text = [
    ...valueTexts(site, { locale, collection }, page.fields),
    ...textsOf(body, { site, locale, placeholdersIn }),
  ].join('\n')
  return {
    title: toLine(fillPlaceholders(page.title, placeholdersIn(locale))),
    text: truncateText(text, limits.siteSearchTextChars),
  }
}

/** The words of the fields of an entry that visitors see, without addresses, dates and numbers. */
function valueTexts(
  site: Site['site'],
  { locale, collection }: { locale: Locale; collection: string | null },
  values: EntryValues = {},
): string[] {
  const fields = findCollection(site, collection)?.fields ?? []
  return fields.flatMap((field) => {
    const value = field.inList || field.inDetail ? readEntryValue(field, values[field.id]) : undefined
    if (typeof value !== 'string') return []
    const option = field.type === 'choice' && field.options?.find(({ id }) => id === value)
    if (option) return [toLine(localized(option.name, locale).value)]
    if (field.type === 'richText') return [toLine(textOfHtml(value))].filter(Boolean)
    return field.type === 'text' || field.type === 'author' ? [toLine(value)].filter(Boolean) : []
  })
}

/**
 * Reindexes outdated texts: those with a changed section or changed placeholder values, or published by an older version of
 * the program. Each page has its own short transaction, and is indexed at most once per run: two instances with different
 * placeholder values would otherwise reindex endlessly.
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
  const failed = failures.map(({ pageId }) => pageId).slice(0, 20)
  throw new Error(`pages that cannot be read for the search: ${failed.join(', ')}`, { cause: failures[0]?.error })
}
