import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { limits } from './limits.ts'
import { line } from './text.ts'
import { identifier, newPassword } from './users.ts'

const filled = (max: number) => z.string({ error: 'required' }).max(max, 'tooLong').min(1, 'required')

/** What a sign-in takes, whichever face it came through. Nothing here may say whether an address exists. */
export const signIn = z.strictObject({
  identifier: filled(limits.emailChars),
  password: filled(limits.passwordMaxChars),
})
export type SignIn = z.infer<typeof signIn>

/** The second step: six digits of the app, in whichever script and grouping, or a recovery code. */
export const secondStep = z.strictObject({
  code: filled(limits.codeChars).transform((code) => latinDigits(code).replace(/\s/g, '').toLowerCase()),
})

export const confirmation = z.strictObject({ password: filled(limits.passwordMaxChars) })

export const askForLink = z.strictObject({ email: identifier })

const twice = { password: newPassword, repeat: z.string({ error: 'required' }) }
const same = (given: { password: string; repeat: string }) => given.password === given.repeat
const mismatch = { path: ['repeat'], error: 'passwordMismatch' }

/** A password that is set by a link: typed twice. */
export const passwordByLink = z.strictObject({ token: z.string().max(200), ...twice }).refine(same, mismatch)

/** The first administrator. */
export const setup = z
  .strictObject({ token: z.string().max(200), name: line(limits.nameChars), email: identifier, ...twice })
  .refine(same, mismatch)

/** The page that a link leads to, by what the link is for. */
export const linkPaths = { password: '/wachtwoord', email: '/email-bevestigen', setup: '/setup' } as const

export const defaultTarget = '/user'
export const afterSignOut = '/'

/**
 * A path on this site to go to, or the default when what was asked is anything else: another site, another scheme, a
 * path that a browser would read as one.
 */
export function safeTarget(asked: string | null | undefined, otherwise: string = defaultTarget): string {
  if (!asked || !/^\/(?![/\\])/.test(asked) || /[\\\p{Cc}]/u.test(asked) || asked.length > limits.urlChars)
    return otherwise
  const base = 'https://this-site.invalid'
  const url = URL.parse(asked, base)
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : otherwise
}
