import { useState } from 'react'
import type { AdminLocale } from '../../contract/locales.ts'
import { useLocale, useText } from '../i18n.ts'
import { monthText, numberText, shortDayText } from './dates.tsx'
import styles from './day-bars.module.css'

/** `day`: `2026-11-21`. */
type Days = readonly { day: string; count: number }[]

/**
 * Counts per day or month, as a bar chart in reading direction and as a table with the newest first.
 * @param props.label the header of the count column
 */
export function DayBars({ days: daily, label, by = 'day' }: { days: Days; label: string; by?: 'day' | 'month' }) {
  const t = useText()
  const locale = useLocale()
  const bars = by === 'month' ? sumByMonth(daily, locale) : daily
  const textOf = by === 'month' ? monthText : shortDayText
  const [hoveredIndex, setHoveredIndex] = useState<number>()
  const maxCount = Math.max(...bars.map(({ count }) => count), 1)
  const [firstBar, lastBar] = [bars[0], bars.at(-1)]
  const hovered = hoveredIndex === undefined ? undefined : bars[hoveredIndex]
  return (
    <figure>
      {/* The table below has the same data for screen readers. */}
      <div aria-hidden>
        <div className={styles.top}>
          <span>{numberText(maxCount, locale)}</span>
          {hovered && (
            <b>
              {textOf(hovered.day, locale)}: {numberText(hovered.count, locale)}
            </b>
          )}
        </div>
        <div className={styles.bars} onPointerLeave={() => setHoveredIndex(undefined)}>
          {bars.map(({ day, count }, index) => (
            <div key={day} onPointerEnter={() => setHoveredIndex(index)}>
              <i style={{ blockSize: `${(count / maxCount) * 100}%` }} data-some={count > 0 || undefined} />
            </div>
          ))}
        </div>
        <div className={styles.ends}>
          <span>{firstBar && textOf(firstBar.day, locale)}</span>
          <span>{lastBar && textOf(lastBar.day, locale)}</span>
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
            {[...bars].reverse().map(({ day, count }) => (
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

/** Sums by month of the language's calendar: Persian months begin on other days. `day` is its first day with data. */
function sumByMonth(days: Days, locale: AdminLocale): Days {
  const months = Map.groupBy(days, ({ day }) => monthText(day, locale))
  return [...months.values()].map((daysOfMonth) => ({
    day: daysOfMonth[0]?.day ?? '',
    count: daysOfMonth.reduce((sum, { count }) => sum + count, 0),
  }))
}
