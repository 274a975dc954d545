import type { Locale } from '../../contract/locales.ts'
import { fillPlaceholders } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailLayout } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import type { PasswordEmail } from './links.ts'

/** The email with the link to set a password, in the language of the user's account. */
export async function renderPasswordEmail(site: SiteConfig, fallback: Locale, data: PasswordEmail): Promise<Email> {
  const locale = data.locale ?? fallback
  const t = translator(locale)
  const { brand, sender } = site
  const title = t('signIn.mail.title')
  const intro = t('signIn.mail.intro', { brand })
  const parts = renderEmailLayout(site, locale, {
    title,
    preview: intro,
    intro,
    rows: [{ label: t('signIn.mail.link'), value: data.url, href: data.url, ltr: true }],
    action: { label: t('signIn.mail.action'), href: data.url },
  })
  return {
    ...parts,
    from: { name: fillPlaceholders(sender.name, { brand }), address: sender.email },
    to: [{ name: data.name, address: data.email }],
    subject: t('signIn.mail.subject', { brand }),
  }
}
