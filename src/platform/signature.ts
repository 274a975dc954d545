import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The prefix that is signed with the text, so that a signature for one purpose is not valid for another, and the length
 * of the signature. Do not change them: signatures in use have these formats.
 */
const purposes = {
  /** The URL of the calendar file of an appointment. */
  appointment: { prefix: 'appointment:', chars: 22 },
  /** The URL of the spam check for a message. */
  check: { prefix: 'check\0', chars: 22 },
  /** The time when a visitor reached a form. */
  moment: { prefix: 'moment\0', chars: 22 },
  /** The preview link of a draft. */
  preview: { prefix: 'preview\0', chars: 43 },
  /** The confirmation page after a form was sent. */
  sent: { prefix: 'sent:', chars: 16 },
  /** The URL of a stylesheet. */
  styles: { prefix: 'styles:', chars: 16 },
}
type Purpose = keyof typeof purposes

/** @returns the beginning of the HMAC-SHA-256, in base64url */
export function sign(secret: string, purpose: Purpose, text: string): string {
  const { prefix, chars } = purposes[purpose]
  return createHmac('sha256', secret).update(`${prefix}${text}`).digest('base64url').slice(0, chars)
}

export const verifySignature = (secret: string, purpose: Purpose, text: string, signature: string): boolean =>
  isEqualTimingSafe(signature, sign(secret, purpose, text))

/** Compares texts in a time that reveals nothing about the secret one but its length. */
export function isEqualTimingSafe(actual: string, expected: string): boolean {
  const [actualBytes, expectedBytes] = [Buffer.from(actual), Buffer.from(expected)]
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes)
}
