import type { InputHTMLAttributes, ReactNode } from 'react'
import type { z } from 'zod'
import type { RenderContext } from '../../blocks/define-block.ts'
import { Refusal } from '../../contract/errors.ts'
import { fieldProblems } from '../../contract/field-problems.ts'
import { limits } from '../../contract/limits.ts'
import { intlTagOf, type Locale, localizedPath, type SiteLanguages } from '../../contract/locales.ts'
import { afterSignOut, defaultTarget, safeTarget } from '../../contract/sign-in.ts'
import { problemMessages } from '../../http/problem.ts'

/** The input of a form, and why it was refused. */
export interface FormState {
  values?: Readonly<Record<string, string | undefined>>
  refusal?: Refusal | undefined
}

/** Validates the fields of a form. @throws {Refusal} `invalid` */
export function parseForm<Schema extends z.ZodType>(schema: Schema, values: Record<string, unknown>): z.output<Schema> {
  const result = schema.safeParse(values)
  if (!result.success) throw new Refusal('invalid', { problems: fieldProblems(result.error) })
  return result.data
}

/** Returns a refusal, and rethrows any other error. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

const signInPaths = /^(?:\/[a-z\d-]+)?\/(?:login(?:\/code|\/oidc|\/oidc\/callback)?|logout)$/

/** Where to go after signing in. Pages that lead a signed-in user away at once are not valid targets. */
export function signInTarget(requested: string | null | undefined): string {
  const target = safeTarget(requested)
  return signInPaths.test(new URL(target, 'https://this-site.invalid').pathname) ? defaultTarget : target
}

export const signOutTarget = (requested: string | null | undefined) => safeTarget(requested, afterSignOut)

/** The `redirect=…` query of a link; empty for the default target. */
export const redirectQuery = (target: string) =>
  target === defaultTarget ? '' : `redirect=${encodeURIComponent(target)}`

export const withQuery = (path: string, query: string) => (query ? `${path}?${query}` : path)

interface Field
  extends Pick<InputHTMLAttributes<HTMLInputElement>, 'autoComplete' | 'inputMode' | 'maxLength' | 'type'> {
  name: string
  label: string
  /** `ltr` for values that are never in Persian. */
  dir?: 'ltr' | 'auto'
  hint?: string
  /** For the only field of a form. */
  autoFocus?: boolean
}

/** A field with its label, hint and error. Secret values are never sent back. */
export function field(own: Field, context: RenderContext, { values = {}, refusal }: FormState): ReactNode {
  const { name, label, hint, autoFocus, dir = 'ltr', type = 'text', ...attributes } = own
  const problems = refusal ? problemMessages(refusal.problems, context.locale, context.t) : []
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
    // The first invalid field, or the only field.
    autoFocus: problems[0]?.path === name || (autoFocus && problems.length === 0) || undefined,
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

export const emailField = (context: RenderContext, state: FormState, name = 'email'): ReactNode =>
  field(
    {
      name,
      label: context.t('signIn.login.identifier'),
      type: 'email',
      autoComplete: 'username',
      maxLength: limits.emailChars,
    },
    context,
    state,
  )

/** A form with one button, below the reason why it was refused. */
export function postForm(
  context: RenderContext,
  form: { path: string; submit: string; hidden?: Readonly<Record<string, string>>; refusal?: Refusal | undefined },
  fields?: ReactNode,
): ReactNode {
  return (
    <>
      {refusalAlert(form.refusal, context)}
      <form
        method="post"
        action={localizedPath(form.path, context.locale, context.site)}
        noValidate={fields !== undefined}
      >
        {Object.entries(form.hidden ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {fields}
        <button type="submit" className="button">
          {form.submit}
        </button>
      </form>
    </>
  )
}

export const backToLogin = ({ t, locale, site }: RenderContext): ReactNode => (
  <p className="beside">
    <a href={localizedPath('/login', locale, site)}>{t('signIn.code.back')}</a>
  </p>
)

/** A sentence containing a name, which is isolated for text direction. */
export function textWithName(sentence: (name: string) => string, name: string): ReactNode {
  const [before, after] = sentence('\0').split('\0')
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  )
}

/** The error that concerns the whole form; errors of fields are shown at the fields. */
function refusalAlert(refusal: Refusal | undefined, context: RenderContext): ReactNode {
  const { t, locale } = context
  if (!refusal || refusal.code === 'invalid') return null
  const text =
    refusal.code === 'too_many' && refusal.retryAfter !== undefined
      ? t('signIn.login.wait', { time: formatDuration(refusal.retryAfter, locale) })
      : t(`errors.${refusal.code}.detail`)
  return errorAlert(text, t(`errors.${refusal.code}.title`))
}

export const errorAlert = (text: string, title?: string): ReactNode => (
  <div className="failed" role="alert">
    {title && <p className="alert-title">{title}</p>}
    <p>{text}</p>
  </div>
)

export const statusMessage = (text: string): ReactNode => (
  <div className="status-message" role="status">
    <p>{text}</p>
  </div>
)

/** `3 minuten`, `۴۵ ثانیه`: rounded up, so that a retry is not too early. */
function formatDuration(seconds: number, locale: Locale): string {
  const [value, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [Math.max(1, Math.ceil(seconds)), 'second']
  const tag = intlTagOf(locale)
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** The notices on `/login`, by the value in its URL: `/login?melding=gewijzigd`. Other values are ignored. */
const notices = {
  gewijzigd: 'passwordSet',
  bevestigd: 'emailConfirmed',
  klaar: 'ready',
  opnieuw: 'again',
  stil: 'providerSilent',
  geweigerd: 'providerRefused',
} as const
type Notice = keyof typeof notices

const noticeField = 'melding'

/** The URL of `/login` with a notice. */
export const loginUrlWithNotice = (notice: Notice, locale: Locale, site: Pick<SiteLanguages, 'rootLocale'>): string =>
  `${localizedPath('/login', locale, site)}?${noticeField}=${notice}`

/** The notice to show, and whether it is an error. */
export function readNotice(query: URLSearchParams): { key: (typeof notices)[Notice]; isError: boolean } | undefined {
  const value = query.get(noticeField) ?? ''
  if (!Object.hasOwn(notices, value)) return undefined
  const notice = value as Notice
  return { key: notices[notice], isError: notice === 'opnieuw' || notice === 'stil' || notice === 'geweigerd' }
}
