import { fillText } from '../../contract/fill-text.ts'
import { type Locale, locales } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { translator } from '../../i18n/translate.ts'
import { layOut } from '../../platform/mail/layout.tsx'
import type { Letter } from '../../platform/mail/transport.ts'
import type { PasswordLetter } from './password-letter.ts'

/** The letter with the link to set a password, in the language that its reader chose for the account. */
export async function renderPasswordLetter(site: SiteConfig, asked: Locale, data: PasswordLetter): Promise<Letter> {
  const locale = locales.find((one) => one === data.locale) ?? asked
  const t = translator(locale)
  const { brand, sender } = site
  const title = t('signIn.letter.title')
  const intro = t('signIn.letter.intro', { brand })
  const parts = await layOut(site, locale, {
    title,
    preview: intro,
    intro,
    rows: [{ label: t('signIn.letter.link'), value: data.url, href: data.url, ltr: true }],
    action: { label: t('signIn.letter.action'), href: data.url },
  })
  return {
    ...parts,
    from: { name: fillText(sender.name, { brand }), address: sender.email },
    to: [{ name: data.name, address: data.email }],
    subject: t('signIn.letter.subject', { brand }),
  }
}
