import type { Context } from '../platform/context.ts'

/** The validity in months; RFC 9116 recommends less than a year. */
const monthsValid = 6

/** `security.txt` (RFC 9116): where to report a vulnerability, from the legal identity of the company. */
export function securityTxt({ site, origin, now }: Pick<Context, 'site' | 'origin' | 'now'>): string {
  const at = now()
  const expires = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsValid + 1, 1))
  return [
    `Contact: mailto:${site.legal.email}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${[...new Set([...site.locales, 'en'])].join(', ')}`,
    ...(origin.startsWith('https://') ? [`Canonical: ${origin}/.well-known/security.txt`] : []),
    '',
  ].join('\n')
}
