import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  contentDirection,
  defaultLocale,
  type Locale,
  languageOf,
  mainLocaleOf,
  type SiteLanguage,
  type SiteLanguages,
} from '../contract/locales.ts'
import { useLocale } from './i18n.ts'

export const siteLanguagesKey = ['site-languages'] as const

/** Stores the languages of the site: those of the admin's document, and later those that are saved. */
export function storeSiteLanguages(queries: QueryClient, site: SiteLanguages): void {
  queries.setQueryDefaults(siteLanguagesKey, { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY })
  const { locales, languages, rootLocale } = site
  queries.setQueryData(siteLanguagesKey, { locales, languages, rootLocale } satisfies SiteLanguages)
}

/** The languages of the site, for addresses and directions. */
export function useSite(): SiteLanguages {
  return useQuery<SiteLanguages>({ queryKey: siteLanguagesKey, queryFn: skipToken }).data ?? noSite
}
const noSite: SiteLanguages = { locales: [] }

/** The writing direction of content in a language, also of one that the site no longer has. */
export const useContentDirection = (locale: Locale): 'ltr' | 'rtl' => contentDirection(useSite(), locale)

/** The languages of the site, in its order. */
export function useSiteLanguages(): readonly SiteLanguage[] {
  const site = useSite()
  return useMemo(() => site.locales.map((locale) => languageOf(site, locale)), [site])
}

/** The tags of the site's languages. */
export const useSiteLocales = (): readonly Locale[] => useSite().locales

/** The main language of the site, which each text of the configuration has. */
export const useMainLocale = (): Locale => mainLocaleOf(useSite())

/** The language to begin with: that of the admin if the site has it. */
export function useFirstLocale(): Locale {
  const reader = useLocale()
  const locales = useSiteLocales()
  return locales.includes(reader) ? reader : (locales[0] ?? defaultLocale)
}
