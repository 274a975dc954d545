import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { limits } from './limits.ts'
import { type Locale, locales } from './locales.ts'

/** What the program itself answers, or will: a page that begins with one of these could not be reached. */
const reserved = new Set([
  ...locales,
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

/** Dots are for files. The joiner between the letters of Persian words has no letter's class. */
const parts = /^[\p{L}\p{M}\p{N}\u200c_-]+(\/[\p{L}\p{M}\p{N}\u200c_-]+)*$/u

const firstPart = (path: string) => path.split('/')[0]?.toLowerCase() ?? ''

/** A page's path without its first slash, like `diensten/webwinkels`, as addresses are compared; home's is empty. */
export const slug = z
  .string()
  .max(200)
  .normalize('NFC')
  .refine(
    (path) => path === '' || parts.test(path),
    'Letters, digits, - and _ are wanted, in parts with one / between them',
  )
  .refine((path) => !reserved.has(firstPart(path)), {
    error: ({ input }) => `The site itself uses the address /${firstPart(String(input))}`,
  })

/** The same for a page that is written in the admin, where each refusal has its words. */
export const pageSlug = z
  .string({ error: 'type' })
  // Judged before it is worked on; what is around the slug in an address bar fits in it too.
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

/** Whether the site itself answers at a path, without its first slash. */
export const isReserved = (path: string): boolean => reserved.has(firstPart(path))

/** Whether a path is that of a file, like `robots.txt`; `versie-2.0` is none. */
export const isFileName = (path: string): boolean => /\.\d*[a-z][a-z\d]*$/i.test(path)

const withoutTitle: Record<Locale, string> = { nl: 'pagina', fa: 'صفحه' }

/** The address that a title makes: small letters, Latin ones without marks, and - for all that is no letter or digit. */
export function slugFrom(title: string, locale: Locale): string {
  const plain = latinDigits(title.slice(0, 1_000))
    .replace(/\[[^\]]*\]/g, ' ')
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u064b-\u0652\u0670\u0640]/g, '')
    .normalize('NFC')
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
  return cut === '' ? withoutTitle[locale] : cut
}

/** Refuses each page whose slug an earlier one has. */
export function eachSlugOnce(pages: { slug: string }[], problems: z.core.$RefinementCtx): void {
  for (const [index, page] of pages.entries()) {
    const first = pages.findIndex((one) => one.slug === page.slug)
    if (first === index) continue
    problems.addIssue({
      code: 'custom',
      path: [index, 'slug'],
      message: `The page pages.${first} has this slug already`,
    })
  }
}
