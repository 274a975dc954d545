import { z } from 'zod'
import { weekdays } from './config-choices.ts'
import { addDays, type Day, dayAt, instantAt } from './day.ts'
import { limits } from './limits.ts'
import { intlTagOf, isPersian, type Locale } from './locales.ts'
import { type OpeningHours, timesOf } from './opening-hours.ts'

/** A morning, afternoon or evening on one day, within the opening hours. */
export const appointmentSlot = z.object({ start: z.iso.datetime(), end: z.iso.datetime() })
export type AppointmentSlot = z.infer<typeof appointmentSlot>

/** A slot that a form offers. */
interface OfferedSlot extends AppointmentSlot {
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
/** A shorter slot is not offered. */
const minSlotMs = 30 * 60_000

/** The slots of the next open days, from tomorrow on, in order; empty when the company is never open. */
export const offeredSlots = (hours: OpeningHours, now: Date): OfferedSlot[] => slotsAfter(hours, dayAt(now))

/** The slot of a posted value, if it has not ended and is offered now, or was yesterday, when the form may have been opened. */
export function findSlot(hours: OpeningHours, value: string, now: Date): OfferedSlot | undefined {
  const today = dayAt(now)
  const slots = [...slotsAfter(hours, today), ...slotsAfter(hours, addDays(today, -1))]
  return slots.find((slot) => slot.value === value && slot.end > now.toISOString())
}

function slotsAfter(hours: OpeningHours, today: Day): OfferedSlot[] {
  const slots: OfferedSlot[] = []
  let days = 0
  for (let ahead = 1; ahead <= limits.appointmentDaysAhead && days < limits.appointmentDays; ahead++) {
    const daySlots = slotsOf(hours, addDays(today, ahead))
    if (daySlots.length > 0) days++
    slots.push(...daySlots)
  }
  return slots
}

function slotsOf(hours: OpeningHours, day: Day): OfferedSlot[] {
  // `getUTCDay` counts from Sunday, `weekdays` from Monday.
  const weekday = weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] as (typeof weekdays)[number]
  const dayHours = hours[weekday]
  if (!dayHours) return []
  return partsOfDay.flatMap(([partStart, partEnd]) => {
    const opens = dayHours.opens > partStart ? dayHours.opens : partStart
    const closes = dayHours.closes < partEnd ? dayHours.closes : partEnd
    const [start, end] = [instantAt(day, opens), instantAt(day, closes)]
    if (end.getTime() - start.getTime() < minSlotMs) return []
    return [{ value: `${day}T${opens}`, day, opens, closes, start: start.toISOString(), end: end.toISOString() }]
  })
}

/** The text of a slot, such as `dinsdag 1 december 2026, 09:00–12:00`. */
export function slotText({ day, opens, closes }: OfferedSlot, locale: Locale): string {
  const date = new Date(`${day}T00:00:00Z`)
  const formatDate = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(intlTagOf(locale), { ...options, timeZone: 'UTC' }).format(date)
  const times = timesOf({ opens, closes }, locale)
  // The full style of fa-IR puts the year first.
  if (isPersian(locale)) return `${formatDate({ weekday: 'long' })} ${formatDate({ dateStyle: 'long' })}، ${times}`
  return `${formatDate({ dateStyle: 'full' })}, ${times}`
}
