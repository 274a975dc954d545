import { type Weekday, weekdays } from '../../../contract/config-choices.ts'
import { intlTagOf, type Locale, type Localized } from '../../../contract/locales.ts'
import { randomId } from '../../../contract/random-id.ts'
import { toLatinDigits } from '../../../contract/text.ts'
import { currentLocale, type TFunction } from '../../i18n.ts'

/** A translated text as form values, by language, with the main one first; other empty ones are omitted when it is read. */
export type Texts = Record<Locale, string>

/** @param main the main language of the site, where there may be no text */
export const textsOf = (value: Localized<string> | undefined, main?: Locale): Texts => ({
  ...(main !== undefined && noTextIn(main)),
  ...definedIn(value ?? {}),
})
export const noTextIn = (main: Locale): Texts => ({ [main]: '' })
/** An optional text is left out when it is empty in the main language. */
export const hasText = (texts: Texts): boolean => (Object.values(texts)[0] ?? '').trim() !== ''
/** The text for staff: in their language, or else in one that has it. */
export const textForStaff = (texts: Texts): string =>
  texts[currentLocale()] || Object.values(texts).find((text) => text.trim() !== '') || ''
export const textOf = (texts: Texts): Localized<string> => withoutEmpty(texts, (text) => text)

const definedIn = <Value>(values: Record<Locale, Value | undefined>): Record<Locale, Value> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([locale, value]) => (value === undefined ? [] : [[locale, value]])),
  )

const withoutEmpty = <Value>(texts: Texts, read: (text: string) => Value): Localized<Value> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([locale, text], index) =>
      index > 0 && text.trim() === '' ? [] : [[locale, read(text)]],
    ),
  )

/** A list of short texts, one per line. */
export const linesOf = (value: readonly string[]): string => value.join('\n')
export const listOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
export const lineTextsOf = (value: Localized<string[]>): Texts =>
  Object.fromEntries(Object.entries(definedIn(value)).map(([locale, lines]) => [locale, linesOf(lines)]))
export const listsOf = (texts: Texts): Localized<string[]> => withoutEmpty(texts, listOf)

/**
 * The form field of an error path: the longest prefix that is a field, because a list that is edited in one field has
 * no fields of its own.
 */
export function fieldAt(values: unknown, path: string): string {
  const names: string[] = []
  let inside = values
  for (const name of path.split('.')) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name)) break
    inside = (inside as Record<string, unknown>)[name]
    names.push(name)
  }
  // A name may have dots in it: that of a text of the program.
  const rest = path.split('.').slice(names.length).join('.')
  if (rest && typeof inside === 'object' && inside !== null && Object.hasOwn(inside, rest)) return path
  return names.length > 0 ? names.join('.') : path
}

/** The weekday names in the current language; the parameter makes callers re-evaluate when the language changes. */
export function dayNames(_t: TFunction): Record<Weekday, string> {
  const format = new Intl.DateTimeFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' })
  // 5 January 2026 was a Monday.
  return Object.fromEntries(
    weekdays.map((day, index) => [day, format.format(new Date(Date.UTC(2026, 0, 5 + index)))]),
  ) as Record<Weekday, string>
}

/** Formats cents as a person types them: `1.950` or `24,50`, in the locale's digits. */
export function amountText(cents: number, locale: Locale): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return new Intl.NumberFormat(intlTagOf(locale), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}

/**
 * Parses a typed amount to cents: `1.950,00`, `1950`, `24,50`, `24.50`, `€ 1.950` or `۱٬۹۵۰٫۵۰`. As in Dutch, a point
 * before three digits separates thousands; in English a comma does. An ambiguous amount is not parsed.
 */
export function centsOf(typed: string, locale: Locale = currentLocale()): number | undefined {
  const text = plainNumber(withDutchMarks(typed, locale))
  const match =
    /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(text) ?? (/,/.test(text) ? null : /^(\d+)\.(\d{1,2})$/.exec(text))
  if (!match) return undefined
  const [, euros = '', part = ''] = match
  const cents = Number(euros.replaceAll('.', '')) * 100 + Number(part.padEnd(2, '0'))
  return cents <= 100_000_000 ? cents : undefined
}

/** The errors of fields with a typed text that is no whole number. */
export const numberProblems = (fields: (readonly [path: string, typed: string])[], t: TFunction) =>
  Object.fromEntries(
    fields
      .filter(([, typed]) => wholeNumberOf(typed) === undefined)
      .map(([path]) => [path, t('config.offer.numberWrong')]),
  )

/** A number with a fraction, such as a coordinate; a comma and a point both mark the decimals. */
export function numberOf(typed: string): number | undefined {
  const text = plainNumber(typed).replace(',', '.').replace('−', '-')
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/**
 * A number with the marks of a language, as in `centsOf`: `1.500` is fifteen hundred in Dutch, and one and a half in
 * English.
 */
export function markedNumberOf(typed: string, locale: Locale = currentLocale()): number | undefined {
  const text = plainNumber(withDutchMarks(typed, locale)).replace('−', '-')
  const match = /^(-?(?!0)\d{1,3}(?:\.\d{3})+|-?\d+)(?:,(\d+))?$/.exec(text) ?? /^(-?\d+)\.(\d+)$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = '0'] = match
  return Number(`${whole.replaceAll('.', '')}.${fraction}`)
}

const withDutchMarks = (typed: string, locale: Locale) =>
  locale === 'en' ? typed.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')) : typed

/** A count, such as days; a longer one than six digits is none. */
export function wholeNumberOf(typed: string): number | undefined {
  const digits = toLatinDigits(typed).trim()
  return /^\d{1,6}$/.test(digits) ? Number(digits) : undefined
}

/** Converts Persian digits and separators to ASCII, and removes bidi marks and currency signs. */
const plainNumber = (typed: string) =>
  toLatinDigits(typed)
    .replaceAll('٬', '.')
    .replaceAll('٫', ',')
    .replace(/[\s\u00a0\u200e\u200f\u202a-\u202e\u2066-\u2069€]|euro|eur|یورو/gi, '')

/** An id such as `vraag-0f3a9c27`, which no item ever had: what is stored under the id of a deleted item stays hidden. */
export const newId = (start: string): string => `${start}-${randomId().slice(0, 8)}`

/** The list with a removed item at its place again. */
export const withItemBack = <Item extends { id: string }>(list: readonly Item[], item: Item, index: number): Item[] =>
  list.some(({ id }) => id === item.id) ? [...list] : list.toSpliced(index, 0, item)

/** Whether a value of a form, or one inside it, has an error. */
export const hasErrorsIn = ({ errors }: { errors: object }, path: string): boolean =>
  Object.keys(errors).some((at) => at.startsWith(`${path}.`))
