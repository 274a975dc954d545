import { dateFormat } from './intl-formats.ts'
import { dayMs } from './limits.ts'

/** A calendar day in Amsterdam: `2026-11-21`. */
export type Day = string

/** The day in Amsterdam at an instant. Built from parts, because browsers differ in the order and separators. */
export function dayAt(instant: Date): Day {
  const parts = dateFormat('en-GB', dateParts).formatToParts(instant)
  const { year = '', month, day } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${year.padStart(4, '0')}-${month}-${day}`
}

/** The company's time zone. */
export const siteZone = 'Europe/Amsterdam'
const dateParts = { timeZone: siteZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const

/** The instant at which a day starts in Amsterdam: one (winter) or two (summer time) hours earlier than in UTC. */
export function startOfDay(day: Day): Date {
  const inSummer = new Date(Date.parse(`${day}T00:00:00Z`) - 2 * hourMs)
  return dayAt(inSummer) === day ? inSummer : new Date(inSummer.getTime() + hourMs)
}

/** The instant of a local time such as `09:00` on a day in Amsterdam. */
export function instantAt(day: Day, time: string): Date {
  const inSummer = new Date(Date.parse(`${day}T${time}:00Z`) - 2 * hourMs)
  return timeAt(inSummer) === time ? inSummer : new Date(inSummer.getTime() + hourMs)
}

/** The time in Amsterdam at an instant: `09:00`. */
export const timeAt = (instant: Date): string => dateFormat('en-GB', timeParts).format(instant)

const timeParts = { timeZone: siteZone, hour: '2-digit', minute: '2-digit' } as const

const hourMs = 60 * 60_000

export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The day of a date in the solar calendar of Iran; an empty text if the date does not exist. */
export function dayOfSolarDate(year: number, month: number, day: number): Day | '' {
  // The first six months have 31 days, the others 30; a year begins between 19 and 22 March.
  const daysBefore = 31 * (month - 1) - Math.max(0, month - 7) + day - 1
  const solarDate = `${month}/${day}/${year}`
  for (let newYearInMarch = 19; newYearInMarch <= 22; newYearInMarch++) {
    const date = new Date(Date.UTC(year + 621, 2, newYearInMarch + daysBefore))
    if (dateFormat('en-US-u-ca-persian', solarParts).format(date).startsWith(solarDate))
      return date.toISOString().slice(0, 10)
  }
  return ''
}

/** `10/15/1405 AP` */
const solarParts = { timeZone: 'UTC', dateStyle: 'short' } as const

/** The last `count` days up to and including `last`, oldest first. */
export const daysUpTo = (last: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(last, index + 1 - count))

/** The periods of the page view statistics, in days. */
export const viewPeriods = [7, 30, 90] as const
