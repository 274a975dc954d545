import type { Generated } from 'kysely'

/** The revisions of the site configuration; the newest id is the current one. */
export interface ConfigRevisionTable {
  id: Generated<number>
  config: string
  note: string
  created_at: string
  author_id: Generated<number | null>
  /** The author's name at that time; empty for an operator. */
  author_name: Generated<string>
  kind: Generated<'file' | 'changed' | 'imported' | 'restored'>
  /** The revision that was restored. */
  restored_id: Generated<number | null>
  /** Names of the parts that it changed, as JSON. */
  parts: Generated<string>
}

/** One row; every change of content increments `version` and locks the row, so that versions become visible in order. */
export interface CacheInvalidationVersionTable {
  id: number
  version: number
}

/** The cache tags that each version invalidated. */
export interface CacheInvalidationTable {
  version: number
  tag: string
}

/** Views of a page in one language on one day; see `PageViewCounter`. */
export interface PageViewTable {
  /** In the time zone of Amsterdam: `2026-11-21`. */
  day: string
  /** Without the language: `/disclaimer`. */
  path: string
  locale: string
  views: number
}

/** Totals of one day; see `PageViewCounter`. */
export interface VisitTotalTable {
  /**
   * The kind of count: page views of people (`view`) and of bots (`bot`), visits by referring site, campaign tags (in JSON)
   * and device, and messages by the address of their page.
   */
  kind: 'view' | 'bot' | 'source' | 'campaign' | 'device' | 'message'
  /** As in `page_view`. */
  day: string
  /** Empty for `view` and `bot`, and for a message that names no page. */
  value: string
  count: number
}

/** Subjects that a restore of an older backup must not bring back; see `restore-journal.ts`. */
export interface RestoreJournalTable {
  kind: 'erased' | 'user_deleted'
  /** The keyed hash of an address that was erased, or the id of a user. */
  subject: string
  at: string
}

/** An open incident: a check that failed in the last run, or whose recovery has not been reported yet. */
export interface HealthIncidentTable {
  check_name: string
  /** Consecutive check runs in which it failed. */
  failed_runs: number
  /** Consecutive runs since the last failure in which it did not fail. */
  passed_runs: number
  notified_at: string | null
}

/** One row: the settings and the state of health alerts. */
export interface HealthSettingTable {
  id: number
  /** Ids of the users who get alerts, as JSON. */
  people: string
  /** Ids of the users who get the monthly email, as JSON. */
  reports: string
  reported_month: string | null
  webhook: string | null
  /** Events not yet delivered to the webhook, as JSON. */
  pending: string
  /** `DatabaseSize[]` as JSON: one for each of the last days. */
  sizes: Generated<string>
  /** When an instance last recorded a check run. */
  last_run_at: string | null
  /** The public address at which the site was last reached, and when. */
  reached_origin: Generated<string | null>
  reached_at: Generated<string | null>
  /** What the last check run found, as JSON: lists of `HealthLine` by language. Null before the first run. */
  lines: Generated<string | null>
  version: number
}
