import type { Localized } from '../../../contract/locales.ts'

/** A text as it stands in two fields; an empty Persian one is none. */
export interface BothTexts {
  nl: string
  fa: string
}

export const bothOf = (value: Localized<string> | undefined): BothTexts => ({
  nl: value?.nl ?? '',
  fa: value?.fa ?? '',
})
export const textOf = ({ nl, fa }: BothTexts): Localized<string> => (fa.trim() === '' ? { nl } : { nl, fa })

/** Lists of short texts, one on each line. */
export const linesOf = (value: readonly string[]): string => value.join('\n')
export const listOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
export const bothLinesOf = (value: Localized<string[]>): BothTexts => ({
  nl: linesOf(value.nl),
  fa: linesOf(value.fa ?? []),
})
export const listsOf = ({ nl, fa }: BothTexts): Localized<string[]> =>
  fa.trim() === '' ? { nl: listOf(nl) } : { nl: listOf(nl), fa: listOf(fa) }

/**
 * The field that a place of the configuration stands in: the longest part of its path that the form has, for a list that
 * is typed in one field has no fields of its own.
 */
export function fieldAt(values: unknown, path: string): string {
  const names: string[] = []
  let inside = values
  for (const name of path.split('.')) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name)) break
    inside = (inside as Record<string, unknown>)[name]
    names.push(name)
  }
  return names.length > 0 ? names.join('.') : path
}
