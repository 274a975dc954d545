import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { direction, type Locale } from '../contract/locales.ts'
import type { admin as dutch } from '../i18n/nl/admin.ts'
import type { adminBlocks as dutchBlocks } from '../i18n/nl/admin-blocks.ts'
import type { adminConfig as dutchConfig } from '../i18n/nl/admin-config.ts'
import type { adminPages as dutchPages } from '../i18n/nl/admin-pages.ts'
import type { Leaves } from '../i18n/translate.ts'

export type TextKey =
  | Leaves<typeof dutch>
  | Leaves<typeof dutchBlocks>
  | Leaves<typeof dutchConfig>
  | Leaves<typeof dutchPages>
export type Values = Record<string, string | number>
export type Say = (key: TextKey, values?: Values) => string

/** One language is loaded at a time. */
const load: Record<Locale, () => Promise<{ admin: object }>> = {
  nl: () => import('../i18n/nl/admin.ts'),
  fa: () => import('../i18n/fa/admin.ts'),
}

/** Texts that only some screens need: they come with the first of those. */
const loadMore = {
  blocks: {
    nl: async () => (await import('../i18n/nl/admin-blocks.ts')).adminBlocks,
    fa: async () => (await import('../i18n/fa/admin-blocks.ts')).adminBlocks,
  },
  config: {
    nl: async () => (await import('../i18n/nl/admin-config.ts')).adminConfig,
    fa: async () => (await import('../i18n/fa/admin-config.ts')).adminConfig,
  },
  pages: {
    nl: async () => (await import('../i18n/nl/admin-pages.ts')).adminPages,
    fa: async () => (await import('../i18n/fa/admin-pages.ts')).adminPages,
  },
} satisfies Record<string, Record<Locale, () => Promise<object>>>
type More = keyof typeof loadMore
const known = new Set<More>()

const texts = i18next.createInstance()

/** Loads a language and shows the admin in it: words, `lang` and direction. */
export async function speak(locale: Locale): Promise<void> {
  const { admin } = await load[locale]()
  if (texts.isInitialized) {
    texts.addResourceBundle(locale, 'translation', admin)
    for (const more of known) await add(more, locale)
    await texts.changeLanguage(locale)
  } else {
    await texts.use(initReactI18next).init({
      lng: locale,
      fallbackLng: false,
      resources: { [locale]: { translation: admin } },
      // React escapes; escaping twice would show `&amp;`.
      interpolation: { escapeValue: false },
    })
  }
  document.documentElement.lang = locale
  document.documentElement.dir = direction[locale]
}

async function add(more: More, locale: Locale): Promise<void> {
  // Deep, so that what is there stays.
  texts.addResourceBundle(locale, 'translation', await loadMore[more][locale](), true)
}

/** A screen with the texts that belong to it. @param load the screen's own file */
export const withTexts =
  <Screen>(wanted: readonly More[], load: () => Promise<Screen>) =>
  async (): Promise<Screen> => {
    const learn = async (more: More) => {
      await add(more, spokenLocale())
      known.add(more)
    }
    const [screen] = await Promise.all([load(), ...wanted.filter((more) => !known.has(more)).map(learn)])
    return screen
  }

export function spokenLocale(): Locale {
  return texts.language as Locale
}

/** The texts of the admin, in the language that is spoken. */
export function useText(): Say {
  return useTranslation().t as unknown as Say
}

/** The same outside a component. */
export const say: Say = (key, values) => texts.t(key, values ?? {})

export function useLocale(): Locale {
  return useTranslation().i18n.language as Locale
}
