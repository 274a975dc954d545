import type { WordMatch } from './dialect.ts'

/**
 * The token of a language in a word index: `__nl`. The other tokens of a text are `_winkel` for a word, and its
 * suffixes of three characters and more (`inkel`, `nkel`, `kel`), so that a part of a word starts a token. Folded words
 * have no `_`.
 */
export const localeToken = (locale: string): string => `__${locale.replaceAll('-', '_')}`

/** Only this many characters of a word are indexed, and only suffixes that begin at one of its first `lastSuffixStart`. */
export const maxWordChars = 100
export const lastSuffixStart = 40
/** Only this many characters of a part are looked up; the last suffix has more, `maxWordChars - lastSuffixStart`. */
export const maxPartChars = 20

/** The syntax of a full-text query of the database. */
interface Syntax {
  /** @param isStart also matches tokens that begin with the text */
  token(text: string, isStart: boolean): string
  and: string
  or: string
}

/** A full-text query for all terms of `searchTerms`; one with a leading space only matches starts of words. */
export function wordQuery(terms: readonly string[], match: WordMatch, { token, and, or }: Syntax): string {
  const conditions = terms.map((term) => {
    const firstCharacters = (count: number) => [...term.trimStart()].slice(0, count).join('')
    if (match !== 'part' || term.startsWith(' ')) return token(`_${firstCharacters(maxWordChars)}`, match !== 'whole')
    const part = firstCharacters(maxPartChars)
    return `(${token(`_${part}`, true)}${or}${token(part, true)})`
  })
  return conditions.join(and)
}
