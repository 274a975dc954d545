import { isPersian, type Locale } from '../contract/locales.ts'
import { reasons } from './nl/reasons.ts'
import { type TextKey, translator } from './translate.ts'

type Names<K> = K extends `reasons.${infer Name}` ? Name : never
export type ReasonKey = Names<TextKey>

/** Why something failed: the key of a built-in text, with the values to fill in. A value may be a list of reasons. */
export interface Reason {
  key: ReasonKey
  [value: string]: string | number | readonly (Reason | string)[]
}

/** An error with a reason that users read in their language. Its `message`, for logs and commands, is English. */
export class ExplainedError extends Error {
  readonly reason: Reason | string

  /** @param reason a plain text, for operators, is shown untranslated */
  constructor(reason: Reason | string, cause?: unknown) {
    super(reasonText(reason, 'en'), { cause })
    this.reason = reason
  }
}

/** The reason of an error; of any other error than an `ExplainedError` its message. */
export function reasonOf(error: unknown): Reason | string {
  if (error instanceof ExplainedError) return error.reason
  return error instanceof Error ? error.message : String(error)
}

/** Translates a reason. A plain text, such as the message of another program, stays as it is. */
export function reasonText(reason: Reason | string, locale: Locale): string {
  if (typeof reason === 'string') return reason
  const { key, ...values } = reason
  const translated = Object.entries(values).map(([name, value]) => [name, translateValue(value, locale)])
  return translator(locale)(`reasons.${key}`, Object.fromEntries(translated))
}

function translateValue(value: Reason[string], locale: Locale): string | number {
  if (Array.isArray(value)) return value.map((reason: Reason | string) => reasonText(reason, locale)).join('; ')
  return typeof value === 'string' ? isolated(value, locale) : (value as number)
}

/** In Persian, puts a text of unknown direction between Unicode isolates, so that it does not reorder its sentence. */
export const isolated = (text: string, locale: Locale): string => (isPersian(locale) ? `\u2068${text}\u2069` : text)

const maxStoredChars = 1_000

/** Serialises a reason for a text column, as JSON or plain text. Texts of other programs may be long: all are truncated. */
export const storedReason = (reason: Reason | string): string =>
  typeof reason === 'string'
    ? reason.slice(0, maxStoredChars)
    : JSON.stringify(reason, (_, value) => (typeof value === 'string' ? value.slice(0, maxStoredChars) : value))

/** Parses the result of `storedReason`. A reason of a newer version, whose key is unknown, is returned as text. */
export function readReason(stored: string): Reason | string {
  if (!stored.startsWith('{"key":')) return stored
  const reason = JSON.parse(stored)
  return isReason(reason) ? reason : stored
}

/** Whether a value is a reason with a key of this version. */
export const isReason = (value: unknown): value is Reason =>
  Object.hasOwn(reasons, (value as Partial<Reason> | undefined)?.key ?? '')
