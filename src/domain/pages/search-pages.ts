import { isHiddenEntry } from '../../contract/collections.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, localizedPath } from '../../contract/locales.ts'
import type { FoundPart } from '../../contract/site-search.ts'
import type { Context } from '../../platform/context.ts'
import { foldWords, searchTerms, spacedWords } from '../../platform/db/text-search.ts'
import { findRevisionText } from './live-page.queries.ts'
import { areWordsIndexed, findMatches, listFoundTexts } from './search.queries.ts'
import { extractPageText, indexFingerprint } from './search-index.ts'

export interface FoundPage {
  /** The path as in the address bar, not encoded. */
  path: string
  title: FoundPart[]
  /** The part of the text with the first match, or else its beginning. */
  excerpt: FoundPart[]
}

type SearchProblem = 'empty' | 'tooShort' | 'tooLong'

export interface SiteSearch {
  /** Why nothing was searched. */
  problem?: SearchProblem
  /** The number of results, at most `limits.siteSearchResults`. */
  total: number
  /** Whether there are more than `total`. */
  more: boolean
  /** From 1; the last page when a higher one was requested. */
  page: number
  pages: number
  results: FoundPage[]
}

/**
 * The published pages in a language that contain all words of a query, the best first, as anonymous visitors see them.
 * @param input.suggest only the first `limits.siteSuggestions`, without excerpts
 */
export async function searchPages(
  ctx: Pick<Context, 'db' | 'dialect' | 'site' | 'now'>,
  input: { query: string; locale: Locale; page?: number; suggest?: boolean },
): Promise<SiteSearch> {
  const { query, locale, page: requestedPage = 1, suggest = false } = input
  const pageSize = suggest ? limits.siteSuggestions : limits.siteSearchPageSize
  const noResults = { total: 0, more: false, page: 1, pages: 0, results: [] }
  if (query.length > limits.searchChars) return { ...noResults, problem: 'tooLong' }
  const terms = searchTerms(foldWords(query))
  // At least one term must have two characters.
  if (terms.every((term) => [...term.trimStart()].length < 2)) {
    return { ...noResults, problem: query.trim() === '' ? 'empty' : 'tooShort' }
  }
  const ids = await findIds(ctx, locale, terms)
  const total = Math.min(ids.length, limits.siteSearchResults)
  const pages = Math.ceil(total / pageSize)
  const page = Math.max(1, Math.min(requestedPage, pages))
  const pageIds = ids.slice(0, total).slice((page - 1) * pageSize, page * pageSize)
  const fingerprint = indexFingerprint(ctx)
  const results: FoundPage[] = []
  for (const row of await listFoundTexts(ctx.db, pageIds)) {
    if (isHiddenEntry(ctx.site, row.collection)) continue
    const isUpToDate = row.filled_with === fingerprint && row.marked === null
    const current = isUpToDate ? row : await readCurrentText(ctx, locale, row)
    // The current text may no longer match the query.
    if (!current || !terms.every((term) => current.search_text.includes(term))) continue
    results.push({
      path: localizedPath(`/${row.live_slug}`, locale, ctx.site),
      title: markMatches(current.title, terms),
      excerpt: suggest ? [] : markMatches(excerptOf(current.text, terms), terms),
    })
  }
  const leftOut = pageIds.length - results.length
  return { total: total - leftOut, more: ids.length > total, page, pages, results }
}

/** The ids of the matching index rows, those with all terms in the title first; one more than the limit if possible. */
async function findIds(
  { db, dialect }: Pick<Context, 'db' | 'dialect'>,
  locale: Locale,
  terms: readonly string[],
): Promise<number[]> {
  const maxIds = limits.siteSearchResults + 1
  const [byTitle, byWords] = await Promise.all([
    findMatches(db, dialect, { column: 'search_title', locale, terms }, maxIds),
    areWordsIndexed(db, locale),
  ])
  if (byTitle.length === maxIds) return byTitle
  const inTexts = { column: 'search_text', byWords, locale, terms } as const
  return [...byTitle, ...(await findMatches(db, dialect, inTexts, maxIds - byTitle.length))]
}

