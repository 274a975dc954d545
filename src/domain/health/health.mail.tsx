import type { Day } from '../../contract/day.ts'
import { intlTagOf, type Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailTo } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import type { HealthAlarmEmail } from './alarms.ts'
import type { MonthlyReportEmail } from './monthly-report.ts'

export async function renderHealthAlarm(site: SiteConfig, locale: Locale, data: HealthAlarmEmail): Promise<Email> {
  const t = translator(locale)
  const state = data.began.length > 0 ? 'began' : 'over'
  const intro = t(`mail.healthAlarm.${state}Intro`, { brand: site.brand })
  const rows = [
    ...data.began.map(({ label, text }) => ({ label, value: text })),
    ...data.over.map(({ label, text }) => ({ label: t('mail.healthAlarm.overLabel', { label }), value: text })),
  ]
  return renderEmailTo(
    site,
    locale,
    { name: '', address: data.to },
    { title: t(`mail.healthAlarm.${state}Title`, { brand: site.brand }), preview: intro, intro, rows },
  )
}

export async function renderMonthlyReport(site: SiteConfig, locale: Locale, data: MonthlyReportEmail): Promise<Email> {
  const t = translator(locale)
  const { brand } = site
  const number = new Intl.NumberFormat(intlTagOf(locale))
  const period = periodText(data.firstDay, data.lastDay, locale)
  const state = data.trouble.length > 0 ? 'introTrouble' : data.unseen > 0 ? 'introUnseen' : 'introWell'
  // In a sentence, words join the days: `1 tot en met 31 oktober 2026`.
  const days = period.replace(/\s*–\s*/, ` ${t('mail.monthlyReport.until')} `)
  const intro = t(`mail.monthlyReport.${state}`, { brand, period: days, count: data.unseen })
  const figure = ({ count, before }: MonthlyReportEmail['visits']) =>
    before === null ? number.format(count) : t('mail.monthlyReport.compared', { count, before })
  const within = data.answeredWithinMs === null ? undefined : durationText(data.answeredWithinMs, locale)
  const rows = [
    { label: t('mail.monthlyReport.visits'), value: figure(data.visits) },
    { label: t('mail.monthlyReport.messages'), value: figure(data.messages) },
    {
      label: t('mail.monthlyReport.answered'),
      value:
        within === undefined
          ? number.format(data.answered)
          : t('mail.monthlyReport.answeredWithin', { count: data.answered, within }),
    },
    ...(data.proofs ? [{ label: t('mail.monthlyReport.proofs'), value: proofsText(data.proofs, locale) }] : []),
    { label: t('health.checks.backup'), value: data.backup },
    ...data.trouble.map(({ label, text }) => ({ label, value: text })),
  ]
  return renderEmailTo(
    site,
    locale,
    { name: '', address: data.to },
    { title: t('mail.monthlyReport.title', { period }), preview: intro, intro, rows },
  )
}

/** `1–31 oktober 2026`; in Persian by the Persian calendar. */
function periodText(firstDay: Day, lastDay: Day, locale: Locale): string {
  const dates = new Intl.DateTimeFormat(intlTagOf(locale), { dateStyle: 'long', timeZone: 'UTC' })
  return dates.formatRange(new Date(firstDay), new Date(lastDay))
}

function proofsText(
  { nights, proved, failed, unknown }: NonNullable<MonthlyReportEmail['proofs']>,
  locale: Locale,
): string {
  const t = translator(locale)
  const others = [
    ['proofsFailed', failed],
    ['proofsUnknown', unknown],
    ['proofsMissing', nights - proved - failed - unknown],
  ] as const
  const parts = [
    t('mail.monthlyReport.proofsProved', { count: proved, nights }),
    ...others.flatMap(([name, count]) => (count > 0 ? [t(`mail.monthlyReport.${name}`, { count })] : [])),
  ]
  return new Intl.ListFormat(intlTagOf(locale), { type: 'unit' }).format(parts)
}

function durationText(ms: number, locale: Locale): string {
  const minutes = ms / 60_000
  const [unit, count] =
    minutes < 90 ? ['minute', minutes] : minutes < 48 * 60 ? ['hour', minutes / 60] : ['day', minutes / (24 * 60)]
  return new Intl.NumberFormat(intlTagOf(locale), {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(Math.max(Math.round(count as number), 1))
}
