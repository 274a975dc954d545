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

/** The second factor: six digits of the app, in any script and grouping, or a recovery code. */
export const secondStep = z.strictObject({
  code: requiredText(limits.codeChars).transform((code) => toLatinDigits(code).replace(/\s/g, '').toLowerCase()),
})

export const confirmation = z.strictObject({ password: requiredText(limits.passwordMaxChars) })

export const forgottenPassword = z.strictObject({ email: identifier })

const twice = { password: newPassword, repeat: z.string({ error: 'required' }).min(1, 'required') }
const passwordsMatch = (form: { password: string; repeat: string }) => form.password === form.repeat
const mismatch = { path: ['repeat'], error: 'passwordMismatch' }

/** A new password set by a link, entered twice. */
export const passwordByLink = z.strictObject({ token: z.string().max(200), ...twice }).refine(passwordsMatch, mismatch)

/** The first administrator. */
export const setup = z
  .strictObject({ token: z.string().max(200), name: singleLine(limits.nameChars), email: identifier, ...twice })
  .refine(passwordsMatch, mismatch)

/** The path of each kind of link. */
export const linkPaths = { password: '/wachtwoord', email: '/email-bevestigen', setup: '/setup' } as const

export const defaultTarget = '/user'
export const afterSignOut = '/'

/** The target after signing out. An invalid value is ignored, so that it cannot prevent signing out. */
export const signOutQuery = z.object({
  redirect: z.preprocess((value) => (typeof value === 'string' ? value : undefined), z.string().optional()),
})

/**
 * A path on this site, or the default for anything else: another site, another scheme, or a path that browsers treat as
 * one.
 */
export function safeTarget(target: string | null | undefined, otherwise: string = defaultTarget): string {
  if (!target || !/^\/(?![/\\])/.test(target) || /[\\\p{Cc}]/u.test(target) || target.length > limits.urlChars)
    return otherwise
  const base = 'https://this-site.invalid'
  const url = URL.parse(target, base)
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : otherwise
}
