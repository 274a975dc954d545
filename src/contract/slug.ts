import { z } from 'zod'
import { limits } from './limits.ts'
import { type BuiltInLocale, builtInLocale, type Locale, prefixOf } from './locales.ts'
import { searchPath } from './site-search.ts'
import { toLatinDigits } from './text.ts'

/** First path segments of built-in routes, present or future: pages there would be unreachable. */
const reservedSegments = new Set([
  'nl',
  'fa',
  '.well-known',
  'admin',
  'api',
  'assets',
  'email-bevestigen',
  'files',
  'healthz',
  'login',
  'logout',
  'metrics',
  'readyz',
  'setup',
  'user',
  'voorbeeld',
  'wachtwoord',
  'wachtwoord-vergeten',
])

/** Dots are reserved for files. The zero-width non-joiner within Persian words is not in the letter class. */
const slugPattern = /^[\p{L}\p{M}\p{N}\u200c_-]+(\/[\p{L}\p{M}\p{N}\u200c_-]+)*$/u

const firstSegment = (path: string) => path.split('/')[0]?.toLowerCase() ?? ''

/** A page's path without its first slash, such as `diensten/webwinkels`, normalised; empty for home. */
export const slug = z
  .string()
  .max(200)
  .normalize('NFC')
  .refine((path) => path === '' || slugPattern.test(path), 'slugForm')
  .superRefine((path, problems) => {
    if (!isReserved(path)) return
    problems.addIssue({ code: 'custom', message: 'slugReserved', params: { detail: `/${firstSegment(path)}` } })
  })

/** A slug entered in the admin, with a specific error for each problem. */
export const pageSlug = z
  .string({ error: 'type' })
  // Checked before normalising; the limit leaves room for a pasted address.
  .max(limits.slugChars * 2, 'tooLong')
  .transform((path) =>
    path
      .trim()
      .replace(/^\/+/, '')
      .replace(/(?<!\/)\/+$/, '')
      .normalize('NFC'),
  )
  .pipe(
    z
      .string()
      .max(limits.slugChars, 'tooLong')
      .refine((path) => path === '' || slugPattern.test(path), 'slugForm')
      .refine((path) => !isReserved(path), 'slugReserved'),
  )

/** Whether a path (without its first slash) begins with the segment of a built-in route. */
export const isReserved = (path: string): boolean => reservedSegments.has(firstSegment(path))

/** Whether a path (without its first slash) is below the prefix of one of the site's languages. */
export const isLanguagePrefix = (locales: readonly Locale[], path: string): boolean =>
  locales.some((locale) => prefixOf(locale) === firstSegment(path))

/** Whether a path (without its first slash) is that of the search page. Older pages with this path keep it. */
export const isSearchSlug = (path: string): boolean => `/${path.toLowerCase()}` === searchPath

/** Whether a path ends with a file extension, such as `robots.txt`; `versie-2.0` does not. */
export const isFileName = (path: string): boolean => /\.\d*[a-z][a-z\d]*$/i.test(path)

const fallbackSlugs: Record<BuiltInLocale, string> = { nl: 'pagina', fa: 'صفحه', en: 'page' }

/**
 * A slug made from a title: lower case, without placeholders in square brackets and diacritics on Latin letters, with -
 * in place of anything but letters and digits, and cut after a word at 80 characters or fewer.
 */
export function slugFrom(title: string, locale: Locale): string {
  const plain = toLatinDigits(title.slice(0, 1_000))
    .replace(/\[[^\]]*\]/g, ' ')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
    .replace(/[\u064b-\u0652\u0670\u0640]/g, '')
    .normalize('NFC')
    // Removes stress marks: those that belong to a letter, as in й, were composed by NFC.
    .replace(/(\p{Script=Cyrillic})[\u0300\u0301]/gu, '$1')
    .replaceAll('ك', 'ک')
    .replaceAll('ي', 'ی')
    .replaceAll('ß', 'ss')
    .replace(/['’]/g, '')
    .toLowerCase()
  const joined = plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')
  const shortened =
    joined.length <= 80
      ? joined
      : joined
          .slice(0, 81)
          .replace(/-[^-]*$/, '')
          .slice(0, 80)
  return shortened === '' ? fallbackSlugs[builtInLocale(locale)] : shortened
}

/** Adds a problem for each page whose slug an earlier page has. */
export function refuseRepeatedSlugs(pages: { slug: string }[], problems: z.core.$RefinementCtx): void {
  for (const [index, page] of pages.entries()) {
    const firstIndex = pages.findIndex(({ slug }) => slug === page.slug)
    if (firstIndex === index) continue
    const params = { detail: `pages.${firstIndex}` }
    problems.addIssue({ code: 'custom', path: [index, 'slug'], message: 'slugTaken', params })
  }
}
