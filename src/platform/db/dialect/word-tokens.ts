import type { WordMatch } from './dialect.ts'

/**
 * The tokens of an index of words: `_winkel` for a word, its suffixes of three characters and more (`inkel`, `nkel`, `kel`), so
 * that a part of a word is the start of a token, and `__nl` for the language. Folded words have no `_`.
 */
export const localeToken = (locale: string): string => `__${locale.replaceAll('-', '_')}`

/** Only this many characters of a word are indexed, and only suffixes that begin at one of its first `lastSuffixStart`. */
export const maxWordChars = 100
export const lastSuffixStart = 40
/** Only this many characters of a part of a word are looked up: no more than the last suffix has, `maxWordChars - lastSuffixStart`. */
export const maxPartChars = 20

interface Syntax {
  token(text: string, isStart: boolean): string
  and: string
  or: string
}

/** A query for every term. @param terms as `searchTerms` gives them: short ones match starts of words only */
export function wordQuery(terms: readonly string[], as: WordMatch, { token, and, or }: Syntax): string {
  const found = terms.map((term) => {
    const firstCharacters = (count: number) => [...term.trimStart()].slice(0, count).join('')
    if (as !== 'part' || term.startsWith(' ')) return token(`_${firstCharacters(maxWordChars)}`, as !== 'whole')
    const part = firstCharacters(maxPartChars)
    return `(${token(`_${part}`, true)}${or}${token(part, true)})`
  })
  return found.join(and)
}
