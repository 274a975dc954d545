import { TZDate } from '@date-fns/tz'
import type { Locale } from '../../../contract/locales.ts'
import { longDateTime } from '../../../i18n/dates.ts'

/** Where the company's clock hangs: a plan says nine o'clock there, wherever somebody makes it. */
const timeZone = 'Europe/Amsterdam'

/** As date and time fields hold it: `2026-11-22`, `09:00`. */
export interface WallTime {
  date: string
  time: string
}

/** `zaterdag 22 november 2026 om 09:00`, there. */
export const planText = (at: string, locale: Locale): string => longDateTime(new Date(at), locale)

/** @returns undefined while a field is empty or says no time */
export function instantOf({ date, time }: WallTime): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)?.map(Number) ?? []
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time)?.map(Number) ?? []
  if (year === undefined || month === undefined || hour === undefined) return undefined
  const at = new TZDate(year, month - 1, day ?? 1, hour, minute ?? 0, timeZone).getTime()
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

export function wallTimeOf(at: string): WallTime {
  const there = new TZDate(at, timeZone)
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    date: `${there.getFullYear()}-${two(there.getMonth() + 1)}-${two(there.getDate())}`,
    time: `${two(there.getHours())}:${two(there.getMinutes())}`,
  }
}

/** Nine o'clock, so many days from now. */
function nineIn(days: number, now: Date): WallTime {
  const there = new TZDate(now, timeZone)
  there.setDate(there.getDate() + days)
  return { ...wallTimeOf(there.toISOString()), time: '09:00' }
}

export const tomorrowAtNine = (now: Date): WallTime => nineIn(1, now)

/** The next one, never today's. */
export const mondayAtNine = (now: Date): WallTime => nineIn((8 - new TZDate(now, timeZone).getDay()) % 7 || 7, now)
