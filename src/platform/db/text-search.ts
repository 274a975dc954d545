import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './dialect/dialect.ts'
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
