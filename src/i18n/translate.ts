import i18next, { type TOptions } from 'i18next'
import { type BuiltInLocale, builtInLocale, builtInLocales, type Locale } from '../contract/locales.ts'
import * as en from './en/index.ts'
import * as fa from './fa/index.ts'
import type { Texts } from './nl/index.ts'
import * as nl from './nl/index.ts'

/** The keys of all texts in a tree, joined by dots; plural forms (`…_one`, `…_other`) share one key. */
export type Leaves<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${WithoutPlural<K>}` : Leaves<T[K], `${Prefix}${K}.`>
}[keyof T & string]
type WithoutPlural<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K

/**
 * The key of a text, such as `contact.send`. A key that is missing in Dutch, or a Dutch text that is missing in another
 * language, is a compile error.
 */
export type TextKey = Leaves<typeof nl>
export type Translate = (key: TextKey, values?: TOptions) => string

/** The built-in texts by language. */
export const builtInTexts: Record<BuiltInLocale, Texts<typeof nl>> = { nl, fa, en }

const texts = i18next.createInstance()
void texts.init({
  lng: 'nl',
  fallbackLng: false,
  supportedLngs: builtInLocales,
  resources: Object.fromEntries(builtInLocales.map((locale) => [locale, { translation: builtInTexts[locale] }])),
  initAsync: false,
  // React escapes; escaping twice would show `&amp;`.
  interpolation: { escapeValue: false },
})

const translators = Object.fromEntries(
  builtInLocales.map((locale) => [locale, cacheTexts(texts.getFixedT(locale) as unknown as Translate)]),
) as Record<BuiltInLocale, Translate>

/** The maximum number of cached texts: enough for those of pages, few of which have values that vary. */
const maxCachedTexts = 2_000
const maxCacheKeyChars = 100

/** Caches the results of a translate function by key and values. */
function cacheTexts(translate: Translate): Translate {
  const cache = new Map<string, string>()
  return (key, values) => {
    const cacheKey = values ? key + JSON.stringify(values) : key
    const cachedText = cache.get(cacheKey)
    if (cachedText !== undefined) return cachedText
    const text = translate(key, values)
    if (cache.size >= maxCachedTexts) cache.clear()
    if (cacheKey.length <= maxCacheKeyChars) cache.set(cacheKey, text)
    return text
  }
}

/** The translate function of the built-in texts in a language, or else in Dutch. */
export const translator = (locale: Locale): Translate => translators[builtInLocale(locale)]
