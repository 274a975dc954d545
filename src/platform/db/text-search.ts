import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './dialect/dialect.ts'
import { lastSuffixStart, maxPartChars } from './dialect/word-tokens.ts'
import { foldText } from './migrations/folded-text.ts'

/** The maximum number of terms; more would hardly narrow a search. */
const maxTerms = 8

/**
 * Splits a search into terms that a folded text must all contain: each word anywhere, a word of one or two characters
 * at the start of a word. Empty without a search.
 */
export function searchTerms(typed: string | undefined): string[] {
  const words = foldText((typed ?? '').normalize('NFC'))
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => word !== '')
  const terms = words.map((word) => ([...word].length < 3 ? `  ${word}` : word))
  return [...new Set(terms)].slice(0, maxTerms)
}

/** No script has as many marks on one character, and normalising very many takes quadratic time. */
const heapedMarks = /(\p{M}{30})\p{M}+/gu

/**
 * The folded words of a text with a space between them: signs are left out, and those within a word join its parts, so
 * that `e-mail`, `foto's` and words with a half-space are found however they are typed.
 */
export const foldWords = (text: string): string =>
  foldText(text.toWellFormed().replace(heapedMarks, '$1').normalize('NFKC'))
    .replace(/(?<=[\p{L}\p{N}])['’‐‑\u00ad-]+(?=[\p{L}\p{N}])/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

/** Words with two spaces around each, as a folded column has them: see `foldedColumns`. */
export const spacedWords = (words: string): string => `  ${words.replaceAll(' ', '  ')}  `

/** Words of which the index lacks some suffixes, because they are too long. */
const longWord = new RegExp(`\\S{${lastSuffixStart + 3},}`, 'gu')

/**
 * Folded words, for an index of words, and after them overlapping pieces of the long ones, as in a script without spaces: each
 * part of a long word begins near the beginning of a piece. What does not fit in the index is left out from the end.
 */
export function withPiecesOfLongWords(words: string): string {
  const all = [words]
  for (const [word] of words.matchAll(longWord)) {
    const characters = [...word]
    for (let start = lastSuffixStart; start <= characters.length - 3; start += lastSuffixStart)
      all.push(characters.slice(start, start + lastSuffixStart + maxPartChars).join(''))
  }
  return all.join(' ')
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
 * Email addresses within a text or JSON; PostgreSQL reads the expression alike. Each run of such characters is tried once, at
 * its start: a long one without an address would take quadratic time.
 */
export const addresses = /(?<![^\s"<>\\])[^\s"<>\\]+@[^\s"<>\\]+/g

/** Signs that an address may have before its `@`, which has at most 64 characters before it. */
const signsInAddress = "[!#$%&'*+/=?^_`{|}~.-]{0,64}"

/**
 * Matches a whole address in a text or JSON, ignoring case: `an@example.nl` does not match within `jan@example.nl` or
 * `j.an@example.nl`, but does within `'an@example.nl'`. In JSON a line break before it is the two characters `\n`.
 */
export const addressIn = (email: string): RegExp =>
  new RegExp(
    `(?<=\\\\[bfnrt]${signsInAddress}|(?<![\\p{L}\\p{N}@]${signsInAddress}))${email.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
    'giu',
  )

export const redactedEmail = '…'
export const redactEmails = (text: string): string => text.replace(addresses, redactedEmail)
