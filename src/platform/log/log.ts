import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Settings } from '../config/settings.ts'

export type Log = Logger

/** Lines of JSON, on standard output unless told. What a person wrote, and any address or secret, has no place in a line. */
export function createLog(level: Settings['logLevel'], destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: wordsAndPlace },
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['*.password', '*.token', '*.secret', '*.authorization', '*.cookie'], censor: '[hidden]' },
  } satisfies LoggerOptions
  // Written before the call returns: the last words of a program that ends or is killed are not lost, nor out of order.
  return pino(options, destination ?? pino.destination({ dest: 1, sync: true }))
}

/** Of an error no more than this: a database puts the row that it refused beside its words. */
function wordsAndPlace(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...(code !== undefined && { code }) }
}
