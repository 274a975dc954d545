import type { Generated } from 'kysely'

export interface MessageTable {
  id: Generated<number>
  naam: string
  email: string
  tel: string
  bericht: string
  locale: string
  folder: 'inbox' | 'spam'
  /** Why it lies in the spam folder. */
  spam_reason: string | null
  /** Version of the privacy statement that the visitor was shown. */
  privacy_version: string
  /** Keyed hash of the message's text: the same message again has the same. */
  fingerprint: string
  /** Keyed hash of the sender's address; never the address itself. */
  address_key: string
  created_at: string
}
