import { intlTagOf, type Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailTo } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import type { ConfirmationEmail, NoticeEmail } from './profile-email.ts'

/** The email that notifies a user of a change to their account. */
export async function renderNotice(site: SiteConfig, locale: Locale, data: NoticeEmail): Promise<Email> {
  const t = translator(locale)
  const { brand } = site
  const title = t(`profile.mail.${data.notice}.title`, { brand })
  const intro = t(`profile.mail.${data.notice}.intro`, { brand })
  return renderEmailTo(site, locale, data.to, {
    title,
    preview: intro,
    intro,
    rows: [
      ...(data.newEmail ? [{ label: t('profile.mail.newEmail'), value: data.newEmail, ltr: true }] : []),
      ...(data.passkey ? [{ label: t('profile.mail.passkey'), value: data.passkey }] : []),
      { label: t('profile.mail.at'), value: longDateTime(new Date(data.at), locale) },
    ],
  })
}

/** The email with the link that confirms an address. */
export async function renderConfirmEmail(site: SiteConfig, locale: Locale, data: ConfirmationEmail): Promise<Email> {
  const { owner, to } = data
  if (owner) return renderNotice(site, owner.locale, { notice: 'emailTaken', to, at: owner.at })
  const t = translator(locale)
  const minutes = new Intl.NumberFormat(intlTagOf(locale)).format(data.minutes)
  const intro = t('profile.mail.confirmEmail.intro', { brand: site.brand, minutes })
  return renderEmailTo(site, locale, data.to, {
    title: t('profile.mail.confirmEmail.title'),
    preview: intro,
    intro,
    rows: [{ label: t('profile.mail.link'), value: data.url, href: data.url, ltr: true }],
    action: { label: t('profile.mail.confirmEmail.action'), href: data.url },
  })
}
