import { isPersian, type Locale } from '../contract/locales.ts'
import { reasons } from './nl/reasons.ts'
import { type TextKey, translator } from './translate.ts'

type Names<K> = K extends `reasons.${infer Name}` ? Name : never
export type ReasonKey = Names<TextKey>

/** Why something failed: a text of the program with its values. */
export interface Reason {
  key: ReasonKey
  [value: string]: string | number | readonly (Reason | string)[]
}

/** An error whose reason users read in their own language; its message, for logs and commands, is English. */
export class ExplainedError extends Error {
  readonly reason: Reason | string

  /** @param reason a text, which is shown as it is, when it is for operators */
  constructor(reason: Reason | string, cause?: unknown) {
    super(reasonText(reason, 'en'), { cause })
    this.reason = reason
  }
}

/** The reason of an error; of one of another program its own text. */
export function reasonOf(error: unknown): Reason | string {
  if (error instanceof ExplainedError) return error.reason
  return error instanceof Error ? error.message : String(error)
}

/** A reason in a language; a text of another program, or of an older version of this one, stays as it is. */
export function reasonText(reason: Reason | string, locale: Locale): string {
  if (typeof reason === 'string') return reason
  const { key, ...values } = reason
  const shown = Object.entries(values).map(([name, value]) => [name, shownValue(value, locale)])
  return translator(locale)(`reasons.${key}`, Object.fromEntries(shown))
}

const shownValue = (value: Reason[string], locale: Locale): string | number =>
  Array.isArray(value)
    ? value.map((one: Reason | string) => reasonText(one, locale)).join('; ')
    : typeof value === 'string'
      ? isolated(value, locale)
      : (value as number)

/** In Persian, a text of unknown direction between marks that keep it from reordering its sentence. */
export const isolated = (text: string, locale: Locale): string => (isPersian(locale) ? `\u2068${text}\u2069` : text)

const storedChars = 1_000

/** A reason for a column of text. Texts of other programs in it may be of any length. */
export const storedReason = (reason: Reason | string): string =>
  typeof reason === 'string'
    ? reason.slice(0, storedChars)
    : JSON.stringify(reason, (_, value) => (typeof value === 'string' ? value.slice(0, storedChars) : value))

/** @param stored by `storedReason`; by an older version, a text */
export function readReason(stored: string): Reason | string {
  if (!stored.startsWith('{"key":')) return stored
  const reason = JSON.parse(stored)
  return isReason(reason) ? reason : stored
}

/** False of a reason of a newer version. */
export const isReason = (value: unknown): value is Reason =>
  Object.hasOwn(reasons, (value as Partial<Reason> | undefined)?.key ?? '')
