import { type Locale, languageName } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailTo } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import type { ReviewEmail } from './review-email.ts'

export async function renderReviewEmail(site: SiteConfig, locale: Locale, data: ReviewEmail): Promise<Email> {
  const t = translator(locale)
  const intro = t(`mail.review.${data.kind}.intro`, { name: data.by })
  return renderEmailTo(site, locale, data.to, {
    title: t(`mail.review.${data.kind}.title`, { title: data.page.title }),
    preview: intro,
    intro,
    rows: [
      { label: t('mail.review.page'), value: data.page.title },
      { label: t('mail.review.language'), value: languageName(data.page.locale) },
      { label: t('mail.review.link'), value: data.url, href: data.url, ltr: true },
    ],
    ...(data.note !== '' && { quote: { label: t('mail.review.note', { name: data.by }), text: data.note } }),
    action: { label: t(`mail.review.${data.kind}.action`), href: data.url },
  })
}
