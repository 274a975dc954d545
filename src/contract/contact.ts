import { z } from 'zod'
import { limits } from './limits.ts'

/** Explicit direction marks, as phones put around a copied number: they carry no meaning of their own and can hide what a text says. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but a message may have lines and tabs
const controlsButLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

/** No writing has thirty marks on one letter (UAX #15), and composing a heap of them takes the square of its length. */
const heaped = /\p{M}{31,}/u

const tidy = (text: string) => {
  const plain = text.replace(bidiControls, '')
  return (heaped.test(plain) ? plain : plain.normalize('NFC')).trim()
}

/** A text of joiners, blanks and Hangul's empty letters alone says nothing. */
const isVisible = (text: string) => /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** ۰۱۲ and ٠١٢ become 012. */
export function latinDigits(text: string): string {
  return text.replace(/[۰-۹٠-٩]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
}

const line = (max: number) =>
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

/** What a visitor sends. The texts come out trimmed, composed (NFC), with `\n` for every line end, and without direction controls. */
export const contactMessage = z.strictObject({
  naam: line(limits.naamChars),
  email: line(limits.emailChars).transform(latinDigits).pipe(z.email('email')),
  tel: line(limits.telChars).transform(latinDigits),
  bericht: z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'required' : 'type') })
    .transform((text) => tidy(text.replace(/\r\n?/g, '\n')))
    .pipe(
      z
        .string()
        .refine(isVisible, 'required')
        .max(limits.berichtChars, 'tooLong')
        .refine((text) => text.isWellFormed() && !controlsButLines.test(text) && !heaped.test(text), 'control'),
    ),
})
export type ContactMessage = z.infer<typeof contactMessage>

export const contactFields = ['naam', 'email', 'tel', 'bericht'] as const
export type ContactField = (typeof contactFields)[number]

/** No person sees this field; what fills it in is a machine. */
export const honeypotField = 'website'

/** What a form post carries beside the message: the honeypot, and the page to come back to. */
export const contactFormExtras = { honeypot: honeypotField, page: 'pagina', locale: 'taal' } as const
