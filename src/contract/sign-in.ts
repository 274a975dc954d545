import { z } from 'zod'
import { limits } from './limits.ts'
import { singleLine, toLatinDigits } from './text.ts'
import { identifier, newPassword } from './users.ts'

const requiredText = (max: number) => z.string({ error: 'required' }).max(max, 'tooLong').min(1, 'required')

/** The sign-in input of the API and the form. No error may reveal whether an address exists. */
export const signIn = z.strictObject({
  identifier: requiredText(limits.emailChars),
  password: requiredText(limits.passwordMaxChars),
})
export type SignIn = z.infer<typeof signIn>

/** The second factor: the six digits of the app, with digits of any script and spaces, or a recovery code. */
export const secondStep = z.strictObject({
  code: requiredText(limits.codeChars).transform((code) => toLatinDigits(code).replace(/\s/g, '').toLowerCase()),
})

export const confirmation = z.strictObject({ password: requiredText(limits.passwordMaxChars) })

export const forgottenPassword = z.strictObject({ email: identifier })

const passwords = { password: newPassword, repeat: z.string({ error: 'required' }).min(1, 'required') }
const areEqual = (form: { password: string; repeat: string }) => form.password === form.repeat
const mismatch = { path: ['repeat'], error: 'passwordMismatch' }

/** A new password set by a link, entered twice. */
export const passwordByLink = z.strictObject({ token: z.string().max(200), ...passwords }).refine(areEqual, mismatch)

/** Creates the first administrator, with the token of the setup link. */
export const setup = z
  .strictObject({ token: z.string().max(200), name: singleLine(limits.nameChars), email: identifier, ...passwords })
  .refine(areEqual, mismatch)

/** The path of each kind of link with a token. */
export const linkPaths = { password: '/wachtwoord', email: '/email-bevestigen', setup: '/setup' } as const

/** Where users go after signing in and out. */
export const defaultTarget = '/user'
export const afterSignOut = '/'

/** `redirect`: the path to go to after signing out. An invalid one is ignored, so that it cannot prevent that. */
export const signOutQuery = z.object({
  redirect: z.preprocess((value) => (typeof value === 'string' ? value : undefined), z.string().optional()),
})

/**
 * A redirect target on this site, against open redirects: another site, another scheme, or a path that browsers read as
 * one (such as `//host` and `/\host`) is replaced by the fallback.
 */
export function safeTarget(target: string | null | undefined, fallback: string = defaultTarget): string {
  if (!target || !/^\/(?![/\\])/.test(target) || /[\\\p{Cc}]/u.test(target) || target.length > limits.urlChars)
    return fallback
  const base = 'https://this-site.invalid'
  const url = URL.parse(target, base)
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : fallback
}
