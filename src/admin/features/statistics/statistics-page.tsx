import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Figure, Statistics } from '../../../contract/statistics.ts'
import { devices, directSource, otherValue, statisticsPeriods } from '../../../contract/visits.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { numberText, percentText } from '../../components/dates.tsx'
import { DayBars } from '../../components/day-bars.tsx'
import { HowCounted, Name, PageName, Share } from '../../components/figures.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Unloaded } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { viewReadRights } from '../home/dashboard.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './statistics.module.css'
import { statisticsQuery, usualStatisticsPeriod } from './statistics.ts'

/** Visits: how many, from where, on what, and which of them became a message. */
export function StatisticsPage() {
  const t = useText()
  return (
    <Page title={t('shell.statistics')} lead={t('statistics.lead')} allowed={useRight(...viewReadRights)}>
      <AllStatistics />
    </Page>
  )
}

function AllStatistics() {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate({ from: '/admin/statistics' })
  const { days: period = usualStatisticsPeriod } = useSearch({ from: '/admin/statistics' })
  const { data, error, refetch, isPlaceholderData } = useQuery(statisticsQuery(period))
  return (
    <>
      <ChoiceGroup
        legend={t('statistics.period')}
        options={statisticsPeriods
          .toSorted((one, other) => one - other)
          .map((value) => ({
            value,
            label: value === 365 ? t('statistics.year') : t('home.days', { count: value }),
          }))}
        chosen={[period]}
        onChoose={([days]) => void navigate({ search: days === usualStatisticsPeriod ? {} : { days }, replace: true })}
      />
      {!data && <Unloaded error={error} refetch={refetch} rows={6} />}
      {data && (
        <div className={styles.all} aria-busy={isPlaceholderData} data-stale={isPlaceholderData}>
          <Figures data={data} />
          <Section title={t('statistics.visitsOverTime')}>
            <DayBars days={data.days} label={t('statistics.visits')} by={period === 365 ? 'month' : 'day'} />
          </Section>
          <div className={styles.columns}>
            <Sources data={data} />
            <Devices data={data} />
            <Campaigns data={data} />
            <Pages data={data} />
          </div>
        </div>
      )}
      <HowCounted>{t('statistics.how')}</HowCounted>
      {data && <HowCounted>{t('statistics.bots', { bots: numberText(data.bots, locale) })}</HowCounted>}
    </>
  )
}

/** The main figures, each beside that of the period before. */
function Figures({ data }: { data: Statistics }) {
  const t = useText()
  return (
    <dl className={styles.figures}>
      <OneFigure label={t('statistics.visits')} figure={data.visits} />
      <OneFigure label={t('home.views')} figure={data.views} />
      {data.messages && <OneFigure label={t('home.messages')} figure={data.messages} />}
      {data.perThousand && <OneFigure label={t('statistics.perThousand')} figure={data.perThousand} />}
    </dl>
  )
}

function OneFigure({ label, figure: { count, before } }: { label: string; figure: Figure }) {
  const t = useText()
  const locale = useLocale()
  const compared = () => {
    if (before === null) return t('statistics.notCompared')
    const text = t('statistics.before', { before: numberText(before, locale) })
    return before === 0 ? text : `${text} (${percentText((count - before) / before, locale, { signed: true })})`
  }
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{numberText(count, locale)}</b>
        <small>{compared()}</small>
      </dd>
    </div>
  )
}

function Sources({ data: { sources, visits } }: { data: Statistics }) {
  const t = useText()
  return (
    <Shares
      title={t('statistics.sources')}
      heading={t('statistics.source')}
      amount={t('statistics.visits')}
      all={visits.count}
      none={t('statistics.noVisits')}
      rows={sources.rows.map(({ name, count }) => ({
        key: name,
        name: name === directSource ? t('statistics.direct') : <bdi dir="ltr">{name}</bdi>,
        count,
      }))}
      other={{ name: t('statistics.otherSources'), count: sources.other }}
    />
  )
}

function Devices({ data: { devices: counts, visits } }: { data: Statistics }) {
  const t = useText()
  const rows = devices
    .map((device) => ({ key: device, name: t(`statistics.devices.${device}`), count: counts[device] }))
    .toSorted((one, other) => other.count - one.count)
  return (
    <Shares
      title={t('statistics.devicesTitle')}
      heading={t('statistics.device')}
      amount={t('statistics.visits')}
      all={visits.count}
      none={t('statistics.noVisits')}
      rows={visits.count === 0 ? [] : rows}
    />
  )
}

function Campaigns({ data: { campaigns } }: { data: Statistics }) {
  const t = useText()
  const all = campaigns.rows.reduce((sum, { count }) => sum + count, campaigns.other)
  return (
    <Shares
      title={t('statistics.campaigns')}
      heading={t('statistics.campaign')}
      amount={t('statistics.visits')}
      all={all}
      none={t('statistics.noCampaigns')}
      rows={campaigns.rows.map(({ source, medium, campaign, count }) => ({
        key: JSON.stringify([source, medium, campaign]),
        name: (
          <Name>
            <bdi>{campaign || source || medium}</bdi>
            <span className="quiet small">
              <bdi>{(campaign ? [source, medium] : source ? [medium] : []).filter(Boolean).join(' · ')}</bdi>
            </span>
          </Name>
        ),
        count,
      }))}
      other={{ name: t('statistics.otherCampaigns'), count: campaigns.other }}
    />
  )
}

function Pages({ data: { pages, messages } }: { data: Statistics }) {
  const t = useText()
  if (!pages || !messages) return null
  return (
    <Shares
      title={t('statistics.messagePages')}
      heading={t('statistics.page')}
      amount={t('home.messages')}
      all={messages.count}
      none={t('statistics.noMessages')}
      rows={pages.rows.map(({ address, title, locale, count }) => ({
        key: address,
        name: <PageName address={address} title={title} locale={locale} />,
        count,
      }))}
      other={{ name: t('statistics.otherPages'), count: pages.other }}
    />
  )
}

interface Row {
  key: string
  name: ReactNode
  count: number
}

/** A table of counts, with the share of each as a bar. */
function Shares(props: {
  title: string
  /** The header of the first column. */
  heading: string
  /** The header of the counts. */
  amount: string
  all: number
  none: string
  rows: Row[]
  other?: { name: string; count: number }
}) {
  const { title, heading, amount, all, none, rows, other } = props
  const t = useText()
  const locale = useLocale()
  const shown = [...rows, ...(other && other.count > 0 ? [{ key: otherValue, ...other }] : [])]
  return (
    <Section title={title}>
      {shown.length === 0 ? (
        <p className="flush">{none}</p>
      ) : (
        <table className={styles.shares}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{heading}</th>
              <th scope="col">{amount}</th>
              <th scope="col">{t('statistics.share')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, name, count }) => (
              <tr key={key}>
                <th scope="row">
                  {name}
                  <Share of={count / Math.max(all, 1)} />
                </th>
                <td>{numberText(count, locale)}</td>
                <td>{percentText(count / Math.max(all, 1), locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
