import { z } from 'zod'
import { limits } from './limits.ts'
import { emailAddress, multiLine, singleLine, toLatinDigits } from './text.ts'

/** A contact message. Texts are trimmed, normalised (NFC), with `\n` as line end, without bidirectional controls. */
export const contactMessage = z.strictObject({
  naam: singleLine(limits.naamChars),
  email: emailAddress,
  tel: singleLine(limits.telChars).transform(toLatinDigits),
  bericht: multiLine(limits.berichtChars),
})
export type ContactMessage = z.infer<typeof contactMessage>

export const contactFields = ['naam', 'email', 'tel', 'bericht'] as const
export type ContactField = (typeof contactFields)[number]

/** A hidden field; only bots fill it in. */
export const honeypotField = 'website'

/**
 * The names of the other fields of a form post: the honeypot, the path of the page with the form, the language, and the
 * signed time at which the visitor opened the form.
 */
export const contactFormExtras = { honeypot: honeypotField, page: 'pagina', locale: 'taal', moment: '_begin' } as const

/** Fields that existing clients send too. They are ignored: recipients and subject come from the configuration. */
export const ignoredContactFields = ['recipients', 'subject'] as const

/** A mailto URL. */
export const mailtoOf = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

/** A tel URL; undefined when there is no digit to dial. */
export function telOf(tel: string): string | undefined {
  const number = dialledNumber(tel)
  return /\d/.test(number) ? `tel:${number}` : undefined
}

/** The digits to dial, with a + before a country code: `+31 (0)43` is `+3143`. */
export const dialledNumber = (tel: string): string =>
  toLatinDigits(tel)
    .replace(/((?:\+|\b00)\d[^(]*)\(0\)/, '$1')
    .replace(/[^+\d]/g, '')
