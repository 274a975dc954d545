import { onTestFinished } from 'vitest'

type Close = () => Promise<void> | void

const open: Close[] = []

/** Closes when the current test ends; outside a test (in `beforeAll`) when the file ends. */
export function closeAfterTest(close: Close): void {
  try {
    onTestFinished(close)
  } catch {
    open.push(close)
  }
}

/** Closes when the file ends, before what was opened earlier. */
export const closeAfterFile = (close: Close): void => void open.push(close)

/** For the setup file: closes what is still open, newest first. */
export async function closeAll(): Promise<void> {
  for (let close = open.pop(); close; close = open.pop()) await close()
}
