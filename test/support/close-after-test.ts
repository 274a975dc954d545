import { onTestFinished } from 'vitest'

type Close = () => Promise<void> | void

const fileClosers: Close[] = []

/** Calls `close` when the current test ends; outside a test (in `beforeAll`) when the file ends. */
export function closeAfterTest(close: Close): void {
  try {
    onTestFinished(close)
  } catch {
    fileClosers.push(close)
  }
}

/** Calls `close` when the file ends: the newest first. */
export const closeAfterFile = (close: Close): void => void fileClosers.push(close)

/** For `setup.ts`, when a file ends: calls what `closeAfterFile` was given, and `closeAfterTest` outside a test, newest first. */
export async function closeAll(): Promise<void> {
  for (let close = fileClosers.pop(); close; close = fileClosers.pop()) await close()
}
