import { useState } from 'react'
import type { AdminLocale } from '../../contract/locales.ts'
import { useLocale, useText } from '../i18n.ts'
import { monthText, numberText, shortDayText } from './dates.tsx'
import styles from './day-bars.module.css'

type Days = readonly { day: string; count: number }[]

/**
 * Counts per day or month, as a bar chart in reading direction and as a table.
 * @param label the header of the count column
 */
export function DayBars({ days: daily, label, by = 'day' }: { days: Days; label: string; by?: 'day' | 'month' }) {
  const t = useText()
  const locale = useLocale()
  const days = by === 'month' ? sumByMonth(daily, locale) : daily
  const textOf = by === 'month' ? monthText : shortDayText
  const [pointed, point] = useState<number>()
  const most = Math.max(...days.map(({ count }) => count), 1)
  const [first, last] = [days[0], days.at(-1)]
  const read = pointed === undefined ? undefined : days[pointed]
  return (
    <figure>
      {/* The table below has the same data for screen readers. */}
      <div aria-hidden>
        <div className={styles.top}>
          <span>{numberText(most, locale)}</span>
          {read && (
            <b>
              {textOf(read.day, locale)}: {numberText(read.count, locale)}
            </b>
          )}
        </div>
        <div className={styles.bars} onPointerLeave={() => point(undefined)}>
          {days.map(({ day, count }, index) => (
            <div key={day} onPointerEnter={() => point(index)}>
              <i style={{ blockSize: `${(count / most) * 100}%` }} data-some={count > 0 || undefined} />
            </div>
          ))}
        </div>
        <div className={styles.ends}>
          <span>{first && textOf(first.day, locale)}</span>
          <span>{last && textOf(last.day, locale)}</span>
        </div>
      </div>
      <details className={styles.numbers}>
        <summary>{t(by === 'month' ? 'home.monthsAsTable' : 'home.asTable')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t(by === 'month' ? 'home.month' : 'home.day')}</th>
              <th scope="col">{label}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{textOf(day, locale)}</th>
                <td>{numberText(count, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** Months begin and end by the calendar of the language: in Persian on another day. */
function sumByMonth(days: Days, locale: AdminLocale): Days {
  const months = Map.groupBy(days, ({ day }) => monthText(day, locale))
  return [...months.values()].map((ofMonth) => ({
    day: ofMonth[0]?.day ?? '',
    count: ofMonth.reduce((sum, { count }) => sum + count, 0),
  }))
}
