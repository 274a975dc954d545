type Search = Record<string, unknown>

/** Parses `?roleId=2&roleId=3` as the API does, instead of as JSON. Each value is a string or a list of strings. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  const parameters = new URLSearchParams(text)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    found[name] = values.length > 1 ? values : (values[0] as string)
  }
  return found
}

export function stringifySearch(search: Search): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one))
    }
  }
  const text = parameters.toString()
  return text && `?${text}`
}

/** Reads the search parameters of a URL, for `validateSearch`. All are optional in links. */
export const searchReader =
  <Parameters extends object>(read: (found: Search) => Parameters) =>
  (found: Search): Partial<Parameters> =>
    read(found)

/** Readers of single search parameters; an invalid value becomes undefined. */
export const parseParameter = {
  /** A key to sort by, or with a minus in descending order. */
  sort: <const T extends string>(value: unknown, keys: readonly T[]): T | `-${T}` | undefined =>
    keys.flatMap((key) => [key, `-${key}` as const]).find((one) => one === value),
  text: (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined),
  /** A whole number from 1. */
  number: (value: unknown): number | undefined => {
    const number = Number(value)
    return Number.isInteger(number) && number > 0 ? number : undefined
  },
  numbers: (value: unknown): number[] | undefined => {
    const found = (Array.isArray(value) ? value : [value]).map(parseParameter.number).filter((one) => one !== undefined)
    return found.length > 0 ? found : undefined
  },
  flag: (value: unknown): boolean | undefined =>
    value === 'true' || value === true ? true : value === 'false' || value === false ? false : undefined,
  oneOf: <const T extends string>(value: unknown, options: readonly T[]): T | undefined =>
    options.find((option) => option === value),
}

type QueryValue<Value> = Value extends number
  ? string
  : Value extends true
    ? 'true'
    : Value extends false
      ? 'false'
      : Value extends readonly number[]
        ? string[]
        : Value

/** Search parameters as the API takes them. The client omits those that are undefined. */
export const apiQuery = <Parameters extends object>(search: Parameters) =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : value === undefined ? value : String(value),
    ]),
  ) as { [Name in keyof Parameters]: QueryValue<Parameters[Name]> }
