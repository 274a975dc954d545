import { type Weekday, weekdays } from './config-choices.ts'
import { dateFormat } from './intl-formats.ts'
import { findBuiltInLocale, isPersian, type Locale, localizeDigits } from './locales.ts'

/** The hours of each day as local times, `09:00`; null: closed. */
export type OpeningHours = Record<Weekday, { opens: string; closes: string } | null>

/** Consecutive days, both ends included, with the same hours. */
interface OpeningSpan {
  from: Weekday
  to: Weekday
  opens: string
  closes: string
}

/** Groups the open days of a week into spans, such as Monday to Friday, 09:00 to 18:00. */
export function openingSpans(hours: OpeningHours): OpeningSpan[] {
  const spans: OpeningSpan[] = []
  let previousDay: Weekday | undefined
  for (const day of weekdays) {
    const dayHours = hours[day]
    const last = spans.at(-1)
    const hasSameHours = last?.opens === dayHours?.opens && last?.closes === dayHours?.closes
    if (dayHours && last && last.to === previousDay && hasSameHours) last.to = day
    else if (dayHours) spans.push({ from: day, to: day, ...dayHours })
    previousDay = day
  }
  return spans
}

/** The value of the placeholder `[openingHours]`: `maandag t/m donderdag 09:00–18:00, vrijdag 09:00–20:00`. */
export function openingLine(hours: OpeningHours, locale: Locale): string {
  const spans = openingSpans(hours).map((span) => `${daysOf(span, locale)} ${timesOf(span, locale)}`)
  return spans.join(isPersian(locale) ? '، ' : ', ')
}

/** The days of a span: `maandag t/m vrijdag`; Persian has a word too, other languages a dash: `Montag – Freitag`. */
export function daysOf(span: OpeningSpan, locale: Locale): string {
  const [from, to] = [dayName(span.from, locale), dayName(span.to, locale)]
  if (from === to) return from
  if (isPersian(locale)) return `${from} تا ${to}`
  return findBuiltInLocale(locale) === 'nl' ? `${from} t/m ${to}` : `${from} – ${to}`
}

/**
 * The hours of a span, `09:00–18:00`, in the digits of the language. Persian has a word instead of the dash, which
 * between digits would be read in the wrong direction.
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
