import { fillText } from '../../contract/fill-text.ts'
import type { Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { type LetterContent, layOut } from './layout.tsx'
import type { Letter, MailAddress } from './transport.ts'

/** A letter of the site to one person, whose subject is its title. */
export async function letterTo(
  site: SiteConfig,
  locale: Locale,
  to: MailAddress,
  content: LetterContent,
): Promise<Letter> {
  const { brand, sender } = site
  return {
    ...(await layOut(site, locale, content)),
    from: { name: fillText(sender.name, { brand }), address: sender.email },
    to: [to],
    subject: `${content.title} | ${brand}`,
  }
}
