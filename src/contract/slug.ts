import { z } from 'zod'
import { limits } from './limits.ts'
import { type Locale, type ProgramLocale, prefixOf, programLocale } from './locales.ts'
import { searchPath } from './site-search.ts'
import { toLatinDigits } from './text.ts'

/** First path segments that the program itself serves, now or in the future; pages there would be unreachable. */
const reserved = new Set([
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
const parts = /^[\p{L}\p{M}\p{N}\u200c_-]+(\/[\p{L}\p{M}\p{N}\u200c_-]+)*$/u

const firstPart = (path: string) => path.split('/')[0]?.toLowerCase() ?? ''

/** A page's path without its first slash, such as `diensten/webwinkels`, normalised; empty for home. */
export const slug = z
  .string()
  .max(200)
  .normalize('NFC')
  .refine((path) => path === '' || parts.test(path), 'slugForm')
  .superRefine((path, problems) => {
    if (!isReserved(path)) return
    problems.addIssue({ code: 'custom', message: 'slugReserved', params: { detail: `/${firstPart(path)}` } })
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
      .refine((path) => path === '' || parts.test(path), 'slugForm')
      .refine((path) => !isReserved(path), 'slugReserved'),
  )

/** Whether the program itself serves a path (without its first slash). */
export const isReserved = (path: string): boolean => reserved.has(firstPart(path))

/** Whether a path (without its first slash) is below the prefix of one of the site's languages. */
export const isLanguagePrefix = (locales: readonly Locale[], path: string): boolean =>
  locales.some((locale) => prefixOf(locale) === firstPart(path))

/** Whether a path (without its first slash) is the one of the search: a page that had it before there was one keeps it. */
export const isSearchSlug = (path: string): boolean => `/${path.toLowerCase()}` === searchPath

/** Whether a path is a file's, such as `robots.txt`; `versie-2.0` is not. */
export const isFileName = (path: string): boolean => /\.\d*[a-z][a-z\d]*$/i.test(path)

const withoutTitle: Record<ProgramLocale, string> = { nl: 'pagina', fa: 'صفحه', en: 'page' }

/**
 * A slug made from a title: lower case, without diacritics on Latin letters, and with - in place of anything but
 * letters and digits.
 */
export function slugFrom(title: string, locale: Locale): string {
  const plain = toLatinDigits(title.slice(0, 1_000))
    .replace(/\[[^\]]*\]/g, ' ')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
    .replace(/[\u064b-\u0652\u0670\u0640]/g, '')
    .normalize('NFC')
    // Marks of stress: those that belong to a letter, as in й, were composed by NFC.
    .replace(/(\p{Script=Cyrillic})[\u0300\u0301]/gu, '$1')
    .replaceAll('ك', 'ک')
    .replaceAll('ي', 'ی')
    .replaceAll('ß', 'ss')
    .replace(/['’]/g, '')
    .toLowerCase()
  const joined = plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')
  const cut =
    joined.length <= 80
      ? joined
      : joined
          .slice(0, 81)
          .replace(/-[^-]*$/, '')
          .slice(0, 80)
  return cut === '' ? withoutTitle[programLocale(locale)] : cut
}

/** Adds a problem for each page whose slug an earlier page has. */
export function eachSlugOnce(pages: { slug: string }[], problems: z.core.$RefinementCtx): void {
  for (const [index, page] of pages.entries()) {
    const first = pages.findIndex((one) => one.slug === page.slug)
    if (first === index) continue
    const params = { detail: `pages.${first}` }
    problems.addIssue({ code: 'custom', path: [index, 'slug'], message: 'slugTaken', params })
  }
}
