import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What is signed: the text behind a prefix, so that the signature of one purpose is none of another, and the characters of
 * the signature. Values in use have these formats.
 */
const purposes = {
  /** A calendar file of a visitor. */
  appointment: { prefix: 'appointment:', chars: 22 },
  /** The check of the sender of a message. */
  check: { prefix: 'check\0', chars: 22 },
  /** The moment at which a visitor reached a form. */
  moment: { prefix: 'moment\0', chars: 22 },
  preview: { prefix: 'preview\0', chars: 43 },
  /** The confirmation after sending a form. */
  sent: { prefix: 'sent:', chars: 16 },
  /** The address of a stylesheet. */
  styles: { prefix: 'styles:', chars: 16 },
}
type Purpose = keyof typeof purposes

/** @returns a part of the HMAC-SHA-256 in base64url */
export function sign(secret: string, purpose: Purpose, text: string): string {
  const { prefix, chars } = purposes[purpose]
  return createHmac('sha256', secret).update(`${prefix}${text}`).digest('base64url').slice(0, chars)
}

export const isSignature = (secret: string, purpose: Purpose, text: string, signature: string): boolean =>
  isEqual(signature, sign(secret, purpose, text))

/** Compares in a time that tells nothing about the secret text but its length. */
export function isEqual(found: string, expected: string): boolean {
  const [one, other] = [Buffer.from(found), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
