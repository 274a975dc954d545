import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * Bidirectional control characters, which phones add around copied numbers: they carry no meaning and can disguise a
 * text.
 */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them on purpose
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them on purpose, except line ends and tabs
const controlsExceptLineEnds = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** More than 30 combining marks on a character, as in no script (UAX #15): normalising them takes quadratic time. */
const stackedMarks = /\p{M}{31,}/u

const normalize = (text: string) => {
  const plain = text.replace(bidiControls, '')
  return (stackedMarks.test(plain) ? plain : plain.normalize('NFC')).trim()
}

/** Whether a text has a visible character: spaces, joiners and combining marks alone count as empty. */
const isVisible = (text: string) => /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** One line of text: trimmed, normalised (NFC), without bidirectional control characters. */
export const singleLine = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'required' : 'type') })
    .transform(normalize)
    .pipe(
      z
        .string()
        .refine(isVisible, 'required')
        .max(max, 'tooLong')
        .refine((text) => text.isWellFormed() && !controlCharacters.test(text) && !stackedMarks.test(text), 'control'),
    )
    .meta({ maxLength: max })

/** One line of text, possibly empty. */
export const optionalLine = (max: number) => z.union([z.literal(''), singleLine(max)]).meta({ maxLength: max })

export const pageTitle = singleLine(limits.pageTitleChars)

/** A text that a query compares with stored ones: without the zero byte, which PostgreSQL refuses. */
export const comparedText = (max: number) =>
  z
    .string()
    .max(max, 'tooLong')
    .refine((text) => !text.includes('\0'), 'control')

/**
 * Whether a text of several lines is free of invisible control characters and lone surrogates, which databases reject.
 */
export const isCleanText = (text: string): boolean => text.isWellFormed() && !controlsExceptLineEnds.test(text)

/** Several lines of text, with `\n` as line end. */
export const multiLine = (max: number) => severalLines(max, isVisible)

/** Several lines of text, possibly empty. */
export const optionalMultiLine = (max: number) => severalLines(max, () => true)

const severalLines = (max: number, hasContent: (text: string) => boolean) =>
  z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'required' : 'type') })
    .transform((text) => normalize(text.replace(/\r\n?/g, '\n')))
    .pipe(
      z
        .string()
        .refine(hasContent, 'required')
        .max(max, 'tooLong')
        .refine((text) => isCleanText(text) && !stackedMarks.test(text), 'control'),
    )
    .meta({ maxLength: max })

/** A valid email address. */
export const emailAddress = singleLine(limits.emailChars).transform(toLatinDigits).pipe(z.email('email'))

/** Whether a JSON text is nested deeper than `limits.jsonLevels`: validation is recursive. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    // Skips a string, whose brackets do not count.
    if (character === '"')
      for (index++; index < json.length && json[index] !== '"'; index++) if (json[index] === '\\') index++
    if (character === '[' || character === '{') depth++
    if (character === ']' || character === '}') depth--
    if (depth > limits.jsonLevels) return true
  }
  return false
}

/** Truncates a text to a number of UTF-16 code units, as limits count, without splitting a surrogate pair. */
export function truncateText(text: string, maxChars: number): string {
  let result = ''
  for (const character of text) {
    if (result.length + character.length > maxChars) break
    result += character
  }
  return result
}

/** Converts the decimal digits of other scripts: ۰۱۲ and ०१२ become 012. */
export function toLatinDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    let zero = digit.codePointAt(0) ?? 0
    // Unicode has the digits of each script in a row, from 0 to 9.
    for (; /\p{Nd}/u.test(String.fromCodePoint(zero - 1)); zero--);
    return String(((digit.codePointAt(0) ?? 0) - zero) % 10)
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them on purpose
const unsafeInFileNames = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"*:<>?|]+/g

/** A file name without folders, unsafe and invisible characters, truncated before its extension; `bestand` if empty. */
export function cleanFileName(name: string): string {
  const base = name.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = base.replace(unsafeInFileNames, ' ').replace(/\s+/g, ' ').trim()
  const extension = /\.[a-z0-9]{1,5}$/i.exec(plain)?.[0] ?? ''
  const stem = plain.slice(0, plain.length - extension.length)
  return truncateText(stem, limits.fileNameChars - extension.length) + extension || 'bestand'
}
