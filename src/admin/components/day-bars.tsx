import { useState } from 'react'
import { useLocale, useText } from '../i18n.ts'
import { numberText, shortDayText } from './dates.tsx'
import styles from './day-bars.module.css'

/**
 * Counts per day, as a bar chart in reading direction and as a table.
 * @param label the header of the count column
 */
export function DayBars({ days, label }: { days: readonly { day: string; count: number }[]; label: string }) {
  const t = useText()
  const locale = useLocale()
  const [pointed, point] = useState<number>()
  const most = Math.max(...days.map(({ count }) => count), 1)
  const [first, last] = [days[0], days.at(-1)]
  const read = pointed === undefined ? undefined : days[pointed]
  return (
    <figure className={styles.figure}>
      {/* The table below has the same data for screen readers. */}
      <div aria-hidden>
        <div className={styles.top}>
          <span>{numberText(most, locale)}</span>
          {read && (
            <b>
              {shortDayText(read.day, locale)}: {numberText(read.count, locale)}
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
          <span>{first && shortDayText(first.day, locale)}</span>
          <span>{last && shortDayText(last.day, locale)}</span>
        </div>
      </div>
      <details className={styles.numbers}>
        <summary>{t('home.asTable')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('home.day')}</th>
              <th scope="col">{label}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{shortDayText(day, locale)}</th>
                <td>{numberText(count, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
