import { Alert, Button, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiRefusal } from '../client.ts'
import { useText } from '../i18n.ts'
import { CopyButton, LinkButton } from './buttons.tsx'
import styles from './form.module.css'
import { reasonOf } from './notify.tsx'

/**
 * Shows the API's errors at their fields, replacing earlier ones, and focuses the first field with an error.
 * @param fieldOf maps an error path of the API to a field
 * @returns the errors without a field in this form
 */
export function showProblems(
  error: ApiRefusal,
  form: { getValues: () => object; setErrors: (errors: Record<string, string>) => void },
  fieldOf: (path: string) => string = (path) => path,
): FieldProblem[] {
  const errors: Record<string, string> = {}
  const unplaced: FieldProblem[] = []
  for (const problem of error.problem.errors) {
    const field = fieldOf(problem.path)
    if (hasField(form.getValues(), field)) errors[field] ??= problem.message
    else unplaced.push(problem)
  }
  form.setErrors(errors)
  focusFirstError()
  return unplaced
}

/**
 * Whether the values have a field at a path like `seo.title.nl`. The last name may contain dots, as the key of a
 * built-in text does, so the whole remaining path is tried first.
 */
function hasField(values: unknown, path: string): boolean {
  if (typeof values !== 'object' || values === null) return false
  if (Object.hasOwn(values, path)) return true
  const [name = '', ...rest] = path.split('.')
  return rest.length > 0 && Object.hasOwn(values, name) && hasField(Reflect.get(values, name), rest.join('.'))
}

export type FieldProblem = ApiRefusal['problem']['errors'][number]

/** Focuses the first invalid field once React has rendered the errors: waits for at most 60 frames, about a second. */
export function focusFirstError(within: 'main' | 'dialog' = 'main', attempts = 60): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>(`${within} [aria-invalid="true"]`)
    if (field) field.focus()
    else if (attempts > 1) focusFirstError(within, attempts - 1)
  })
}

/** The bottom bar of a form: the save button and other actions. */
export function SaveBar(props: {
  saving: boolean
  disabled?: boolean
  label?: string
  /** The screen that the cancel button leads to. */
  cancelTo?: '/admin/users' | '/admin/roles' | '/admin/files' | '/admin/config' | '/admin/pages'
  children?: ReactNode
}) {
  const { saving, disabled, label, cancelTo, children } = props
  const t = useText()
  return (
    <div className={styles.bar}>
      <Button variant="filled" type="submit" loading={saving} disabled={disabled ?? false}>
        {label ?? t('form.save')}
      </Button>
      {children}
      {cancelTo && <LinkButton to={cancelTo}>{t('form.cancel')}</LinkButton>}
    </div>
  )
}

/** A failed save. Clear it when the next one starts: then screen readers announce the same failure again. */
export interface Failure {
  error: unknown
  /** The errors of the response that no field of the form can show. */
  unplaced: FieldProblem[]
}

/** Shows why saving failed, and the errors without a field. Takes the focus unless an error is shown at a field. */
export function SaveFailure({ title, error, unplaced }: { title: string } & Failure) {
  const alert = useRef<HTMLDivElement>(null)
  const hasFieldErrors = error instanceof ApiRefusal && error.problem.errors.length > unplaced.length
  useEffect(() => {
    if (hasFieldErrors) return
    alert.current?.focus({ preventScroll: true })
    alert.current?.scrollIntoView({ block: 'center' })
  }, [hasFieldErrors])
  return (
    <Alert ref={alert} tabIndex={-1} color="red" role="alert" title={title} className={styles.failure}>
      {reasonOf(error)}
      {unplaced.length > 0 && (
        <ul>
          {unplaced.map(({ path, message }) => (
            <li key={path + message}>
              {path && <bdi dir="ltr">{path}: </bdi>}
              {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}

/** A read-only text, such as a link, with a copy button. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <TextInput
      label={label}
      dir="ltr"
      readOnly
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      rightSection={<CopyButton text={text} />}
      rightSectionWidth={44}
    />
  )
}
