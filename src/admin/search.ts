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

/** Readers of search parameters for `validateSearch`; an invalid value becomes undefined. */
export const parseParameter = {
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
