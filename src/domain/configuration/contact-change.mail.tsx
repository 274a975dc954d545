import type { Locale } from '../../contract/locales.ts'
import { fillPlaceholders } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailTo } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import type { ContactChangeEmail } from './contact-change.ts'

export async function renderContactChange(site: SiteConfig, locale: Locale, data: ContactChangeEmail): Promise<Email> {
  const t = translator(locale)
  const intro = t('mail.contactChange.intro', { brand: site.brand })
  return renderEmailTo(
    site,
    locale,
    { name: '', address: data.to },
    {
      title: t('mail.contactChange.title'),
      preview: intro,
      intro,
      rows: [
        ...(data.form ? [{ label: t('mail.contactChange.form'), value: data.form }] : []),
        data.recipients.length > 0
          ? { label: t('mail.contactChange.recipients'), value: data.recipients.join(', '), ltr: true }
          : { label: t('mail.contactChange.recipients'), value: t('mail.contactChange.formRemoved') },
        {
          label: t('mail.contactChange.sender'),
          value: fillPlaceholders(data.sender, { brand: site.brand }),
          ltr: true,
        },
        { label: t('mail.contactChange.by'), value: data.by || t('mail.contactChange.operator') },
        { label: t('mail.contactChange.at'), value: longDateTime(new Date(data.at), locale) },
      ],
    },
  )
}
