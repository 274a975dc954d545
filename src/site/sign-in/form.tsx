import type { InputHTMLAttributes, ReactNode } from 'react'
import type { z } from 'zod'
import type { RenderContext } from '../../blocks/define-block.ts'
import { Refusal } from '../../contract/errors.ts'
import { fieldProblems } from '../../contract/field-problems.ts'
import { limits } from '../../contract/limits.ts'
import { intlTagOf, type Locale, localizedPath } from '../../contract/locales.ts'
import { problemMessages } from '../../http/problem.ts'

/** The posted values of a form, to show again, and why it was refused. */
export interface SignInFormState {
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

interface Field
  extends Pick<InputHTMLAttributes<HTMLInputElement>, 'autoComplete' | 'inputMode' | 'maxLength' | 'type'> {
  name: string
  label: string
  /** `ltr` (the default) for values that are never in Persian, such as an email address. */
  dir?: 'ltr' | 'auto'
  hint?: string
  /** For the only field of a form. */
  autoFocus?: boolean
}

/** Renders a required field with its label, hint and error. A posted password is never sent back. */
export function renderField(
  { name, label, hint, autoFocus, dir = 'ltr', type = 'text', ...attributes }: Field,
  context: RenderContext,
  { values = {}, refusal }: SignInFormState,
): ReactNode {
  const problems = refusal ? problemMessages(refusal.problems, context.locale, context.t) : []
  const error = problems.find(({ path }) => path === name)?.message
  const inputProps = {
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
      <input {...inputProps} />
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

export const renderEmailField = (context: RenderContext, state: SignInFormState, name = 'email'): ReactNode =>
  renderField(
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

/** Renders a form with one button, below the reason why it was refused. `path` has no language prefix. */
export function renderPostForm(
  context: RenderContext,
  form: { path: string; submit: string; hidden?: Readonly<Record<string, string>>; refusal?: Refusal | undefined },
  fields?: ReactNode,
): ReactNode {
  return (
    <>
      {renderRefusal(form.refusal, context)}
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

export const renderBackToLogin = ({ t, locale, site }: RenderContext): ReactNode => (
  <p className="beside">
    <a href={localizedPath('/login', locale, site)}>{t('signIn.code.back')}</a>
  </p>
)

/** Renders a sentence with a name in it, which is isolated for text direction. */
export function renderTextWithName(translateWith: (name: string) => string, name: string): ReactNode {
  // NUL stands for the name, because it occurs in no text.
  const [start, end] = translateWith('\0').split('\0')
  return (
    <>
      {start}
      <bdi>{name}</bdi>
      {end}
    </>
  )
}

/** Renders a refusal of the whole form; problems of fields are shown at the fields. */
function renderRefusal(refusal: Refusal | undefined, context: RenderContext): ReactNode {
  const { t, locale } = context
  if (!refusal || refusal.code === 'invalid') return null
  const text =
    refusal.code === 'too_many' && refusal.retryAfter !== undefined
      ? t('signIn.login.wait', { time: formatDuration(refusal.retryAfter, locale) })
      : t(`errors.${refusal.code}.detail`)
  return renderErrorAlert(text, t(`errors.${refusal.code}.title`))
}

export const renderErrorAlert = (text: string, title?: string): ReactNode => (
  <div className="failed" role="alert">
    {title && <p className="alert-title">{title}</p>}
    <p>{text}</p>
  </div>
)

export const renderStatusMessage = (text: string): ReactNode => (
  <div className="status-message" role="status">
    <p>{text}</p>
  </div>
)

/** Formats a duration: `3 minuten`, `۴۵ ثانیه`. Rounded up, so that a retry is not too early. */
function formatDuration(seconds: number, locale: Locale): string {
  const [value, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [Math.max(1, Math.ceil(seconds)), 'second']
  const tag = intlTagOf(locale)
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
