import { TZDate } from '@date-fns/tz'
import { useMutation } from '@tanstack/react-query'
import type { PageInLocale, PageSchedule } from '../../../contract/pages.ts'
import { siteZone } from '../../../i18n/dates.ts'
import { api, parseResponse } from '../../client.ts'
import { notify } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import type { PageEditor } from './page-editor.ts'

/** The values of date and time fields: `2026-11-22`, `09:00`. */
export interface WallTime {
  date: string
  time: string
}

/** The instant of a wall time in the site's time zone. @returns undefined while a field is empty or invalid */
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

/** Nine o'clock, this many days from now. */
function nineIn(days: number, now: Date): WallTime {
  const there = new TZDate(now, siteZone)
  there.setDate(there.getDate() + days)
  return { ...wallTimeOf(there.toISOString()), time: '09:00' }
}

export const tomorrowAtNine = (now: Date): WallTime => nineIn(1, now)

/** The next Monday, never today. */
export const mondayAtNine = (now: Date): WallTime => nineIn((8 - new TZDate(now, siteZone).getDay()) % 7 || 7, now)

export function useSaveSchedule({ page, updateCache }: Pick<PageEditor, 'page' | 'updateCache'>) {
  const t = useText()
  return useMutation({
    mutationFn: (json: PageSchedule): Promise<PageInLocale> =>
      parseResponse(
        api.pages[':id'][':locale'].plan.$put({ param: { id: String(page.id), locale: page.locale }, json }),
      ),
    onSuccess(now) {
      updateCache(now)
      notify(t(now.publishAt || now.unpublishAt ? 'pages.schedule.saved' : 'pages.schedule.removed'))
    },
  })
}
