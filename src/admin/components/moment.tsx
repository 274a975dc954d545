import { useLocale, useText } from '../i18n.ts'
import { dayText, isElsewhere, momentText } from './dates.ts'

/** An instant by the reader's clock, short; in full to who points at it, and whose time it is where the company's is another. */
export function Moment({ at, day }: { at: string; day?: boolean }) {
  const locale = useLocale()
  const t = useText()
  const date = new Date(at)
  const full = momentText(date, locale, 'full')
  return (
    <time dateTime={at} title={isElsewhere(date) ? t('form.ownTime', { date: full }) : full}>
      {day ? dayText(date, locale) : momentText(date, locale)}
    </time>
  )
}
