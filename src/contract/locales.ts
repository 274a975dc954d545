/** The languages of the program's own texts. */
export const programLocales = ['nl', 'fa', 'en'] as const
export type ProgramLocale = (typeof programLocales)[number]

/** The languages in which staff work: those of the admin, and of the names and sample texts of blocks. */
export const adminLocales = ['nl', 'fa', 'en'] as const satisfies readonly ProgramLocale[]
export type AdminLocale = (typeof adminLocales)[number]

/** A language of the site: a BCP 47 tag in canonical form, such as `nl` or `pt-BR`. */
export type Locale = string

/**
 * The language of the program's texts that all others lack, and the main language of a site that has it: see `mainLocaleOf`. The
 * language at the root of a site may be another: see `rootLocaleOf`.
 */
export const defaultLocale = 'nl' satisfies ProgramLocale

/** The longest tag has a language, script, region and a few variants. */
export const languageTagFormat = { maxChars: 35, pattern: /^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/ }

/** Whether a text is a BCP 47 tag in canonical form. Extensions (`-u-…`, `-x-…`) are preferences, not languages. */
export function isLanguageTag(tag: string): boolean {
  if (tag.length > languageTagFormat.maxChars || !languageTagFormat.pattern.test(tag)) return false
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag
  } catch {
    return false
  }
}

/** The language of a tag, such as `en` of `en-GB`. Called for each row of a list, so it does not split the tag. */
function primarySubtag(locale: Locale): string {
  const end = locale.indexOf('-')
  return end < 0 ? locale : locale.slice(0, end)
}

/** The language of the program's texts for a language of the site: its own, or else Dutch. */
export const programLocale = (locale: Locale): ProgramLocale => findProgramLocale(locale) ?? defaultLocale

/** The language of the program's texts that is this one, such as `en` of `en-GB`. */
export function findProgramLocale(locale: Locale): ProgramLocale | undefined {
  const language = primarySubtag(locale)
  return programLocales.find((one) => one === language)
}

/**
 * The languages in which a text of the program is looked up, in order. The last one is the first in which the program has all
 * of its texts.
 */
export function textLocales(locale: Locale, fallbackLocales: readonly Locale[] = []): Locale[] {
  const order = [...new Set([locale, ...fallbackLocales, defaultLocale])]
  return order.slice(0, order.findIndex((one) => findProgramLocale(one) !== undefined) + 1)
}

/** The language of the admin for a user with this language: the same, or else Dutch. */
export function adminLocale(locale: Locale): AdminLocale {
  const wanted = programLocale(locale)
  return adminLocales.find((one) => one === wanted) ?? defaultLocale
}

/** The language of the sample texts for content in a language: the same, or else English. */
export function sampleLocale(locale: Locale): AdminLocale {
  const language = primarySubtag(locale)
  return adminLocales.find((one) => one === language) ?? 'en'
}

/** Whether the program's texts for a language are Persian, whose fonts, commas and digits differ. */
export const isPersian = (locale: Locale): boolean => programLocale(locale) === 'fa'

const rightToLeftScripts = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])
const directions = new Map<Locale, 'ltr' | 'rtl'>()

/** The writing direction of a language, by its script. For content of the site, see `contentDirection`. */
export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  let direction = directions.get(locale)
  if (!direction) {
    direction = rightToLeftScripts.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr'
    directions.set(locale, direction)
  }
  return direction
}

/** The tag for `Intl`: Dutch, Persian and English get the region whose formats the program's texts have. */
export const intlTagOf = (locale: Locale): string => ({ nl: 'nl-NL', fa: 'fa-IR', en: 'en-GB' })[locale] ?? locale

const languageNames = new Map<Locale, string>()

/** A language's own name: `Nederlands`, `Deutsch`. */
export function languageName(locale: Locale): string {
  let known = languageNames.get(locale)
  if (known === undefined) {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale
    known = name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
    languageNames.set(locale, known)
  }
  return known
}

/** Converts the digits of a text such as a time or telephone number to those of the language. */
export function localizeDigits(locale: Locale, text: string): string {
  return isPersian(locale) ? text.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? digit) : text
}

/** A translated text, by language; the first is that of the main language, which it always has. */
export type Localized<T> = { [tag: Locale]: T | undefined }

