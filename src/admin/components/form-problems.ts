import type { Refused } from '../client.ts'

/**
 * Puts what the server refused at its fields, and the focus on the first of them.
 * @param fieldOf the field that a path of the API stands for
 * @returns what belongs to no field of this form, and would be said nowhere
 */
export function showProblems(
  error: Refused,
  form: { getValues: () => object; setErrors: (errors: Record<string, string>) => void },
  fieldOf: (path: string) => string = (path) => path,
): FieldProblem[] {
  const errors: Record<string, string> = {}
  const unplaced: FieldProblem[] = []
  for (const problem of error.problem.errors) {
    const field = fieldOf(problem.path)
    if (isField(form.getValues(), field)) errors[field] ??= problem.message
    else unplaced.push(problem)
  }
  form.setErrors(errors)
  focusFirstError()
  return unplaced
}

/** Fields may stand in one another: `seo.title.nl`. */
function isField(values: unknown, path: string): boolean {
  let inside = values
  for (const name of path.split('.')) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name)) return false
    inside = (inside as Record<string, unknown>)[name]
  }
  return true
}

/** What the API says of the field at that path. */
export type FieldProblem = Refused['problem']['errors'][number]

/** After React has shown them. */
export function focusFirstError(within: 'main' | 'dialog' = 'main'): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`${within} [aria-invalid="true"]`)?.focus())
}
