import { type Weekday, weekdays } from './config-choices.ts'
import { dateFormat } from './intl-formats.ts'
import { findProgramLocale, isPersian, type Locale, localizeDigits } from './locales.ts'

/** The hours of each day; null: closed. */
export type OpeningHours = Record<Weekday, { opens: string; closes: string } | null>

export interface OpeningSpan {
  from: Weekday
  to: Weekday
  opens: string
  closes: string
}

/** Consecutive days with the same hours, such as Monday to Friday, 09:00 to 18:00. Closed days are left out. */
export function openingSpans(hours: OpeningHours): OpeningSpan[] {
  const spans: OpeningSpan[] = []
  let before: Weekday | undefined
  for (const day of weekdays) {
    const open = hours[day]
    const last = spans.at(-1)
    if (open && last && last.to === before && last.opens === open.opens && last.closes === open.closes) last.to = day
    else if (open) spans.push({ from: day, to: day, ...open })
    before = day
  }
  return spans
}

/**
 * All opening hours on one line, as `[openingHours]` is filled: `maandag t/m donderdag 09:00–18:00, vrijdag
 * 09:00–20:00`.
 */
export function openingLine(hours: OpeningHours, locale: Locale): string {
  const spans = openingSpans(hours).map((span) => `${daysOf(span, locale)} ${timesOf(span, locale)}`)
  return spans.join(isPersian(locale) ? '، ' : ', ')
}

/** `maandag t/m vrijdag`; in Persian with a word too, in other languages with a dash: `Montag – Freitag`. */
export function daysOf(span: OpeningSpan, locale: Locale): string {
  const [from, to] = [dayName(span.from, locale), dayName(span.to, locale)]
  if (from === to) return from
  if (isPersian(locale)) return `${from} تا ${to}`
  return findProgramLocale(locale) === 'nl' ? `${from} t/m ${to}` : `${from} – ${to}`
}

/**
 * `09:00–18:00`, in the reader's digits. Persian has a word instead of the dash, because a dash between digits would be
 * read in the wrong direction.
 */
export function timesOf(span: Pick<OpeningSpan, 'opens' | 'closes'>, locale: Locale): string {
  if (!isPersian(locale)) return `${span.opens}–${span.closes}`
  return localizeDigits(locale, `${span.opens} تا ${span.closes}`)
}

function dayName(day: Weekday, locale: Locale): string {
  // 5 January 2026 was a Monday.
  const date = new Date(Date.UTC(2026, 0, 5 + weekdays.indexOf(day)))
  return dateFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(date)
}
