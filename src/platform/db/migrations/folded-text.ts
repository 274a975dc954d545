import { type RawBuilder, sql } from 'kysely'

/**
 * The folding of characters for search and sorting: without case, without diacritics, and the Arabic forms of a Persian
 * character as the Persian one. Stored columns are made with it, so a change here needs a new migration; `foldText`
 * folds search terms in the same way.
 */
const alike: Record<string, string> = {
  a: 'ÀÁÂÃÄÅĀĂĄàáâãäåāăą',
  c: 'ÇĆĈĊČçćĉċč',
  d: 'ĎĐďđ',
  e: 'ÈÉÊËĒĔĖĘĚèéêëēĕėęě',
  g: 'ĜĞĠĢĝğġģ',
  h: 'ĤĦĥħ',
  i: 'ÌÍÎÏĨĪĬĮİìíîïĩīĭįı',
  j: 'Ĵĵ',
  k: 'Ķķ',
  l: 'ĹĻĽŁĺļľł',
  n: 'ÑŃŅŇñńņň',
  o: 'ÒÓÔÕÖØŌŎŐòóôõöøōŏő',
  r: 'ŔŖŘŕŗř',
  s: 'ŚŜŞŠȘśŝşšș',
  t: 'ŢŤŦȚţťŧț',
  u: 'ÙÚÛÜŨŪŬŮŰŲùúûüũūŭůűų',
  w: 'Ŵŵ',
  y: 'ÝŸŶýÿŷ',
  z: 'ŹŻŽźżž',
  ae: 'Ææ',
  oe: 'Œœ',
  ss: 'ß',
  ک: 'ك',
  ی: 'يىېئ',
  ه: 'ةۀە',
  ا: 'أإآٱ',
  و: 'ؤ',
  // Removed: Arabic diacritics, tatweel, zero-width joiners, and combining accents.
  '': '\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0654\u0670\u0640\u200b\u200c\u200d\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327',
  ' ': '\u00a0',
}
const digits = ['۰۱۲۳۴۵۶۷۸۹', '٠١٢٣٤٥٦٧٨٩']
const cased = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ']

/** Each character with its replacement. */
export const folds: [from: string, to: string][] = [
  ...Object.entries(alike).flatMap(([to, characters]) => [...characters].map((from): [string, string] => [from, to])),
  ...digits.flatMap((ten) => [...ten].map((from, value): [string, string] => [from, String(value)])),
  ...cased.flatMap((characters) => [...characters].map((from): [string, string] => [from, from.toLowerCase()])),
]

/**
 * SQL for the folded texts of columns, joined, with two spaces before each word: two spaces and the first character are
 * one trigram of the full-text index. `replace` behaves the same in both databases; `lower` does not.
 */
export function foldedColumns(...columns: string[]): RawBuilder<string> {
  const joined = sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )
  const folded = folds.reduce(
    (inner, [from, to]) => sql`replace(${inner}, ${sql.lit(from)}, ${sql.lit(to)})`,
    sql`' ' || ${joined}`,
  )
  return sql<string>`replace(${folded}, ' ', '  ')`
}

const foldedCharacters = new Map(folds)
const foldable = new RegExp(`[${[...foldedCharacters.keys()].join('')}]`, 'gu')

/** Folds a text in JavaScript; no result of a fold is folded again, so one pass equals applying all of `folds` in turn. */
export const foldText = (text: string): string =>
  text.replace(foldable, (character) => foldedCharacters.get(character) as string)

/** The JavaScript equivalent of `foldedColumns`. @param joined the columns, separated by a space */
export const foldedText = (joined: string): string => foldText(` ${joined}`).replaceAll(' ', '  ')
