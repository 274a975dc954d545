import type { Locale } from '../../contract/locales.ts'
import { longDateTime, siteZone } from '../../i18n/dates.ts'
import type { Say } from '../i18n.ts'

const tags: Record<Locale, string> = { nl: 'nl-NL', fa: 'fa-IR' }
const made = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes far longer than using it, and a list uses few. */
function format(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const found = made.get(key) ?? new Intl.DateTimeFormat(tags[locale], options)
  made.set(key, found)
  return found
}

/** `21 nov 2026, 05:16` in the reader's time and calendar; `exact`: with the seconds. */
export function momentText(at: Date, locale: Locale, style: 'medium' | 'full' | 'exact' = 'medium'): string {
  const day = style === 'full' ? fullDay(at, locale) : dayText(at, locale)
  const time = style === 'exact' ? format(locale, { timeStyle: 'medium' }).format(at) : timeText(at, locale)
  return `${day}${locale === 'fa' ? '، ' : ', '}${time}`
}

/** `05:16` */
export const timeText = (at: Date, locale: Locale): string => format(locale, { timeStyle: 'short' }).format(at)

export function dayText(at: Date, locale: Locale): string {
  return format(locale, { day: 'numeric', month: 'short', year: 'numeric' }).format(at)
}

/** `21 nov`, of a day like `2026-11-21`, whatever the reader's time. */
export const shortDayText = (day: string, locale: Locale): string =>
  format(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))

/** What a plan says: `zondag 22 november 2026 om 09:00` by the company's clock, and that it is that where the reader's says otherwise. */
export function siteTimeText(at: Date, locale: Locale, t: Say): string {
  const date = longDateTime(at, locale)
  return isElsewhere(at) ? t('form.siteTime', { date }) : date
}

/** Whether the reader's clock says something else at that instant than the company's. */
export const isElsewhere = (at: Date): boolean => clockText(at) !== clockText(at, siteZone)

const clockText = (at: Date, timeZone?: string) =>
  format('nl', { dateStyle: 'short', timeStyle: 'short', ...(timeZone && { timeZone }) }).format(at)

// The full style of fa-IR puts the year first, which nobody writes.
const fullDay = (at: Date, locale: Locale) =>
  locale === 'fa'
    ? `${format(locale, { weekday: 'long' }).format(at)} ${format(locale, { dateStyle: 'long' }).format(at)}`
    : format(locale, { dateStyle: 'full' }).format(at)

/** @param how.grouped false for what is a name and no amount */
export const numberText = (number: number, locale: Locale, { grouped = true } = {}): string =>
  new Intl.NumberFormat(tags[locale], { useGrouping: grouped }).format(number)
