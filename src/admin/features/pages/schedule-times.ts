import { useMutation } from '@tanstack/react-query'
import { addDays, type Day, dayAt, instantAt, timeAt } from '../../../contract/day.ts'
import type { PageInLocale, PageSchedule } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { notify } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import type { PageEditor } from './page-editor.ts'

/** A date and a time in the site's time zone, as form fields have them: `2026-11-22`, `09:00`, or empty or invalid. */
export interface WallTime {
  date: string
  time: string
}

/** @returns an ISO instant in UTC; undefined while the date or the time is empty or invalid */
export const instantOf = ({ date, time }: WallTime): string | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(date) && /^\d\d:\d\d/.test(time) && !Number.isNaN(Date.parse(`${date}T${time}Z`))
    ? instantAt(date, time.slice(0, 5)).toISOString()
    : undefined

export function wallTimeOf(isoInstant: string): WallTime {
  const instant = new Date(isoInstant)
  return { date: dayAt(instant), time: timeAt(instant) }
}

export const tomorrowAtNine = (now: Date): WallTime => nineOn(addDays(dayAt(now), 1))

/** At 9:00 next Monday; on a Monday that is a week later. */
export function mondayAtNine(now: Date): WallTime {
  const today = dayAt(now)
  const daysUntilMonday = (8 - new Date(today).getUTCDay()) % 7
  return nineOn(addDays(today, daysUntilMonday || 7))
}

const nineOn = (date: Day): WallTime => ({ date, time: '09:00' })

/** A mutation that saves or removes the schedule of the page, with a notification. */
export function useSaveSchedule({ page, updateCache }: Pick<PageEditor, 'page' | 'updateCache'>) {
  const t = useText()
  return useMutation({
    mutationFn: (json: PageSchedule): Promise<PageInLocale> =>
      parseResponse(
        api.pages[':id'][':locale'].plan.$put({ param: { id: String(page.id), locale: page.locale }, json }),
      ),
    onSuccess(saved) {
      updateCache(saved)
      notify(t(saved.publishAt || saved.unpublishAt ? 'pages.schedule.saved' : 'pages.schedule.removed'))
    },
  })
}
