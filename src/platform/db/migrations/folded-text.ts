import { type RawBuilder, sql } from 'kysely'

/**
 * What a letter is taken for where texts are searched and put in order: without case, without marks, and the Arabic
 * forms of a Persian letter as the Persian one. The column that is made with it holds it for ever, so a change here is
 * a new migration; `foldText` folds what is searched for in the same way.
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
  // Marks above and below Arabic letters, the lengthening stroke, joiners, and combining accents say nothing here.
  '': '\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0654\u0670\u0640\u200b\u200c\u200d\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327',
  ' ': '\u00a0',
}
const digits = ['۰۱۲۳۴۵۶۷۸۹', '٠١٢٣٤٥٦٧٨٩']
const cased = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ']

/** Each letter with what it becomes. */
export const folds: [from: string, to: string][] = [
  ...Object.entries(alike).flatMap(([to, letters]) => [...letters].map((from): [string, string] => [from, to])),
  ...digits.flatMap((ten) => [...ten].map((from, value): [string, string] => [from, String(value)])),
  ...cased.flatMap((letters) => [...letters].map((from): [string, string] => [from, from.toLowerCase()])),
]

/**
 * Texts, folded, one after the other, with two blanks before each word: then two blanks and the first letter are three
 * characters, which is what the index of texts looks things up by. Both databases know `replace`, and it does the same
 * in each, which `lower` does not.
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

/** The same for a text in the program. */
export function foldText(text: string): string {
  return folds.reduce((inner, [from, to]) => inner.replaceAll(from, to), text)
}
