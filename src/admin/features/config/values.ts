import { type Weekday, weekdays } from '../../../contract/config-choices.ts'
import { intlTagOf, type Locale, type Localized } from '../../../contract/locales.ts'
import { randomId } from '../../../contract/random-id.ts'
import { toLatinDigits } from '../../../contract/text.ts'
import { currentLocale, type TFunction } from '../../i18n.ts'

/** A translated text as form values, by language. The functions below expect the main language first. */
export type FormTexts = Record<Locale, string>

/** @param main for an optional text: gives it an empty value in the main language, where it has none */
export const toTexts = (value: Localized<string> | undefined, main?: Locale): FormTexts => ({
  ...(main !== undefined && emptyTexts(main)),
  ...definedIn(value ?? {}),
})
export const emptyTexts = (main: Locale): FormTexts => ({ [main]: '' })
/** Whether an optional text is stored: only if it is not empty in the main language. */
export const hasText = (texts: FormTexts): boolean => (Object.values(texts)[0] ?? '').trim() !== ''
/** The text in the language of the user, or else in any that has it. Empty if none has. */
export const textForStaff = (texts: FormTexts): string =>
  texts[currentLocale()] || Object.values(texts).find((text) => text.trim() !== '') || ''
/** Leaves out languages with an empty text, except the main one. */
export const fromTexts = (texts: FormTexts): Localized<string> => withoutEmpty(texts, (text) => text)

const definedIn = <Value>(values: Record<Locale, Value | undefined>): Record<Locale, Value> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([locale, value]) => (value === undefined ? [] : [[locale, value]])),
  )

const withoutEmpty = <Value>(texts: FormTexts, parse: (text: string) => Value): Localized<Value> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([locale, text], index) =>
      index > 0 && text.trim() === '' ? [] : [[locale, parse(text)]],
    ),
  )

/** A list of short texts as the value of a textarea. */
export const joinLines = (list: readonly string[]): string => list.join('\n')
/** The trimmed lines that are not empty. */
export const splitLines = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
/** Translated lists as form values, with one item per line. */
export const toLineTexts = (value: Localized<string[]>): FormTexts =>
  Object.fromEntries(Object.entries(definedIn(value)).map(([locale, lines]) => [locale, joinLines(lines)]))
export const fromLineTexts = (texts: FormTexts): Localized<string[]> => withoutEmpty(texts, splitLines)

/**
 * The form field for an error path of the API: the longest prefix that is a value of the form. A list that is edited as
 * lines of text, for example, has no fields for its items.
 */
export function formFieldOf(values: unknown, path: string): string {
  const names: string[] = []
  let value = values
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) break
    value = (value as Record<string, unknown>)[name]
    names.push(name)
  }
  // The keys of built-in texts have dots in them.
  const rest = path.split('.').slice(names.length).join('.')
  if (rest && typeof value === 'object' && value !== null && Object.hasOwn(value, rest)) return path
  return names.length > 0 ? names.join('.') : path
}

/** The weekday names in the user's language. @param _t unused; makes callers render again when the language changes */
export function weekdayNames(_t: TFunction): Record<Weekday, string> {
  const format = new Intl.DateTimeFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' })
  // 5 January 2026 was a Monday.
  return Object.fromEntries(
    weekdays.map((day, index) => [day, format.format(new Date(Date.UTC(2026, 0, 5 + index)))]),
  ) as Record<Weekday, string>
}

/** Formats cents as euros, without a currency sign: `1.950` or `24,50`, in the digits of the locale. */
export function formatCents(cents: number, locale: Locale): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return new Intl.NumberFormat(intlTagOf(locale), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}

/**
 * Parses a typed amount in euros to cents: `1.950,00`, `1950`, `24,50`, `24.50`, `€ 1.950` or `۱٬۹۵۰٫۵۰`. A point
 * before three digits separates thousands, as in Dutch; in English a comma does.
 * @returns undefined for an invalid or ambiguous amount, and for one above a million euros
 */
export function parseCents(typed: string, locale: Locale = currentLocale()): number | undefined {
  const text = toAsciiNumber(withDutchMarks(typed, locale))
  const dutch = /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(text)
  const match = dutch ?? /^(\d+)\.(\d{1,2})$/.exec(text)
  if (!match) return undefined
  const [, euros = '', fraction = ''] = match
  const cents = Number(euros.replaceAll('.', '')) * 100 + Number(fraction.padEnd(2, '0'))
  return cents <= 100_000_000 ? cents : undefined
}

/** The errors, by path, of the fields in which no whole number was typed. */
export const numberProblems = (fields: (readonly [path: string, typed: string])[], t: TFunction) =>
  Object.fromEntries(
    fields
      .filter(([, typed]) => parseCount(typed) === undefined)
      .map(([path]) => [path, t('config.offer.numberWrong')]),
  )

/** Parses a number such as a coordinate: a comma and a point both mark the decimals. Undefined if it is no number. */
export function parseDecimal(typed: string): number | undefined {
  const text = toAsciiNumber(typed).replace(',', '.').replace('−', '-')
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/**
 * Parses a number with the separators of a language, as in `parseCents`: `1.500` is fifteen hundred in Dutch, and one
 * and a half in English. Undefined if it is no number.
 */
export function parseLocalNumber(typed: string, locale: Locale = currentLocale()): number | undefined {
  const text = toAsciiNumber(withDutchMarks(typed, locale)).replace('−', '-')
  const match = /^(-?(?!0)\d{1,3}(?:\.\d{3})+|-?\d+)(?:,(\d+))?$/.exec(text) ?? /^(-?\d+)\.(\d+)$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = '0'] = match
  return Number(`${whole.replaceAll('.', '')}.${fraction}`)
}

/** Swaps the point and the comma of an English number. */
const withDutchMarks = (typed: string, locale: Locale) =>
  locale === 'en' ? typed.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')) : typed

/** Parses a count, such as of days, of at most six digits. Undefined if it is none. */
export function parseCount(typed: string): number | undefined {
  const digits = toLatinDigits(typed).trim()
  return /^\d{1,6}$/.test(digits) ? Number(digits) : undefined
}

/** Converts Persian digits and separators to ASCII, and removes spaces, bidi marks and the name or sign of the euro. */
const toAsciiNumber = (typed: string) =>
  toLatinDigits(typed)
    .replaceAll('٬', '.')
    .replaceAll('٫', ',')
    .replace(/[\s\u00a0\u200e\u200f\u202a-\u202e\u2066-\u2069€]|euro|eur|یورو/gi, '')

/** An id such as `vraag-0f3a9c27`, random so that stored data of a deleted item never appears under a new item. */
export const newId = (prefix: string): string => `${prefix}-${randomId().slice(0, 8)}`

/** The list with a removed item at its index again; unchanged if it has the item already. */
export const reinsertItem = <Item extends { id: string }>(list: readonly Item[], item: Item, index: number): Item[] =>
  list.some(({ id }) => id === item.id) ? [...list] : list.toSpliced(index, 0, item)

/** Whether a form has an error below a path. */
export const hasErrorsUnder = ({ errors }: { errors: object }, path: string): boolean =>
  Object.keys(errors).some((errorPath) => errorPath.startsWith(`${path}.`))
