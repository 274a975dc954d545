/** Error messages by path: `3.items.0.title`. */
export type Problems = Readonly<Record<string, string>>

export const noProblems: Problems = {}

/** The errors below a path, by their remaining path. */
export function problemsUnder(problems: Problems, path: string | number): Problems {
  const start = `${path}.`
  const found = Object.entries(problems).filter(([key]) => key.startsWith(start))
  return found.length === 0
    ? noProblems
    : Object.fromEntries(found.map(([key, text]) => [key.slice(start.length), text]))
}

/** Whether there is an error at a path or below it. */
export const hasProblem = (problems: Problems, path: string | number): boolean =>
  Object.keys(problems).some((key) => key === String(path) || key.startsWith(`${path}.`))
