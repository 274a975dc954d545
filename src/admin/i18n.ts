import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { type AdminLocale, directionOf, type Locale } from '../contract/locales.ts'
import type * as dutchBackups from '../i18n/nl/admin/backups.ts'
import type * as dutchBlocks from '../i18n/nl/admin/blocks.ts'
import type * as dutchConfig from '../i18n/nl/admin/config.ts'
import type * as dutchHealth from '../i18n/nl/admin/health.ts'
import type * as dutchHelp from '../i18n/nl/admin/help.ts'
import type * as dutchPages from '../i18n/nl/admin/pages.ts'
import type * as dutchRedirects from '../i18n/nl/admin/redirects.ts'
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
  | Leaves<typeof dutchRedirects>
  | Leaves<typeof dutchStatistics>
type Values = Record<string, string | number>
export type TFunction = (key: TextKey, values?: Values) => string

/** The texts that every screen needs, in one chunk per language. */
const importCommonTexts: Record<AdminLocale, () => Promise<{ admin: object }>> = {
  nl: () => import('../i18n/nl/admin.ts'),
  fa: () => import('../i18n/fa/admin.ts'),
  en: () => import('../i18n/en/admin.ts'),
}

/** Texts of single screens, loaded with the first screen that needs them. */
const importScreenTexts = {
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
  redirects: {
    nl: () => import('../i18n/nl/admin/redirects.ts'),
    fa: () => import('../i18n/fa/admin/redirects.ts'),
    en: () => import('../i18n/en/admin/redirects.ts'),
  },
  statistics: {
    nl: () => import('../i18n/nl/admin/statistics.ts'),
    fa: () => import('../i18n/fa/admin/statistics.ts'),
    en: () => import('../i18n/en/admin/statistics.ts'),
  },
} satisfies Record<string, Record<AdminLocale, () => Promise<object>>>
/** A file of texts that only some screens need. */
export type TextPart = keyof typeof importScreenTexts
/** The parts that screens requested, loaded or still loading: another language needs them too. */
const requestedParts = new Set<TextPart>()
/** The loaded parts, as `{part} {locale}`. */
const loadedParts = new Set<string>()
/** The locale of the last call of `loadLanguage`, whose texts may still be loading; the current one if that call failed. */
let requestedLocale: AdminLocale

const texts = i18next.createInstance()
/** Texts without values, cached because i18next would look them up at each render of a component. */
const cachedTexts = new Map<TextKey, string>()
/** The callbacks of mounted components, called when the language has changed. */
const listeners = new Set<() => void>()
/** Replaced by a new function after a change of language, so that the components that use it render again. */
let currentTranslate: TFunction = (key, values) => translate(key, values)
const getTranslate = () => currentTranslate

const subscribe = (onChange: () => void) => {
  listeners.add(onChange)
  return () => void listeners.delete(onChange)
}

function onLanguageChanged(): void {
  cachedTexts.clear()
  currentTranslate = (key, values) => translate(key, values)
  for (const onChange of listeners) onChange()
}

/** Loads a language and switches the admin to it (texts, `lang`, `dir`), unless another one is requested meanwhile. */
export async function loadLanguage(locale: AdminLocale): Promise<void> {
  requestedLocale = locale
  try {
    await loadAndSwitch(locale)
  } catch (error) {
    if (requestedLocale === locale) requestedLocale = currentLocale()
    throw error
  }
}

async function loadAndSwitch(locale: AdminLocale): Promise<void> {
  const { admin } = await importCommonTexts[locale]()
  if (texts.isInitialized) {
    texts.addResourceBundle(locale, 'translation', admin, true)
    // A loop, because a screen that is opened meanwhile requests more parts.
    for (let missing = missingParts(locale); missing.length > 0; missing = missingParts(locale)) {
      await Promise.all(missing.map((part) => addTexts(part, locale)))
    }
    if (requestedLocale !== locale) return
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

const missingParts = (locale: AdminLocale): TextPart[] =>
  [...requestedParts].filter((part) => !loadedParts.has(`${part} ${locale}`))

async function addTexts(part: TextPart, locale: AdminLocale): Promise<void> {
  if (loadedParts.has(`${part} ${locale}`)) return
  // The last argument: a deep merge, so that loaded texts are not overwritten.
  texts.addResourceBundle(locale, 'translation', { ...(await importScreenTexts[part][locale]()) }, true)
  loadedParts.add(`${part} ${locale}`)
  cachedTexts.clear()
}

/** Returns a function that loads a screen together with its texts. @param importScreen imports the screen */
export const withTexts =
  <Screen>(parts: readonly TextPart[], importScreen: () => Promise<Screen>) =>
  async (): Promise<Screen> => {
    for (const part of parts) requestedParts.add(part)
    // Only the current language: `loadAndSwitch` loads the parts of a new one, whose failure must not fail the screen.
    const [screen] = await Promise.all([importScreen(), ...parts.map((part) => addTexts(part, currentLocale()))])
    return screen
  }

export function currentLocale(): AdminLocale {
  return texts.language as AdminLocale
}

/** The translate function; the component renders again when the language changes. */
export const useText = (): TFunction => useSyncExternalStore(subscribe, getTranslate, getTranslate)

/** Translates outside a component. */
export const translate: TFunction = (key, values) => {
  if (values) return texts.t(key, values)
  const text = cachedTexts.get(key) ?? texts.t(key)
  cachedTexts.set(key, text)
  return text
}

export const useLocale = (): AdminLocale => useSyncExternalStore(subscribe, currentLocale, currentLocale)

/** Returns a function that names a language in the admin's language, written as within a sentence: `Duits`. */
export function useLanguageIn(): (locale: Locale) => string {
  const adminLocale = useLocale()
  return (locale) => new Intl.DisplayNames(adminLocale, { type: 'language' }).of(locale) ?? locale
}
