/** The template names stored in the outbox. */
export const userTemplate = 'userAccount'
export const invitationTemplate = 'userInvitation'

/** Data of the email about an account; the password is stored separately and deleted after sending. */
export interface UserEmail {
  kind: 'newUser' | 'updatedUser'
  to: { name: string; address: string }
  replyTo: string | undefined
  /** The sign-in page. */
  url: string
  /** Added from the email's secret. */
  password?: string
}

/** Data of the invitation, added when it is sent; the outbox stores only the address. */
export interface InvitationEmail {
  to: { name: string; address: string }
  locale: string
  /** Contains the token, so it is stored nowhere. */
  url: string
  /** ISO instant. */
  until: string
}

/** The outbox's `about` key of emails about a user, which are deleted when the address changes or the user is blocked. */
export const aboutUser = (id: number) => `user:${id}`

/**
 * The outbox's `about` key of notices about account events. They went to the address at that time, and are deleted only
 * with the user.
 */
export const aboutAccount = (id: number) => `account:${id}`
