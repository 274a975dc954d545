/** What is wrong, by its path: `3.items.0.title`. */
export type Problems = Readonly<Record<string, string>>

export const noProblems: Problems = {}

/** Those below a path, by the rest of theirs. */
export function problemsUnder(problems: Problems, path: string | number): Problems {
  const start = `${path}.`
  const found = Object.entries(problems).filter(([key]) => key.startsWith(start))
  return found.length === 0
    ? noProblems
    : Object.fromEntries(found.map(([key, text]) => [key.slice(start.length), text]))
}

/** Whether something is wrong at a path or below it. */
export const hasProblem = (problems: Problems, path: string | number): boolean =>
  Object.keys(problems).some((key) => key === String(path) || key.startsWith(`${path}.`))
