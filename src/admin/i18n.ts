import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { direction, type Locale } from '../contract/locales.ts'
import type { admin as dutch } from '../i18n/nl/admin.ts'
import type { Leaves } from '../i18n/translate.ts'

export type TextKey = Leaves<typeof dutch>
export type Values = Record<string, string | number>
export type Say = (key: TextKey, values?: Values) => string

/** One language is loaded at a time. */
const load: Record<Locale, () => Promise<{ admin: object }>> = {
  nl: () => import('../i18n/nl/admin.ts'),
  fa: () => import('../i18n/fa/admin.ts'),
}

const texts = i18next.createInstance()

/** Loads a language and shows the admin in it: words, `lang` and direction. */
export async function speak(locale: Locale): Promise<void> {
  const { admin } = await load[locale]()
  if (texts.isInitialized) {
    texts.addResourceBundle(locale, 'translation', admin)
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
