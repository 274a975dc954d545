import { onTestFinished } from 'vitest'
import { createLog, type Log } from '../../src/platform/log/log.ts'

export interface LoggedLine {
  level: string
  msg: string
  [name: string]: unknown
}

const errors: string[] = []
let allowed: RegExp[] = []

/** The real log of the program, with its lines collected for the test. */
export function aLog(): { log: Log; lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const log = createLog('debug', {
    write(text: string) {
      const line: LoggedLine = JSON.parse(text)
      lines.push(line)
      if (line.level === 'error' || line.level === 'fatal') noteError(text)
    },
  })
  return { log, lines }
}

/** For a test with an expected error: errors that match may be logged until it ends. */
export function allowErrors(pattern: RegExp): void {
  allowed.push(pattern)
  onTestFinished(() => {
    allowed = allowed.filter((one) => one !== pattern)
  })
}

export function noteError(text: string): void {
  if (!allowed.some((pattern) => pattern.test(text))) errors.push(text)
}

/** The errors that were logged since the last call. */
export function takeErrors(): string[] {
  return errors.splice(0)
}
