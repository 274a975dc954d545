import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { type AdminLocale, directionOf, type Locale } from '../contract/locales.ts'
import type * as dutchBackups from '../i18n/nl/admin/backups.ts'
import type * as dutchBlocks from '../i18n/nl/admin/blocks.ts'
import type * as dutchConfig from '../i18n/nl/admin/config.ts'
import type * as dutchHealth from '../i18n/nl/admin/health.ts'
import type * as dutchHelp from '../i18n/nl/admin/help.ts'
import type * as dutchPages from '../i18n/nl/admin/pages.ts'
import type * as dutchStatistics from '../i18n/nl/admin/statistics.ts'
import type { admin as dutch } from '../i18n/nl/admin.ts'
import type { Leaves } from '../i18n/translate.ts'

export type TextKey =
  | Leaves<typeof dutch>
  | Leaves<typeof dutchBackups>
  | Leaves<typeof dutchBlocks>
  | Leaves<typeof dutchConfig>
  | Leaves<typeof dutchHealth>
  | Leaves<typeof dutchHelp>
  | Leaves<typeof dutchPages>
  | Leaves<typeof dutchStatistics>
type Values = Record<string, string | number>
export type TFunction = (key: TextKey, values?: Values) => string

/** One language is loaded at a time. */
const load: Record<AdminLocale, () => Promise<{ admin: object }>> = {
  nl: () => import('../i18n/nl/admin.ts'),
  fa: () => import('../i18n/fa/admin.ts'),
  en: () => import('../i18n/en/admin.ts'),
}

/** Texts of single screens, loaded with the first screen that needs them. */
const loadPart = {
  backups: {
    nl: () => import('../i18n/nl/admin/backups.ts'),
    fa: () => import('../i18n/fa/admin/backups.ts'),
    en: () => import('../i18n/en/admin/backups.ts'),
  },
  blocks: {
    nl: () => import('../i18n/nl/admin/blocks.ts'),
    fa: () => import('../i18n/fa/admin/blocks.ts'),
    en: () => import('../i18n/en/admin/blocks.ts'),
  },
  config: {
    nl: () => import('../i18n/nl/admin/config.ts'),
    fa: () => import('../i18n/fa/admin/config.ts'),
    en: () => import('../i18n/en/admin/config.ts'),
  },
  health: {
    nl: () => import('../i18n/nl/admin/health.ts'),
    fa: () => import('../i18n/fa/admin/health.ts'),
    en: () => import('../i18n/en/admin/health.ts'),
  },
  help: {
    nl: () => import('../i18n/nl/admin/help.ts'),
    fa: () => import('../i18n/fa/admin/help.ts'),
    en: () => import('../i18n/en/admin/help.ts'),
  },
  pages: {
    nl: () => import('../i18n/nl/admin/pages.ts'),
    fa: () => import('../i18n/fa/admin/pages.ts'),
    en: () => import('../i18n/en/admin/pages.ts'),
  },
  statistics: {
    nl: () => import('../i18n/nl/admin/statistics.ts'),
    fa: () => import('../i18n/fa/admin/statistics.ts'),
    en: () => import('../i18n/en/admin/statistics.ts'),
  },
} satisfies Record<string, Record<AdminLocale, () => Promise<object>>>
type TextPart = keyof typeof loadPart
/** The parts that screens asked for; those that are still loading too, because the language may change meanwhile. */
const requested = new Set<TextPart>()
/** The parts that are loaded, each with its language. */
const loadedParts = new Set<`${TextPart} ${AdminLocale}`>()
/** The language that was chosen last; its texts may still be loading. */
let chosen: AdminLocale

const texts = i18next.createInstance()
/** Texts without values: i18next would look them up again for each render of a component. */
const known = new Map<TextKey, string>()
/** The components on the screen that show texts. */
const readers = new Set<() => void>()
/** Another function for another language, so that what depends on it is made again. */
let translateNow: TFunction = (key, values) => translate(key, values)
const currentTranslate = () => translateNow

const subscribe = (onChange: () => void) => {
  readers.add(onChange)
  return () => void readers.delete(onChange)
}

function onLanguageChanged(): void {
  known.clear()
  translateNow = (key, values) => translate(key, values)
  for (const onChange of readers) onChange()
}

/** Loads a language and switches the admin to it, unless another one is chosen meanwhile: texts, `lang` and direction. */
export async function loadLanguage(locale: AdminLocale): Promise<void> {
  chosen = locale
  try {
    await showLanguage(locale)
  } catch (error) {
    // Screens would go on asking for its texts.
    if (chosen === locale) chosen = currentLocale()
    throw error
  }
}

async function showLanguage(locale: AdminLocale): Promise<void> {
  const { admin } = await load[locale]()
  if (texts.isInitialized) {
    texts.addResourceBundle(locale, 'translation', admin, true)
    for (const part of requested) await addTexts(part, locale)
    if (chosen !== locale) return
    await texts.changeLanguage(locale)
  } else {
    await texts.init({
      lng: locale,
      fallbackLng: false,
      resources: { [locale]: { translation: admin } },
      // React escapes; escaping twice would show `&amp;`.
      interpolation: { escapeValue: false },
    })
  }
  onLanguageChanged()
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
}

async function addTexts(part: TextPart, locale: AdminLocale): Promise<void> {
  if (loadedParts.has(`${part} ${locale}`)) return
  // Deep merge, so that loaded texts are not overwritten.
  texts.addResourceBundle(locale, 'translation', { ...(await loadPart[part][locale]()) }, true)
  loadedParts.add(`${part} ${locale}`)
  known.clear()
}

/** Loads a screen together with its texts. @param load imports the screen */
export const withTexts =
  <Screen>(parts: readonly TextPart[], load: () => Promise<Screen>) =>
  async (): Promise<Screen> => {
    for (const part of parts) requested.add(part)
    // While the language changes, the former one is still shown.
    const locales = new Set([currentLocale(), chosen])
    const [screen] = await Promise.all([
      load(),
      ...parts.flatMap((part) => [...locales].map((one) => addTexts(part, one))),
    ])
    return screen
  }

export function currentLocale(): AdminLocale {
  return texts.language as AdminLocale
}

/** The translate function for the current language. */
export const useText = (): TFunction => useSyncExternalStore(subscribe, currentTranslate, currentTranslate)

/** Translates outside a component. */
export const translate: TFunction = (key, values) => {
  if (values) return texts.t(key, values)
  const text = known.get(key) ?? texts.t(key)
  known.set(key, text)
  return text
}

export const useLocale = (): AdminLocale => useSyncExternalStore(subscribe, currentLocale, currentLocale)

/** Names a language in the language of the admin, as in a sentence: `Duits`. */
export function useLanguageIn(): (locale: Locale) => string {
  const reader = useLocale()
  return (locale) => new Intl.DisplayNames(reader, { type: 'language' }).of(locale) ?? locale
}
