import type { Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailTo } from '../../platform/mail/email-layout.tsx'
import type { Email, MailAddress } from '../../platform/mail/transport.ts'

export function renderTestEmail(site: SiteConfig, locale: Locale, data: { to: MailAddress; at: Date }): Email {
  const t = translator(locale)
  const intro = t('mail.test.intro', { brand: site.brand })
  return renderEmailTo(site, locale, data.to, {
    title: t('mail.test.title'),
    preview: intro,
    intro,
    rows: [{ label: t('mail.test.at'), value: longDateTime(data.at, locale) }],
  })
}