/** The text in a language, or else in the main one, with the language it was found in. */
export function localized<T>(value: Localized<T>, locale: Locale): { value: T; locale: Locale } {
  const own = Object.hasOwn(value, locale) ? value[locale] : undefined
  if (own !== undefined) return { value: own, locale }
  const [main = defaultLocale] = Object.keys(value)
  return { value: value[main] as T, locale: main }
}

/** The first path segment of a language's pages. */
export const prefixOf = (locale: Locale): string => locale.toLowerCase()

/** The languages of the sign-in pages: those of the site, and those in which staff work. */
export const signInLanguages = (site: SiteLanguages): SiteLanguages => ({
  ...site,
  locales: [...new Set<Locale>([...site.locales, ...adminLocales])],
})

/** The language settings of a site. */
export interface SiteLanguages {
  locales: readonly Locale[]
  languages?: { [tag: Locale]: { name?: string | undefined; direction?: 'ltr' | 'rtl' | undefined } } | undefined
  /** The language at the root; omitted: Dutch, which the site then has. */
  rootLocale?: Locale | undefined
}
type Root = Pick<SiteLanguages, 'rootLocale'>

/** The language at the root of a site. It has no URL prefix; the others do. */
export const rootLocaleOf = ({ rootLocale }: Root): Locale => rootLocale ?? defaultLocale

/**
 * The language that is shown where a page or a text of the configuration is missing in another, and in which links are
 * written: Dutch where the site has it, or else the language at the root.
 */
export const mainLocaleOf = (site: Pick<SiteLanguages, 'locales' | 'rootLocale'>): Locale =>
  site.locales.includes(defaultLocale) ? defaultLocale : rootLocaleOf(site)

/** `/privacy-verklaring` in Persian is `/fa/privacy-verklaring`; the Persian home is `/fa`. */
export const localizedPath = (path: string, locale: Locale, site: Root): string =>
  locale === rootLocaleOf(site) ? path : prefixedPath(path, locale)

/** A path below the prefix of a language, which that at the root has no longer or not yet. */
export function prefixedPath(path: string, locale: Locale): string {
  const prefix = `/${prefixOf(locale)}`
  return path === '/' || path.startsWith('/#') || path.startsWith('/?') ? prefix + path.slice(1) : prefix + path
}

/**
 * The path of a text in another language than the reader's: with the prefix of the reader's language, so that the reader stays in
 * it. At the root there are only texts of the root language, so its readers get the prefix of the text's language.
 */
export const pathForReader = (slug: string, of: { textLocale: Locale; reader: Locale }, site: Root): string =>
  localizedPath(`/${slug}`, of.reader === rootLocaleOf(site) ? of.textLocale : of.reader, site)

/**
 * Splits a path into its language, one of the site's, and the path without the prefix. The prefix of the root
 * language is accepted too when that language was set, because links from before have it.
 */
export function splitLocale(pathname: string, site: Root & Pick<SiteLanguages, 'locales'>) {
  for (const locale of site.locales) {
    if (locale === defaultLocale && site.rootLocale === undefined) continue
    const prefix = `/${prefixOf(locale)}`
    if (pathname === prefix) return { locale, path: '/' }
    const path = pathname.slice(prefix.length)
    // `//elders.example` would be another site.
    if (pathname.startsWith(`${prefix}/`) && !path.startsWith('//')) return { locale, path }
  }
  return { locale: rootLocaleOf(site), path: pathname }
}

type Languages = Pick<SiteLanguages, 'languages'>
const settingsOf = ({ languages }: Languages, locale: Locale) =>
  languages && Object.hasOwn(languages, locale) ? languages[locale] : undefined

/** The writing direction of content in a language, as the site has set it or else by its script. */
export const contentDirection = (site: Languages, locale: Locale): 'ltr' | 'rtl' =>
  settingsOf(site, locale)?.direction ?? directionOf(locale)

/** The name and direction of a language, as the site has set them or else its own. */
export function languageOf(site: Languages, locale: Locale) {
  const name = settingsOf(site, locale)?.name ?? languageName(locale)
  return { locale, name, direction: contentDirection(site, locale) }
}
export type SiteLanguage = ReturnType<typeof languageOf>
