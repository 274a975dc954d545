import { dayMs } from './limits.ts'

/** A day of the company's calendar: `2026-11-21`. */
export type Day = string

const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Amsterdam',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The day that it is in Amsterdam at an instant. */
export const dayAt = (at: Date): Day => calendar.format(at)

/** The instant at which a day begins in Amsterdam: one or two hours before it does in UTC. */
export function startOf(day: Day): Date {
  const inSummer = new Date(Date.parse(`${day}T00:00:00Z`) - 2 * hourMs)
  return dayAt(inSummer) === day ? inSummer : new Date(inSummer.getTime() + hourMs)
}

const hourMs = 60 * 60_000

/** The day that is so many days after another, or before it. */
export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** So many days up to and including one, the oldest first. */
export const daysUpTo = (last: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(last, index + 1 - count))

/** Days of which page views are shown, as one chooses. */
export const viewPeriods = [7, 30, 90] as const
