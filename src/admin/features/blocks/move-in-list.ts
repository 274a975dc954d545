/** The list with one entry at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.filter((_, index) => index !== from)
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)]
}

export const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at)

export const withAt = <T>(list: readonly T[], at: number, ...added: T[]): T[] => [
  ...list.slice(0, at),
  ...added,
  ...list.slice(at),
]

export const replacedAt = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((one, index) => (index === at ? value : one))
