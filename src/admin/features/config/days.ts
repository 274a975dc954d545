import type { Weekday } from '../../../contract/site-config.ts'
import { type Say, spokenLocale } from '../../i18n.ts'

/** Monday first, as the week begins where the business is. */
export const days = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies Weekday[]

/** What the days are called in the language that is spoken; `t` makes it be asked anew when that changes. */
export function dayNames(_t: Say): Record<Weekday, string> {
  const format = new Intl.DateTimeFormat(spokenLocale(), { weekday: 'long', timeZone: 'UTC' })
  // 5 January 2026 was a Monday.
  return Object.fromEntries(
    days.map((day, index) => [day, format.format(new Date(Date.UTC(2026, 0, 5 + index)))]),
  ) as Record<Weekday, string>
}
