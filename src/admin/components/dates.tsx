import { siteZone } from '../../contract/day.ts'
import { dateFormat, numberFormat } from '../../contract/intl-formats.ts'
import type { AdminLocale } from '../../contract/locales.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { type TFunction, useLocale, useText } from '../i18n.ts'

/** `21 nov 2026, 05:16` in the user's time zone and calendar. `full`: with the weekday; `exact`: with seconds. */
export function momentText(at: Date, locale: AdminLocale, style: 'medium' | 'full' | 'exact' = 'medium'): string {
  const day = style === 'full' ? fullDay(at, locale) : dayText(at, locale)
  const time = style === 'exact' ? dateFormat(locale, { timeStyle: 'medium' }).format(at) : timeText(at, locale)
  return `${day}${locale === 'fa' ? '، ' : ', '}${time}`
}

/** `05:16` */
export const timeText = (at: Date, locale: AdminLocale): string => dateFormat(locale, { timeStyle: 'short' }).format(at)

function dayText(at: Date, locale: AdminLocale): string {
  return dateFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }).format(at)
}

/** `november 2026` for a date like `2026-11-21`, in the calendar of the language. */
export const monthText = (day: string, locale: AdminLocale): string =>
  dateFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))

/** `21 nov` for a date like `2026-11-21`, independent of the time zone. */
export const shortDayText = (day: string, locale: AdminLocale): string =>
  dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))

/** `zondag 22 november 2026 om 09:00` in the site's time zone; names that zone if the user's clock differs from it. */
export function siteTimeText(at: Date, locale: AdminLocale, t: TFunction): string {
  const date = longDateTime(at, locale)
  return isOtherTimeZone(at) ? t('form.siteTime', { date }) : date
}

/** Whether the user's local time at that instant differs from the local time of the site's time zone. */
export const isOtherTimeZone = (at: Date): boolean => clockText(at) !== clockText(at, siteZone)

const clockText = (at: Date, timeZone?: string) =>
  dateFormat('nl', { dateStyle: 'short', timeStyle: 'short', ...(timeZone && { timeZone }) }).format(at)

// The full style of fa-IR puts the year first, which is unusual in Persian.
const fullDay = (at: Date, locale: AdminLocale) =>
  locale === 'fa'
    ? `${dateFormat(locale, { weekday: 'long' }).format(at)} ${dateFormat(locale, { dateStyle: 'long' }).format(at)}`
    : dateFormat(locale, { dateStyle: 'full' }).format(at)

/** A number in the digits of the language. @param options.grouped false for an identifier, such as a reference */
export const numberText = (number: number, locale: AdminLocale, { grouped = true } = {}): string =>
  numberFormat(locale, { useGrouping: grouped }).format(number)

/** `12%` for 0.12; with `signed` `+12%`. */
export const percentText = (fraction: number, locale: AdminLocale, { signed = false } = {}): string =>
  numberFormat(locale, { style: 'percent', signDisplay: signed ? 'exceptZero' : 'auto' }).format(fraction)

/**
 * A short date and time in the user's time zone. The tooltip has the full date; if the site's local time differs, it
 * says that this is the user's.
 * @param props.at an ISO instant
 */
export function Moment({ at, day }: { at: string; day?: boolean }) {
  const locale = useLocale()
  const t = useText()
  const date = new Date(at)
  const fullText = momentText(date, locale, 'full')
  return (
    <time dateTime={at} title={isOtherTimeZone(date) ? t('form.ownTime', { date: fullText }) : fullText}>
      {day ? dayText(date, locale) : momentText(date, locale)}
    </time>
  )
}
