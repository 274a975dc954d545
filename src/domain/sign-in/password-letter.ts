/** The template's name as the outbox keeps it. */
export const passwordTemplate = 'passwordLink'

/** What the letter is filled from when it is sent; until then the outbox holds no more than the address. */
export interface PasswordLetter {
  name: string
  email: string
  locale: string
  /** With the token, so it is nowhere but in the letter. */
  url: string
}
