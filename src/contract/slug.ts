import { z } from 'zod'
import { locales } from './locales.ts'

/** What the program itself answers, or will: a page that begins with one of these could not be reached. */
const reserved = new Set([
  ...locales,
  'admin',
  'api',
  'assets',
  'files',
  'healthz',
  'login',
  'logout',
  'metrics',
  'readyz',
  'setup',
  'user',
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
