import type { ContactState, Scene } from '../blocks/define-block.ts'
import { type Placeholders, placeholdersOf } from '../contract/fill-text.ts'
import type { Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { translator } from '../i18n/translate.ts'
import { logoUrl } from './logo.ts'

/** Everything that the views of one page look at. */
export function makeScene(input: {
  site: SiteConfig
  locale: Locale
  contentLocale?: Locale
  path: string
  now: Date
  viewer: { name: string } | undefined
  contact?: ContactState
  pictures?: Scene['pictures'] | undefined
}): Scene {
  const { site, locale, viewer } = input
  const contentLocale = input.contentLocale ?? locale
  const filled: Partial<Record<Locale, Placeholders>> = {}
  const placeholdersIn = (one: Locale) => {
    const made = filled[one] ?? placeholdersOf(site, one, input.now, viewer?.name)
    filled[one] = made
    return made
  }
  return {
    locale,
    contentLocale,
    t: translator(locale),
    site,
    path: input.path,
    viewer,
    placeholders: placeholdersIn(contentLocale),
    placeholdersIn,
    logoUrl: logoUrl(site),
    pictures: input.pictures ?? new Map(),
    contact: input.contact ?? { values: {}, errors: {} },
  }
}
