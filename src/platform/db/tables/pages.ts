import type { Generated, GeneratedAlways } from 'kysely'
import type { Locale } from '../../../contract/locales.ts'

export interface PageTable {
  id: Generated<number>
  /** Home, privacy statement and disclaimer. */
  fixed: Generated<number>
  /** It came with the configuration, and no person has changed it since. */
  seeded: Generated<number>
  bin: Generated<number>
  deleted_at: string | null
  /** A place in `stateNumbers`; 0: no text in that language. */
  state_nl: Generated<number>
  state_fa: Generated<number>
  /** 1: something is planned in Dutch, 2: in Persian, 3: in both. */
  planned: Generated<number>
  /** The Dutch one, or else the Persian: what the list is ordered by. */
  title: Generated<string>
  other_title: Generated<string>
  slugs: Generated<string>
  created_at: string
  updated_at: string
  updated_by_id: number | null
  updated_by_name: string
  /** What a search looks at; the database makes it. */
  search_text: GeneratedAlways<string>
}

/** How many pages there are of each kind; the database counts. */
export interface PageCountTable {
  bin: number
  state_nl: number
  state_fa: number
  planned: number
  counted: number
}

/** A page in one language: what is saved, what visitors see, and what is planned. */
export interface PageTextTable {
  page_id: number
  locale: Locale
  title: string
  slug: string
  version: number
  /** The revision that is saved now. */
  saved_id: number
  saved_at: string
  saved_by_id: number | null
  saved_by_name: string
  /** The revision that visitors see, and what finding it takes. */
  live_id: number | null
  live_slug: string | null
  live_noindex: Generated<number>
  /** Date of the text, as it stands on the page. */
  live_date: string | null
  published_at: string | null
  publish_at: string | null
  /** The revision that is published then, and the address that is kept free for it. */
  publish_id: number | null
  publish_slug: string | null
  unpublish_at: string | null
  /** What visitors saw when the page went into the bin. */
  bin_live_id: number | null
  /** And what was planned for it then. */
  bin_publish_at: string | null
  bin_publish_id: number | null
  bin_unpublish_at: string | null
}

export interface PageRevisionTable {
  id: Generated<number>
  page_id: number
  locale: Locale
  version: number
  /** The first revision of those that belong together. */
  group_id: number
  /** JSON: `PageText`. */
  text: string
  /** Date of the text, where it brought one. */
  date: string | null
  /** Visitors saw it at some time. */
  published: Generated<number>
  restored_from: number | null
  at: string
  by_id: number | null
  by_name: string
}

interface Owned {
  page_id: number
  locale: Locale
  user_id: number
}

export interface PageDraftTable extends Owned {
  /** JSON: `DraftText`; null: it was saved or thrown away, and its count goes on. */
  text: string | null
  title: string
  number: number
  base_version: number
  saved_at: string
}

/** What was stored under the last numbers, to join the changes of two tabs by. */
export interface PageDraftStepTable extends Owned {
  number: number
  text: string
}

/** What a tab sent last. */
export interface PageDraftTabTable extends Owned {
  editor: string
  /** Its own count. */
  editor_number: number
  /** The draft's number that it became. */
  number: number
  text: string | null
  at: string
}

/** Who has a page open, by tab. */
export interface PagePresenceTable extends Owned {
  editor: string
  since: string
  seen_at: string
}

export interface RedirectTable {
  id: Generated<number>
  from_path: string
  to_path: string
  automatic: number
  version: Generated<number>
  created_at: string
  by_id: number | null
  by_name: string
  search_text: GeneratedAlways<string>
}

/** The addresses of uploads that stand in a page. */
export interface PagePlaceTable {
  page_id: number
  locale: Locale
  source: 'saved' | 'live' | 'planned' | 'draft'
  /** Whose draft. */
  user_id: number | null
  address: string
}

/** What the configuration brought, by the slug that it has there. */
export interface PageSeedTable {
  slug: string
  /** Of what it was made of. */
  hash: string
  /** Null: the page was deleted since. */
  page_id: number | null
}
