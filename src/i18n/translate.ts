import i18next, { type TOptions } from 'i18next'
import { type Locale, locales } from '../contract/locales.ts'
import { fa } from './fa/index.ts'
import { nl } from './nl/index.ts'

/** The paths of all texts in a tree of them; a plural's forms are one. */
export type Leaves<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${WithoutPlural<K>}` : Leaves<T[K], `${Prefix}${K}.`>
}[keyof T & string]
type WithoutPlural<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K

/** Every text there is, by its path: `contact.send`. A path that Dutch lacks does not compile, nor does a language that lacks one of Dutch's. */
export type TextKey = Leaves<typeof nl>
export type Translate = (key: TextKey, values?: TOptions) => string

const texts = i18next.createInstance()
void texts.init({
  lng: 'nl',
  fallbackLng: false,
  supportedLngs: locales,
  resources: { nl: { translation: nl }, fa: { translation: fa } },
  initAsync: false,
  // React and React Email escape; escaping twice would show `&amp;`.
  interpolation: { escapeValue: false },
})

const fixed = Object.fromEntries(
  locales.map((locale) => [locale, remembering(texts.getFixedT(locale) as unknown as Translate)]),
) as Record<Locale, Translate>

/** A text without values is the same each time, and most of a page's texts are such. */
function remembering(translate: Translate): Translate {
  const known = new Map<TextKey, string>()
  return (key, values) => {
    if (values) return translate(key, values)
    const text = known.get(key) ?? translate(key)
    known.set(key, text)
    return text
  }
}

/** The texts of one language. */
export const translator = (locale: Locale): Translate => fixed[locale]
