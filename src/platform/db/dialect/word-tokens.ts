import type { WordMatch } from './dialect.ts'

/**
 * The tokens of an index of words: `_winkel` for a word, its ends of three characters and more (`inkel`, `nkel`, `kel`), so
 * that a part of a word is the start of a token, and `__nl` for the language. Folded words have no `_`.
 */
export const localeToken = (locale: string): string => `__${locale.replaceAll('-', '_')}`

/** The characters of a word that are indexed, and the last character at which an end begins. */
export const longestWord = 100
export const lastEndAt = 40
/** The first characters of a part of a word that are looked up; at most `longestWord - lastEndAt`, which the last end has. */
export const longestPart = 20

interface Syntax {
  token(text: string, isStart: boolean): string
  and: string
  or: string
}

/** A query for every term. @param terms as `searchTerms` gives them: short ones match starts of words only */
export function wordQuery(terms: readonly string[], as: WordMatch, { token, and, or }: Syntax): string {
  const found = terms.map((term) => {
    const firstCharacters = (count: number) => [...term.trimStart()].slice(0, count).join('')
    if (as !== 'part' || term.startsWith(' ')) return token(`_${firstCharacters(longestWord)}`, as !== 'whole')
    const part = firstCharacters(longestPart)
    return `(${token(`_${part}`, true)}${or}${token(part, true)})`
  })
  return found.join(and)
}
