import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Figure, Statistics } from '../../../contract/statistics.ts'
import { devices, directSource, otherValue, statisticsPeriods } from '../../../contract/visits.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { numberText, percentText } from '../../components/dates.tsx'
import { DayBars } from '../../components/day-bars.tsx'
import { FiguresNote, Name, PageName, ShareBar } from '../../components/figures.tsx'
import { Page, Section } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { viewReadRights } from '../home/dashboard.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './statistics.module.css'
import { defaultPeriodDays, statisticsQuery } from './statistics.ts'

/** The screen of the statistics: visits, their sources, devices and campaigns, and the pages that led to a message. */
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
  const { days: period = defaultPeriodDays } = useSearch({ from: '/admin/statistics' })
  const { data, error, refetch, isPlaceholderData } = useQuery(statisticsQuery(period))
  return (
    <>
      <ChoiceGroup
        legend={t('statistics.period')}
        options={statisticsPeriods
          .toSorted((a, b) => a - b)
          .map((value) => ({
            value,
            label: value === 365 ? t('statistics.year') : t('home.days', { count: value }),
          }))}
        chosen={[period]}
        onChoose={([days]) => void navigate({ search: days === defaultPeriodDays ? {} : { days }, replace: true })}
      />
      {!data && <LoadingOrError error={error} refetch={refetch} rows={6} />}
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
      <FiguresNote>{t('statistics.how')}</FiguresNote>
      {data && <FiguresNote>{t('statistics.bots', { bots: numberText(data.bots, locale) })}</FiguresNote>}
    </>
  )
}

/** The main figures, each compared with the previous period. */
function Figures({ data }: { data: Statistics }) {
  const t = useText()
  return (
    <dl className={styles.figures}>
      <FigureItem label={t('statistics.visits')} figure={data.visits} />
      <FigureItem label={t('home.views')} figure={data.views} />
      {data.messages && <FigureItem label={t('home.messages')} figure={data.messages} />}
      {data.perThousand && <FigureItem label={t('statistics.perThousand')} figure={data.perThousand} />}
    </dl>
  )
}

function FigureItem({ label, figure: { count, before: previousCount } }: { label: string; figure: Figure }) {
  const t = useText()
  const locale = useLocale()
  const comparison = () => {
    if (previousCount === null) return t('statistics.notCompared')
    const text = t('statistics.before', { before: numberText(previousCount, locale) })
    if (previousCount === 0) return text
    return `${text} (${percentText((count - previousCount) / previousCount, locale, { signed: true })})`
  }
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{numberText(count, locale)}</b>
        <small>{comparison()}</small>
      </dd>
    </div>
  )
}

function Sources({ data: { sources, visits } }: { data: Statistics }) {
  const t = useText()
  return (
    <ShareTable
      title={t('statistics.sources')}
      nameHeader={t('statistics.source')}
      countHeader={t('statistics.visits')}
      total={visits.count}
      emptyText={t('statistics.noVisits')}
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
    .toSorted((a, b) => b.count - a.count)
  return (
    <ShareTable
      title={t('statistics.devicesTitle')}
      nameHeader={t('statistics.device')}
      countHeader={t('statistics.visits')}
      total={visits.count}
      emptyText={t('statistics.noVisits')}
      rows={visits.count === 0 ? [] : rows}
    />
  )
}

function Campaigns({ data: { campaigns } }: { data: Statistics }) {
  const t = useText()
  const total = campaigns.rows.reduce((sum, { count }) => sum + count, campaigns.other)
  return (
    <ShareTable
      title={t('statistics.campaigns')}
      nameHeader={t('statistics.campaign')}
      countHeader={t('statistics.visits')}
      total={total}
      emptyText={t('statistics.noCampaigns')}
      rows={campaigns.rows.map(({ source, medium, campaign, count }) => {
        // Each part may be an empty string: the first that is not is the name, the others are details.
        const [name, ...details] = [campaign, source, medium].filter(Boolean)
        return {
          key: JSON.stringify([source, medium, campaign]),
          name: (
            <Name>
              <bdi>{name}</bdi>
              <span className="quiet small">
                <bdi>{details.join(' · ')}</bdi>
              </span>
            </Name>
          ),
          count,
        }
      })}
      other={{ name: t('statistics.otherCampaigns'), count: campaigns.other }}
    />
  )
}

/** The pages from which visitors sent a message; nothing for a user who may not see the messages. */
function Pages({ data: { pages, messages } }: { data: Statistics }) {
  const t = useText()
  if (!pages || !messages) return null
  return (
    <ShareTable
      title={t('statistics.messagePages')}
      nameHeader={t('statistics.page')}
      countHeader={t('home.messages')}
      total={messages.count}
      emptyText={t('statistics.noMessages')}
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

/** A table of counts, with the percentage of the total, also as a bar. */
function ShareTable(props: {
  title: string
  /** The header of the column of names. */
  nameHeader: string
  /** The header of the column of counts. */
  countHeader: string
  /** The count that is 100 %. */
  total: number
  /** Shown if there are no rows. */
  emptyText: string
  rows: Row[]
  /** The sum of all counts without a row. */
  other?: { name: string; count: number }
}) {
  const { title, nameHeader, countHeader, total, emptyText, rows, other } = props
  const t = useText()
  const locale = useLocale()
  const otherRows = other && other.count > 0 ? [{ key: otherValue, ...other }] : []
  const allRows = [...rows, ...otherRows]
  return (
    <Section title={title}>
      {allRows.length === 0 ? (
        <p className="flush">{emptyText}</p>
      ) : (
        <table className={styles.shares}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{nameHeader}</th>
              <th scope="col">{countHeader}</th>
              <th scope="col">{t('statistics.share')}</th>
            </tr>
          </thead>
          <tbody>
            {allRows.map(({ key, name, count }) => (
              <tr key={key}>
                <th scope="row">
                  {name}
                  <ShareBar fraction={count / Math.max(total, 1)} />
                </th>
                <td>{numberText(count, locale)}</td>
                <td>{percentText(count / Math.max(total, 1), locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
