import { useLocale } from '../i18n.ts'
import { dayText, momentText } from './dates.ts'

/** An instant, short; in full to who points at it. */
export function Moment({ at, day }: { at: string; day?: boolean }) {
  const locale = useLocale()
  const date = new Date(at)
  return (
    <time dateTime={at} title={momentText(date, locale, 'full')}>
      {day ? dayText(date, locale) : momentText(date, locale)}
    </time>
  )
}
