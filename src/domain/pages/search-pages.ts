import { isHiddenEntry } from '../../contract/collections.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, localizedPath } from '../../contract/locales.ts'
import type { FoundPart } from '../../contract/site-search.ts'
import type { Context } from '../../platform/context.ts'
import { foldWords, searchTerms, spacedWords } from '../../platform/db/text-search.ts'
import { findRevisionText } from './live-page.queries.ts'
import { areWordsIndexed, findMatches, listFoundTexts } from './search.queries.ts'
import { indexFingerprint, readablePage } from './search-index.ts'

export interface FoundPage {
  /** As in the address bar, not encoded. */
  path: string
  title: FoundPart[]
  /** The part of its text with the first match, or its beginning. */
  excerpt: FoundPart[]
}

type SearchProblem = 'empty' | 'tooShort' | 'tooLong'

export interface SiteSearch {
  /** Why nothing was searched. */
  problem?: SearchProblem
  /** Of all results, up to `siteSearchResults`. */
  total: number
  /** Whether there are more than `total`. */
  more: boolean
  /** Counted from one; the last one where there are fewer. */
  page: number
  pages: number
  results: FoundPage[]
}

/**
 * The published pages in a language that contain all words of a query, the best first, as anonymous visitors see them.
 * @param input.suggest only the first few, without excerpts
 */
export async function searchPages(
  ctx: Pick<Context, 'db' | 'dialect' | 'site' | 'now'>,
  input: { query: string; locale: Locale; page?: number; suggest?: boolean },
): Promise<SiteSearch> {
  const { query, locale, page: wanted = 1, suggest = false } = input
  const pageSize = suggest ? limits.siteSuggestions : limits.siteSearchPageSize
  const nothing = { total: 0, more: false, page: 1, pages: 0, results: [] }
  if (query.length > limits.searchChars) return { ...nothing, problem: 'tooLong' }
  const terms = searchTerms(foldWords(query))
  if (terms.every((term) => [...term.trimStart()].length < 2)) {
    return { ...nothing, problem: query.trim() === '' ? 'empty' : 'tooShort' }
  }
  const ids = await findIds(ctx, locale, terms)
  const total = Math.min(ids.length, limits.siteSearchResults)
  const pages = Math.ceil(total / pageSize)
  const page = Math.max(1, Math.min(wanted, pages))
  const shown = ids.slice(0, total).slice((page - 1) * pageSize, page * pageSize)
  const fingerprint = indexFingerprint(ctx)
  const results: FoundPage[] = []
  for (const row of await listFoundTexts(ctx.db, shown)) {
    if (isHiddenEntry(ctx.site, row.collection)) continue
    const found = row.filled_with === fingerprint && row.marked === null ? row : await readAgain(ctx, locale, row)
    // The current text may no longer match the query.
    if (!found || !terms.every((term) => found.search_text.includes(term))) continue
    results.push({
      path: localizedPath(`/${row.live_slug}`, locale, ctx.site),
      title: markMatches(found.title, terms),
      excerpt: suggest ? [] : markMatches(excerptOf(found.text, terms), terms),
    })
  }
  const leftOut = shown.length - results.length
  return { total: total - leftOut, more: ids.length > total, page, pages, results }
}

async function findIds(
  { db, dialect }: Pick<Context, 'db' | 'dialect'>,
  locale: Locale,
  terms: readonly string[],
): Promise<number[]> {
  const most = limits.siteSearchResults + 1
  const [byTitle, byWords] = await Promise.all([
    findMatches(db, dialect, { column: 'search_title', locale, terms }, most),
    areWordsIndexed(db, locale),
  ])
  if (byTitle.length === most) return byTitle
  const inTexts = { column: 'search_text', byWords, locale, terms } as const
  return [...byTitle, ...(await findMatches(db, dialect, inTexts, most - byTitle.length))]
}

/** The current text of a page whose index row is outdated, so that removed content is not shown in results. */
async function readAgain(
  ctx: Pick<Context, 'db' | 'site' | 'now'>,
  locale: Locale,
  { live_id: revisionId, collection }: { live_id: number | null; collection: string | null },
) {
  const text = revisionId === null ? undefined : await findRevisionText(ctx.db, revisionId)
  if (!text) return undefined
  const now = await readablePage(ctx.db, ctx, { locale, collection }, text)
  return { ...now, search_text: spacedWords(foldWords(`${now.title} ${now.text}`)) }
}

/** A word with the signs within it that `foldWords` joins, and with half-spaces. */
const word = /[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}\u200b-\u200d\u0640\u00ad'’‐‑-]*[\p{L}\p{N}\p{M}])?/gu

/** Whole words, so that the letters of a Persian word stay joined. */
function markMatches(text: string, terms: readonly string[]): FoundPart[] {
  const parts: FoundPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(word)) {
    if (!contains(found, terms)) continue
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false })
    parts.push({ text: found, isMatch: true })
    end = index + found.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}

const contains = (text: string, terms: readonly string[]) => {
  const words = spacedWords(foldWords(text))
  return terms.some((term) => words.includes(term))
}

/** The characters of an excerpt, and those of them before the first match. */
const [excerptChars, leadChars] = [220, 70]

/** Only this many characters are searched for a match. */
const excerptSearchChars = 20_000
/** So many words are folded at once, which takes less time than folding each. */
const wordsAtOnce = 16

/** The bounds of the first word with a match, or of the match in a word that is longer than an excerpt; both 0 without one. */
function firstMatch(text: string, terms: readonly string[]): { start: number; end: number } {
  const words = text.slice(0, excerptSearchChars).matchAll(word)
  for (let some = [...words.take(wordsAtOnce)]; some.length > 0; some = [...words.take(wordsAtOnce)]) {
    if (!contains(some.map(([one]) => one).join(' '), terms)) continue
    const match = some.find(([one]) => contains(one, terms))
    if (match) return boundsOf(match[0], match.index, terms)
  }
  return { start: 0, end: 0 }
}

function boundsOf(found: string, start: number, terms: readonly string[]): { start: number; end: number } {
  if (found.length <= excerptChars) return { start, end: start + found.length }
  const to = smallest(found.length, (chars) => contains(found.slice(0, chars), terms))
  const chars = smallest(to, (count) => contains(found.slice(to - count, to), terms))
  return { start: start + to - chars, end: start + to }
}

/** The smallest number for which a condition holds that also holds for all larger ones, up to `largest`. */
function smallest(largest: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, largest]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The part of a text with the first match, cut between words; without a match its beginning. */
function excerptOf(text: string, terms: readonly string[]): string {
  const { start, end } = firstMatch(text, terms)
  // A line that begins shortly before the match begins the excerpt.
  const lineBefore = text.lastIndexOf('\n', start) + 1
  const from = start - lineBefore <= leadChars ? lineBefore : wordStart(text, start - leadChars, start)
  const to = wordEnd(text, end, from + excerptChars)
  const cut = text.slice(from, to).toWellFormed().replaceAll('\n', ' · ')
  return `${from > 0 ? '… ' : ''}${cut}${to < text.length ? ' …' : ''}`
}

function wordStart(text: string, from: number, before: number): number {
  const space = text.slice(from, before).search(/\s/)
  return space < 0 ? before : from + space + 1
}

/** @param after where the match ends, which the excerpt contains */
function wordEnd(text: string, after: number, before: number): number {
  if (before >= text.length) return text.length
  const space = text.slice(after, before).search(/\s\S*$/)
  return space < 0 ? before : after + space
}
