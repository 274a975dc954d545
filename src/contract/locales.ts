/** The languages of the built-in texts: those of the screens, emails and errors, in `i18n`. */
export const builtInLocales = ['nl', 'fa', 'en'] as const
export type BuiltInLocale = (typeof builtInLocales)[number]

/** The languages in which staff work: those of the admin, and of the names and sample texts of blocks. */
export const adminLocales = ['nl', 'fa', 'en'] as const satisfies readonly BuiltInLocale[]
export type AdminLocale = (typeof adminLocales)[number]

/** A language of the site: a BCP 47 tag in canonical form, such as `nl` or `pt-BR`. */
export type Locale = string

/**
 * The last fallback for built-in texts, and the main language of a site that has it: see `mainLocaleOf`. The language
 * at the root of a site may be another: see `rootLocaleOf`.
 */
export const defaultLocale = 'nl' satisfies BuiltInLocale

/** Room for a language, script, region and a few variants. */
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

/** The language in a tag, such as `en` of `en-GB`. Without `split`, because it runs for each row of a list. */
function primarySubtag(locale: Locale): string {
  const end = locale.indexOf('-')
  return end < 0 ? locale : locale.slice(0, end)
}

/** The language of the built-in texts for a language of the site: the same, or else Dutch. */
export const builtInLocale = (locale: Locale): BuiltInLocale => findBuiltInLocale(locale) ?? defaultLocale

/** The language of the built-in texts that a tag has, such as `en` for `en-GB`. */
export function findBuiltInLocale(locale: Locale): BuiltInLocale | undefined {
  const language = primarySubtag(locale)
  return builtInLocales.find((locale) => locale === language)
}

/**
 * The languages in which a text of the site's pages is looked up, in order: the given one, the fallbacks and Dutch, up
 * to and including the first that has built-in texts.
 */
export function textLocales(locale: Locale, fallbackLocales: readonly Locale[] = []): Locale[] {
  const order = [...new Set([locale, ...fallbackLocales, defaultLocale])]
  return order.slice(0, order.findIndex((candidate) => findBuiltInLocale(candidate) !== undefined) + 1)
}

/** The language of the admin for a user with this language: the same, or else Dutch. */
export function adminLocale(locale: Locale): AdminLocale {
  const language = builtInLocale(locale)
  return adminLocales.find((candidate) => candidate === language) ?? defaultLocale
}

/** The language of the sample texts for content in a language: the same, or else English. */
export function sampleLocale(locale: Locale): AdminLocale {
  const language = primarySubtag(locale)
  return adminLocales.find((candidate) => candidate === language) ?? 'en'
}

/** Whether the built-in texts for a language are Persian, whose fonts, commas and digits differ. */
export const isPersian = (locale: Locale): boolean => builtInLocale(locale) === 'fa'

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

/** The tag for `Intl`: Dutch, Persian and English get the region whose formats the built-in texts have. */
export const intlTagOf = (locale: Locale): string => ({ nl: 'nl-NL', fa: 'fa-IR', en: 'en-GB' })[locale] ?? locale

const languageNames = new Map<Locale, string>()

/** A language's own name: `Nederlands`, `Deutsch`. */
export function languageName(locale: Locale): string {
  let ownName = languageNames.get(locale)
  if (ownName === undefined) {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale
    ownName = name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
    languageNames.set(locale, ownName)
  }
  return ownName
}

/** Converts the digits of a text such as a time or telephone number to those of the language. */
export function localizeDigits(locale: Locale, text: string): string {
  return isPersian(locale) ? text.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? digit) : text
}

/** A translated value, by language. The first key is the main language of the site, which is always present. */
export type Localized<T> = { [tag: Locale]: T | undefined }

/** The value in a language, or else in the first (main) one, with the language it was found in. */
export function localized<T>(value: Localized<T>, locale: Locale): { value: T; locale: Locale } {
  const translated = Object.hasOwn(value, locale) ? value[locale] : undefined
  if (translated !== undefined) return { value: translated, locale }
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

/** A path below the prefix of a language, also when that language is at the root now and has no prefix. */
export function prefixedPath(path: string, locale: Locale): string {
  const prefix = `/${prefixOf(locale)}`
  return path === '/' || path.startsWith('/#') || path.startsWith('/?') ? prefix + path.slice(1) : prefix + path
}

/**
 * The path of a text in another language than the reader's, with the prefix of the reader's language, which the reader
 * stays in. The root only has texts of its own language, so its readers get the prefix of the text's language.
 */
export const pathForReader = (slug: string, of: { textLocale: Locale; reader: Locale }, site: Root): string =>
  localizedPath(`/${slug}`, of.reader === rootLocaleOf(site) ? of.textLocale : of.reader, site)

/**
 * Splits a path into its language, one of the site's, and the path without the prefix. The prefix of the root language
 * is accepted too when `rootLocale` is set, because older links may have it.
 */
export function splitLocale(pathname: string, site: Root & Pick<SiteLanguages, 'locales'>) {
  for (const locale of site.locales) {
    if (locale === defaultLocale && site.rootLocale === undefined) continue
    const prefix = `/${prefixOf(locale)}`
    if (pathname === prefix) return { locale, path: '/' }
    const path = pathname.slice(prefix.length)
    // A rest like `//example.com` would be a URL of another site.
    if (pathname.startsWith(`${prefix}/`) && !path.startsWith('//')) return { locale, path }
  }
  return { locale: rootLocaleOf(site), path: pathname }
}

type Languages = Pick<SiteLanguages, 'languages'>
const settingsOf = ({ languages }: Languages, locale: Locale) =>
  languages && Object.hasOwn(languages, locale) ? languages[locale] : undefined

/** The writing direction of content in a language: the one that the site has set, or else that of its script. */
export const contentDirection = (site: Languages, locale: Locale): 'ltr' | 'rtl' =>
  settingsOf(site, locale)?.direction ?? directionOf(locale)

/** A language with its name and direction: those that the site has set, or else the standard ones. */
export function languageOf(site: Languages, locale: Locale) {
  const name = settingsOf(site, locale)?.name ?? languageName(locale)
  return { locale, name, direction: contentDirection(site, locale) }
}
export type SiteLanguage = ReturnType<typeof languageOf>
