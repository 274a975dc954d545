import i18next, { type TOptions } from 'i18next'
import { type Locale, type ProgramLocale, programLocale, programLocales } from '../contract/locales.ts'
import * as en from './en/index.ts'
import * as fa from './fa/index.ts'
import type { Texts } from './nl/index.ts'
import * as nl from './nl/index.ts'

/** The paths of all texts in a tree; plural forms share one path. */
export type Leaves<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${WithoutPlural<K>}` : Leaves<T[K], `${Prefix}${K}.`>
}[keyof T & string]
type WithoutPlural<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K

/**
 * The path of a text: `contact.send`. A path that is missing in Dutch, or a Dutch text missing in another language, is
 * a compile error.
 */
export type TextKey = Leaves<typeof nl>
export type Translate = (key: TextKey, values?: TOptions) => string

/** The program's own texts, by language. */
export const programTexts: Record<ProgramLocale, Texts<typeof nl>> = { nl, fa, en }

const texts = i18next.createInstance()
void texts.init({
  lng: 'nl',
  fallbackLng: false,
  supportedLngs: programLocales,
  resources: Object.fromEntries(programLocales.map((one) => [one, { translation: programTexts[one] }])),
  initAsync: false,
  // React escapes; escaping twice would show `&amp;`.
  interpolation: { escapeValue: false },
})

const fixed = Object.fromEntries(
  programLocales.map((locale) => [locale, remembering(texts.getFixedT(locale) as unknown as Translate)]),
) as Record<ProgramLocale, Translate>

/** Enough for the texts of pages, whose values are few: the terms of a price, the reference in a form. */
const cachedTexts = 2_000
const cachedChars = 100

/** Caches texts, together with the values that are filled in. */
function remembering(translate: Translate): Translate {
  const cached = new Map<string, string>()
  return (key, values) => {
    const name = values ? key + JSON.stringify(values) : key
    const found = cached.get(name)
    if (found !== undefined) return found
    const text = translate(key, values)
    if (cached.size >= cachedTexts) cached.clear()
    if (name.length <= cachedChars) cached.set(name, text)
    return text
  }
}

/** The translate function of a language: of the program's own texts, or else of those that it falls back to. */
export const translator = (locale: Locale): Translate => fixed[programLocale(locale)]
