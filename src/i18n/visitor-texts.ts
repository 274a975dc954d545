import i18next from 'i18next'
import { type BuiltInLocale, builtInLocale, type Locale, textLocales } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { builtInTexts, type Translate, translator } from './translate.ts'

/** The built-in texts that visitors read: a whole group (`true`), or some of its texts. All others are for staff. */
const visitorGroups = {
  site: true,
  contact: true,
  mail: ['footer', 'telephone', 'kvk', 'vat', 'answer'],
  signIn: true,
  errors: true,
  validation: [
    ...['required', 'email', 'tooLong', 'control', 'type', 'unknownField', 'passwordMin', 'passwordMismatch'],
    ...['formChoice', 'formNumber', 'formNumberUnclear', 'formDate', 'formDateYear', 'formAppointment', 'tooMany'],
    ...['fileEmpty', 'fileType', 'fileTooLarge', 'fileBroken', 'fileTooSlow'],
  ],
} as const

/** The built-in texts for visitors, by keys such as `contact.send`. */
function visitorTexts(locale: BuiltInLocale): Map<string, string> {
  const collected = new Map<string, string>()
  for (const [group, names] of Object.entries(visitorGroups)) {
    const texts = builtInTexts[locale][group as keyof typeof visitorGroups]
    for (const [name, value] of Object.entries(texts)) {
      if (names === true || (names as readonly string[]).includes(name)) collect(`${group}.${name}`, value, collected)
    }
  }
  return collected
}

/** Adds a text, or all texts in a tree, to `collected`. */
function collect(path: string, value: unknown, collected: Map<string, string>): void {
  if (typeof value === 'string') collected.set(path, value)
  else for (const [name, child] of Object.entries(value as object)) collect(`${path}.${name}`, child, collected)
}

/**
 * The texts for visitors that a language needs, with the plural forms of that language.
 * @returns by key, the built-in text in the last of `textLocales`
 */
export function neededTexts(locale: Locale, fallbackLocales?: readonly Locale[]): Map<string, string> {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const texts = [...visitorTexts(builtInLocale(textLocales(locale, fallbackLocales).at(-1) ?? locale))]
  return new Map(
    texts.flatMap(([path, text]): [string, string][] => {
      const [, plural] = /^(.*)_other$/.exec(path) ?? []
      if (plural !== undefined) return forms.map((form) => [`${plural}_${form}`, text])
      return /_one$/.test(path) ? [] : [[path, text]]
    }),
  )
}

/** The names between double braces in a text, sorted. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name = '']) => name).toSorted()

type SiteTexts = Pick<SiteConfig, 'texts' | 'fallbackLocales'>
const translators = new WeakMap<SiteTexts, Map<Locale, Translate>>()

/**
 * The translate function for visitors: the texts of the site in the language and its fallbacks come before the built-in
 * ones. Cached per site and language.
 */
export function siteTranslator(site: SiteTexts, locale: Locale): Translate {
  const byLocale = translators.get(site) ?? new Map<Locale, Translate>()
  translators.set(site, byLocale)
  const translate = byLocale.get(locale) ?? createTranslate(site, locale)
  byLocale.set(locale, translate)
  return translate
}

function createTranslate(site: SiteTexts, locale: Locale): Translate {
  const order = textLocales(locale, site.fallbackLocales)
  const textLocale = order.at(-1) ?? locale
  if (order.every((candidate) => ownTexts(site, candidate) === undefined)) return translator(textLocale)
  const texts = i18next.createInstance()
  void texts.init({
    lng: locale,
    fallbackLng: order.slice(1),
    // A copy, because the texts of the site are added to it.
    resources: { [textLocale]: { translation: structuredClone({ ...builtInTexts[builtInLocale(textLocale)] }) } },
    initAsync: false,
    // Disables nesting (`$t(…)`): texts of the site must not refer to other texts.
    interpolation: { escapeValue: false, nestingPrefix: '\u0000' },
  })
  for (const candidate of order) {
    const needed = neededTexts(candidate)
    for (const [path, text] of Object.entries(ownTexts(site, candidate) ?? {})) {
      if (needed.has(path)) texts.addResource(candidate, 'translation', path, text)
    }
  }
  return texts.getFixedT(locale) as unknown as Translate
}

/** The site's own texts in a language. */
export const ownTexts = ({ texts }: Pick<SiteConfig, 'texts'>, locale: Locale) =>
  texts && Object.hasOwn(texts, locale) ? texts[locale] : undefined
