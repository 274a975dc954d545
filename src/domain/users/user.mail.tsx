import { resolveLink } from '../../blocks/render-text.tsx'
import { type Locale, localized, mainLocaleOf } from '../../contract/locales.ts'
import { fillPlaceholders, placeholdersOf } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { translator } from '../../i18n/translate.ts'
import { renderEmailTo } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import type { InvitationEmail, UserEmail } from './user-email.ts'

/** The email about a new account or a new password. Neither subject nor preview text contains the password. */
export async function renderUserEmail(site: SiteConfig, locale: Locale, data: UserEmail): Promise<Email> {
  const t = translator(locale)
  const intro = t(`users.mail.${data.kind}.intro`, { brand: site.brand })
  const { password } = data
  const email = await renderEmailTo(site, locale, data.to, {
    title: t(`users.mail.${data.kind}.title`),
    preview: intro,
    intro: password === undefined ? intro : `${intro} ${t('users.mail.changeIt')}`,
    rows: [
      { label: t('users.mail.name'), value: data.to.name },
      { label: t('users.mail.email'), value: data.to.address, ltr: true },
      ...(password === undefined ? [] : [{ label: t('users.mail.password'), value: password, ltr: true }]),
      { label: t('users.mail.link'), value: data.url, href: data.url, ltr: true },
    ],
    action: { label: t('users.mail.signIn'), href: data.url },
    links: footerLinks(site, locale, data.url),
  })
  return { ...email, ...(data.replyTo !== undefined && { replyTo: { name: '', address: data.replyTo } }) }
}

interface FooterLinks {
  items: { title: string; url: string }[]
}

/** The footer links of the site's branding, as absolute URLs. @param at any URL of the site */
function footerLinks(site: SiteConfig, locale: Locale, at: string): { label: string; href: string }[] {
  const placeholders = placeholdersOf(site, locale, new Date())
  const link = { site, locale: site.locales.includes(locale) ? locale : mainLocaleOf(site), placeholders }
  return Object.values(site.branding.footer)
    .flatMap((area) => localized(area, locale).value)
    .flatMap((block) => (block.type === 'footer-links' ? (block as unknown as FooterLinks).items : []))
    .flatMap(({ title, url }) => {
      // A link such as `#contact` leads to a section of the home page.
      const href = URL.parse(resolveLink(url.startsWith('#') ? `/${url}` : url, link) ?? '', at)?.href
      return href ? [{ label: fillPlaceholders(title, placeholders), href }] : []
    })
}

/** The email with a password link that staff sent. */
export async function renderInvitation(site: SiteConfig, fallback: Locale, data: InvitationEmail): Promise<Email> {
  const locale = data.locale ?? fallback
  const t = translator(locale)
  const intro = t('users.mail.invitation.intro', {
    brand: site.brand,
    until: longDateTime(new Date(data.until), locale),
  })
  return renderEmailTo(site, locale, data.to, {
    title: t('users.mail.invitation.title'),
    preview: intro,
    intro,
    rows: [
      { label: t('users.mail.email'), value: data.to.address, ltr: true },
      { label: t('users.mail.link'), value: data.url, href: data.url, ltr: true },
    ],
    action: { label: t('users.mail.invitation.action'), href: data.url },
  })
}
