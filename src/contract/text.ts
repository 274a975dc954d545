import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { limits } from './limits.ts'

/** Explicit direction marks, as phones put around a copied number: they carry no meaning of their own and can hide what a text says. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but lines and tabs may stand in it
const controlsButLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** No writing has thirty marks on one letter (UAX #15), and composing a heap of them takes the square of its length. */
const heaped = /\p{M}{31,}/u

const tidy = (text: string) => {
  const plain = text.replace(bidiControls, '')
  return (heaped.test(plain) ? plain : plain.normalize('NFC')).trim()
}

/** A text of joiners and blanks alone says nothing. */
const isVisible = (text: string) => /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** One line of text: trimmed, composed (NFC), without direction controls. */
export const line = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'required' : 'type') })
    .transform(tidy)
    .pipe(
      z
        .string()
        .refine(isVisible, 'required')
        .max(max, 'tooLong')
        .refine((text) => text.isWellFormed() && !controls.test(text) && !heaped.test(text), 'control'),
    )

/** What a page is called, in a file as in the admin. */
export const pageTitle = line(limits.pageTitleChars)

/** Whether a text of several lines holds what no reader sees and no database takes. */
export const isClean = (text: string): boolean => text.isWellFormed() && !controlsButLines.test(text)

/** Several lines of text, with `\n` for every line end. */
export const paragraphs = (max: number) => severalLines(max, isVisible)

/** The same, and it may be empty. */
export const optionalParagraphs = (max: number) => severalLines(max, () => true)

const severalLines = (max: number, isEnough: (text: string) => boolean) =>
  z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'required' : 'type') })
    .transform((text) => tidy(text.replace(/\r\n?/g, '\n')))
    .pipe(
      z
        .string()
        .refine(isEnough, 'required')
        .max(max, 'tooLong')
        .refine((text) => isClean(text) && !heaped.test(text), 'control'),
    )

/** An address that letters can be sent to. */
export const emailAddress = line(limits.emailChars).transform(latinDigits).pipe(z.email('email'))

/** The beginning of a text, by length as limits count it, and never through a letter. */
export function cutText(text: string, most: number): string {
  let result = ''
  for (const letter of text) {
    if (result.length + letter.length > most) break
    result += letter
  }
  return result
}
