import { fstatSync, writeFileSync } from 'node:fs'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Settings } from '../config/settings.ts'

export type Log = Logger

/** A JSON log, by default on standard output. Never log personal texts, addresses or secrets. */
export function createLog(level: Settings['logLevel'], destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[hidden]' },
  } satisfies LoggerOptions
  return pino(options, destination ?? standardOutput())
}

/** The values of these keys are hidden, in a logged object and two levels below, in case one is logged by mistake. */
const secretKeys = ['password', 'token', 'secret', 'authorization', 'cookie']

/** The maximum size of the lines that wait for a slow reader; further lines are dropped. */
const maxPendingBytes = 1_048_576

/**
 * Standard output that never blocks the process, not even when the reader of a pipe is too slow: then lines wait in memory,
 * and beyond the limit they are dropped, and the log reports how many.
 */
function standardOutput(): DestinationStream {
  const { stdout } = process
  let dropped = 0
  // A closed pipe must not end the process.
  stdout.on('error', () => {})
  if (fstatSync(stdout.fd).isFile()) return outputToFile(stdout.fd)
  stdout.on('drain', () => {
    if (dropped === 0) return
    stdout.write(droppedLine(dropped, 'nobody read standard output'))
    dropped = 0
  })
  return {
    write(line) {
      if (stdout.writableLength > maxPendingBytes) dropped++
      else stdout.write(line)
    },
  }
}

/** Writes to a file synchronously: Node's stream does not notice that a full disk took only a part of a line. */
function outputToFile(file: number): DestinationStream {
  let dropped = 0
  return {
    write(line) {
      try {
        // The line break ends a line that was written incompletely.
        const prefix = dropped === 0 ? '' : `\n${droppedLine(dropped, 'the file of the log could not be written')}`
        writeFileSync(file, `${prefix}${line}`)
        dropped = 0
      } catch {
        dropped++
      }
    },
  }
}

/** The log line about dropped lines. */
function droppedLine(dropped: number, reason: string): string {
  const msg = `log lines were dropped because ${reason}`
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg })}\n`
}

/** Only these fields of an error are logged: databases put the values of a refused row into other fields. */
function serializeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...(code !== undefined && { code }) }
}
