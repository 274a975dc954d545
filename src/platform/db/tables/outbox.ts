import type { Generated, GeneratedAlways } from 'kysely'

/** A letter to one recipient, from the moment it was promised. */
export interface OutboxTable {
  id: Generated<number>
  /** `Message-ID` header, the same at every try, so that a receiver can drop a double. */
  message_id: string
  template: string
  locale: string
  /** JSON that the template is filled from. */
  data: string
  /** JSON beside `data` that must not stay: a password, a link. Null once the letter is sent, and an empty text once it is given up. */
  secret: string | null
  /** What the letter is about, like `message:12`: when that goes, the letter goes with it. */
  about: string | null
  recipient: string
  state: 'waiting' | 'sent' | 'failed'
  /** Raised by every claim, so it also tells one claim from the next. */
  attempts: number
  /** From then on it may be claimed; a claim puts it at the end of its lease. */
  next_attempt_at: string
  last_error: string | null
  created_at: string
  sent_at: string | null
  /** The recipient as it is searched; the database makes it. */
  search_text: GeneratedAlways<string>
}
