import { type Locale, locales } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { translator } from '../../i18n/translate.ts'
import { letterTo } from '../../platform/mail/letter-to.ts'
import type { Letter } from '../../platform/mail/transport.ts'
import type { InvitationLetter, UserLetter } from './user-letter.ts'

/** The letter that tells somebody that they have an account, or another password. What it tells stands in neither subject nor preview. */
export async function renderUserLetter(site: SiteConfig, locale: Locale, data: UserLetter): Promise<Letter> {
  const t = translator(locale)
  const intro = t(`users.letter.${data.kind}.intro`, { brand: site.brand })
  const { password } = data
  const letter = await letterTo(site, locale, data.to, {
    title: t(`users.letter.${data.kind}.title`),
    preview: intro,
    intro: password === undefined ? intro : `${intro} ${t('users.letter.changeIt')}`,
    rows: [
      { label: t('users.letter.name'), value: data.to.name },
      { label: t('users.letter.email'), value: data.to.address, ltr: true },
      ...(password === undefined ? [] : [{ label: t('users.letter.password'), value: password, ltr: true }]),
      { label: t('users.letter.link'), value: data.url, href: data.url, ltr: true },
    ],
    action: { label: t('users.letter.signIn'), href: data.url },
  })
  return { ...letter, ...(data.replyTo !== undefined && { replyTo: { name: '', address: data.replyTo } }) }
}

/** The letter with a link to set a password, which somebody of the staff sent. */
export async function renderInvitation(site: SiteConfig, asked: Locale, data: InvitationLetter): Promise<Letter> {
  const locale = locales.find((one) => one === data.locale) ?? asked
  const t = translator(locale)
  const intro = t('users.letter.invitation.intro', {
    brand: site.brand,
    until: longDateTime(new Date(data.until), locale),
  })
  return letterTo(site, locale, data.to, {
    title: t('users.letter.invitation.title'),
    preview: intro,
    intro,
    rows: [
      { label: t('users.letter.email'), value: data.to.address, ltr: true },
      { label: t('users.letter.link'), value: data.url, href: data.url, ltr: true },
    ],
    action: { label: t('users.letter.invitation.action'), href: data.url },
  })
}
