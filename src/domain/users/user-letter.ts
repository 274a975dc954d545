/** The templates' names as the outbox keeps them. */
export const userTemplate = 'userAccount'
export const invitationTemplate = 'userInvitation'

/** What the letter about an account is filled from; the password stands apart and does not stay. */
export interface UserLetter {
  kind: 'newUser' | 'updatedUser'
  to: { name: string; address: string }
  replyTo: string | undefined
  /** Where to sign in. */
  url: string
  /** From the letter's secret. */
  password?: string
}

/** What the letter with a link is filled from when it is sent; until then the outbox holds no more than the address. */
export interface InvitationLetter {
  to: { name: string; address: string }
  locale: string
  /** With the token, so it is nowhere but in the letter. */
  url: string
  /** ISO instant. */
  until: string
}

/** How the outbox knows which letters are about a user, and go when the address was a mistake. */
export const aboutUser = (id: number) => `user:${id}`

/** The same for what happened to an account, which is told to the address that it had then; these go with the user alone. */
export const aboutAccount = (id: number) => `account:${id}`
