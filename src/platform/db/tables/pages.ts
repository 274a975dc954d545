import type { Generated, GeneratedAlways } from 'kysely'
import type { Locale } from '../../../contract/locales.ts'

export interface PageTable {
  id: Generated<number>
  /** 1 for the home page, the privacy statement and the disclaimer. */
  fixed: Generated<number>
  /** 1: the page comes from the configuration, and no user has changed it since. */
  seeded: Generated<number>
  /** The id of the collection of which the page is an entry. */
  collection: Generated<string | null>
  trashed: Generated<number>
  deleted_at: string | null
  /** Index in `stateCodes`; 0: no text in that language. */
  state_nl: Generated<number>
  state_fa: Generated<number>
  /** Bit mask of the languages with a schedule: 1 Dutch, 2 Persian. */
  scheduled: Generated<number>
  /** The title in Dutch, or else in the first other language by its tag, for sorting. */
  title: Generated<string>
  other_title: Generated<string>
  slugs: Generated<string>
  created_at: string
  updated_at: string
  updated_by_id: number | null
  updated_by_name: string
  /** For search; the database generates it. */
  search_text: GeneratedAlways<string>
}

/** Number of pages by filter values; the database maintains it. */
export interface PageCountTable {
  trashed: number
  state_nl: number
  state_fa: number
  scheduled: number
  counted: number
}

/** A page in one language: the saved text, the published text, and the schedule. */
export interface PageTextTable {
  page_id: number
  locale: Locale
  title: string
  slug: string
  version: number
  /** The revision that was saved last. */
  saved_id: number
  saved_at: string
  saved_by_id: number | null
  saved_by_name: string
  /** The published revision, and the columns to find it by. */
  live_id: number | null
  live_slug: string | null
  live_noindex: Generated<number>
  /** Date of the text, as it is shown on the page. */
  live_date: string | null
  published_at: string | null
  publish_at: string | null
  /** The revision that is scheduled, and the slug that is reserved for it. */
  publish_id: number | null
  publish_slug: string | null
  unpublish_at: string | null
  /** The published revision when the page was moved to the trash. */
  trashed_live_id: number | null
  trashed_live_date: string | null
  /** The schedule when the page was moved to the trash. */
  trashed_publish_at: string | null
  trashed_publish_id: number | null
  trashed_unpublish_at: string | null
}

export interface PageRevisionTable {
  id: Generated<number>
  page_id: number
  locale: Locale
  version: number
  /** The first revision of a group that belongs together. */
  group_id: number
  /** JSON: `PageText`. */
  text: string
  /** Date of the text, if it has one. */
  date: string | null
  /** 1: it has been published at some time. */
  published: Generated<number>
  restored_from: number | null
  at: string
  by_id: number | null
  by_name: string
}

/** A row of one user about a page in one language. */
interface RowOfUser {
  page_id: number
  locale: Locale
  user_id: number
}

export interface PageDraftTable extends RowOfUser {
  /** JSON: `DraftText`; null: it was saved or discarded. */
  text: string | null
  title: string
  /** Incremented by every change; it continues when the draft ends. */
  revision: number
  base_version: number
  saved_at: string
}

/** The last time that a text was offered for review. */
export interface PageReviewTable {
  page_id: number
  locale: Locale
  /** Incremented by every offer. */
  offer_number: number
  state: 'waiting' | 'returned' | 'published' | 'withdrawn'
  /** The revision that was saved when it was offered. */
  revision_id: number
  /** The author's note to the reviewer. */
  note: string
  offered_at: string
  offered_by_id: number | null
  offered_by_name: string
  /** The reviewer's note to the author, when it was returned. */
  reviewer_note: string | null
  ended_at: string | null
  ended_by_id: number | null
  ended_by_name: string | null
}

