import { onTestFinished } from 'vitest'

type Close = () => Promise<void> | void

const open: Close[] = []

/** Closes when the test that is running ends; outside a test (in `beforeAll`) when the file ends. */
export function closeAtEnd(close: Close): void {
  try {
    onTestFinished(close)
  } catch {
    open.push(close)
  }
}

/** For the setup file: closes what no test closed, the newest first. */
export async function closeAll(): Promise<void> {
  for (let close = open.pop(); close; close = open.pop()) await close()
}
