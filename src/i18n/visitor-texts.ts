import i18next from 'i18next'
import { type Locale, type ProgramLocale, programLocale, textLocales } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { programTexts, type Translate, translator } from './translate.ts'

/** The program's texts that visitors read: a whole group, or some of its texts. The others are for staff. */
const visitorGroups = {
  site: true,
  contact: true,
  mail: ['footer', 'telephone', 'kvk', 'vat', 'answer'],
  signIn: true,
  errors: true,
  validation: [
    ...['required', 'email', 'tooLong', 'control', 'type', 'unknownField', 'passwordMin', 'passwordMismatch'],
    ...['formChoice', 'formNumber', 'formNumberUnclear', 'formDate', 'formAppointment', 'tooMany'],
    ...['fileEmpty', 'fileType', 'fileTooLarge', 'fileBroken', 'fileTooSlow'],
  ],
} as const

/** The program's texts for visitors, by their paths such as `contact.send`. */
function visitorTexts(locale: ProgramLocale): Map<string, string> {
  const found = new Map<string, string>()
  for (const [group, names] of Object.entries(visitorGroups)) {
    const texts = programTexts[locale][group as keyof typeof visitorGroups]
    for (const [name, value] of Object.entries(texts)) {
      if (names === true || (names as readonly string[]).includes(name)) collect(`${group}.${name}`, value, found)
    }
  }
  return found
}

function collect(path: string, value: unknown, found: Map<string, string>): void {
  if (typeof value === 'string') found.set(path, value)
  else for (const [name, inner] of Object.entries(value as object)) collect(`${path}.${name}`, inner, found)
}

/**
 * The texts that a language needs: those of the program, with the plural forms of this language.
 * @returns each path with the program's text in a language that it has, by `textLocales`
 */
export function neededTexts(locale: Locale, fallbackLocales?: readonly Locale[]): Map<string, string> {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const texts = [...visitorTexts(programLocale(textLocales(locale, fallbackLocales).at(-1) ?? locale))]
  return new Map(
    texts.flatMap(([path, text]): [string, string][] => {
      const [, plural] = /^(.*)_other$/.exec(path) ?? []
      if (plural !== undefined) return forms.map((form) => [`${plural}_${form}`, text])
      return /_one$/.test(path) ? [] : [[path, text]]
    }),
  )
}

/** The names between double braces in a text. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name = '']) => name).toSorted()

type SiteTexts = Pick<SiteConfig, 'texts' | 'fallbackLocales'>
const translators = new WeakMap<SiteTexts, Map<Locale, Translate>>()

/**
 * The translate function for visitors: with the texts that the site has of its own in this language, and in those that it
 * falls back to.
 */
export function siteTranslator(site: SiteTexts, locale: Locale): Translate {
  const known = translators.get(site) ?? new Map<Locale, Translate>()
  translators.set(site, known)
  const translate = known.get(locale) ?? createTranslate(site, locale)
  known.set(locale, translate)
  return translate
}

function createTranslate(site: SiteTexts, locale: Locale): Translate {
  const order = textLocales(locale, site.fallbackLocales)
  const textLocale = order.at(-1) ?? locale
  if (order.every((one) => ownTexts(site, one) === undefined)) return translator(textLocale)
  const texts = i18next.createInstance()
  void texts.init({
    lng: locale,
    fallbackLng: order.slice(1),
    // A copy: the texts of the site are added to it.
    resources: { [textLocale]: { translation: structuredClone({ ...programTexts[programLocale(textLocale)] }) } },
    initAsync: false,
    // Texts of the site do not refer to other texts.
    interpolation: { escapeValue: false, nestingPrefix: '\u0000' },
  })
  for (const one of order) {
    const needed = neededTexts(one)
    for (const [path, text] of Object.entries(ownTexts(site, one) ?? {})) {
      if (needed.has(path)) texts.addResource(one, 'translation', path, text)
    }
  }
  return texts.getFixedT(locale) as unknown as Translate
}

/** The site's own texts in a language. */
export const ownTexts = ({ texts }: Pick<SiteConfig, 'texts'>, locale: Locale) =>
  texts && Object.hasOwn(texts, locale) ? texts[locale] : undefined