/** An offer of another writer that the waiting offer continues. */
export interface PageReviewEarlierTable {
  page_id: number
  locale: Locale
  /** This column and the next ones: as they were in `page_review`. */
  offer_number: number
  revision_id: number
  note: string
  offered_at: string
  offered_by_id: number | null
  offered_by_name: string
  /** The writer who continued it as the only author, until withdrawing; null: its author still gets emails. */
  taken_over_by_id: number | null
}

/** The roles that may change only texts and images of a page, or of one of its blocks. */
export interface PageLockTable {
  page_id: number
  /** The id of the block, in any language; empty: the whole page. */
  block_id: string
  role_id: number
}

/** The users who have a page open, one row per tab. */
export interface PagePresenceTable extends RowOfUser {
  tab_id: string
  since: string
  seen_at: string
}

export interface RedirectTable {
  id: Generated<number>
  from_path: string
  /** Empty: the address is gone for good. */
  to_path: string
  automatic: number
  version: Generated<number>
  created_at: string
  by_id: number | null
  by_name: string
  search_text: GeneratedAlways<string>
}

/** The uploads that a page uses, by their public id. */
export interface PageFileUsageTable {
  page_id: number
  locale: Locale
  /** `offered`: the text that waits for review. In the trash, `live` and `scheduled` are what restoring brings back. */
  source: 'saved' | 'live' | 'scheduled' | 'offered' | 'draft'
  /** The owner of the draft. */
  user_id: number | null
  address: string
}

/** The sections that a page refers to. */
export interface PageSectionUsageTable extends Omit<PageFileUsageTable, 'address'> {
  section_id: string
}

export interface SectionTable {
  id: string
  name: string
  version: Generated<number>
  created_at: string
  updated_at: string
  updated_by_id: number | null
  updated_by_name: string
}

/** The blocks of a section in one language. */
export interface SectionTextTable {
  section_id: string
  locale: Locale
  /** The types of its blocks, separated by spaces. */
  types: string
  /** JSON: the blocks. */
  body: string
}

/** A saved text of a section, as `PageRevisionTable`. An empty list in `text`: no blocks in this language. */
export interface SectionRevisionTable extends Omit<PageRevisionTable, 'page_id' | 'date' | 'published'> {
  section_id: string
}

/** Which sections a section refers to. */
export interface SectionPartTable {
  section_id: string
  part_id: string
}

/** A published page in one language, for the search of visitors; without pages that search engines may not index. */
export interface PageSearchTable {
  id: Generated<number>
  page_id: number
  locale: Locale
  /** The published revision. */
  revision_id: number
  /** The result of `indexFingerprint` when it was indexed; the row is outdated if that differs now. */
  filled_with: string
  title: string
  /** Folded for search; so is `search_text`, of title and text. */
  search_title: string
  search_text: string
  /** The text as visitors read it, one line for each field. */
  text: string
  /** 0: an older version of the program wrote the row, and the word index does not have it yet. */
  words_indexed: Generated<0 | 1>
}

/** A published entry of a collection, as overviews list it in a language. */
export interface PageEntryTable {
  page_id: number
  locale: Locale
  collection: string
  /** The language of its text there: the main language of the site where a translation is missing. */
  text_locale: Locale
  /** The published revision, and its slug. */
  revision_id: number
  slug: string
  date: string
  /** The id of the category; empty: none. */
  category: string
  /** The sort key in the order of the collection; the id of the page is the tiebreaker. */
  sort_key: string
}

/** The number of listed entries of a category of a collection in a language; triggers maintain it. */
export interface PageEntryCountTable {
  collection: string
  locale: Locale
  category: string
  counted: number
}

/** Published texts whose sections changed, and which must be reindexed. */
export interface PageSearchMarkTable {
  page_id: number
  locale: Locale
}

/** The pages of the configuration, by their slug in the configuration. */
export interface PageSeedTable {
  slug: string
  /** The hash of the text in the configuration from which the page was made. */
  hash: string
  /** Null: the page was deleted since. */
  page_id: number | null
}
