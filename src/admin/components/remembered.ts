import { useState } from 'react'

/**
 * A choice that is stored in this browser, for other pages and later visits.
 * @param initial used while nothing is stored, or where the browser has no storage
 */
export function useRemembered<Value extends string>(
  key: string,
  values: readonly Value[],
  initial: () => Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => readRemembered(key, values) ?? initial())
  const remember = (next: Value) => {
    setValue(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // Storage is not available: the choice is for now.
    }
  }
  return [value, remember]
}

/** The stored choice, if it is one of these. */
export function readRemembered<Value extends string>(key: string, values: readonly Value[]): Value | undefined {
  try {
    return values.find((value) => value === localStorage.getItem(key))
  } catch {
    return undefined
  }
}
