import { deepEqual } from '../../../contract/deep-equal.ts'

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

/**
 * The errors after a change of the values at a path: those of changed fields go, and those of a block or an entry that
 * was moved go along with it. The same object when none did, so that nothing is rendered again.
 */
export function problemsAfterChange(problems: Problems, path: string, before: unknown, after: unknown): Problems {
  const start = `${path}.`
  const entries = Object.entries(problems)
  const remaining = entries.flatMap(([key, text]) => {
    if (key === path) return []
    if (!key.startsWith(start)) return [[key, text] as const]
    const now = pathAfter(key.slice(start.length).split('.'), before, after)
    return now ? [[start + now.join('.'), text] as const] : []
  })
  const isUnchanged = remaining.length === entries.length && remaining.every(([key], at) => key === entries[at]?.[0])
  return isUnchanged ? problems : Object.fromEntries(remaining)
}

/** Where a value is after a change; undefined when the value itself changed. */
function pathAfter([name, ...rest]: string[], before: unknown, after: unknown): string[] | undefined {
  if (name === undefined) return deepEqual(before, after) ? [] : undefined
  const at = Array.isArray(before) && Array.isArray(after) ? indexAfter(Number(name), before, after) : name
  if (at === undefined) return undefined
  const inside = pathAfter(rest, valueAt(before, name), valueAt(after, String(at)))
  return inside && [String(at), ...inside]
}

/** Undefined when it was removed. */
function indexAfter(index: number, before: readonly unknown[], after: readonly unknown[]): number | undefined {
  const id = valueAt(before[index], 'id')
  // List entries have no ids, and two may be alike: if only one changed, none was moved.
  const changed = before.filter((one, at) => !deepEqual(one, after[at]))
  if (id === undefined && before.length === after.length && changed.length <= 1) return index
  const same = after.findIndex((one) => (id === undefined ? deepEqual(one, before[index]) : valueAt(one, 'id') === id))
  if (same >= 0) return same
  return id === undefined ? index : undefined
}

const valueAt = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
