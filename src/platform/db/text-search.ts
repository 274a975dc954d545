import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { searchWords } from '../../contract/search-words.ts'
import type { Dialect } from './dialect/dialect.ts'
import { lastSuffixStart, maxPartChars } from './dialect/word-tokens.ts'
import { foldText } from './migrations/folded-text.ts'

/** The maximum number of terms; more would hardly narrow a search. */
const maxTerms = 8

/**
 * Persian endings, folded. Where they follow their word after a space instead of a half-space, they are no words of a
 * text, in which folding joins them to their word.
 */
const persianEndings = new Set([
  ...['ها', 'های', 'هایی', 'هایم', 'هایت', 'هایش', 'هایمان', 'هایتان', 'هایشان'],
  ...['ای', 'تر', 'ترین'],
])

/**
 * Splits a search into terms that a folded text must all contain: each word anywhere, a word of one or two characters
 * only at the start of a word, which the two leading spaces of the term express. A Persian ending after another word does
 * not restrict the search. Empty without a search.
 */
export function searchTerms(query: string | undefined): string[] {
  const words = searchWords(foldText((query ?? '').normalize('NFC')))
  const withoutEndings = words.filter(
    (word, index) => index === 0 || !persianEndings.has(word.replace(/[^\p{L}\p{N}]/gu, '')),
  )
  const terms = withoutEndings.map((word) => ([...word].length < 3 ? `  ${word}` : word))
  return [...new Set(terms)].slice(0, maxTerms)
}

/** More combining marks on one character than any script has; normalising very many takes quadratic time. */
const excessMarks = /(\p{M}{30})\p{M}+/gu

/**
 * The folded words of a text, separated by a space. Hyphens and apostrophes within a word are removed, and other signs become
 * a space, so that `e-mail`, `foto's` and words with a half-space are found in every spelling.
 */
export const foldWords = (text: string): string =>
  foldText(text.toWellFormed().replace(excessMarks, '$1').normalize('NFKC'))
    .replace(/(?<=[\p{L}\p{N}])['’‐‑\u00ad-]+(?=[\p{L}\p{N}])/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

/** Words with two spaces before and after each, as in a folded column: see `foldedColumns`. */
export const spacedWords = (words: string): string => `  ${words.replaceAll(' ', '  ')}  `

/** Words that are so long that the index lacks some of their suffixes. */
const longWord = new RegExp(`\\S{${lastSuffixStart + 3},}`, 'gu')

/**
 * Folded words for a word index, followed by overlapping pieces of the long words, which a script without spaces has:
 * each part of a long word begins near the beginning of a piece. The index drops the end of a long text.
 */
export function withPiecesOfLongWords(words: string): string {
  const pieces: string[] = []
  for (const [word] of words.matchAll(longWord)) {
    const characters = [...word]
    for (let start = lastSuffixStart; start <= characters.length - 3; start += lastSuffixStart)
      pieces.push(characters.slice(start, start + lastSuffixStart + maxPartChars).join(''))
  }
  return [words, ...pieces].join(' ')
}

/** Whether a folded column contains every term. @param contains `contains` or `containsByIndex` of the dialect */
export const containsAllTerms = (
  contains: Dialect['contains'],
  column: string,
  terms: readonly string[],
): RawBuilder<SqlBool> =>
  sql.join(
    terms.map((term) => contains(column, term)),
    sql` and `,
  )

/**
 * Email addresses within a text or JSON; PostgreSQL interprets the expression in the same way. The lookbehind tries a
 * run of such characters only at its start: a long run without an address would take quadratic time.
 */
export const emailAddresses = /(?<![^\s"<>\\])[^\s"<>\\]+@[^\s"<>\\]+/g

/** The signs that may be part of an address before the `@`, which at most 64 characters precede. */
const signsInAddress = "[!#$%&'*+/=?^_`{|}~.-]{0,64}"

/**
 * Matches a whole address in a text or JSON, ignoring case: `an@example.nl` does not match within `jan@example.nl` or
 * `j.an@example.nl`, but does within `'an@example.nl'`. In JSON a line break before it is the two characters `\n`.
 */
export const addressPattern = (email: string): RegExp =>
  new RegExp(
    `(?<=\\\\[bfnrt]${signsInAddress}|(?<![\\p{L}\\p{N}@]${signsInAddress}))${email.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
    'giu',
  )

export const redactedEmail = '…'
export const redactEmails = (text: string): string => text.replace(emailAddresses, redactedEmail)
