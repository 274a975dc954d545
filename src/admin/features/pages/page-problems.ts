import type { FieldProblem } from '../../components/form-problems.ts'

const fields = new Set(['title', 'slug', 'seoTitle', 'description', 'picture', 'noindex'])

/** Refusals of the API by the field of the form: `text.title` is `title`, `text.body.3.title` is `body.3.title`. */
export function placeProblems(errors: readonly FieldProblem[]): {
  placed: Record<string, string>
  unplaced: FieldProblem[]
} {
  const placed: Record<string, string> = {}
  const unplaced: FieldProblem[] = []
  for (const problem of errors) {
    const path = problem.path.replace(/^text\./, '')
    if (fields.has(path) || path.startsWith('body.')) placed[path] ??= problem.message
    else unplaced.push(problem)
  }
  return { placed, unplaced }
}

/** Those of the body, by their path in it. */
export const bodyProblems = (problems: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path.startsWith('body.') ? [[path.slice('body.'.length), message]] : [],
    ),
  )
