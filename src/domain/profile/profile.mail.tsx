import { intlTag, type Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { translator } from '../../i18n/translate.ts'
import { letterTo } from '../../platform/mail/letter-to.ts'
import type { Letter } from '../../platform/mail/transport.ts'
import type { ConfirmEmailLetter, NoticeLetter } from './profile-letter.ts'

/** The letter that tells somebody what happened to their account. */
export async function renderNotice(site: SiteConfig, locale: Locale, data: NoticeLetter): Promise<Letter> {
  const t = translator(locale)
  const { brand } = site
  const title = t(`profile.letter.${data.notice}.title`, { brand })
  const intro = t(`profile.letter.${data.notice}.intro`, { brand })
  return letterTo(site, locale, data.to, {
    title,
    preview: intro,
    intro,
    rows: [
      ...(data.newEmail ? [{ label: t('profile.letter.newEmail'), value: data.newEmail, ltr: true }] : []),
      ...(data.passkey ? [{ label: t('profile.letter.passkey'), value: data.passkey }] : []),
      { label: t('profile.letter.at'), value: longDateTime(new Date(data.at), locale) },
    ],
  })
}

/** The letter with the link by which somebody shows that an address is theirs. */
export async function renderConfirmEmail(site: SiteConfig, locale: Locale, data: ConfirmEmailLetter): Promise<Letter> {
  const { owner, to } = data
  if (owner) return renderNotice(site, owner.locale, { notice: 'emailTaken', to, at: owner.at })
  const t = translator(locale)
  const minutes = new Intl.NumberFormat(intlTag[locale]).format(data.minutes)
  const intro = t('profile.letter.confirmEmail.intro', { brand: site.brand, minutes })
  return letterTo(site, locale, data.to, {
    title: t('profile.letter.confirmEmail.title'),
    preview: intro,
    intro,
    rows: [{ label: t('profile.letter.link'), value: data.url, href: data.url, ltr: true }],
    action: { label: t('profile.letter.confirmEmail.action'), href: data.url },
  })
}
