import { z } from 'zod'
import { latinDigits } from './digits.ts'
import { limits } from './limits.ts'
import { emailAddress, line, paragraphs } from './text.ts'

/** What a visitor sends. The texts come out trimmed, composed (NFC), with `\n` for every line end, and without direction controls. */
export const contactMessage = z.strictObject({
  naam: line(limits.naamChars),
  email: emailAddress,
  tel: line(limits.telChars).transform(latinDigits),
  bericht: paragraphs(limits.berichtChars),
})
export type ContactMessage = z.infer<typeof contactMessage>

export const contactFields = ['naam', 'email', 'tel', 'bericht'] as const
export type ContactField = (typeof contactFields)[number]

/** No person sees this field; what fills it in is a machine. */
export const honeypotField = 'website'

/** What a form post carries beside the message: the honeypot, and the page to come back to. */
export const contactFormExtras = { honeypot: honeypotField, page: 'pagina', locale: 'taal' } as const

/** A link that writes to a visitor. */
export const mailtoOf = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

/** A link that calls a visitor; undefined for what holds no number. */
export function telOf(tel: string): string | undefined {
  const number = tel.replace(/[^+\d]/g, '')
  return number === '' ? undefined : `tel:${number}`
}
