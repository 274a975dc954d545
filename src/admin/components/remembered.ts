import { useState } from 'react'

/**
 * A choice that is kept in the local storage, for other pages and later visits.
 * @param initial returns the value while no valid one is stored
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
      // Without storage the choice holds until the component unmounts.
    }
  }
  return [value, remember]
}

/** The stored choice; undefined if it is none of the values, or if the browser has no storage. */
export function readRemembered<Value extends string>(key: string, values: readonly Value[]): Value | undefined {
  try {
    return values.find((value) => value === localStorage.getItem(key))
  } catch {
    return undefined
  }
}
