import { onTestFinished } from 'vitest'
import { createLog, type Log } from '../../src/platform/log/log.ts'

/** A line of the log of the program, as parsed JSON. */
export interface LoggedLine {
  level: string
  msg: string
  [name: string]: unknown
}

const errors: string[] = []
let allowedPatterns: RegExp[] = []

/** The real log of the program, with its lines collected for the test. An error in it fails the test. */
export function aLog(): { log: Log; lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const log = createLog('debug', {
    write(text: string) {
      const line: LoggedLine = JSON.parse(text)
      lines.push(line)
      if (line.level === 'error' || line.level === 'fatal') recordError(text)
    },
  })
  return { log, lines }
}

/** Lets errors that match be logged until the current test ends. */
export function allowErrors(pattern: RegExp): void {
  allowedPatterns.push(pattern)
  onTestFinished(() => {
    allowedPatterns = allowedPatterns.filter((allowed) => allowed !== pattern)
  })
}

/** Makes the current test fail at its end, unless the error is allowed. */
export function recordError(text: string): void {
  if (!allowedPatterns.some((pattern) => pattern.test(text))) errors.push(text)
}

/** Removes and returns the recorded errors; `setup.ts` fails the test for those that are left at its end. */
export function takeErrors(): string[] {
  return errors.splice(0)
}
