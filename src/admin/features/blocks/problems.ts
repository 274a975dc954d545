import { deepEqual } from '../../../contract/deep-equal.ts'

/** Error messages by path: `3.items.0.title`. */
export type Problems = Readonly<Record<string, string>>

export const noProblems: Problems = {}

/** The errors below a path, by their remaining path. An error at the path itself is not among them. */
export function problemsUnder(problems: Problems, path: string | number): Problems {
  const prefix = `${path}.`
  const entries = Object.entries(problems).filter(([key]) => key.startsWith(prefix))
  if (entries.length === 0) return noProblems
  return Object.fromEntries(entries.map(([key, message]) => [key.slice(prefix.length), message]))
}

/** Whether there is an error at a path or below it. */
export const hasProblem = (problems: Problems, path: string | number): boolean =>
  Object.keys(problems).some((key) => key === String(path) || key.startsWith(`${path}.`))

/**
 * The errors after a change of the value at a path: without those of the path itself and of changed fields, and with the
 * new paths of moved blocks and entries. The same object if nothing changes, so that nothing is rendered again.
 */
export function problemsAfterChange(problems: Problems, path: string, before: unknown, after: unknown): Problems {
  const prefix = `${path}.`
  const entries = Object.entries(problems)
  const remaining = entries.flatMap(([key, message]) => {
    if (key === path) return []
    if (!key.startsWith(prefix)) return [[key, message] as const]
    const newPath = pathAfter(key.slice(prefix.length).split('.'), before, after)
    return newPath ? [[prefix + newPath.join('.'), message] as const] : []
  })
  const isUnchanged =
    remaining.length === entries.length && remaining.every(([key], index) => key === entries[index]?.[0])
  return isUnchanged ? problems : Object.fromEntries(remaining)
}

/** The path of a value after a change; undefined when the value itself changed or was removed. */
function pathAfter([name, ...rest]: string[], before: unknown, after: unknown): string[] | undefined {
  if (name === undefined) return deepEqual(before, after) ? [] : undefined
  const newName = Array.isArray(before) && Array.isArray(after) ? indexAfter(Number(name), before, after) : name
  if (newName === undefined) return undefined
  const innerPath = pathAfter(rest, valueAt(before, name), valueAt(after, String(newName)))
  return innerPath && [String(newName), ...innerPath]
}

/** The index of an item after a change of its list; undefined when an item with an id was removed. */
function indexAfter(index: number, before: readonly unknown[], after: readonly unknown[]): number | undefined {
  const id = valueAt(before[index], 'id')
  if (id !== undefined) {
    const newIndex = after.findIndex((item) => valueAt(item, 'id') === id)
    return newIndex < 0 ? undefined : newIndex
  }
  // List entries have no ids, and two may be alike: if only one changed, none was moved.
  const changed = before.filter((item, position) => !deepEqual(item, after[position]))
  if (before.length === after.length && changed.length <= 1) return index
  const equalIndex = after.findIndex((item) => deepEqual(item, before[index]))
  return equalIndex < 0 ? index : equalIndex
}

const valueAt = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
