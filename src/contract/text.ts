import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * Bidirectional control characters, which phones add around copied numbers: they carry no meaning and can disguise a
 * text.
 */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them on purpose
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them on purpose, except line ends and tabs
const controlsButLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** No script has thirty combining marks on one character (UAX #15), and normalising many takes quadratic time. */
const heaped = /\p{M}{31,}/u

const normalize = (text: string) => {
  const plain = text.replace(bidiControls, '')
  return (heaped.test(plain) ? plain : plain.normalize('NFC')).trim()
}

/** A text of only joiners and spaces counts as empty. */
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
        .refine((text) => text.isWellFormed() && !controls.test(text) && !heaped.test(text), 'control'),
    )
    .meta({ maxLength: max })

export const pageTitle = singleLine(limits.pageTitleChars)

/** A text that stored ones are compared with; PostgreSQL refuses a query with a zero byte. */
export const comparedText = (max: number) =>
  z
    .string()
    .max(max, 'tooLong')
    .refine((text) => !text.includes('\0'), 'control')

/**
 * Whether a text of several lines is free of invisible control characters and lone surrogates, which databases reject.
 */
export const isCleanText = (text: string): boolean => text.isWellFormed() && !controlsButLines.test(text)

/** Several lines of text, with `\n` as line end. */
export const multiLine = (max: number) => severalLines(max, isVisible)

/** Several lines of text, possibly empty. */
export const optionalMultiLine = (max: number) => severalLines(max, () => true)

const severalLines = (max: number, isEnough: (text: string) => boolean) =>
  z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'required' : 'type') })
    .transform((text) => normalize(text.replace(/\r\n?/g, '\n')))
    .pipe(
      z
        .string()
        .refine(isEnough, 'required')
        .max(max, 'tooLong')
        .refine((text) => isCleanText(text) && !heaped.test(text), 'control'),
    )
    .meta({ maxLength: max })

/** A valid email address. */
export const emailAddress = singleLine(limits.emailChars).transform(toLatinDigits).pipe(z.email('email'))

/** Whether a JSON text is nested too deeply for validation. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0
  for (let index = 0; index < json.length; index++) {
    const sign = json[index]
    if (sign === '"')
      for (index++; index < json.length && json[index] !== '"'; index++) if (json[index] === '\\') index++
    if (sign === '[' || sign === '{') depth++
    if (sign === ']' || sign === '}') depth--
    if (depth > limits.jsonLevels) return true
  }
  return false
}

/** Truncates a text, by length as limits count it, without splitting a character. */
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
    // Unicode has the digits of each script together, from 0 to 9.
    for (; /\p{Nd}/u.test(String.fromCodePoint(zero - 1)); zero--);
    return String(((digit.codePointAt(0) ?? 0) - zero) % 10)
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them on purpose
const unsafeInFileNames = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"*:<>?|]+/g

/** A file name on one line, without folders, control characters, bidirectional embeddings and isolates; a long one keeps its extension. */
export function cleanFileName(name: string): string {
  const base = name.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = base.replace(unsafeInFileNames, ' ').replace(/\s+/g, ' ').trim()
  const extension = /\.[a-z0-9]{1,5}$/i.exec(plain)?.[0] ?? ''
  const stem = plain.slice(0, plain.length - extension.length)
  return truncateText(stem, limits.fileNameChars - extension.length) + extension || 'bestand'
}
