import { z } from 'zod'
import { weekdays } from './config-choices.ts'
import { addDays, type Day, dayAt, instantAt } from './day.ts'
import { limits } from './limits.ts'
import { intlTagOf, isPersian, type Locale } from './locales.ts'
import { type OpeningHours, timesOf } from './opening-hours.ts'

/** A part of a day on which the company is open; both ends are instants. */
export const appointmentSlot = z.object({ start: z.iso.datetime(), end: z.iso.datetime() })
export type AppointmentSlot = z.infer<typeof appointmentSlot>

/** A slot that a form offers. */
export interface OfferedSlot extends AppointmentSlot {
  /** The posted value: the day and the local time at which it starts, `2026-12-01T09:00`. */
  value: string
  day: Day
  opens: string
  closes: string
}

/** Mornings, afternoons and evenings. */
const partsOfDay = [
  ['00:00', '12:00'],
  ['12:00', '18:00'],
  ['18:00', '23:59'],
] as const
/** A part of the day in which the company is open for less than this is not offered. */
const shortestMs = 30 * 60_000

/** The parts of the next open days, from tomorrow on; none when the company is never open. */
export const offeredSlots = (hours: OpeningHours, now: Date): OfferedSlot[] => slotsAfter(hours, dayAt(now))

/** The slot of a posted value, of those that are offered or were yesterday, for a page that was opened then. */
export function findSlot(hours: OpeningHours, value: string, now: Date): OfferedSlot | undefined {
  const today = dayAt(now)
  const slots = [...slotsAfter(hours, today), ...slotsAfter(hours, addDays(today, -1))]
  return slots.find((slot) => slot.value === value && slot.end > now.toISOString())
}

function slotsAfter(hours: OpeningHours, today: Day): OfferedSlot[] {
  const slots: OfferedSlot[] = []
  let days = 0
  for (let ahead = 1; ahead <= limits.appointmentDaysAhead && days < limits.appointmentDays; ahead++) {
    const ofDay = slotsOf(hours, addDays(today, ahead))
    if (ofDay.length > 0) days++
    slots.push(...ofDay)
  }
  return slots
}

function slotsOf(hours: OpeningHours, day: Day): OfferedSlot[] {
  const open = hours[weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] as (typeof weekdays)[number]]
  if (!open) return []
  return partsOfDay.flatMap(([from, to]) => {
    const opens = open.opens > from ? open.opens : from
    const closes = open.closes < to ? open.closes : to
    const [start, end] = [instantAt(day, opens), instantAt(day, closes)]
    if (end.getTime() - start.getTime() < shortestMs) return []
    return [{ value: `${day}T${opens}`, day, opens, closes, start: start.toISOString(), end: end.toISOString() }]
  })
}

/** `dinsdag 1 december 2026, 09:00–12:00` */
export function slotText({ day, opens, closes }: OfferedSlot, locale: Locale): string {
  const date = new Date(`${day}T00:00:00Z`)
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(intlTagOf(locale), { ...options, timeZone: 'UTC' }).format(date)
  const times = timesOf({ opens, closes }, locale)
  // The full style of fa-IR puts the year first.
  if (isPersian(locale)) return `${part({ weekday: 'long' })} ${part({ dateStyle: 'long' })}، ${times}`
  return `${part({ dateStyle: 'full' })}, ${times}`
}
