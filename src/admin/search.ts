type SearchParameters = Record<string, unknown>

/** Parses a query string as the API does, not as JSON like the router. A repeated parameter becomes a list. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {}
  const parameters = new URLSearchParams(text)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    search[name] = values.length > 1 ? values : (values[0] as string)
  }
  return search
}

/** The reverse of `parseSearch`, with the question mark. Leaves out undefined, null and empty values. */
export function stringifySearch(search: SearchParameters): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') parameters.append(name, String(item))
    }
  }
  const text = parameters.toString()
  return text && `?${text}`
}

/** Types a route's `validateSearch`: all parameters are optional, so that links may leave them out. */
export const searchReader =
  <Parameters extends object>(read: (search: SearchParameters) => Parameters) =>
  (search: SearchParameters): Partial<Parameters> =>
    read(search)

/** Readers of single search parameters; an invalid value becomes undefined. */
export const parseParameter = {
  /** A sort key, with a minus before it for descending order. */
  sort: <const T extends string>(value: unknown, keys: readonly T[]): T | `-${T}` | undefined =>
    keys.flatMap((key) => [key, `-${key}` as const]).find((order) => order === value),
  text: (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined),
  /** An integer of at least 1. */
  number: (value: unknown): number | undefined => {
    const number = Number(value)
    return Number.isInteger(number) && number > 0 ? number : undefined
  },
  numbers: (value: unknown): number[] | undefined => {
    const items = Array.isArray(value) ? value : [value]
    const numbers = items.map(parseParameter.number).filter((number) => number !== undefined)
    return numbers.length > 0 ? numbers : undefined
  },
  boolean: (value: unknown): boolean | undefined => {
    if (value === 'true' || value === true) return true
    return value === 'false' || value === false ? false : undefined
  },
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

/** Search parameters as strings, for the API client, which omits those that are undefined. */
export const apiQuery = <Parameters extends object>(search: Parameters) =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : value === undefined ? value : String(value),
    ]),
  ) as { [Name in keyof Parameters]: QueryValue<Parameters[Name]> }
