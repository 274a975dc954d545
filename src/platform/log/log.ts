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
    redact: { paths: ['*.password', '*.token', '*.secret', '*.authorization', '*.cookie'], censor: '[hidden]' },
  } satisfies LoggerOptions
  return pino(options, destination ?? standardOutput())
}

/** Maximum size of the lines that wait for a slow reader; further lines are dropped. */
const pendingBytesMax = 1_048_576

/**
 * Standard output that never blocks the program. A line is written before the call returns, unless the reader of a pipe
 * is too slow: then lines wait, and beyond the limit they are dropped, and the log says how many.
 */
function standardOutput(): DestinationStream {
  const { stdout } = process
  let dropped = 0
  // A closed pipe must not end the program.
  stdout.on('error', () => {})
  stdout.on('drain', () => {
    if (dropped === 0) return
    const msg = 'log lines were dropped because nobody read standard output'
    stdout.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg })}\n`)
    dropped = 0
  })
  return {
    write(line) {
      if (stdout.writableLength > pendingBytesMax) dropped++
      else stdout.write(line)
    },
  }
}

/** Logs only these fields of an error: databases put the values of the refused row into others. */
function serializeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...(code !== undefined && { code }) }
}
