import type { Generated, GeneratedAlways } from 'kysely'

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
  /** When somebody of the staff opened it first, or since it was marked as unread. */
  read_at: string | null
  /** When it was answered, from here or otherwise. */
  answered_at: string | null
  /** Of the staff, for each other. */
  note: Generated<string>
  /** Message-IDs of the letters that brought it to the company, with blanks between: answers belong to the same thread. */
  thread: Generated<string>
  version: Generated<number>
  /** Who wrote and what, as it is searched; the database makes it. */
  search_text: GeneratedAlways<string>
}

/** An answer to a message. The letter with it stands in the outbox, and goes from there when it was sent long ago. */
export interface MessageReplyTable {
  id: Generated<number>
  message_id: number
  /** The letter's `Message-ID`. */
  mail_id: string
  text: string
  /** Who wrote it, as they were called then. */
  actor_id: number | null
  actor_name: string
  created_at: string
}