/** The current text of a page whose index row is outdated, so that removed content is not shown in results. */
async function readCurrentText(
  ctx: Pick<Context, 'db' | 'site' | 'now'>,
  locale: Locale,
  { live_id: revisionId, collection }: { live_id: number | null; collection: string | null },
) {
  const text = revisionId === null ? undefined : await findRevisionText(ctx.db, revisionId)
  if (!text) return undefined
  const current = await extractPageText(ctx.db, ctx, { locale, collection }, text)
  return { ...current, search_text: spacedWords(foldWords(`${current.title} ${current.text}`)) }
}

/** A word, with the apostrophes, hyphens and zero-width characters within it, which `foldWords` removes. */
const wordPattern = /[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}\u200b-\u200d\u0640\u00ad'’‐‑-]*[\p{L}\p{N}\p{M}])?/gu

/** Marks the words of a text that contain a term: whole words, so that the characters of a Persian word stay joined. */
function markMatches(text: string, terms: readonly string[]): FoundPart[] {
  const parts: FoundPart[] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    if (!containsAny(word, terms)) continue
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false })
    parts.push({ text: word, isMatch: true })
    end = index + word.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}

const containsAny = (text: string, terms: readonly string[]) => {
  const words = spacedWords(foldWords(text))
  return terms.some((term) => words.includes(term))
}

/** The number of characters of an excerpt, and of those before the first match. */
const [excerptChars, leadChars] = [220, 70]

/** The excerpt is of a match in this many characters, or else of the beginning. */
const excerptSearchChars = 20_000
/** Folding this many words together takes less time than folding each. */
const wordsPerBatch = 16

/** The bounds of the first word with a match, or of the match in a word longer than an excerpt; both 0 without one. */
function findFirstMatch(text: string, terms: readonly string[]): { start: number; end: number } {
  const words = text.slice(0, excerptSearchChars).matchAll(wordPattern)
  for (let batch = [...words.take(wordsPerBatch)]; batch.length > 0; batch = [...words.take(wordsPerBatch)]) {
    if (!containsAny(batch.map(([word]) => word).join(' '), terms)) continue
    const match = batch.find(([word]) => containsAny(word, terms))
    if (match) return boundsOf(match[0], match.index, terms)
  }
  return { start: 0, end: 0 }
}

function boundsOf(word: string, start: number, terms: readonly string[]): { start: number; end: number } {
  if (word.length <= excerptChars) return { start, end: start + word.length }
  const matchEnd = findSmallest(word.length, (chars) => containsAny(word.slice(0, chars), terms))
  const matchChars = findSmallest(matchEnd, (chars) => containsAny(word.slice(matchEnd - chars, matchEnd), terms))
  return { start: start + matchEnd - matchChars, end: start + matchEnd }
}

/** By binary search, the smallest number up to `largest` for which a condition holds that holds for all larger ones. */
function findSmallest(largest: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, largest]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The part of a text with the first match, or else its beginning, cut between words. */
function excerptOf(text: string, terms: readonly string[]): string {
  const { start, end } = findFirstMatch(text, terms)
  // When the line of the match begins shortly before it, the excerpt begins there.
  const lineStart = text.lastIndexOf('\n', start) + 1
  const excerptStart = start - lineStart <= leadChars ? lineStart : findWordStart(text, start - leadChars, start)
  const excerptEnd = findWordEnd(text, end, excerptStart + excerptChars)
  const excerpt = text.slice(excerptStart, excerptEnd).toWellFormed().replaceAll('\n', ' · ')
  return `${excerptStart > 0 ? '… ' : ''}${excerpt}${excerptEnd < text.length ? ' …' : ''}`
}

/** The first start of a word between two indexes; without white space there, `max`. */
function findWordStart(text: string, min: number, max: number): number {
  const space = text.slice(min, max).search(/\s/)
  return space < 0 ? max : min + space + 1
}

/** The last end of a word between two indexes; without white space there, `max`. */
function findWordEnd(text: string, min: number, max: number): number {
  if (max >= text.length) return text.length
  const space = text.slice(min, max).search(/\s\S*$/)
  return space < 0 ? max : min + space
}
