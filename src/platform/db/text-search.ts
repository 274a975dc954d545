import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './dialect/dialect.ts'
import { foldText } from './migrations/folded-text.ts'

/** Parts that are looked for at most: more of them find nothing more. */
const mostParts = 8

/**
 * What somebody typed, as parts that a folded text must all contain: each word anywhere, one of a letter or two at the
 * start of a word. Empty when nothing was typed.
 */
export function searchParts(typed: string | undefined): string[] {
  const words = foldText((typed ?? '').normalize('NFC'))
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => word !== '')
  const parts = words.map((word) => ([...word].length < 3 ? `  ${word}` : word))
  return [...new Set(parts)].slice(0, mostParts)
}

/** Whether a folded column contains every part. @param contains `contains` or `containsByIndex` of the dialect */
export const containsAll = (
  contains: Dialect['contains'],
  column: string,
  parts: readonly string[],
): RawBuilder<SqlBool> =>
  sql.join(
    parts.map((part) => contains(column, part)),
    sql` and `,
  )
