import type { InputHTMLAttributes, ReactNode } from 'react'
import type { z } from 'zod'
import type { Scene } from '../../blocks/define-block.ts'
import { Refusal } from '../../contract/errors.ts'
import { fieldProblems } from '../../contract/field-problems.ts'
import { intlTag, type locales, splitLocale } from '../../contract/locales.ts'
import { afterSignOut, defaultTarget, safeTarget } from '../../contract/sign-in.ts'
import { problemMessages, refusalHeaders } from '../../http/problem.ts'

/** A form as it stands: what was typed, and why it was sent back. */
export interface FormState {
  values?: Readonly<Record<string, string | undefined>>
  refusal?: Refusal | undefined
}

/**
 * What a form brought, as the contract reads it.
 * @throws {Refusal} `invalid`
 */
export function accept<Schema extends z.ZodType>(schema: Schema, given: Record<string, unknown>): z.output<Schema> {
  const result = schema.safeParse(given)
  if (!result.success) throw new Refusal('invalid', { problems: fieldProblems(result.error) })
  return result.data
}

/** The refusal that was thrown; what is none is a bug, and goes on. */
export function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

export const refusedPage = (refusal: Refusal | undefined) =>
  refusal ? { status: refusal.status, headers: refusalHeaders(refusal) } : {}

const entrances = new Set(['/login', '/login/code', '/login/oidc', '/login/oidc/callback', '/logout'])

/** Where to go after signing in. The pages that somebody is on now lead nowhere. */
export function targetOf(asked: string | null | undefined): string {
  const target = safeTarget(asked)
  return entrances.has(splitLocale(new URL(target, 'https://this-site.invalid').pathname).path) ? defaultTarget : target
}

export const targetAfterSignOut = (asked: string | null | undefined) => safeTarget(asked, afterSignOut)

/** `redirect=…` for a link, or nothing when the target is where everybody goes. */
export const redirectQuery = (target: string) =>
  target === defaultTarget ? '' : `redirect=${encodeURIComponent(target)}`

export const withQuery = (path: string, query: string) => (query ? `${path}?${query}` : path)

interface Field
  extends Pick<InputHTMLAttributes<HTMLInputElement>, 'autoComplete' | 'inputMode' | 'maxLength' | 'type'> {
  name: string
  label: string
  /** `ltr` for what is never written in Persian. */
  dir?: 'ltr' | 'auto'
  hint?: string
  /** Focused from the start, where there is nothing else to do. */
  only?: boolean
}

/** A field with its label, its hint and what is wrong with it. What is secret is never sent back. */
export function field(own: Field, scene: Scene, { values = {}, refusal }: FormState): ReactNode {
  const { name, label, hint, only, dir = 'ltr', type = 'text', ...attributes } = own
  const problems = refusal ? problemMessages(refusal.problems, scene.locale) : []
  const error = problems.find(({ path }) => path === name)?.message
  const shared = {
    ...attributes,
    id: `f-${name}`,
    name,
    type,
    dir,
    placeholder: label,
    defaultValue: type === 'password' ? undefined : values[name],
    required: true,
    // The first field that is wrong, or the only thing there is to do.
    autoFocus: problems[0]?.path === name || (only && problems.length === 0) || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': hint ? `e-${name} h-${name}` : `e-${name}`,
  }
  return (
    <div className="field">
      <input {...shared} />
      <label htmlFor={`f-${name}`}>{label}</label>
      <p className="error" id={`e-${name}`}>
        {error}
      </p>
      {hint && (
        <p className="hint" id={`h-${name}`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A sentence with a name in it, which keeps its own direction. */
export function withName(say: (name: string) => string, name: string): ReactNode {
  const [before, after] = say('\0').split('\0')
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  )
}

/** Why the whole of a form was refused; what stands at its fields needs no more words. */
export function failure(refusal: Refusal | undefined, scene: Scene): ReactNode {
  const { t, locale } = scene
  if (!refusal || refusal.code === 'invalid') return null
  const text =
    refusal.code === 'too_many' && refusal.retryAfter !== undefined
      ? t('signIn.login.wait', { time: lasting(refusal.retryAfter, locale) })
      : t(`errors.${refusal.code}.detail`)
  return failed(text, t(`errors.${refusal.code}.title`))
}

export const failed = (text: string, title?: string): ReactNode => (
  <div className="failed" role="alert">
    {title && <p className="said">{title}</p>}
    <p>{text}</p>
  </div>
)

export const told = (text: string): ReactNode => (
  <div className="told" role="status">
    <p>{text}</p>
  </div>
)

/** `3 minuten`, `۴۵ ثانیه`: rounded up, so that nobody comes back too soon. */
function lasting(seconds: number, locale: (typeof locales)[number]): string {
  const [value, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [Math.max(1, Math.ceil(seconds)), 'second']
  const tag = intlTag[locale]
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
