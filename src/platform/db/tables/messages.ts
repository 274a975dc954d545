import type { Generated, GeneratedAlways } from 'kysely'

export interface MessageTable {
  id: Generated<number>
  naam: string
  email: string
  tel: string
  bericht: string
  locale: string
  folder: 'inbox' | 'spam'
  /** Why it was classified as spam. */
  spam_reason: string | null
  /** Version of the privacy statement that the visitor saw. */
  privacy_version: string
  /** Keyed hash of the message's text, to recognise duplicates. */
  fingerprint: string
  /** Keyed hash of the client's address, which itself is not stored. */
  address_key: string
  created_at: string
  /** When staff first opened it, or opened it again after it was marked as unread. */
  read_at: string | null
  /** When it was answered, from the inbox or elsewhere. */
  answered_at: string | null
  /** An internal note by staff. */
  note: Generated<string>
  /** Message-IDs of the emails that forwarded it, separated by spaces, so that replies join their thread. */
  thread: Generated<string>
  version: Generated<number>
  /** The number that the visitor was given: random, so that it does not count messages. Null: the id. */
  reference: number | null
  /** `contact`, or the id of a form of the configuration, which may be gone. */
  form_id: Generated<string>
  /** The name of the form when the message was sent; empty for the contact form. */
  form_name: Generated<string>
  /** JSON: `FormAnswer[]`; empty for the contact form, whose fields have columns. */
  answers: Generated<string>
  /** The retention period of the form when the message was sent, for when the form is gone; null for the contact form. */
  retention_days: number | null
  /** JSON: `SpamReason[]`, the spam rules that it matches. */
  spam_reasons: Generated<string>
  /** The path of the page from which it was sent, for the statistics; null for messages older than this column. */
  page: string | null
  /** 1: the statistics count it. */
  counted: Generated<0 | 1>
  /** Sender and text, for search; the database generates it. */
  search_text: GeneratedAlways<string>
}

/** A reply to a message. Its email is in the outbox until it is purged. */
export interface MessageReplyTable {
  id: Generated<number>
  message_id: number
  /** The email's `Message-ID`. */
  mail_id: string
  text: string
  /** The author, and the author's name at that time. */
  actor_id: number | null
  actor_name: string
  created_at: string
}

/** A file that came with a message. It is private: only users who may read the message can download it. */
export interface MessageFileTable {
  id: Generated<number>
  message_id: number
  /** The id of the form field. */
  field: string
  name: string
  /** The media type, detected from the content. */
  type: string
  bytes: number
  blob_id: string
}

/** An email to one recipient. */
export interface OutboxTable {
  id: Generated<number>
  /** `Message-ID` header, the same at every attempt, so that a receiver can discard a duplicate. */
  message_id: string
  template: string
  locale: string
  /** JSON for the template. */
  data: string
  /**
   * JSON for the template that must not stay: a password, a link. Null once the email is sent, and an empty text once
   * it has failed.
   */
  secret: string | null
  /** The subject's reference, like `message:12`: deleting the subject deletes the email. */
  about: string | null
  recipient: string
  /** `file`: without a mail server the email was written to a file, and sent to nobody. */
  state: 'waiting' | 'sent' | 'failed' | 'file'
  /** Incremented by every claim, so it also identifies the claim; 0 again when the email is retried by hand. */
  attempts: number
  /** When the email may be claimed; a claim sets it to the end of its lease. For a failed email: when it failed. */
  next_attempt_at: string
  last_error: string | null
  created_at: string
  sent_at: string | null
  /** When a delivery report about it was read. */
  bounced_at: string | null
  /** JSON: `action`, `status` and `reason` of the report. */
  bounce: string | null
  /** The recipient, for search; the database generates it. */
  search_text: GeneratedAlways<string>
}

/** A mail server that staff set: `smtp` sends emails, `imap` is the mailbox that receives reports about them. */
export interface MailSettingTable {
  name: 'smtp' | 'imap'
  /** JSON: the settings without the password; null after they were removed. */
  value: string | null
  /** Encrypted with the program's secret. */
  password: string | null
  version: Generated<number>
  updated_at: string
}

/** How far the mailbox was read; see `mailbox-state.queries.ts`. */
export interface MailboxReadingTable {
  name: 'imap'
  uid_validity: string | null
  uid: Generated<number>
  /** The end of the lease of the process that reads it. */
  claimed_until: string
  read_at: string | null
  /** A key of `validationKeys`: why the last reading failed. */
  problem: string | null
  /** `Message-ID` of the last test email that was sent to the mailbox. */
  test_message_id: string | null
  test_sent_at: string | null
  /** JSON: the authentication results of the receiving server for the test email. */
  test_results: string | null
}
