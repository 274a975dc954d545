import { TZDate } from '@date-fns/tz'
import { siteZone } from '../../../i18n/dates.ts'

/** As date and time fields hold it: `2026-11-22`, `09:00`. */
export interface WallTime {
  date: string
  time: string
}

/** A plan says nine o'clock by the company's clock, wherever somebody makes it. @returns undefined while a field is empty or says no time */
export function instantOf({ date, time }: WallTime): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)?.map(Number) ?? []
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time)?.map(Number) ?? []
  if (year === undefined || month === undefined || hour === undefined) return undefined
  const at = new TZDate(year, month - 1, day ?? 1, hour, minute ?? 0, siteZone).getTime()
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

export function wallTimeOf(at: string): WallTime {
  const there = new TZDate(at, siteZone)
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    date: `${there.getFullYear()}-${two(there.getMonth() + 1)}-${two(there.getDate())}`,
    time: `${two(there.getHours())}:${two(there.getMinutes())}`,
  }
}

/** Nine o'clock, so many days from now. */
function nineIn(days: number, now: Date): WallTime {
  const there = new TZDate(now, siteZone)
  there.setDate(there.getDate() + days)
  return { ...wallTimeOf(there.toISOString()), time: '09:00' }
}

export const tomorrowAtNine = (now: Date): WallTime => nineIn(1, now)

/** The next one, never today's. */
export const mondayAtNine = (now: Date): WallTime => nineIn((8 - new TZDate(now, siteZone).getDay()) % 7 || 7, now)
