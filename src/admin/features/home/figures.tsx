import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Views } from '../../../contract/dashboard.ts'
import { viewPeriods } from '../../../contract/day.ts'
import { hasRight } from '../../../contract/rights.ts'
import { TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { numberText } from '../../components/dates.tsx'
import { DayBars } from '../../components/day-bars.tsx'
import { HowCounted, PageName, Share } from '../../components/figures.tsx'
import { Section } from '../../components/page.tsx'
import { Unloaded } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { messageReadRights } from '../messages/messages.ts'
import { useMe } from '../sign-in/me.ts'
import { messagesPerDayQuery, usualPeriod, viewReadRights, viewsQuery } from './dashboard.ts'
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

type Days = Views['days']

const sum = (days: Days) => days.reduce((total, { count }) => total + count, 0)

/** The counts of today, of yesterday and in total. */
function useTotals(days: Days | undefined) {
  const locale = useLocale()
  if (!days) return undefined
  const text = (count = 0) => numberText(count, locale)
  return {
    today: text(days.at(-1)?.count),
    yesterday: text(days.at(-2)?.count),
    all: text(sum(days)),
    days: text(days.length),
  }
}

function Messages() {
  const t = useText()
  const { data, error, refetch } = useQuery(messagesPerDayQuery)
  const totals = useTotals(data?.days)
  const none = data && sum(data.days) === 0
  return (
    <Section title={t('home.messagesPerDay')} lead={!none && totals && t('home.messagesInWords', totals)}>
      {!data && <Unloaded error={error} refetch={refetch} rows={3} />}
      {none && <p className="flush">{t('home.noMessages')}</p>}
      {data && !none && <DayBars days={data.days} label={t('home.messages')} />}
    </Section>
  )
}

function PageViews() {
  const t = useText()
  const navigate = useNavigate({ from: '/user' })
  const { days: period = usualPeriod } = useSearch({ from: '/user' })
  const { data, error, refetch, isPlaceholderData } = useQuery(viewsQuery(period))
  const totals = useTotals(data?.days)
  const none = data && sum(data.days) === 0
  return (
    <Section title={t('home.views')} lead={!none && totals && t('home.viewsInWords', totals)}>
      <ChoiceGroup
        legend={t('home.period')}
        options={viewPeriods.map((value) => ({ value, label: t('home.days', { count: value }) }))}
        chosen={[period]}
        onChoose={([days]) => void navigate({ search: days === usualPeriod ? {} : { days }, replace: true })}
      />
      {!data && <Unloaded error={error} refetch={refetch} rows={3} />}
      {none && <p className="flush">{t('home.noViews')}</p>}
      {data && !none && (
        <div className={styles.figures} aria-busy={isPlaceholderData} data-stale={isPlaceholderData}>
          <DayBars days={data.days} label={t('home.views')} />
          <MostViewed pages={data.pages} />
        </div>
      )}
      <HowCounted>{t('home.howCounted')}</HowCounted>
      <p className="flush">
        <TextLink to="/admin/statistics">{t('home.allStatistics')}</TextLink>
      </p>
    </Section>
  )
}

function MostViewed({ pages }: { pages: Views['pages'] }) {
  const t = useText()
  const locale = useLocale()
  const most = pages[0]?.views ?? 1
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
            <Share of={views / most} />
          </li>
        ))}
      </ol>
    </div>
  )
}
