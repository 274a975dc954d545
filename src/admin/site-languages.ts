import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  contentDirection,
  defaultLocale,
  type Locale,
  languageOf,
  localizedPath,
  mainLocaleOf,
  rootLocaleOf,
  type SiteLanguage,
  type SiteLanguages,
} from '../contract/locales.ts'
import { useLocale } from './i18n.ts'

export const siteLanguagesKey = ['site-languages'] as const

/** Stores the languages of the site, at page load and after each change of them. */
export function storeSiteLanguages(queries: QueryClient, site: SiteLanguages): void {
  queries.setQueryDefaults(siteLanguagesKey, { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY })
  const { locales, languages, rootLocale } = site
  queries.setQueryData(siteLanguagesKey, { locales, languages, rootLocale } satisfies SiteLanguages)
}

/** The settings of the site's languages, for addresses and directions. */
export function useLanguageSettings(): SiteLanguages {
  return useQuery<SiteLanguages>({ queryKey: siteLanguagesKey, queryFn: skipToken }).data ?? noLanguages
}
const noLanguages: SiteLanguages = { locales: [] }

/** The writing direction of content in a language, also of one that the site no longer has. */
export const useContentDirection = (locale: Locale): 'ltr' | 'rtl' => contentDirection(useLanguageSettings(), locale)

/** The languages of the site, in its order. */
export function useSiteLanguages(): readonly SiteLanguage[] {
  const settings = useLanguageSettings()
  return useMemo(() => settings.locales.map((locale) => languageOf(settings, locale)), [settings])
}

/** The language tags of the site, in its order. */
export const useSiteLocales = (): readonly Locale[] => useLanguageSettings().locales

/** The site's main language; each text of the configuration exists in it. */
export const useMainLocale = (): Locale => mainLocaleOf(useLanguageSettings())

/** The language that is selected at first: the admin's if the site has it, or else the site's first. */
export function useFirstLocale(): Locale {
  const adminLocale = useLocale()
  const locales = useSiteLocales()
  return locales.includes(adminLocale) ? adminLocale : (locales[0] ?? defaultLocale)
}

/** A path of the site in the admin's language if the site has it, or else in the language at the root. */
export function useSitePath(path: string): string {
  const adminLocale = useLocale()
  const settings = useLanguageSettings()
  const locale = settings.locales.includes(adminLocale) ? adminLocale : rootLocaleOf(settings)
  return localizedPath(path, locale, settings)
}
