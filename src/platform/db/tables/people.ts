import type { Generated, GeneratedAlways } from 'kysely'

/** 0 or 1. */
type Flag = number

export interface RoleTable {
  id: Generated<number>
  /** Chosen by staff; the built-in roles have Dutch names. */
  name: string
  version: Generated<number>
  created_at: string
  updated_at: string
}

export interface RoleRightTable {
  role_id: number
  right_name: string
}

export interface UserTable {
  id: Generated<number>
  /** In lower case; also the name to sign in with. */
  email: string
  name: string
  /** Always 1; Better Auth requires the column. */
  email_verified: Generated<Flag>
  /** Always null; Better Auth requires the column. */
  image: string | null
  blocked: Generated<Flag>
  /** The role for work, beside the base role that everyone has. */
  role_id: number | null
  locale: Generated<string>
  two_factor_enabled: Generated<Flag>
  last_signed_in_at: string | null
  /** The last sign-in before the current visit, which may have several: items that arrived since are marked as new. */
  signed_in_before_at: string | null
  /** The user has hidden the onboarding checklist on the dashboard. */
  start_list_hidden: Generated<Flag>
  /** Wants an email when a page is offered for review, or sent back. */
  review_emails: Generated<Flag>
  version: Generated<number>
  created_at: string
  updated_at: string
  /** Name and email, for search and sorting; the database generates it. */
  search_text: GeneratedAlways<string>
}

/** Number of users by role for work (0: none) and blocked; the database maintains it. */
export interface UserCountTable {
  role_id: number
  blocked: Flag
  counted: number
}

export interface SessionTable {
  id: Generated<number>
  user_id: number
  token_hash: string
  expires_at: string
  /** When the password was last entered in this session; null: only at the sign-in that began it. */
  confirmed_at: string | null
  ip_address: string | null
  user_agent: string | null
  created_at: string
  updated_at: string
}

/** A way to sign in: `credential` is the password, every other one an identity provider. */
export interface AccountTable {
  id: Generated<number>
  user_id: number
  provider_id: string
  account_id: string
  password: string | null
  /** Another user chose the password. A change in the profile does not clear it: that user may have made the change. */
  password_set_by_other: Generated<Flag>
  /** Any password of the account was chosen by another user: passkeys may have been added with it. */
  password_ever_set_by_other: Generated<Flag>
  /** The user must choose another password: somebody else chose it, and the user got more rights since. */
  password_expired: Generated<Flag>
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  created_at: string
  updated_at: string
}

/** Better Auth's pending steps: the second factor of a sign-in, the callback of a provider. */
export interface VerificationTable {
  id: Generated<number>
  identifier: string
  value: string
  expires_at: string
  created_at: string
  updated_at: string
}

export interface TwoFactorTable {
  id: Generated<number>
  user_id: number
  secret: string
  backup_codes: string
  verified: Generated<Flag>
  failed_verification_count: Generated<number>
  locked_until: string | null
}

export interface PasskeyTable {
  id: Generated<number>
  user_id: number
  name: string | null
  public_key: string
  credential_id: string
  counter: number
  device_type: string
  backed_up: Flag
  transports: string | null
  aaguid: string | null
  created_at: string | null
}

/** Used TOTP codes, so that none can be used twice while it is valid. */
export interface UsedCodeTable {
  /** Hash of the user's id and the code. */
  code: string
  /** When the code is no longer valid, and the row may be deleted. */
  until: string
}

/** A single-use link that was emailed or shown: to set a password, to confirm an address, to set up the site. */
export interface UserLinkTable {
  id: Generated<number>
  /** SHA-256 of the token in the link. */
  token_hash: string
  purpose: 'password' | 'email' | 'setup'
  /** Null for `setup`: there is no user yet. */
  user_id: number | null
  /** The address that it confirms. */
  email: string | null
  /** Shown to its creator, so a password set with it counts as chosen by another user. */
  shown: Generated<Flag>
  expires_at: string
  created_at: string
}

/** A browser or an address from which somebody signed in: the growing delay after failed sign-ins does not apply to it. */
export interface KnownBrowserTable {
  /** Keyed hash of the identifier and the browser or address; neither is stored. */
  key: string
  /** Keyed hash of the identifier alone, to delete all rows of one user. */
  person: string
  /** When the browser is no longer known. */
  until: string
}

/** Failed sign-ins of one key (an identifier, an address, or both) within a time window. */
export interface SignInAttemptTable {
  /** Keyed hash; neither identifiers nor addresses are stored. */
  key: string
  failures: number
  /** Attempts before this time are refused without a password check. */
  wait_until: string | null
  window_ends_at: string
}
