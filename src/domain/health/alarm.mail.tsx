import type { Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailTo } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import type { HealthAlarmEmail } from './alarms.ts'

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
