import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What was given at the last drawing: for what is called later, such as when an upload has arrived. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
