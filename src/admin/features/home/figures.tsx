import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Views } from '../../../contract/dashboard.ts'
import { viewPeriods } from '../../../contract/day.ts'
import { hasRight } from '../../../contract/rights.ts'
import { TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { numberText } from '../../components/dates.tsx'
import { DayBars } from '../../components/day-bars.tsx'
import { FiguresNote, PageName, ShareBar } from '../../components/figures.tsx'
import { Section } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { messageReadRights } from '../messages/messages.ts'
import { useMe } from '../sign-in/me.ts'
import { defaultViewPeriod, messagesPerDayQuery, viewReadRights, viewsQuery } from './dashboard.ts'
import styles from './home.module.css'

/** Statistics of messages and page views, as far as the user may see them. */
export function Figures() {
  const me = useMe()
  return (
    <>
      {hasRight(me, messageReadRights) && <Messages />}
      {hasRight(me, viewReadRights) && <PageViews />}
    </>
  )
}

/** Counts per day, the last of which is today. */
type Days = Views['days']

const totalOf = (days: Days) => days.reduce((total, { count }) => total + count, 0)

/** Formatted: the counts of today, of yesterday and in total, and the number of days. Undefined without days. */
function useTotals(days: Days | undefined) {
  const locale = useLocale()
  if (!days) return undefined
  const format = (count = 0) => numberText(count, locale)
  return {
    today: format(days.at(-1)?.count),
    yesterday: format(days.at(-2)?.count),
    all: format(totalOf(days)),
    days: format(days.length),
  }
}

function Messages() {
  const t = useText()
  const { data, error, refetch } = useQuery(messagesPerDayQuery)
  const totals = useTotals(data?.days)
  const isEmpty = data && totalOf(data.days) === 0
  return (
    <Section title={t('home.messagesPerDay')} lead={!isEmpty && totals && t('home.messagesInWords', totals)}>
      {!data && <LoadingOrError error={error} refetch={refetch} rows={3} />}
      {isEmpty && <p className="flush">{t('home.noMessages')}</p>}
      {data && !isEmpty && <DayBars days={data.days} label={t('home.messages')} />}
    </Section>
  )
}

function PageViews() {
  const t = useText()
  const navigate = useNavigate({ from: '/user' })
  const { days: period = defaultViewPeriod } = useSearch({ from: '/user' })
  const { data, error, refetch, isPlaceholderData } = useQuery(viewsQuery(period))
  const totals = useTotals(data?.days)
  const isEmpty = data && totalOf(data.days) === 0
  return (
    <Section title={t('home.views')} lead={!isEmpty && totals && t('home.viewsInWords', totals)}>
      <ChoiceGroup
        legend={t('home.period')}
        options={viewPeriods.map((value) => ({ value, label: t('home.days', { count: value }) }))}
        chosen={[period]}
        onChoose={([days]) => void navigate({ search: days === defaultViewPeriod ? {} : { days }, replace: true })}
      />
      {!data && <LoadingOrError error={error} refetch={refetch} rows={3} />}
      {isEmpty && <p className="flush">{t('home.noViews')}</p>}
      {data && !isEmpty && (
        <div className={styles.figures} aria-busy={isPlaceholderData} data-stale={isPlaceholderData}>
          <DayBars days={data.days} label={t('home.views')} />
          <MostViewed pages={data.pages} />
        </div>
      )}
      <FiguresNote>{t('home.howCounted')}</FiguresNote>
      <p className="flush">
        <TextLink to="/admin/statistics">{t('home.allStatistics')}</TextLink>
      </p>
    </Section>
  )
}

function MostViewed({ pages }: { pages: Views['pages'] }) {
  const t = useText()
  const locale = useLocale()
  // The pages are sorted by views, the most viewed first.
  const maxViews = pages[0]?.views ?? 1
  return (
    <div>
      <h3 className={styles.head}>{t('home.mostViewed')}</h3>
      <ol className={styles.pages}>
        {pages.map(({ address, title, locale: language, views }) => (
          <li key={address}>
            <PageName address={address} title={title} locale={language} />
            <b>
              {numberText(views, locale)} <span className="visually-hidden">{t('home.times', { count: views })}</span>
            </b>
            <ShareBar fraction={views / maxViews} />
          </li>
        ))}
      </ol>
    </div>
  )
}
