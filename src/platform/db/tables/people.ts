import type { Generated, GeneratedAlways } from 'kysely'

/** 0 or 1. */
type Flag = number

export interface RoleTable {
  id: Generated<number>
  /** What staff called it; the delivered ones carry their Dutch name. */
  name: string
  version: Generated<number>
  created_at: string
  updated_at: string
}

/** One right of one role. */
export interface RoleRightTable {
  role_id: number
  right_name: string
}

export interface UserTable {
  id: Generated<number>
  /** In lower case; also the name to sign in with. */
  email: string
  name: string
  /** Always 1: who exists may be written to. Better Auth asks for it. */
  email_verified: Generated<Flag>
  /** Better Auth asks for the column; nothing is in it. */
  image: string | null
  blocked: Generated<Flag>
  /** The role that carries rights for work, beside the base role that everyone has. */
  role_id: number | null
  locale: Generated<string>
  two_factor_enabled: Generated<Flag>
  last_signed_in_at: string | null
  /** The visit before the last: what came since is new to them. */
  signed_in_before_at: string | null
  version: Generated<number>
  created_at: string
  updated_at: string
  /** Name and email as they are searched and put in order; the database makes it. */
  search_text: GeneratedAlways<string>
}

/** How many users have a role for work (0: none) and are blocked or not; the database keeps it. */
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
  /** When the password was last asked for in this session; empty: when it began. */
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
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  created_at: string
  updated_at: string
}

/** What Better Auth waits for: the second step of a sign-in, the answer of a provider. */
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

/** Codes of an authenticator app that were used, so that none counts twice while it is valid. */
export interface UsedCodeTable {
  code: string
  until: string
}

/** A link that was sent or shown: to set a password, to confirm an address, to begin. It works once. */
export interface UserLinkTable {
  id: Generated<number>
  /** SHA-256 of the token in the link. */
  token_hash: string
  purpose: 'password' | 'email' | 'setup'
  /** Empty for `setup`: nobody is there yet. */
  user_id: number | null
  /** The address that is confirmed by it. */
  email: string | null
  expires_at: string
  created_at: string
}

/** A browser or an address from which somebody signed in. */
export interface KnownPlaceTable {
  /** Keyed hash of the name and the place: neither is kept. */
  key: string
  until: string
}

/** Failed sign-ins of one key (an identifier, an address, both), in its window. */
export interface SignInAttemptTable {
  /** Keyed hash: neither names nor addresses are kept. */
  key: string
  failures: number
  /** Until then a try is refused unread. */
  wait_until: string | null
  window_ends_at: string
}

/** Who changed what, and from what to what. */
export interface AuditTable {
  id: Generated<number>
  at: string
  actor_id: number | null
  /** As it was then: the person may be gone. */
  actor_name: string
  /** `user.created`, `role.updated` … */
  action: string
  subject_type: string
  subject_id: string | null
  subject_name: string
  /** JSON, the changed fields alone, without secrets. */
  before: string | null
  after: string | null
  /** Names of who and what, as they are searched; the database makes it. */
  search_text: GeneratedAlways<string>
}
