import type { ContactState, Scene } from '../blocks/define-block.ts'
import { placeholdersOf } from '../contract/fill-text.ts'
import type { Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { translator } from '../i18n/translate.ts'

/** Everything that the views of one page look at. */
export function makeScene(input: {
  site: SiteConfig
  locale: Locale
  contentLocale?: Locale
  path: string
  now: Date
  viewer: { name: string } | undefined
  contact?: ContactState
}): Scene {
  const { site, locale, viewer } = input
  return {
    locale,
    contentLocale: input.contentLocale ?? locale,
    t: translator(locale),
    site,
    path: input.path,
    viewer,
    placeholders: placeholdersOf(site, locale, input.now, viewer?.name),
    logoUrl: site.logo.src,
    contact: input.contact ?? { values: {}, errors: {} },
  }
}
